//! What is kept of chats.

use super::{Answer, Card, Chat, Glance, Message, NewChat, Once};
use crate::ids::{ChatId, PersonId};

/// Chats and what was said in them.
pub trait Chats: Send + Sync {
    /// Opens a chat. A repetition gives the first one, as it is now; [`Error::Gone`] once that was deleted.
    fn create_chat_once(&self, chat: NewChat, once: Option<Once>) -> Answer<'_, Chat>;
    /// Opens a chat.
    fn create_chat(&self, chat: NewChat) -> Answer<'_, Chat> {
        self.create_chat_once(chat, None)
    }
    /// The person's chats, newest first.
    fn chats(&self, person: PersonId) -> Answer<'_, Vec<Chat>>;
    /// One chat of the person's.
    fn chat(&self, person: PersonId, chat: ChatId) -> Answer<'_, Option<Chat>>;
    /// Deletes a chat with all that is in it; gives the cards that were open, or nothing where there is no such chat.
    /// A repetition gives no cards.
    fn delete_chat_once(
        &self,
        person: PersonId,
        chat: ChatId,
        once: Option<Once>,
    ) -> Answer<'_, Option<Vec<Card>>>;
    /// Deletes a chat, not to be repeated.
    fn delete_chat(&self, person: PersonId, chat: ChatId) -> Answer<'_, Option<Vec<Card>>> {
        self.delete_chat_once(person, chat, None)
    }
    /// A chat's messages with a sequence number greater than `after`, in order, at most `limit`.
    fn messages(&self, person: PersonId, chat: ChatId, after: i64, limit: i64) -> Answer<'_, Vec<Message>>;
    /// The last of a chat's messages with a sequence number less than `before`, in order, at most `limit`.
    fn messages_before(
        &self,
        person: PersonId,
        chat: ChatId,
        before: i64,
        limit: i64,
    ) -> Answer<'_, Vec<Message>>;
    /// The cards of the turns of which a message stands between these two, both included, oldest first.
    fn cards_between(&self, person: PersonId, chat: ChatId, first: i64, last: i64) -> Answer<'_, Vec<Card>>;
    /// What the person said first in each of their chats, and what was said last: a chat is known by it that has no title.
    fn glances(&self, person: PersonId) -> Answer<'_, Vec<Glance>>;
}
