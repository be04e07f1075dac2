//! Why a request was not done, by code.

use super::Topic;
use super::shape::{Shape, always, optional, read};

/// A code of an error's body.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The code.
    pub code: &'static str,
    /// The status that it comes with; a code has one.
    pub status: u16,
    /// When it comes.
    pub doc: &'static str,
}

const fn fault(status: u16, code: &'static str, doc: &'static str) -> Fault {
    Fault { code, status, doc }
}

/// Every code.
pub const FAULTS: &[Fault] = &[
    fault(400, "audio_empty", "The upload has no bytes."),
    fault(400, "bad_form", "The form is cut off, or it has no recording."),
    fault(400, "bad_query", "The query cannot be read."),
    fault(400, "cut_off", "The request ended before its body did."),
    fault(400, "not_json", "The body is no JSON."),
    fault(400, "too_deep", "The body's objects and lists stand too deep in each other."),
    fault(401, "unauthorized", "The request bears no token, or one that is not known."),
    fault(403, "code_not_valid", "The code is not known, was used before, or its time is over."),
    fault(403, "dnd", "The person does not want to be disturbed; `force` rings nevertheless."),
    fault(403, "operator_only", "Only the operator may do this."),
    fault(403, "other_origin", "The page is of another origin, and may not open a call's socket."),
    fault(404, "not_found", "There is no such thing, or it is another person's."),
    fault(404, "no_such_route", "There is no such path."),
    fault(408, "too_slow", "The request did not come whole in its time."),
    fault(409, "already_answered", "Another answer was given before; it stands."),
    fault(409, "answered_elsewhere", "Another device has answered."),
    fault(409, "call_ended", "The call is over."),
    fault(409, "call_going", "A call is going on."),
    fault(409, "cancelled", "The call was taken back before."),
    fault(409, "invite_pending", "A call is ringing already."),
    fault(409, "name_taken", "Another one bears this name."),
    fault(409, "operator_token", "The operator's own token is not revoked this way."),
    fault(409, "other_device", "The card is on another device; it is answered there."),
    fault(409, "other_key", "The subscription was made for another key than this server's."),
    fault(409, "subscription_taken", "The subscription is another person's."),
    fault(409, "token_not_kept", "The device was added before, and its token is kept nowhere."),
    fault(409, "too_late", "The time was over."),
    fault(409, "too_many_readings", "The person has as many texts as may be."),
    fault(409, "too_many_subscriptions", "The person has as many devices that are rung as may be."),
    fault(413, "audio_too_large", "The recording has more bytes than are taken."),
    fault(413, "audio_too_long", "The recording is longer than is taken."),
    fault(413, "too_large", "The body is too large."),
    fault(415, "audio_unknown_codec", "The container can be read, what is in it cannot."),
    fault(
        415,
        "audio_unknown_container",
        "The upload is no sound that can be read; the message names its first bytes.",
    ),
    fault(422, "audio_corrupt", "The recording is damaged."),
    fault(422, "audio_header_only", "The recording is a head without samples."),
    fault(422, "audio_truncated", "The recording ends in the middle."),
    fault(422, "audio_without_samples", "The recording is whole and has no sound in it."),
    fault(422, "audio_wrong_order", "The recorder's pieces are in the wrong order, or the first is missing."),
    fault(422, "bad_keys", "The subscription's keys cannot be used."),
    fault(422, "bad_transcript", "The transcript is no list of lines, and no text."),
    fault(422, "client_id_reused", "The `client_id` came before, with another request."),
    fault(422, "endpoint_refused", "No push may go to this address."),
    fault(422, "invalid", "What the request says cannot be done; the message says what and why."),
    fault(422, "no_subject", "The push service takes pushes only from who says how to be reached."),
    fault(422, "note_too_long", "The note has more characters than it may have."),
    fault(422, "not_a_picture", "The body is no picture that is taken, or one with too many pixels."),
    fault(422, "not_confirmed", "`confirm` is not the person's name."),
    fault(422, "reason_too_long", "The reason has more characters than it may have."),
    fault(422, "transcript_too_long", "The transcript has more lines or characters than it may have."),
    fault(422, "unknown_action", "The action is none that there is."),
    fault(422, "unknown_event", "The type is none that there is."),
    fault(422, "unknown_setting", "There is no such setting; the message says which there are."),
    fault(422, "unknown_zone", "There is no such time zone."),
    fault(
        429,
        "too_many_exports",
        "Other exports are being written just now; `Retry-After` says how long to wait.",
    ),
    fault(
        429,
        "too_many_requests",
        "This was tried too often just now; `Retry-After` says how long to wait.",
    ),
    fault(426, "not_websocket", "The address is a WebSocket's, and was asked for in another way."),
    fault(429, "too_many_streams", "The person has as many streams open as may be."),
    fault(500, "internal", "A fault of the program ended the request."),
    fault(500, "store_failed", "The server could not read or write."),
    fault(
        502,
        "recogniser_misconfigured",
        "The recogniser refuses the key, the address or the model's name.",
    ),
    fault(502, "recogniser_refused", "The recogniser does not take this recording."),
    fault(502, "recogniser_unreachable", "The recogniser cannot be reached."),
    fault(502, "recogniser_unreadable", "What the recogniser answered is no transcription."),
    fault(503, "busy", "The server cannot write just now; the same request may well do better in a moment."),
    fault(503, "degraded", "The server's database is damaged, read-only, or on a full disk."),
    fault(503, "no_recogniser", "The server has nothing that turns a voice into words."),
    fault(503, "not_ready", "The store cannot write."),
    fault(503, "push_off", "The server rings no phone just now."),
    fault(503, "recogniser_busy", "The recogniser has too much to do just now."),
    fault(503, "stopping", "The server is stopping."),
    fault(504, "recogniser_slow", "The recogniser did not answer in its time."),
];

pub(super) const TOPIC: Topic = Topic {
    name: "faults",
    doc: "Why a request was not done.",
    words: &[],
    records: &[
        read(
            "fault",
            "Why a request was not done.",
            &[
                always("code", Shape::Text, "A word for a program."),
                always("message", Shape::Text, "A sentence for a person."),
                optional("hint", Shape::Text, "What to do about it."),
            ],
        ),
        read(
            "refused",
            "The body of every error.",
            &[always("error", Shape::Record("fault"), "Why the request was not done.")],
        ),
    ],
    events: &[],
    routes: &[],
};
