//! The server itself: its health, and what it can be asked.

use super::Topic;
use super::route::{Answer, Content, Header, json, route};
use super::shape::{Shape, always, read};

pub(super) const TOPIC: Topic = Topic {
    name: "server",
    doc: "The server itself.",
    words: &[],
    records: &[read(
        "health",
        "That it is well.",
        &[always("status", Shape::Text, "Always `ok`; what is not has an error's body.")],
    )],
    events: &[],
    routes: &[
        route("GET", "/api/openapi.json", "show_api", "This document.")
            .open()
            .headers(&[Header { name: "If-None-Match", doc: "The tag of the one that the client has." }])
            .answers(&[
                Answer { status: 200, content: Content::Object, doc: "The document." },
                Answer { status: 304, content: Content::Nothing, doc: "The client has it already." },
            ]),
        route("GET", "/healthz", "alive", "Whether the process lives.")
            .open()
            .answers(&[json(200, "health", "It does.")]),
        route("GET", "/readyz", "ready", "Whether the server can do its work: a real write and its commit.")
            .open()
            .answers(&[json(200, "health", "It can.")])
            .faults(&["not_ready", "degraded", "stopping"]),
    ],
};
