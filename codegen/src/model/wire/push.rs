//! Where the person's devices are rung, and with what.

use super::Topic;
use super::route::{done, json, route};
use super::shape::{
    CLIENT_ID, CREATED, CREATED_MS, Shape, always, nullable, optional, passed, read, sent, words,
};

pub(super) const TOPIC: Topic = Topic {
    name: "push",
    doc: "Where the person's devices are rung, by Web Push.",
    words: &[
        words(
            "push_kind",
            "What a push is for.",
            &[("call", "The companion calls."), ("test", "A person tries their device out.")],
        ),
        words(
            "ring_outcome",
            "What came of a ring at one device.",
            &[
                ("accepted", "The push service took it."),
                ("gone", "The push service does not know the subscription any more; it was deleted."),
                ("too_large", "The push service found it too large."),
                ("limited", "The push service wants fewer."),
                ("unauthorized", "The push service did not accept who sends: 401 or 403."),
                ("refused", "The push service refused it in another way, or redirected it."),
                ("service_failed", "The push service failed."),
                ("no_answer", "No answer came in time."),
                ("closed", "The connection ended before an answer came."),
                ("unreachable", "The push service could not be reached."),
                ("paused", "Not sent: the push service had asked to be left alone for longer."),
                ("overtaken", "Not sent: the ring before it was still on its way when the next one came."),
                ("answered", "Not sent: the call was not pending any more."),
                ("expired", "Not sent: the call's time was over."),
                ("other_key", "Not sent: the subscription was made for another server key."),
                ("not_allowed", "Not sent: the endpoint is not one that pushes may go to."),
                ("not_sealed", "Not sent: it could not be encrypted or signed."),
            ],
        ),
        words(
            "silent_why",
            "Why a device would not be rung now.",
            &[
                ("other_key", "Its subscription was made for another server key."),
                ("not_allowed", "Its endpoint is not one that pushes may go to."),
                ("paused", "Its push service has asked to be left alone for a while."),
            ],
        ),
    ],
    records: &[
        read(
            "push_payload",
            "What a push says, once it is opened.",
            &[
                always("kind", Shape::Words("push_kind"), "What it is for."),
                always("id", Shape::Text, "The invite."),
                always("sequence", Shape::Integer, "The ring's number in the burst, from 0."),
                always("expires_at", Shape::Moment, "Until when the invite may be answered."),
                always("expires_at_ms", Shape::Milliseconds, "The same in milliseconds."),
                always("last", Shape::Boolean, "Whether no ring follows."),
                always("title", Shape::Text, "What a notification is called."),
                always("body", Shape::Text, "What it says."),
            ],
        ),
        read(
            "push_key",
            "What a page subscribes with.",
            &[
                always("key", Shape::Text, "The `applicationServerKey`, as base64url."),
                nullable(
                    "subject",
                    Shape::Text,
                    "How push services reach the operator; without it, each is told the page that a device subscribed from.",
                ),
            ],
        ),
        passed(
            "push_keys",
            "The keys of a browser's subscription.",
            &[
                always("p256dh", Shape::Text, "The browser's public key, as base64url."),
                always("auth", Shape::Text, "Its secret, as base64url."),
            ],
        ),
        passed(
            "new_subscription",
            "A browser's `PushSubscription` as JSON, unchanged.",
            &[
                always("endpoint", Shape::Text, "Where pushes go."),
                always("keys", Shape::Record("push_keys"), "What they are sealed with."),
                optional(
                    "server_key",
                    Shape::Text,
                    "The server's key that the page subscribed with, to be told where that was another.",
                ),
            ],
        ),
        read(
            "subscription",
            "Where a device is rung. Its address is a secret and is not told again.",
            &[
                always("device", Shape::Text, "The device's id."),
                nullable("name", Shape::Text, "The device's name."),
                always("current", Shape::Boolean, "Whether it is the one that asks."),
                always("service", Shape::Text, "The push service's host."),
                nullable("user_agent", Shape::Text, "The browser's own name."),
                CREATED,
                CREATED_MS,
                always("server_key", Shape::Text, "The server's key that it was made for."),
                always("rings", Shape::Boolean, "Whether a ring would be sent there now."),
                optional("why_not", Shape::Words("silent_why"), "Why not."),
                nullable("last_outcome", Shape::Words("ring_outcome"), "What came of the last push."),
                nullable("last_status", Shape::Integer, "What the push service answered."),
                nullable("last_at", Shape::Moment, "When that was."),
                nullable("last_at_ms", Shape::Milliseconds, "The same in milliseconds."),
                nullable("last_success_at", Shape::Moment, "When one was last accepted, exact to a minute."),
                nullable("last_success_at_ms", Shape::Milliseconds, "The same in milliseconds."),
                always("failures", Shape::Integer, "How many in a row were not."),
                nullable("paused_until", Shape::Moment, "Until when it is left alone."),
                nullable("paused_until_ms", Shape::Milliseconds, "The same in milliseconds."),
            ],
        ),
        read(
            "subscriptions",
            "The person's devices that are rung.",
            &[
                always("subscriptions", Shape::List(&Shape::Record("subscription")), "One a device."),
                always(
                    "key",
                    Shape::Text,
                    "The server's key now, to compare with the page's own subscription.",
                ),
            ],
        ),
        read(
            "subscribed",
            "A subscription that is kept.",
            &[always("subscription", Shape::Record("subscription"), "The subscription.")],
        ),
        sent(
            "test_ring",
            "A device to try out.",
            &[optional("device", Shape::Text, "Its id; the one that asks when left out."), CLIENT_ID],
        ),
        read(
            "test_rung",
            "What came of a test ring.",
            &[
                always("id", Shape::Text, "Under which its arrival is reported."),
                always("outcome", Shape::Words("ring_outcome"), "What came of it."),
                nullable("status", Shape::Integer, "What the push service answered."),
                nullable("took_ms", Shape::Integer, "How long it took, in milliseconds."),
                optional("hint", Shape::Text, "What to do."),
            ],
        ),
    ],
    events: &[],
    routes: &[
        route("GET", "/api/push/key", "push_key", "What a page subscribes with.")
            .answers(&[json(200, "push_key", "The key.")])
            .faults(&["push_off"]),
        route("GET", "/api/push/subscription", "list_subscriptions", "The person's devices that are rung.")
            .answers(&[json(200, "subscriptions", "One a device.")])
            .faults(&["push_off"]),
        route(
            "PUT",
            "/api/push/subscription",
            "subscribe",
            "Keeps where the device that asks is rung, in the place of what was kept before.",
        )
        .body("new_subscription")
        .answers(&[json(200, "subscribed", "It is kept.")])
        .faults(&[
            "push_off",
            "endpoint_refused",
            "bad_keys",
            "no_subject",
            "other_key",
            "too_many_subscriptions",
            "subscription_taken",
        ]),
        route("DELETE", "/api/push/subscription", "unsubscribe", "Rings a device no more.")
            .query(&[optional("device", Shape::Text, "Its id; the one that asks when left out."), CLIENT_ID])
            .answers(&[done("It is forgotten.")])
            .faults(&["not_found"]),
        route("POST", "/api/push/test", "test_ring", "Rings a device once, as a call would.")
            .maybe("test_ring")
            .answers(&[json(200, "test_rung", "What came of it.")])
            .faults(&["push_off", "not_found", "client_id_reused"]),
    ],
};
