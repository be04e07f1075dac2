//! All that is kept of a person, as one: taken along, or erased.

use tokio::sync::mpsc;

use super::{Answer, Erased, RangCall};
use crate::ids::PersonId;

/// Where an export goes, piece by piece. When nobody takes the pieces any more, the export ends with [`Error::Closed`](super::Error).
pub type Sink = mpsc::Sender<Vec<u8>>;

/// What belongs to a person.
pub trait Belongings: Send + Sync {
    /// Writes everything of a person's as the members of one JSON object, `"chats": […], …`, as it stands at one moment: every
    /// row of every table, without what would let somebody else speak for them (tokens, codes, keys of pushes).
    fn export(&self, person: PersonId, sink: Sink) -> Answer<'_, ()>;
    /// Erases everything of a person's, their name and tokens with it; nothing where there is no such person. The operator
    /// cannot leave: they go on as somebody new with nothing but the name and the token that stand in the data folder.
    fn erase(&self, person: PersonId) -> Answer<'_, Option<Erased>>;
    /// The person's last calls of which a ring was sent, newest first, at most so many.
    fn rang_calls(&self, person: PersonId, limit: i64) -> Answer<'_, Vec<RangCall>>;
}
