//! The devices that speak for a person.

use super::Topic;
use super::route::{done, json, route};
use super::shape::{
    CLIENT_ID, CREATED, CREATED_MS, Member, Shape, WORD, always, nullable, optional, read, sent, words,
};

const PERSON: Member = optional("person", Shape::Text, "Whose, where the operator asks for another's.");
const TOKEN: Member = always("token", Shape::Text, "Said this once.");

pub(super) const TOPIC: Topic = Topic {
    name: "devices",
    doc: "The devices that speak for a person, and their tokens.",
    words: &[words(
        "device_kind",
        "What a token is for.",
        &[
            ("device", "A person's device, or a program that they gave a token to."),
            ("operator", "The operator's own token."),
        ],
    )],
    records: &[
        read(
            "device",
            "A device that speaks for a person.",
            &[
                always("id", Shape::Text, "Its id."),
                always("name", Shape::Text, "Its name."),
                always("kind", Shape::Words("device_kind"), "What its token is for."),
                CREATED,
                CREATED_MS,
                nullable(
                    "last_seen_at",
                    Shape::Moment,
                    "When it last asked for something, exact to a minute.",
                ),
                nullable("last_seen_at_ms", Shape::Milliseconds, "The same in milliseconds."),
                always("current", Shape::Boolean, "Whether it is the one that asks."),
            ],
        ),
        read(
            "devices",
            "A person's devices.",
            &[always("devices", Shape::List(&Shape::Record("device")), "In their order.")],
        ),
        sent(
            "new_device",
            "A device to add.",
            &[
                always("name", Shape::Text, "Its name; no other of the person's may bear it.")
                    .within(1, WORD),
                PERSON,
                CLIENT_ID,
            ],
        ),
        read(
            "device_added",
            "A device with its token.",
            &[TOKEN, always("device", Shape::Record("device"), "The device.")],
        ),
    ],
    events: &[],
    routes: &[
        route("GET", "/api/devices", "list_devices", "A person's devices.")
            .query(&[PERSON])
            .answers(&[json(200, "devices", "The devices.")])
            .faults(&["not_found"]),
        route("POST", "/api/devices", "add_device", "Adds a device, for its token.")
            .body("new_device")
            .answers(&[json(201, "device_added", "The device with its token.")])
            .faults(&["client_id_reused", "name_taken", "token_not_kept", "not_found"]),
        route(
            "DELETE",
            "/api/devices/{device}",
            "revoke_device",
            "Takes a device's token away; its open streams end now.",
        )
        .query(&[PERSON, CLIENT_ID])
        .answers(&[done("It speaks for nobody any more.")])
        .faults(&["operator_token"]),
    ],
};
