//! The telephone: invites, answers, the line.

use super::Topic;
use super::route::{json, route};
use super::shape::{
    CLIENT_ID, CREATED, CREATED_MS, NOW_MS, Shape, WORD, Words, always, asked, event, nullable, optional,
    read, sent, words,
};

pub(super) const TOPIC: Topic = Topic {
    name: "calls",
    doc: "The telephone: a phone that rings, its answer, the line, the end (docs/calls.md).",
    words: WORDS,
    records: &[
        read(
            "invite",
            "A phone that rings.",
            &[
                always("id", Shape::Text, "Its id, and that of the call that it becomes."),
                always("reason", Shape::Text, "What the card shows."),
                always("by", Shape::Words("invite_by"), "What asked for it."),
                always("state", Shape::Words("invite_state"), "Where it stands."),
                CREATED,
                CREATED_MS,
                always("expires_at", Shape::Moment, "When it becomes a voicemail."),
                always("expires_at_ms", Shape::Milliseconds, "The same in milliseconds."),
                always("rings", Shape::Boolean, "Whether it rings, and does not only show."),
                optional("chat", Shape::Text, "The chat that it came from."),
                optional("answered_by", Shape::Text, "The device that answered."),
                optional("note", Shape::Text, "What the person said with a decline."),
                optional("resolved_at", Shape::Moment, "When it left `pending`."),
            ],
        ),
        read(
            "voice_call",
            "A voice call.",
            &[
                always("id", Shape::Text, "Its invite's."),
                always("state", Shape::Words("call_state"), "Where it stands."),
                always("began_at", Shape::Moment, "When it was answered."),
                always("began_at_ms", Shape::Milliseconds, "The same in milliseconds."),
                optional(
                    "lingers_until",
                    Shape::Moment,
                    "Until when the line lingers behind a goodbye, while it does: then the call ends unless somebody speaks.",
                ),
                optional("lingers_until_ms", Shape::Milliseconds, "The same in milliseconds."),
                optional("ended_at", Shape::Moment, "When it ended."),
                optional("ended_by", Shape::Words("ended_by"), "Who ended it."),
                optional("seconds", Shape::Integer, "How long it was."),
            ],
        ),
        sent(
            "new_invite",
            "A call to ring for.",
            &[
                optional(
                    "reason",
                    Shape::Text,
                    "What the card shows: one line of at most 200 characters; the spec has a reason where there is none.",
                ).within(0, 200),
                optional(
                    "force",
                    Shape::Boolean,
                    "Whether it rings though the person does not want to be disturbed.",
                ),
                CLIENT_ID,
            ],
        ),
        read(
            "invited",
            "What a wish to ring came to.",
            &[
                always("ok", Shape::Boolean, "Whether it rings."),
                optional("dnd", Shape::Boolean, "True where do-not-disturb is why it does not."),
                optional(
                    "invite",
                    Shape::Record("invite"),
                    "The invite that was made, or the one that is pending already.",
                ),
                optional("call", Shape::Record("voice_call"), "The call that goes on already."),
                optional("error", Shape::Record("fault"), "Why it does not ring."),
            ],
        ),
        read(
            "chip",
            "What a person may say to a call with one tap.",
            &[always("key", Shape::Text, "Its name."), always("text", Shape::Text, "What it says.")],
        ),
        read(
            "call_device",
            "The device that a call goes on at.",
            &[
                optional("id", Shape::Text, "Its id, while the person has it."),
                always("name", Shape::Text, "What it is called."),
                always("here", Shape::Boolean, "Whether it is the one that asks."),
            ],
        ),
        read(
            "ringing",
            "What rings, for who does not stream.",
            &[
                nullable("invite", Shape::Record("invite"), "The one that is pending."),
                nullable("last", Shape::Record("invite"), "The newest one, where it is resolved."),
                nullable("call", Shape::Record("voice_call"), "The call that goes on."),
                nullable("call_device", Shape::Record("call_device"), "Where it goes on."),
                always("poll_interval", Shape::Number, "After how many seconds to ask again."),
                always("chips", Shape::List(&Shape::Record("chip")), "Short answers."),
                always("note_max_chars", Shape::Integer, "How many characters a note may have."),
                NOW_MS,
            ],
        ),
        sent(
            "invite_reply",
            "An answer to a phone that rings.",
            &[
                always("id", Shape::Text, "The invite's id."),
                always("action", Shape::Words("invite_answer"), "Accept or decline."),
                optional("note", Shape::Text, "What the person says with a decline."),
                optional("device", Shape::Text, "The device that answers.").within(0, WORD),
                CLIENT_ID,
            ],
        ),
        read(
            "invite_replied",
            "What that answer came to.",
            &[
                always("ok", Shape::Boolean, "Whether it counts."),
                always("outcome", Shape::Words("invite_outcome"), "What it came to."),
                always("invite", Shape::Record("invite"), "The invite as it stands now."),
                optional("call", Shape::Record("voice_call"), "The call that began."),
                optional("error", Shape::Record("fault"), "Why it does not count."),
            ],
        ),
        sent(
            "invite_cancel",
            "An invite to take back.",
            &[always("id", Shape::Text, "The invite's id."), CLIENT_ID],
        ),
        sent(
            "line_sign",
            "What a device says of the line.",
            &[
                always("id", Shape::Text, "The call's id."),
                always("type", Shape::Words("line_event"), "What has happened."),
                optional("turn", Shape::Text, "With `played`: the turn whose reply it was."),
                optional(
                    "heard",
                    Shape::Integer,
                    "With `played`: how many characters of the reply were heard, where it was not all.",
                ).within(0, i64::MAX),
            ],
        ),
        sent(
            "transcript_line",
            "A line of what was on the screen.",
            &[
                always("who", Shape::Words("speaker"), "Who said it."),
                always("text", Shape::Text, "What was said."),
            ],
        ),
        sent(
            "call_end",
            "The end of a call, as its device tells it.",
            &[
                always("id", Shape::Text, "The call's id."),
                always(
                    "seconds",
                    Shape::Number,
                    "How long it was, from 0 on. One that says more than has passed since the answer was that long.",
                ).within(0, 86400),
                optional(
                    "transcript",
                    Shape::List(&Shape::Record("transcript_line")),
                    "What was on the screen: at most 5,000 lines and 200,000 characters. One text is taken as well.",
                ),
                CLIENT_ID,
            ],
        ),
        read(
            "line_moved",
            "What a sign, or the end, came to.",
            &[
                always("ok", Shape::Boolean, "Always true; a fault has a body of its own."),
                always("outcome", Shape::Words("line_outcome"), "What came of it."),
                always("call", Shape::Record("voice_call"), "The call as it stands now."),
                optional(
                    "message",
                    Shape::Record("message"),
                    "The call's record, where this request brought it.",
                ),
            ],
        ),
        read(
            "rung",
            "An invite, a call, or both.",
            &[
                optional("invite", Shape::Record("invite"), "The invite as it stands now."),
                optional("call", Shape::Record("voice_call"), "The call as it stands now."),
            ],
        ),
    ],
    events: &[event("invite", "rung", "An invite, or the call that came of one, stands differently.")],
    routes: &[
        route("POST", "/api/call/invite", "ring", "Rings the person's phone.")
            .maybe("new_invite")
            .answers(&[
                json(201, "invited", "It rings."),
                json(403, "invited", "The person does not want to be disturbed."),
                json(409, "invited", "Another invite is pending, or a call goes on."),
            ])
            .faults(&[
                "client_id_reused",
                "reason_too_long",
                "dnd",
                "invite_pending",
                "call_going",
                "not_found",
            ]),
        route(
            "GET",
            "/api/call/invite",
            "show_ringing",
            "What rings: everything that the event stream says of it, for who does not stream.",
        )
        .answers(&[json(200, "ringing", "What rings.")]),
        route("POST", "/api/call/answer", "answer_invite", "Accepts a call, or declines it.")
            .body("invite_reply")
            .answers(&[
                json(200, "invite_replied", "The answer counts."),
                json(409, "invite_replied", "It does not count; `error` says why."),
            ])
            .faults(&[
                "client_id_reused",
                "not_found",
                "unknown_action",
                "note_too_long",
                "cancelled",
                "already_answered",
                "answered_elsewhere",
                "too_late",
            ]),
        route("POST", "/api/call/cancel", "cancel_invite", "Takes an invite back.")
            .body("invite_cancel")
            .answers(&[
                json(200, "invite_replied", "It is taken back."),
                json(409, "invite_replied", "It was resolved otherwise; `error` says how."),
            ])
            .faults(&["client_id_reused", "not_found", "already_answered", "answered_elsewhere", "too_late"]),
        route("POST", "/api/call/events", "tell_line", "Tells what happens on the line.")
            .body("line_sign")
            .answers(&[json(200, "line_moved", "How the call stands.")])
            .faults(&["not_found", "unknown_event"]),
        route(
            "POST",
            "/api/call/end",
            "end_call",
            "Ends a call: how long it was, and what was on the screen. The body may have 3 MiB.",
        )
        .body("call_end")
        .answers(&[json(200, "line_moved", "What it leaves.")])
        .faults(&["client_id_reused", "not_found", "bad_transcript", "transcript_too_long"]),
    ],
};

