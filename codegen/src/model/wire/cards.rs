//! What waits on a phone.

use super::Topic;
use super::route::{json, route};
use super::shape::{
    CHAT, CLIENT_ID, CREATED, CREATED_MS, NOW_MS, Shape, TURN, WORD, always, asked, event, nullable,
    optional, read, sent, words,
};

pub(super) const TOPIC: Topic = Topic {
    name: "cards",
    doc: "What the companion proposes, as it waits on a phone for the person's yes.",
    words: &[
        asked(
            "answer_status",
            "What became of a card.",
            &[
                ("done", "The phone did it."),
                ("declined", "The person said no."),
                ("failed", "The phone could not do it."),
            ],
        ),
        words(
            "card_state",
            "Where a card stands. It leaves `pending` once.",
            &[
                ("pending", "Waiting for the person."),
                ("done", "The person confirmed, and the phone carried it out."),
                ("declined", "The person said no."),
                ("failed", "The phone could not."),
                ("no_answer", "No answer came in time."),
            ],
        ),
        words(
            "card_outcome",
            "What an answer came to.",
            &[
                ("accepted", "It counts. The same answer again is told the same."),
                ("already_answered", "Another answer was given before; it stands."),
                ("too_late", "The card's time was over."),
                ("other_device", "The card is on another device."),
            ],
        ),
    ],
    records: &[
        read(
            "card",
            "An action that waits for the person, on their phone.",
            &[
                always("id", Shape::Text, "Its id."),
                CHAT,
                TURN,
                always("call_id", Shape::Text, "The call that it comes from."),
                always("part", Shape::Integer, "Which of the objects of that call it is."),
                nullable("device", Shape::Text, "The device that it is on; null for every one."),
                always("tool", Shape::Text, "The tool that was called."),
                nullable("call", Shape::Call, "What the phone carries out."),
                always("summary", Shape::Text, "What the card shows."),
                always("state", Shape::Words("card_state"), "Where it stands."),
                nullable("message", Shape::Text, "What the phone said."),
                CREATED,
                CREATED_MS,
                always("deadline", Shape::Moment, "When it leaves the screen."),
                always("deadline_ms", Shape::Milliseconds, "The same in milliseconds."),
                optional("closed_at", Shape::Moment, "When it left `pending`."),
            ],
        ),
        read(
            "cards",
            "The open cards.",
            &[always("cards", Shape::List(&Shape::Record("card")), "In their order."), NOW_MS],
        ),
        sent(
            "answer",
            "What became of a card.",
            &[
                always("status", Shape::Words("answer_status"), "Anything else counts as `failed`."),
                optional("message", Shape::Text, "What the phone says of it."),
                optional("answered_at", Shape::Moment, "When the person pressed."),
                optional("device", Shape::Text, "The device that answers.").within(0, WORD),
                CLIENT_ID,
            ],
        ),
        read(
            "answered",
            "What an answer came to.",
            &[
                always("outcome", Shape::Words("card_outcome"), "Whether it counts."),
                always("card", Shape::Record("card"), "The card as it stands now."),
                optional("error", Shape::Record("fault"), "Why it does not count."),
            ],
        ),
        read(
            "shown",
            "A card, in an event.",
            &[CHAT, TURN, always("card", Shape::Record("card"), "The card.")],
        ),
    ],
    events: &[
        event("card", "shown", "A card waits on a phone."),
        event("card_closed", "shown", "A card has left the phone."),
    ],
    routes: &[
        route("GET", "/api/cards", "list_cards", "The open cards.")
            .query(&[optional(
                "device",
                Shape::Text,
                "Without other devices' cards. A token that was made for one device speaks for it alone.",
            )
            .within(0, WORD)])
            .answers(&[json(200, "cards", "The cards.")])
            .faults(&["invalid"]),
        route("GET", "/api/cards/{card}", "show_card", "A card, open or closed.").answers(&[json(
            200,
            "card",
            "The card.",
        )]),
        route("POST", "/api/cards/{card}/answer", "answer_card", "Says what became of a card.")
            .body("answer")
            .answers(&[
                json(200, "answered", "The answer counts."),
                json(409, "answered", "It does not count; `error` says why."),
            ])
            .faults(&["client_id_reused", "already_answered", "too_late", "other_device"]),
    ],
};
