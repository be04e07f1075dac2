//! A voice in, its words and how they were said out.

use super::Topic;
use super::route::{json, route};
use super::shape::{CLIENT_ID, Member, Shape, always, nullable, optional, read, words};

/// What a recording may come as. The server looks at the bytes and takes any other type as well.
const RECORDINGS: &[&str] = &[
    "application/octet-stream",
    "audio/aac",
    "audio/flac",
    "audio/mp4",
    "audio/mpeg",
    "audio/ogg",
    "audio/wav",
    "audio/webm",
    "multipart/form-data",
];

/// What may be said beside a recording, in the query or in fields of the form.
const BESIDE: &[Member] = &[
    optional(
        "language",
        Shape::Text,
        "The language that is spoken, such as `en` or `zh`, where the client knows it.",
    ),
    optional(
        "remember",
        Shape::Boolean,
        "Whether the figures join those that the voice is compared with; false for a trial.",
    ),
    CLIENT_ID,
];

const FAULTS: &[&str] = &[
    "audio_corrupt",
    "audio_empty",
    "audio_header_only",
    "audio_too_large",
    "audio_too_long",
    "audio_truncated",
    "audio_unknown_codec",
    "audio_unknown_container",
    "audio_without_samples",
    "audio_wrong_order",
    "bad_form",
    "client_id_reused",
    "cut_off",
    "no_recogniser",
    "not_found",
    "recogniser_busy",
    "recogniser_misconfigured",
    "recogniser_refused",
    "recogniser_slow",
    "recogniser_unreachable",
    "recogniser_unreadable",
];

pub(super) const TOPIC: Topic = Topic {
    name: "voice",
    doc: "A voice in, its words and how they were said out.",
    words: &[words(
        "emotion",
        "A feeling that is heard in a voice. What is neutral or unknown is none.",
        &[
            ("happy", "Happy."),
            ("sad", "Sad."),
            ("angry", "Angry."),
            ("fearful", "Afraid."),
            ("disgusted", "Disgusted."),
            ("surprised", "Surprised."),
        ],
    )],
    records: &[
        read(
            "heard_voice",
            "What was said, and how.",
            &[
                always("text", Shape::Text, "The words; empty where nobody speaks."),
                nullable("emotion", Shape::Words("emotion"), "The feeling; null for none."),
                nullable(
                    "tone",
                    Shape::Text,
                    "What stands out in the voice, in the person's language; null for nothing.",
                ),
                nullable(
                    "features",
                    Shape::Record("voice_features"),
                    "The figures of the voice; null where nobody speaks, or under 0.6 seconds.",
                ),
                nullable("language", Shape::Text, "The language, where the recogniser says one."),
                always(
                    "events",
                    Shape::List(&Shape::Text),
                    "What else is to be heard, such as laughter, where the recogniser says so.",
                ),
                always("soft", Shape::Boolean, "Whether the voice calls for a soft one in answer."),
                always(
                    "prefix",
                    Shape::Text,
                    "What the message begins with that a model is given, in the person's language.",
                ),
                nullable("speech", Shape::Record("voice_span"), "Where it is; null where nobody speaks."),
                always("upload", Shape::Record("voice_upload"), "What was uploaded."),
            ],
        ),
        read(
            "voice_features",
            "The figures of a voice.",
            &[
                always("dur", Shape::Number, "Seconds."),
                nullable("pitch", Shape::Number, "Its mean, in Hz."),
                nullable("pitch_var", Shape::Number, "Its standard deviation, in Hz."),
                always("energy", Shape::Number, "The mean loudness, from 0 to 1."),
                always("pause", Shape::Number, "The share of pauses, from 0 to 1."),
                nullable("rate", Shape::Number, "Letters a second."),
                nullable("tail", Shape::Number, "How loud it ends, against its middle."),
            ],
        ),
        read(
            "voice_span",
            "From where to where, in seconds.",
            &[
                always("from", Shape::Number, "Where it begins."),
                always("to", Shape::Number, "Where it ends."),
            ],
        ),
        read(
            "voice_upload",
            "What an upload was.",
            &[
                always("container", Shape::Text, "Its container, by its bytes."),
                always("codec", Shape::Text, "How the sound in it was written."),
                always("seconds", Shape::Number, "Its length."),
            ],
        ),
        read(
            "voice_print",
            "What is kept of a voice: figures of the last utterances, and no sound.",
            &[
                always("samples", Shape::Integer, "How many utterances it is made of."),
                always("keep", Shape::Integer, "How many it may be made of: `tone.baseline_keep` of the settings."),
                always(
                    "needed",
                    Shape::Integer,
                    "From how many on something is said of a figure: `tone.baseline_min` of the settings.",
                ),
                always(
                    "missing",
                    Shape::Integer,
                    "How many more it takes until something can be said of any figure; 0 where it can.",
                ),
                always(
                    "features",
                    Shape::List(&Shape::Record("voice_print_feature")),
                    "The figures of which something can be said.",
                ),
                nullable("since", Shape::Moment, "When the oldest was heard; null where there is none."),
                nullable("since_ms", Shape::Milliseconds, "The same in milliseconds."),
                nullable("last", Shape::Moment, "When the last was heard."),
                nullable("last_ms", Shape::Milliseconds, "The same in milliseconds."),
                always(
                    "version",
                    Shape::Integer,
                    "The number of the way in which figures are measured. Where it changes, older figures are void.",
                ),
            ],
        ),
        read(
            "voice_print_feature",
            "What there is of one figure.",
            &[
                always("name", Shape::Text, "Its name, as in the figures of a voice."),
                always("samples", Shape::Integer, "How many utterances have it."),
                always("missing", Shape::Integer, "How many more have to."),
            ],
        ),
    ],
    events: &[],
    routes: &[
        route(
            "POST",
            "/api/transcribe",
            "transcribe",
            "Hears a recording: its words, its feeling, its tone. It is the body, or the field `audio` of a form; its bytes say \
             what it is.",
        )
        .query(BESIDE)
        .bytes(RECORDINGS)
        .answers(&[json(200, "heard_voice", "What was heard.")])
        .faults(FAULTS),
        route("POST", "/transcribe", "transcribe_here", "The same, where document 2 has it.")
            .query(BESIDE)
            .bytes(RECORDINGS)
            .answers(&[json(200, "heard_voice", "What was heard.")])
            .faults(FAULTS),
        route(
            "GET",
            "/api/voice/print",
            "show_voice_print",
            "What is kept of the person's voice, and what is still missing until something is said of its tone.",
        )
        .answers(&[json(200, "voice_print", "The print.")])
        .faults(&["not_found"]),
        route(
            "DELETE",
            "/api/voice/print",
            "forget_voice_print",
            "Forgets the person's voice, at once and for good.",
        )
        .answers(&[json(200, "voice_print", "The print as it is now.")])
        .faults(&["not_found"]),
    ],
};
