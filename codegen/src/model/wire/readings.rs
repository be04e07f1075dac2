//! Texts to be read to from.

use super::Topic;
use super::route::{done, json, route};
use super::shape::{CLIENT_ID, CREATED, CREATED_MS, Member, Shape, always, nullable, optional, read, sent};

const TITLE: Member =
    optional("title", Shape::Text, "What it is called; left out, its first line.").within(0, 120);

pub(super) const TOPIC: Topic = Topic {
    name: "readings",
    doc: "Texts that a person put in to be read to, each with its bookmark.",
    words: &[],
    records: &[
        read(
            "reading_text",
            "A text, without its words.",
            &[
                always("id", Shape::Text, "Its id."),
                always("title", Shape::Text, "What it is called."),
                always("language", Shape::Text, "The language that it is in: `en` or `zh`."),
                always("chars", Shape::Integer, "How many characters it has."),
                always("bookmark", Shape::Integer, "Behind how many of them it is read on."),
                always("next", Shape::Text, "How it goes on there; empty where it was read to its end."),
                CREATED,
                CREATED_MS,
                nullable("read_at", Shape::Moment, "When it was read from last; null where it was not yet."),
                nullable("read_at_ms", Shape::Milliseconds, "The same in milliseconds."),
            ],
        ),
        read(
            "reading_list",
            "A person's texts.",
            &[
                always(
                    "readings",
                    Shape::List(&Shape::Record("reading_text")),
                    "The one that was read last first.",
                ),
                always("limits", Shape::Record("reading_limits"), "How much they may be."),
            ],
        ),
        read(
            "reading_limits",
            "How much texts may be.",
            &[
                always("texts", Shape::Integer, "The most texts of a person."),
                always("text_bytes", Shape::Integer, "The most bytes of one, in UTF-8."),
                always("title_chars", Shape::Integer, "The most characters of a title."),
            ],
        ),
        sent(
            "new_reading",
            "A text to take in.",
            &[
                always("text", Shape::Text, "Its words."),
                TITLE,
                optional("language", Shape::Text, "The language that it is in; left out, it is found out."),
                CLIENT_ID,
            ],
        ),
        sent(
            "reading_change",
            "What is to change; what is left out stays.",
            &[
                TITLE,
                optional(
                    "bookmark",
                    Shape::Integer,
                    "Behind how many characters it is read on; 0 is its beginning.",
                ),
                CLIENT_ID,
            ],
        ),
    ],
    events: &[],
    routes: &[
        route("GET", "/api/readings", "list_readings", "The person's texts.").answers(&[json(
            200,
            "reading_list",
            "The texts.",
        )]),
        route("POST", "/api/readings", "add_reading", "Takes a text in.")
            .body("new_reading")
            .answers(&[json(201, "reading_text", "The text.")])
            .faults(&["client_id_reused", "too_many_readings"]),
        route("PATCH", "/api/readings/{reading}", "change_reading", "Changes its title, moves its bookmark.")
            .body("reading_change")
            .answers(&[json(200, "reading_text", "The text as it is now.")])
            .faults(&["client_id_reused", "not_found"]),
        route("DELETE", "/api/readings/{reading}", "delete_reading", "Deletes a text.")
            .query(&[CLIENT_ID])
            .answers(&[done("It is gone.")])
            .faults(&["client_id_reused", "not_found"]),
    ],
};
