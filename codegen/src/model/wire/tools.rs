//! What companions can be offered.

use super::Topic;
use super::route::{json, route};
use super::shape::{Shape, always, read};

pub(super) const TOPIC: Topic = Topic {
    name: "tools",
    doc: "What companions can be offered, as models' APIs take it.",
    words: &[],
    records: &[
        read(
            "tool",
            "A tool.",
            &[
                always("name", Shape::Text, "Its name."),
                always("description", Shape::Text, "What a model reads of it."),
                always("parameters", Shape::Json, "The JSON Schema of its arguments."),
                always("openai", Shape::Json, "Its definition for chat completions."),
                always("anthropic", Shape::Json, "Its definition for Anthropic's messages."),
            ],
        ),
        read(
            "tools",
            "Every tool.",
            &[
                always("spec", Shape::Text, "The spec's version."),
                always(
                    "capability",
                    Shape::Text,
                    "What a client declares with a message that was written on a phone.",
                ),
                always("tools", Shape::List(&Shape::Record("tool")), "By name."),
            ],
        ),
    ],
    events: &[],
    routes: &[route("GET", "/api/tools", "list_tools", "The tools with their definitions for models' APIs.")
        .answers(&[json(200, "tools", "The tools.")])],
};
