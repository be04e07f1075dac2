//! Who is on the server.

use super::Topic;
use super::route::{json, route};
use super::shape::{CLIENT_ID, CREATED, CREATED_MS, Shape, WORD, always, read, sent};

pub(super) const TOPIC: Topic = Topic {
    name: "people",
    doc: "Who is on the server. Everybody sees themselves; the operator sees everybody.",
    words: &[],
    records: &[
        read(
            "person",
            "Who is on the server.",
            &[
                always("id", Shape::Text, "Their id."),
                always("name", Shape::Text, "Their name."),
                CREATED,
                CREATED_MS,
            ],
        ),
        read(
            "people",
            "Who one may know of.",
            &[
                always(
                    "people",
                    Shape::List(&Shape::Record("person")),
                    "Oneself; for the operator, everybody.",
                ),
                always("you", Shape::Text, "The id of the one who asks."),
            ],
        ),
        sent(
            "new_person",
            "Somebody to add.",
            &[always("name", Shape::Text, "Their name; nobody else may bear it.").within(1, WORD), CLIENT_ID],
        ),
    ],
    events: &[],
    routes: &[
        route("GET", "/api/people", "list_people", "Oneself; for the operator, everybody.").answers(&[json(
            200,
            "people",
            "The people.",
        )]),
        route("POST", "/api/people", "add_person", "Adds a person.")
            .operators()
            .body("new_person")
            .answers(&[json(201, "person", "The person.")])
            .faults(&["client_id_reused", "name_taken"]),
    ],
};
