//! What happens, as it happens.

use super::Topic;
use super::route::{Header, done, json, route, stream};
use super::shape::{Member, Shape, WORD, always, event, optional, read};

const DEVICE: Member = optional(
    "device",
    Shape::Text,
    "Without other devices' cards. A token that was made for one device speaks for it alone.",
)
.within(0, WORD);
const VALUE_DOC: &str =
    "What a worker reports of a ring: `VERSION|KIND|INVITE|SEQUENCE|TIME`, or the record `arrival` as JSON.";

pub(super) const TOPIC: Topic = Topic {
    name: "events",
    doc: "What happens, as it happens: by a stream, or by polls.",
    words: &[],
    records: &[
        read(
            "missed",
            "Events that are not kept any more.",
            &[always("fetch", Shape::List(&Shape::Text), "What to read anew.")],
        ),
        read("nothing", "No more than that it happened.", &[]),
        read(
            "polled_event",
            "An event, as a poll tells it.",
            &[
                always("id", Shape::Text, "Where to resume from."),
                always("event", Shape::Text, "Its name."),
                always("data", Shape::Json, "Its data, as a stream tells it."),
            ],
        ),
        read(
            "polled",
            "What has happened.",
            &[
                always("events", Shape::List(&Shape::Record("polled_event")), "In their order."),
                always("last_id", Shape::Text, "What to ask with next time."),
                always(
                    "resync",
                    Shape::Boolean,
                    "Whether events were missed that are not kept any more: read the state anew.",
                ),
                optional("fetch", Shape::List(&Shape::Text), "What to read anew, where they were."),
            ],
        ),
    ],
    events: &[
        event("resync", "missed", "Events were missed: read the state anew."),
        event("stopping", "nothing", "The server stops: come back in a moment, with the last id."),
    ],
    routes: &[
        route(
            "GET",
            "/api/events",
            "follow",
            "Everything that happens, as it happens. With a `type` it takes a report, as POST does.",
        )
        .query(&[
            DEVICE,
            optional("after", Shape::Text, "The id of the last event that is known."),
            optional("type", Shape::Text, "`swpush`, for a report and no stream."),
            optional("value", Shape::Text, VALUE_DOC),
        ])
        .headers(&[Header {
            name: "Last-Event-ID",
            doc: "The id of the last event that is known; it wins over `after`.",
        }])
        .answers(&[stream("The events, until the client ends it."), done("The report is taken.")])
        .faults(&["invalid", "too_many_streams", "not_found"]),
        route("POST", "/api/events", "report_arrival", "A device's worker reports that a ring has arrived.")
            .query(&[always("type", Shape::Text, "`swpush`."), always("value", Shape::Text, VALUE_DOC)])
            .answers(&[done("The report is taken.")])
            .faults(&["invalid", "not_found"]),
        route(
            "GET",
            "/api/events/poll",
            "poll",
            "The same as the stream, for who cannot stream. Without `after` it says from where to ask.",
        )
        .query(&[
            DEVICE,
            optional("after", Shape::Text, "The id of the last event that is known."),
            optional(
                "wait",
                Shape::Integer,
                "How many seconds to wait where nothing has happened, at most 50.",
            )
            .within(0, i64::MAX),
        ])
        .answers(&[json(200, "polled", "What has happened.")])
        .faults(&["invalid", "too_many_streams"]),
    ],
};
