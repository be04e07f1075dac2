//! What is said in a chat.

use super::Topic;
use super::route::{json, route, stream};
use super::shape::{
    CHAT, CLIENT_ID, CREATED, CREATED_MS, Shape, TURN, WORD, always, event, optional, read, sent, words,
};

pub(super) const TOPIC: Topic = Topic {
    name: "messages",
    doc: "What is said in a chat.",
    words: &[words(
        "role",
        "Whose words a message holds.",
        &[
            ("person", "The person's."),
            ("companion", "The companion's."),
            ("call", "A call of the companion's; the text is its arguments."),
            ("result", "The result of a call."),
        ],
    )],
    records: &[
        read(
            "message",
            "What was said in a chat.",
            &[
                always("id", Shape::Text, "Its id."),
                CHAT,
                TURN,
                always("seq", Shape::Integer, "Its place in the chat."),
                always("role", Shape::Words("role"), "Whose words they are."),
                always("text", Shape::Text, "The words, the arguments of a call, or its result."),
                optional("tool", Shape::Text, "The tool that was called."),
                optional("call_id", Shape::Text, "The call that it is, or is the result of."),
                optional("capabilities", Shape::List(&Shape::Text), "What the client declared with it."),
                optional("device", Shape::Text, "The device that it came from."),
                optional("client_id", Shape::Text, "The client's own id."),
                optional(
                    "mark",
                    Shape::Text,
                    "Why the words are no whole reply: `interrupted`, or the code with which the turn failed.",
                ),
                optional("emotion", Shape::Words("emotion"), "Of words that were spoken in a call: the feeling that was heard."),
                optional("tone", Shape::Text, "Of such words: what stood out in the voice."),
                optional("feeling", Shape::Text, "Of such words: both in words."),
                CREATED,
                CREATED_MS,
            ],
        ),
        read(
            "messages",
            "A page of what was said.",
            &[
                always("messages", Shape::List(&Shape::Record("message")), "In their order."),
                always(
                    "more",
                    Shape::Boolean,
                    "Whether more follow; where `before` was asked for, whether more stand before.",
                ),
                optional(
                    "cards",
                    Shape::List(&Shape::Record("card")),
                    "What became of each call that was put on a phone, where it was asked for.",
                ),
            ],
        ),
        sent(
            "new_message",
            "Something to say.",
            &[
                always("text", Shape::Text, "The words; they may not be blank.").within(1, 256 * 1024),
                optional(
                    "capabilities",
                    Shape::List(&Shape::Text),
                    "What the client can do: at most 32 words of 1 to 64 characters.",
                ),
                optional("device", Shape::Text, "The device that it comes from, on which cards appear.").within(0, WORD),
                CLIENT_ID,
            ],
        ),
        read(
            "said",
            "A message, in an event.",
            &[CHAT, TURN, always("message", Shape::Record("message"), "The message.")],
        ),
        read(
            "piece",
            "A piece of what the companion says.",
            &[CHAT, TURN, always("text", Shape::Text, "To put behind the piece before it.")],
        ),
        read(
            "broken",
            "A turn without a reply.",
            &[
                CHAT,
                TURN,
                always("code", Shape::Text, "A word for a program."),
                always("message", Shape::Text, "A sentence for a person."),
            ],
        ),
    ],
    events: &[
        event(
            "message",
            "said",
            "A message was stored: the person's, or words of the companion before a call.",
        ),
        event("delta", "piece", "The companion says a piece of its reply."),
        event("call", "said", "The companion has called a tool."),
        event("result", "said", "A call has its result."),
        event("reply", "said", "The turn's reply is stored; the turn is over."),
        event("failed", "broken", "The turn ended without a reply."),
    ],
    routes: &[
        route("GET", "/api/chats/{chat}/messages", "list_messages", "What was said in a chat.")
            .query(&[
                optional("after", Shape::Integer, "Only what has a greater `seq`, from the first one on."),
                optional(
                    "before",
                    Shape::Integer,
                    "Instead: what has a smaller `seq`, the last ones of it.",
                ),
                optional("limit", Shape::Integer, "How many at most: 200 when left out, 1,000 at most."),
                optional("cards", Shape::Boolean, "Whether the cards of these turns are told as well."),
            ])
            .answers(&[json(200, "messages", "In their order.")]),
        route(
            "POST",
            "/api/chats/{chat}/messages",
            "say",
            "Says something. Who accepts `text/event-stream` by name is answered with the turn's events to its end; who does not, with the stored message.",
        )
        .body("new_message")
        .answers(&[
            stream("The turn's events, to its end: `reply`, `failed`, or `resync`."),
            json(202, "message", "The message is taken; the turn goes on."),
        ])
        .faults(&["client_id_reused", "too_many_streams", "stopping"]),
    ],
};
