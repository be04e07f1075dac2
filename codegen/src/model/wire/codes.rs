//! One-time codes, and what they are redeemed for.

use super::Topic;
use super::route::{json, route};
use super::shape::{CLIENT_ID, Shape, WORD, always, optional, read, sent};

pub(super) const TOPIC: Topic = Topic {
    name: "codes",
    doc: "Signing in: links, pairing codes, and what they are redeemed for.",
    words: &[],
    records: &[
        sent("new_code", "A code to make.", &[CLIENT_ID]),
        read(
            "one_time_code",
            "A code that lets one device in.",
            &[
                always("code", Shape::Text, "The code."),
                optional("path", Shape::Text, "The path of a sign-in link, with the code behind its #."),
                always("expires_at", Shape::Moment, "Until when it holds."),
                always("expires_at_ms", Shape::Milliseconds, "The same in milliseconds."),
            ],
        ),
        sent(
            "sign_in",
            "A one-time code, redeemed.",
            &[
                always("code", Shape::Text, "The part of a sign-in link behind its #, or a pairing code."),
                optional("name", Shape::Text, "What the device is to be called.").within(1, WORD),
                CLIENT_ID,
            ],
        ),
        read(
            "signed_in",
            "What a code is redeemed for.",
            &[
                always("token", Shape::Text, "Said this once."),
                always("person", Shape::Record("person"), "Whose device it is."),
                always("device", Shape::Record("device"), "The device."),
            ],
        ),
    ],
    events: &[],
    routes: &[
        route(
            "POST",
            "/api/people/{person}/links",
            "make_link",
            "Makes a link that signs a person in: oneself, or whomever the operator names.",
        )
        .maybe("new_code")
        .answers(&[json(201, "one_time_code", "The link, which holds 15 minutes.")]),
        route("POST", "/api/pairings", "make_pairing", "Makes a short code that adds a device to one's own.")
            .maybe("new_code")
            .answers(&[json(201, "one_time_code", "The code, which holds 10 minutes.")])
            .faults(&["not_found"]),
        route(
            "POST",
            "/api/pairings/redeem",
            "redeem_pairing",
            "Joins a person's devices with a pairing code.",
        )
        .open()
        .body("sign_in")
        .answers(&[json(201, "signed_in", "The token, said this once.")])
        .faults(REDEEM),
        route("POST", "/api/sign-in", "sign_in", "Signs in with the code of a link.")
            .open()
            .body("sign_in")
            .answers(&[json(201, "signed_in", "The token, said this once.")])
            .faults(REDEEM),
    ],
};

const REDEEM: &[&str] =
    &["code_not_valid", "client_id_reused", "too_many_requests", "store_failed", "degraded", "busy"];
