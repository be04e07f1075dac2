//! Each ring of a call, from due to arrived.

use super::Topic;
use super::route::{json, route};
use super::shape::{CREATED, CREATED_MS, Member, NOW_MS, Shape, always, nullable, read, sent, words};

const FIGURES: Member = always("figures", Shape::Record("ring_figures"), "How even they were.");

pub(super) const TOPIC: Topic = Topic {
    name: "rings",
    doc: "Each ring of a call, from due to arrived.",
    words: &[words(
        "interval_code",
        "What is said of the interval between two rings.",
        &[
            ("none", "Nothing rang with it."),
            ("silent", "Rings were taken, and none reported."),
            ("few", "Too few to say."),
            ("lost", "Some were swallowed on the way."),
            ("uneven", "They arrive unevenly."),
            ("works", "It works."),
        ],
    )],
    records: &[
        read(
            "device_ring",
            "One ring at one device. What has not happened, or is not known, is null.",
            &[
                always("sequence", Shape::Integer, "Its number in the burst, from 0."),
                nullable("due_at_ms", Shape::Milliseconds, "When it was due."),
                nullable("sent_at_ms", Shape::Milliseconds, "When it was handed to the connection."),
                nullable(
                    "answered_at_ms",
                    Shape::Milliseconds,
                    "When the push service had answered, or was given up.",
                ),
                nullable("outcome", Shape::Words("ring_outcome"), "What came of it."),
                nullable("status", Shape::Integer, "What the push service answered."),
                nullable("arrived_at_ms", Shape::Milliseconds, "When it arrived, by the device's clock."),
                nullable(
                    "reported_at_ms",
                    Shape::Milliseconds,
                    "When the device's report of that came, by the server's clock.",
                ),
                nullable("worker", Shape::Text, "The version of the worker that reported it."),
                nullable("kind", Shape::Text, "What the worker took it for."),
            ],
        ),
        read(
            "spread",
            "Times of many like things, in milliseconds.",
            &[
                always("count", Shape::Integer, "How many there are."),
                always("min_ms", Shape::Integer, "The shortest."),
                always("median_ms", Shape::Integer, "The one in the middle."),
                always("max_ms", Shape::Integer, "The longest."),
                always("spread_ms", Shape::Integer, "From the first quarter to the third."),
            ],
        ),
        read(
            "ring_figures",
            "How even rings were. Null where there is nothing to tell it by.",
            &[
                nullable("sent_after_due", Shape::Record("spread"), "How late they were sent."),
                nullable(
                    "accepted_after_sent",
                    Shape::Record("spread"),
                    "How long the push service took to accept them.",
                ),
                nullable(
                    "arrived_after_due",
                    Shape::Record("spread"),
                    "How late they arrived, by two clocks: the device's and the server's.",
                ),
                nullable(
                    "reported_after_due",
                    Shape::Record("spread"),
                    "The same by the server's clock alone, with the way of the report.",
                ),
                nullable(
                    "between_arrivals",
                    Shape::Record("spread"),
                    "Between one arrival and the next, by the device's clock: what the person hears.",
                ),
            ],
        ),
        read(
            "device_rings",
            "The rings at one device.",
            &[
                always("device", Shape::Text, "The device's id."),
                nullable("name", Shape::Text, "Its name; null once it was revoked."),
                always("rings", Shape::List(&Shape::Record("device_ring")), "In their order."),
                FIGURES,
            ],
        ),
        read(
            "call_rings",
            "The rings of a call.",
            &[
                always("invite", Shape::Text, "The invite."),
                always("devices", Shape::List(&Shape::Record("device_rings")), "By device."),
                FIGURES,
            ],
        ),
        read(
            "rang_call",
            "A call with its rings.",
            &[
                always("invite", Shape::Text, "The invite."),
                always("devices", Shape::List(&Shape::Record("device_rings")), "By device."),
                FIGURES,
                always("reason", Shape::Text, "Why it rang."),
                always("state", Shape::Words("invite_state"), "Where it stands."),
                CREATED,
                CREATED_MS,
                always("interval_ms", Shape::Integer, "From one ring to the next, as it was set then."),
            ],
        ),
        read(
            "interval_verdict",
            "Whether the interval that is set now works: over the calls that rang with it.",
            &[
                always("interval_ms", Shape::Integer, "The interval."),
                always("accepted", Shape::Integer, "How many rings the push services took."),
                always("arrived", Shape::Integer, "How many of them a device reported."),
                nullable("between_arrivals", Shape::Record("spread"), "Between one arrival and the next."),
                always("code", Shape::Words("interval_code"), "What is said of it."),
            ],
        ),
        read(
            "rang_calls",
            "The last calls that rang on a device.",
            &[
                always("verdict", Shape::Record("interval_verdict"), "Whether the interval works."),
                always("calls", Shape::List(&Shape::Record("rang_call")), "The newest first."),
                NOW_MS,
            ],
        ),
        sent(
            "arrival",
            "What a worker reports of a ring that has arrived, as JSON in the query's `value`.",
            &[
                always("version", Shape::Text, "The worker's own version."),
                always("kind", Shape::Text, "What it took the ring for."),
                always("id", Shape::Text, "The invite."),
                always("sequence", Shape::Integer, "The ring's number in the burst, from 0."),
                always(
                    "at",
                    Shape::Moment,
                    "When it arrived, by the device's clock; milliseconds are taken as well.",
                ),
            ],
        ),
    ],
    events: &[],
    routes: &[
        route(
            "GET",
            "/api/calls/{invite}/rings",
            "list_rings",
            "Each ring of a call: due, sent, accepted, arrived; medians and spreads.",
        )
        .answers(&[json(200, "call_rings", "The rings.")]),
        route(
            "GET",
            "/api/rings",
            "list_rang_calls",
            "The last calls that rang on a device, and whether the chosen interval works.",
        )
        .answers(&[json(200, "rang_calls", "The calls.")]),
    ],
};
