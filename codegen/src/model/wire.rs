//! What goes between the server and a client, as data: the words, the records, the events. It is the same in every spec
//! that this compiler reads; a test holds it against what the server really sends.

/// What a value is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Shape {
    /// A string.
    Text,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Anything.
    Json,
    /// A moment by RFC 3339 in UTC.
    Moment,
    /// A moment in milliseconds since the Unix epoch.
    Milliseconds,
    /// One of [`WORDS`]; a newer server may send others.
    Words(&'static str),
    /// One of [`RECORDS`].
    Record(&'static str),
    /// A call as the phone carries it out, `{"action", "summary", FIELD: …}`.
    Call,
    /// What each person sets, by section and knob.
    Settings,
    /// A change of it: null puts back a default.
    Change,
    /// A list of these.
    List(&'static Shape),
}

/// Whether a member is there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Presence {
    /// Always.
    Always,
    /// Always, and it may be null.
    Nullable,
    /// It may be left out.
    Optional,
}

/// A member of a record.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its key.
    pub name: &'static str,
    /// What it is.
    pub shape: Shape,
    /// Whether it is there.
    pub presence: Presence,
    /// What it means.
    pub doc: &'static str,
}

/// An object.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Whether a client writes it. What it does not know of what it reads, it ignores.
    pub sent: bool,
    /// Its members, in the order in which they are written.
    pub members: &'static [Member],
}

/// Strings of which one is meant.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The name of the list.
    pub name: &'static str,
    /// What it tells.
    pub doc: &'static str,
    /// Each with its meaning.
    pub values: &'static [(&'static str, &'static str)],
}

/// An event of a stream.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Its name on the wire.
    pub name: &'static str,
    /// When it comes.
    pub doc: &'static str,
    /// Its data: one of [`RECORDS`].
    pub data: &'static str,
}

const fn always(name: &'static str, shape: Shape, doc: &'static str) -> Member {
    Member { name, shape, presence: Presence::Always, doc }
}

const fn nullable(name: &'static str, shape: Shape, doc: &'static str) -> Member {
    Member { name, shape, presence: Presence::Nullable, doc }
}

const fn optional(name: &'static str, shape: Shape, doc: &'static str) -> Member {
    Member { name, shape, presence: Presence::Optional, doc }
}

const fn read(name: &'static str, doc: &'static str, members: &'static [Member]) -> Record {
    Record { name, doc, sent: false, members }
}

const fn sent(name: &'static str, doc: &'static str, members: &'static [Member]) -> Record {
    Record { name, doc, sent: true, members }
}

const fn words(
    name: &'static str,
    doc: &'static str,
    values: &'static [(&'static str, &'static str)],
) -> Words {
    Words { name, doc, values }
}

const fn event(name: &'static str, data: &'static str, doc: &'static str) -> Event {
    Event { name, doc, data }
}

const CLIENT_ID: Member = optional(
    "client_id",
    Shape::Text,
    "An id of the client's choice. Sent again with it, the request does nothing more and gives the first result.",
);
const CHAT: Member = always("chat", Shape::Text, "The chat's id.");
const TURN: Member = always("turn", Shape::Text, "The turn's id.");
const CREATED: Member = always("created_at", Shape::Moment, "When it was made.");
const CREATED_MS: Member = always("created_at_ms", Shape::Milliseconds, "The same in milliseconds.");
const NOW_MS: Member =
    always("now_ms", Shape::Milliseconds, "The server's time, to count a deadline down by.");

