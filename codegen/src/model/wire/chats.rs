//! Chats.

use super::Topic;
use super::route::{done, json, route};
use super::shape::{
    CLIENT_ID, CREATED, CREATED_MS, Member, Shape, always, nullable, optional, read, sent, words,
};

const KIND: Member = always("kind", Shape::Words("chat_kind"), "What it is for.");
const ID: Member = always("id", Shape::Text, "Its id.");
const MODE: Member =
    always("mode", Shape::Words("chat_mode"), "How much the companion may change by itself.");
const TITLE: Member = nullable("title", Shape::Text, "Its title.");
const OFFERED: Member = always("offered", Shape::Boolean, "Whether the phone's tool is offered in it.");
const PINNED: Member =
    always("pinned", Shape::Boolean, "Whether what is said outside of any chat goes here.");

pub(super) const TOPIC: Topic = Topic {
    name: "chats",
    doc: "Chats: open, list, pin, delete.",
    words: &[
        words(
            "chat_kind",
            "What a chat is for.",
            &[
                ("chat", "A person talks with the companion."),
                ("schedule", "A schedule started it; nobody attends."),
                ("subagent", "Another companion started it; nobody attends."),
            ],
        ),
        words(
            "chat_mode",
            "How much a chat's companion may change by itself.",
            &[("act", "It acts."), ("plan", "It plans and changes nothing on disk.")],
        ),
    ],
    records: &[
        read("chat", "A chat.", &[ID, KIND, MODE, TITLE, OFFERED, PINNED, CREATED, CREATED_MS]),
        read(
            "last_words",
            "What was said last in a chat.",
            &[
                always("role", Shape::Words("role"), "Whose words they are."),
                always("text", Shape::Text, "The words, cut."),
                always("at", Shape::Moment, "When they were said."),
                always("at_ms", Shape::Milliseconds, "The same in milliseconds."),
            ],
        ),
        read(
            "listed_chat",
            "A chat in a list, with what it is known by where it has no title.",
            &[
                ID,
                KIND,
                MODE,
                TITLE,
                OFFERED,
                PINNED,
                CREATED,
                CREATED_MS,
                optional("opening", Shape::Text, "What the person said first, cut."),
                optional("last", Shape::Record("last_words"), "What was said last."),
            ],
        ),
        read(
            "chats",
            "All chats.",
            &[always("chats", Shape::List(&Shape::Record("listed_chat")), "Newest first.")],
        ),
        sent(
            "new_chat",
            "A chat to open.",
            &[
                optional("title", Shape::Text, "Its title, of at most 200 characters.").within(0, 200),
                optional("kind", Shape::Words("chat_kind"), "What it is for; `chat` when left out."),
                optional(
                    "mode",
                    Shape::Words("chat_mode"),
                    "How much the companion may change; `act` when left out.",
                ),
                CLIENT_ID,
            ],
        ),
        sent(
            "chat_change",
            "A change of a chat.",
            &[
                always(
                    "pinned",
                    Shape::Boolean,
                    "Whether what is said outside of any chat goes here, and no more into the one that was pinned before.",
                ),
                CLIENT_ID,
            ],
        ),
        read(
            "speech_stopped",
            "What a request to stop came to.",
            &[always(
                "stopped",
                Shape::Boolean,
                "Whether anything was being said. What was said by then stays, with the mark `interrupted`.",
            )],
        ),
    ],
    events: &[],
    routes: &[
        route("GET", "/api/chats", "list_chats", "All chats, newest first.").answers(&[json(
            200,
            "chats",
            "The chats.",
        )]),
        route("POST", "/api/chats", "open_chat", "Opens a chat; without a body, the plainest one.")
            .maybe("new_chat")
            .answers(&[json(201, "chat", "The chat.")])
            .faults(&["client_id_reused", "not_found"]),
        route("GET", "/api/chats/{chat}", "show_chat", "A chat.").answers(&[json(200, "chat", "The chat.")]),
        route("PATCH", "/api/chats/{chat}", "change_chat", "Pins a chat, or takes its pin away.")
            .body("chat_change")
            .answers(&[json(200, "chat", "The chat as it stands now.")])
            .faults(&["client_id_reused"]),
        route("DELETE", "/api/chats/{chat}", "delete_chat", "Deletes a chat with everything in it.")
            .query(&[CLIENT_ID])
            .answers(&[done("It is gone.")]),
        route(
            "POST",
            "/api/chats/{chat}/stop",
            "stop_speech",
            "Stops what the companion is saying. A card that waits stays.",
        )
        .answers(&[json(200, "speech_stopped", "Whether anything was stopped.")]),
    ],
};
