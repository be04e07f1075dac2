//! What the running spec makes of a call, or of a reply.

use super::Topic;
use super::route::{json, route};
use super::shape::{Shape, always, nullable, optional, read, sent, words};

const SPEC: super::Member = always("spec", Shape::Text, "The spec's version.");

pub(super) const TOPIC: Topic = Topic {
    name: "lab",
    doc: "What the running spec makes of a call, or of a reply. Nothing is kept, and nothing carried out.",
    words: &[words(
        "lab_why",
        "Why something that looks like a marker is plain text.",
        &[
            ("quoted", "By itself it is a marker; here it stands in code, in a quotation, or in a link."),
            ("unknown", "It names no marker."),
            ("unclosed", "It is opened, and not closed."),
            ("too_long", "It is longer than a marker may be."),
            ("shape", "It begins with a marker's name and goes on as none does."),
        ],
    )],
    records: &[
        sent(
            "lab_arguments",
            "A call to look at.",
            &[always("arguments", Shape::Text, "A call's arguments, as a model sends them.")],
        ),
        read(
            "lab_calls",
            "What becomes of the calls in them.",
            &[SPEC, always("calls", Shape::List(&Shape::Record("lab_verdict")), "In their order.")],
        ),
        read(
            "lab_verdict",
            "What becomes of one call: `call` where it passes, else `refused`.",
            &[
                optional("call", Shape::Json, "What the phone receives."),
                optional("dropped", Shape::List(&Shape::Text), "The members that the action does not read."),
                optional("refused", Shape::Text, "The sentence that the model reads."),
                optional("rule", Shape::Record("lab_rule"), "What made it."),
            ],
        ),
        read(
            "lab_rule",
            "The rule that refused a call.",
            &[
                always("text", Shape::Text, "The path of its text in the spec."),
                optional("action", Shape::Text, "The action."),
                optional("field", Shape::Text, "The field that is not what it should be."),
                optional("check", Shape::Text, "The kind of its check."),
                optional("what", Shape::Text, "What the field should be, in the spec's words."),
                optional(
                    "missing",
                    Shape::List(&Shape::List(&Shape::Text)),
                    "The required entries that are missing, each a field or several of which one is enough.",
                ),
            ],
        ),
        sent("lab_reply", "A reply to look at.", &[always("reply", Shape::Text, "What a companion writes.")]),
        read(
            "lab_reading",
            "What becomes of it.",
            &[
                SPEC,
                always("text", Shape::Text, "What the person sees."),
                always("markers", Shape::List(&Shape::Record("lab_marker")), "The markers, in their order."),
                always(
                    "plain",
                    Shape::List(&Shape::Record("lab_plain")),
                    "What looks like a marker and is left as text.",
                ),
                always("max_chars", Shape::Integer, "The most characters of a marker."),
            ],
        ),
        read(
            "lab_marker",
            "A marker that was found.",
            &[
                always("kind", Shape::Text, "What it asks for."),
                nullable("argument", Shape::Text, "Its argument."),
                nullable("takes", Shape::Text, "What its argument is; null where it takes none."),
                nullable(
                    "per_conversation",
                    Shape::Integer,
                    "How often in a conversation it is performed; null for as often as it comes.",
                ),
            ],
        ),
        read(
            "lab_plain",
            "Something between two delimiters that no marker was made of.",
            &[
                always("text", Shape::Text, "The piece."),
                always("why", Shape::Words("lab_why"), "Why."),
                optional("kind", Shape::Text, "The marker that it begins like."),
            ],
        ),
    ],
    events: &[],
    routes: &[
        route("POST", "/api/lab/call", "try_call", "What the spec makes of a call's arguments.")
            .body("lab_arguments")
            .answers(&[json(200, "lab_calls", "What becomes of each call in them.")]),
        route("POST", "/api/lab/reply", "try_reply", "What the spec makes of a reply.")
            .body("lab_reply")
            .answers(&[json(200, "lab_reading", "What becomes of it.")]),
    ],
};