/// Every list of words.
pub const WORDS: &[Words] = &[
    words(
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
    words(
        "role",
        "Whose words a message holds.",
        &[
            ("person", "The person's."),
            ("companion", "The companion's."),
            ("call", "A call of the companion's; the text is its arguments."),
            ("result", "The result of a call."),
        ],
    ),
    words(
        "device_kind",
        "What a token is for.",
        &[
            ("device", "A person's device, or a program that they gave a token to."),
            ("operator", "The operator's own token."),
        ],
    ),
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
    words(
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
    words(
        "language",
        "A language in which every text for a person is written.",
        &[("en", "English."), ("zh", "Chinese.")],
    ),
];

/// Every record.
pub const RECORDS: &[Record] = &[
    read(
        "fault",
        "Why a request was not done.",
        &[
            always("code", Shape::Text, "A word for a program."),
            always("message", Shape::Text, "A sentence for a person."),
            optional("hint", Shape::Text, "What to do about it."),
        ],
    ),
    read(
        "chat",
        "A chat.",
        &[
            always("id", Shape::Text, "Its id."),
            always("kind", Shape::Words("chat_kind"), "What it is for."),
            always("mode", Shape::Words("chat_mode"), "How much the companion may change by itself."),
            nullable("title", Shape::Text, "Its title."),
            always("offered", Shape::Boolean, "Whether the phone's tool is offered in it."),
            optional("pinned", Shape::Boolean, "Whether what is said outside of any chat goes here."),
            CREATED,
            CREATED_MS,
        ],
    ),
    read("chats", "All chats.", &[always("chats", Shape::List(&Shape::Record("chat")), "Newest first.")]),
    sent(
        "new_chat",
        "A chat to open.",
        &[
            optional("title", Shape::Text, "Its title."),
            optional("kind", Shape::Words("chat_kind"), "What it is for; `chat` when left out."),
            optional(
                "mode",
                Shape::Words("chat_mode"),
                "How much the companion may change; `act` when left out.",
            ),
            CLIENT_ID,
        ],
    ),
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
            CREATED,
            CREATED_MS,
        ],
    ),
    read(
        "messages",
        "A page of what was said.",
        &[
            always("messages", Shape::List(&Shape::Record("message")), "In their order."),
            always("more", Shape::Boolean, "Whether more follow."),
        ],
    ),
    sent(
        "new_message",
        "Something to say.",
        &[
            always("text", Shape::Text, "The words."),
            optional("capabilities", Shape::List(&Shape::Text), "What the client can do."),
            optional("device", Shape::Text, "The device that it comes from, on which cards appear."),
            CLIENT_ID,
        ],
    ),
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
            optional("device", Shape::Text, "The device that answers."),
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
                "Until when the line lingers behind a goodbye, while it does.",
            ),
            optional("lingers_until_ms", Shape::Milliseconds, "The same in milliseconds."),
            optional("ended_at", Shape::Moment, "When it ended."),
            optional("ended_by", Shape::Words("ended_by"), "Who ended it."),
            optional("seconds", Shape::Integer, "How long it was."),
        ],
    ),
    read(
        "chip",
        "What a person may say to a call with one tap.",
        &[always("key", Shape::Text, "Its name."), always("text", Shape::Text, "What it says.")],
    ),
    read(
        "ringing",
        "What rings, for who does not stream.",
        &[
            nullable("invite", Shape::Record("invite"), "The one that is pending."),
            nullable("last", Shape::Record("invite"), "The newest one, where it is resolved."),
            nullable("call", Shape::Record("voice_call"), "The call that goes on."),
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
            optional("device", Shape::Text, "The device that answers."),
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
    read(
        "person",
        "Who is on the server.",
        &[
            always("id", Shape::Text, "Their id."),
            always("name", Shape::Text, "Their name."),
            CREATED,
            CREATED_MS,
        ],
    ),
    read(
        "device",
        "A device that speaks for a person.",
        &[
            always("id", Shape::Text, "Its id."),
            always("name", Shape::Text, "Its name."),
            always("kind", Shape::Words("device_kind"), "What its token is for."),
            CREATED,
            CREATED_MS,
            nullable("last_seen_at", Shape::Moment, "When it last asked for something, exact to a minute."),
            nullable("last_seen_at_ms", Shape::Milliseconds, "The same in milliseconds."),
            always("current", Shape::Boolean, "Whether it is the one that asks."),
        ],
    ),
    sent(
        "sign_in",
        "A one-time code, redeemed.",
        &[
            always("code", Shape::Text, "The part of a sign-in link behind its #, or a pairing code."),
            optional("name", Shape::Text, "What the device is to be called."),
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
    read(
        "clamped",
        "A setting that was not taken as it was given.",
        &[
            always("path", Shape::Text, "Section and knob, as `call.ring_interval`."),
            always("given", Shape::Json, "What was given, in the knob's unit."),
            always("used", Shape::Json, "What was taken in its place."),
            always("min", Shape::Json, "The least that it may be."),
            always("max", Shape::Json, "The greatest that it may be."),
        ],
    ),
    read(
        "note",
        "Something a person should know of their settings.",
        &[always("code", Shape::Text, "What it is about."), always("text", Shape::Text, "What it says.")],
    ),
    read(
        "personal_settings",
        "What a person has set.",
        &[
            always("settings", Shape::Settings, "The knobs, each in its own unit."),
            nullable(
                "language",
                Shape::Words("language"),
                "The chosen one; null for that of the person's words.",
            ),
            always("zone", Shape::Text, "The IANA name of the time zone."),
            always("dnd", Shape::Boolean, "Whether the person does not want to be disturbed."),
            always("clamped", Shape::List(&Shape::Record("clamped")), "What was not taken as it was given."),
            optional(
                "ignored",
                Shape::List(&Shape::Text),
                "What is kept and unknown to this version of the spec.",
            ),
            always("notes", Shape::List(&Shape::Record("note")), "What the person should know."),
        ],
    ),
    sent(
        "settings_change",
        "A change of settings: what is named, and nothing else.",
        &[
            optional("settings", Shape::Change, "By section and knob; null puts back a default."),
            optional("language", Shape::Words("language"), "Null for that of the person's words."),
            optional("zone", Shape::Text, "An IANA name; null for UTC."),
            optional("dnd", Shape::Boolean, "Do not disturb."),
            CLIENT_ID,
        ],
    ),
    read("flags", "The switches.", &[always("dnd", Shape::Boolean, "Do not disturb.")]),
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
    read("shown", "A card, in an event.", &[CHAT, TURN, always("card", Shape::Record("card"), "The card.")]),
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
    read(
        "rung",
        "An invite, a call, or both.",
        &[
            optional("invite", Shape::Record("invite"), "The invite as it stands now."),
            optional("call", Shape::Record("voice_call"), "The call as it stands now."),
        ],
    ),
    read(
        "missed",
        "Events that are not kept any more.",
        &[always("fetch", Shape::List(&Shape::Text), "What to read anew.")],
    ),
    read("nothing", "No more than that it happened.", &[]),
];

/// Every event.
pub const EVENTS: &[Event] = &[
    event("message", "said", "A message was stored: the person's, or words of the companion before a call."),
    event("delta", "piece", "The companion says a piece of its reply."),
    event("call", "said", "The companion has called a tool."),
    event("card", "shown", "A card waits on a phone."),
    event("card_closed", "shown", "A card has left the phone."),
    event("result", "said", "A call has its result."),
    event("reply", "said", "The turn's reply is stored; the turn is over."),
    event("failed", "broken", "The turn ended without a reply."),
    event("invite", "rung", "An invite, or the call that came of one, stands differently."),
    event("settings", "personal_settings", "The person has set something."),
    event("flags", "flags", "The person has switched do-not-disturb."),
    event("resync", "missed", "Events were missed: read the state anew."),
    event("stopping", "nothing", "The server stops: come back in a moment, with the last id."),
];
