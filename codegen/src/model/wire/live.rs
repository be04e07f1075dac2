//! A call that is alive: what goes over its socket.

use super::Topic;
use super::route::{route, switches};
use super::shape::{
    Member, Record, Shape, WORD, Words, always, asked, either, optional, passed, read, words,
};

const TURN: Member = optional("turn", Shape::Text, "The turn's id.");
const PIECE: Member = optional("piece", Shape::Integer, "A piece's number, from 0.").within(0, i64::MAX);

pub(super) const TOPIC: Topic = Topic {
    name: "live",
    doc: "A call that is alive: sound and words over one socket (docs/voice.md, \"The live call\").",
    words: WORDS,
    records: RECORDS,
    events: &[],
    routes: &[route(
        "GET",
        "/api/call/live",
        "open_line",
        "A call's own socket: each text frame is `live_sign` there and `live_news` back, and sound is in the binary frame behind the one that announces it. A browser, which can set no header, offers the subprotocols `handset` and `bearer.TOKEN`. One socket a call: a newer one takes the older one's place.",
    )
    .query(&[always("call", Shape::Text, "The call's id.")])
    .answers(&[switches("It is a WebSocket from here on.")])
    .faults(&["not_found", "call_ended", "not_websocket", "other_origin", "too_many_streams"])],
};

const RECORDS: &[Record] = &[
    passed(
        "live_sign",
        "What a client says over a call's socket. Which members it has, its `type` says.",
        &[
            always("type", Shape::Words("live_sign_type"), "What it says."),
            optional(
                "capabilities",
                Shape::List(&Shape::Text),
                "Of `device`: what it can do, as with messages that are written: at most 32 words of 1 to 64 characters.",
            ),
            optional("device", Shape::Text, "Of `device`: its name, on which cards appear.").within(0, WORD),
            optional("client_id", Shape::Text, "Of `utterance`: the client's own id for it.").within(0, WORD),
            optional(
                "language",
                Shape::Text,
                "Of `utterance` and `frames`: what is spoken, such as `en`, where that is known.",
            ),
            optional("rate", Shape::Integer, "Of `frames`: samples a second; 16,000.").within(1, 1_000_000),
            optional("turn", Shape::Text, "Of `speaking` and `played`: the turn that was played."),
            optional("piece", Shape::Integer, "Of `speaking` and `played`: the piece of it.")
                .within(0, i64::MAX),
            optional("share", Shape::Number, "Of `speaking`: to which share of its length, from 0 to 1."),
        ],
    ),
    read(
        "live_speech",
        "Who speaks on a call.",
        &[
            always("by", Shape::Words("live_speaker"), "Whose voice it is."),
            either("format", Shape::Text, "The type of the server's sound; null where it sends none."),
        ],
    ),
    read(
        "live_times",
        "How long something took, in milliseconds from the end of what was said; null where a stage was not reached.",
        &[
            either("caption_ms", Shape::Integer, "Until its words were there."),
            either("first_delta_ms", Shape::Integer, "Until the model's first word."),
            either("first_piece_ms", Shape::Integer, "Until the first piece was whole."),
            either("first_audio_ms", Shape::Integer, "Until its sound was there."),
        ],
    ),
    read(
        "live_fault",
        "Why something was not done.",
        &[
            always("code", Shape::Text, "A word for a program."),
            always("message", Shape::Text, "A sentence for a person."),
            optional("hint", Shape::Text, "What to do."),
        ],
    ),
    read(
        "live_news",
        "What the server tells over a call's socket. Which members it has, its `type` says.",
        &[
            always("type", Shape::Words("live_news_type"), "What it tells."),
            optional("call", Shape::Record("voice_call"), "Of `ready`: the call."),
            optional("chat", Shape::Text, "Of `ready`: the chat that it goes on in."),
            optional("hears", Shape::Boolean, "Of `ready`: whether the server turns voices into words."),
            optional("speech", Shape::Record("live_speech"), "Of `ready`: who speaks."),
            optional(
                "soft_gain",
                Shape::Number,
                "Of `ready`: how loud soft speech is, as a part of the usual.",
            ),
            either("client_id", Shape::Text, "The utterance that it is about; null where it is about none."),
            optional("text", Shape::Text, "Of `caption`: the words."),
            either("emotion", Shape::Words("emotion"), "Of `caption`: the feeling; null for none."),
            either("tone", Shape::Text, "Of `caption`: what stands out in the voice; null for nothing."),
            either("feeling", Shape::Text, "Of `caption`: both in words; null for neither."),
            TURN,
            optional("soft", Shape::Boolean, "Of `turn`: whether it is spoken softly."),
            PIECE,
            optional("spoken", Shape::Text, "Of `piece`: the words for a voice."),
            optional("shown", Shape::Text, "Of `piece`: what of the reply it stands for."),
            either(
                "language",
                Shape::Text,
                "Of `piece`: the language of the words, as ISO 639 has it; null where nothing tells it.",
            ),
            optional("format", Shape::Text, "Of `audio`: the type of the sound that follows."),
            optional("error", Shape::Record("live_fault"), "Of `fault`, `bad` and `audio`: why not."),
            optional("pieces", Shape::Integer, "Of `reply`: how many pieces it has."),
            either(
                "message",
                Shape::Record("message"),
                "Of `reply` and `stopped`: what is stored; null for nothing.",
            ),
            optional("times", Shape::Record("live_times"), "Of `caption` and `reply`: how long it took."),
            optional("until_ms", Shape::Milliseconds, "Of `linger`: until when."),
            optional("by", Shape::Words("live_end"), "Of `ended`: who ended it."),
            either(
                "record",
                Shape::Record("message"),
                "Of `ended`: the call's record; null where there is none.",
            ),
        ],
    ),
];

const WORDS: &[Words] = &[
    asked(
        "live_sign_type",
        "What a client says over a call's socket.",
        &[
            ("device", "Which device this is and what it can do, for what is said from here on."),
            ("utterance", "The next binary frame is a recording of what the person has said."),
            (
                "frames",
                "The next binary frames are sound as it flows: 16-bit little-endian samples of one channel.",
            ),
            ("frames_end", "No more sound flows."),
            ("speaking", "The person has begun to speak: what the companion says is stopped."),
            ("played", "A piece was played to its end."),
            ("hangup", "The person hangs up."),
        ],
    ),
    words(
        "live_news_type",
        "What the server tells over a call's socket.",
        &[
            ("ready", "The line is there: the first of all."),
            ("understanding", "What was said is being understood."),
            ("caption", "What was said, in words."),
            ("nothing_heard", "Nobody spoke, or no word was understood."),
            ("fault", "Something could not be done."),
            ("turn", "The companion begins to answer; one that is known begins anew."),
            ("piece", "A piece of the answer."),
            ("audio", "The next binary frame is the sound of a piece; or why there is none."),
            ("reply", "The answer is whole."),
            ("stopped", "The answer was interrupted."),
            ("linger", "The line lingers behind a goodbye."),
            ("goes_on", "It lingers no more."),
            ("ended", "The call is over."),
            ("bad", "A frame could not be read; the socket stays."),
        ],
    ),
    words(
        "live_speaker",
        "Whose voice speaks on a call.",
        &[("server", "The server's."), ("browser", "The client's own.")],
    ),
    words(
        "live_end",
        "Who ended a call.",
        &[
            ("person", "The person, on this device or another."),
            ("companion", "The companion, behind a goodbye."),
            ("server", "The server, since nobody came back to the line."),
        ],
    ),
];
