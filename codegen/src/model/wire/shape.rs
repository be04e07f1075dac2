//! What a value is: words, records and their members, events.

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
    /// One of the lists of words; a newer server may send others.
    Words(&'static str),
    /// One of the records.
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
    /// It may be left out, and null means something else than that.
    Either,
}

/// A member of a record, or a parameter of a route.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its key.
    pub name: &'static str,
    /// What it is.
    pub shape: Shape,
    /// Whether it is there.
    pub presence: Presence,
    /// The least and the most that it may be; of a text, how many characters. Where there is none, the server says it.
    pub limits: Option<(i64, i64)>,
    /// What it means.
    pub doc: &'static str,
}

impl Member {
    pub(super) const fn within(self, least: i64, most: i64) -> Self {
        Self { limits: Some((least, most)), ..self }
    }
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
    /// Whether the server takes members that are not here in one that a client writes, and ignores them.
    pub open: bool,
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
    /// Whether clients alone write them, so that there are no others.
    pub sent: bool,
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
    /// Its data: one of the records.
    pub data: &'static str,
}

pub(super) const fn always(name: &'static str, shape: Shape, doc: &'static str) -> Member {
    Member { name, shape, presence: Presence::Always, limits: None, doc }
}

pub(super) const fn nullable(name: &'static str, shape: Shape, doc: &'static str) -> Member {
    Member { name, shape, presence: Presence::Nullable, limits: None, doc }
}

pub(super) const fn optional(name: &'static str, shape: Shape, doc: &'static str) -> Member {
    Member { name, shape, presence: Presence::Optional, limits: None, doc }
}

pub(super) const fn either(name: &'static str, shape: Shape, doc: &'static str) -> Member {
    Member { name, shape, presence: Presence::Either, limits: None, doc }
}

/// A record that the server writes.
pub(super) const fn read(name: &'static str, doc: &'static str, members: &'static [Member]) -> Record {
    Record { name, doc, sent: false, open: false, members }
}

/// A record that a client writes.
pub(super) const fn sent(name: &'static str, doc: &'static str, members: &'static [Member]) -> Record {
    Record { name, doc, sent: true, open: false, members }
}

/// A record that a client writes, and that may hold more than the server reads.
pub(super) const fn passed(name: &'static str, doc: &'static str, members: &'static [Member]) -> Record {
    Record { name, doc, sent: true, open: true, members }
}

pub(super) const fn words(
    name: &'static str,
    doc: &'static str,
    values: &'static [(&'static str, &'static str)],
) -> Words {
    Words { name, doc, sent: false, values }
}

/// Words that clients write, and the server never.
pub(super) const fn asked(
    name: &'static str,
    doc: &'static str,
    values: &'static [(&'static str, &'static str)],
) -> Words {
    Words { name, doc, sent: true, values }
}

pub(super) const fn event(name: &'static str, data: &'static str, doc: &'static str) -> Event {
    Event { name, doc, data }
}

pub(super) const CLIENT_ID: Member = optional(
    "client_id",
    Shape::Text,
    "An id of the client's choice. Sent again with it, the request does nothing more and gives the first result.",
)
.within(0, WORD);
/// How many characters a word of a client's choice may have.
pub(super) const WORD: i64 = 128;
pub(super) const CHAT: Member = always("chat", Shape::Text, "The chat's id.");
pub(super) const TURN: Member = always("turn", Shape::Text, "The turn's id.");
pub(super) const CREATED: Member = always("created_at", Shape::Moment, "When it was made.");
pub(super) const CREATED_MS: Member =
    always("created_at_ms", Shape::Milliseconds, "The same in milliseconds.");
pub(super) const NOW_MS: Member =
    always("now_ms", Shape::Milliseconds, "The server's time, to count a deadline down by.");
