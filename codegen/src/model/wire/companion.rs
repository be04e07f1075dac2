//! Who the companion is to a person.

use super::Topic;
use super::route::{bytes, json, route};
use super::shape::{CLIENT_ID, Shape, always, either, nullable, read, sent};

/// What a picture may be, by its own bytes.
const PICTURES: &[&str] = &["image/png", "image/jpeg", "image/webp"];
/// How many characters a name may have.
const NAME: i64 = 40;
/// How many characters a persona may have: the server counts bytes, and says how many.
const PERSONA: i64 = 16_384;

pub(super) const TOPIC: Topic = Topic {
    name: "companion",
    doc: "Who the companion is to a person: name, persona, picture.",
    words: &[],
    records: &[
        read(
            "companion_profile",
            "Who the companion is to the person.",
            &[
                nullable("name", Shape::Text, "What the person calls it; null where they gave it no name."),
                always("called", Shape::Text, "What it is called then, in the person's language."),
                nullable(
                    "persona",
                    Shape::Text,
                    "Who it is, in the person's words; null where the server says who.",
                ),
                nullable(
                    "picture",
                    Shape::Record("companion_picture"),
                    "Its picture; null for the one that is drawn.",
                ),
                always("limits", Shape::Record("companion_limits"), "How much each may be."),
            ],
        ),
        read(
            "companion_picture",
            "The companion's picture.",
            &[
                always("kind", Shape::Text, "Its type of content."),
                always("size", Shape::Integer, "Its bytes."),
                always("tag", Shape::Text, "Another one for another picture."),
            ],
        ),
        read(
            "companion_limits",
            "How much what makes up a companion may be.",
            &[
                always("name_chars", Shape::Integer, "The most characters of the name."),
                always("persona_bytes", Shape::Integer, "The most bytes of the persona."),
                always("picture_bytes", Shape::Integer, "The most bytes of the picture."),
            ],
        ),
        sent(
            "companion_change",
            "What is to change; what is left out stays, and null is as the server has it.",
            &[
                either("name", Shape::Text, "What it is called.").within(0, NAME),
                either("persona", Shape::Text, "Who it is.").within(0, PERSONA),
                CLIENT_ID,
            ],
        ),
    ],
    events: &[],
    routes: &[
        route("GET", "/api/companion", "show_companion", "Who the companion is to the person who asks.")
            .answers(&[json(200, "companion_profile", "The companion.")]),
        route("PATCH", "/api/companion", "change_companion", "Changes its name, its persona, or both.")
            .body("companion_change")
            .answers(&[json(200, "companion_profile", "The companion as it is now.")])
            .faults(&["client_id_reused", "not_found"]),
        route(
            "GET",
            "/api/companion/picture",
            "show_picture",
            "The companion's picture, for its own person alone.",
        )
        .answers(&[bytes(PICTURES, "The picture.")])
        .faults(&["not_found"]),
        route(
            "PUT",
            "/api/companion/picture",
            "change_picture",
            "Gives it a picture: PNG, JPEG or WebP by its bytes, whatever the request calls it.",
        )
        .query(&[CLIENT_ID])
        .bytes(PICTURES)
        .answers(&[json(200, "companion_profile", "The companion as it is now.")])
        .faults(&["not_a_picture", "not_found"]),
        route("DELETE", "/api/companion/picture", "drop_picture", "Takes its picture away.")
            .query(&[CLIENT_ID])
            .answers(&[json(200, "companion_profile", "The companion as it is now.")])
            .faults(&["not_found"]),
    ],
};