const WORDS: &[Words] = &[
    words(
        "invite_state",
        "Where a call invite stands. It leaves `pending` once.",
        &[
            ("pending", "It rings, or has rung, and waits for an answer until it expires."),
            ("accepted", "A device took it; the call of the same id has begun."),
            ("declined", "The person said no."),
            ("expired", "Nobody answered in time."),
            ("cancelled", "It was taken back before it was answered."),
        ],
    ),
    words(
        "invite_by",
        "What asked for a call.",
        &[
            ("marker", "A marker in the companion's reply."),
            ("api", "A request to the API."),
            ("escalation", "A long silence."),
        ],
    ),
    asked(
        "invite_answer",
        "What a person says to an invite.",
        &[("accept", "The call begins."), ("decline", "Not now.")],
    ),
    words(
        "invite_outcome",
        "What an answer to an invite came to.",
        &[
            ("accepted", "The call is taken."),
            ("declined", "The call is declined."),
            ("cancelled", "The invite is taken back."),
            ("already_answered", "This device has answered otherwise before."),
            ("answered_elsewhere", "Another device has answered."),
            ("too_late", "The invite's time was over."),
            ("waiting", "It is still pending."),
            ("ended", "It has ended unanswered."),
        ],
    ),
    words(
        "call_state",
        "Where a voice call stands.",
        &[
            ("accepted", "It was answered, and the device has not been heard from since."),
            ("going", "It goes on."),
            ("hung_up", "The companion has hung up; the device still has to say how long it was."),
            ("ended", "It is over."),
        ],
    ),
    words(
        "ended_by",
        "Who ended a voice call.",
        &[
            ("device", "The device, which says how long it was."),
            ("server", "The server, since the device was not heard from any more."),
        ],
    ),
    asked(
        "line_event",
        "What a device says of the line.",
        &[
            ("joined", "It is there."),
            ("played", "It has played what it will play of a reply."),
            ("speech", "The person speaks."),
        ],
    ),
    words(
        "line_outcome",
        "What came of a sign, or of the end.",
        &[
            ("goes_on", "The call goes on."),
            ("recorded", "It has ended, now or before, and leaves a record."),
            ("too_short", "It has ended, now or before, and was too short to leave anything."),
        ],
    ),
    asked(
        "speaker",
        "Who said a line of a transcript.",
        &[("person", "The person."), ("companion", "The companion.")],
    ),
];
