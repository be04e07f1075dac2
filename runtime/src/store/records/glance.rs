//! What a chat is known by that has no title.

use super::Role;
use crate::ids::ChatId;

/// A glance at a chat. Its texts are cut to what a list shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glance {
    /// The chat.
    pub chat: ChatId,
    /// What the person said first in it.
    pub opening: Option<String>,
    /// What was said last, by either.
    pub last: Option<LastWords>,
}

/// The last words of a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastWords {
    /// Whose they are.
    pub role: Role,
    /// The words.
    pub text: String,
    /// When they were said.
    pub at_ms: i64,
}
