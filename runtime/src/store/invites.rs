//! What is kept of calls: invites, the calls that come of them, and what they leave in the chat.

use super::{Answer, Call, Chat, Invite, Message, MovedCall, NewInvite, Once, Opened, Role, SettledInvite};
use crate::ids::{ChatId, InviteId, PersonId};
use crate::ringer::{call, invite};

/// Invites, calls, and the pinned chat.
///
/// What an event leaves (a voicemail, a note, a record) is written in the transaction of the change that caused it, into the
/// person's pinned chat; where none is pinned into their newest chat that is for talking and not for planning, else into a
/// new one.
pub trait Invites: Send + Sync {
    /// Opens an invite, unless the person does not want to be disturbed, another one is pending, or a call goes on. A
    /// repetition gives the first one, as it is now.
    fn open_invite_once(&self, invite: NewInvite, once: Option<Once>) -> Answer<'_, Opened>;
    /// Opens an invite, not to be repeated.
    fn open_invite(&self, invite: NewInvite) -> Answer<'_, Opened> {
        self.open_invite_once(invite, None)
    }
    /// One invite of the person's.
    fn invite(&self, person: PersonId, invite: InviteId) -> Answer<'_, Option<Invite>>;
    /// The person's newest invite, whatever its state.
    fn newest_invite(&self, person: PersonId) -> Answer<'_, Option<Invite>>;
    /// Every pending invite, of all persons, oldest first. For the start of the server alone.
    fn pending_invites(&self) -> Answer<'_, Vec<Invite>>;
    /// Brings an event to an invite. One winner: it changes from pending once, and what it leaves is written in the same
    /// transaction. Nothing where the person has no such invite. A repetition is told the first outcome, and changes nothing.
    fn settle_invite_once(
        &self,
        person: PersonId,
        invite: InviteId,
        event: invite::Event,
        now_ms: i64,
        once: Option<Once>,
    ) -> Answer<'_, Option<SettledInvite>>;
    /// Brings an event to an invite, not to be repeated.
    fn settle_invite(
        &self,
        person: PersonId,
        invite: InviteId,
        event: invite::Event,
        now_ms: i64,
    ) -> Answer<'_, Option<SettledInvite>> {
        self.settle_invite_once(person, invite, event, now_ms, None)
    }
    /// One call of the person's.
    fn call(&self, person: PersonId, call: InviteId) -> Answer<'_, Option<Call>>;
    /// The person's call that goes on, if one does.
    fn live_call(&self, person: PersonId) -> Answer<'_, Option<Call>>;
    /// Every call that goes on or waits for its record, of all persons, oldest first. For the start of the server alone.
    fn open_calls(&self) -> Answer<'_, Vec<Call>>;
    /// Brings an event to a call. A call ends once; its record is written in the same transaction, or, where it is to have a
    /// summary, waits for it until `record_due_ms`. Nothing where the person has no such call. A repetition is told the first
    /// outcome, and changes nothing.
    fn move_call_once(
        &self,
        person: PersonId,
        call: InviteId,
        event: call::Event,
        record_due_ms: i64,
        now_ms: i64,
        once: Option<Once>,
    ) -> Answer<'_, Option<MovedCall>>;
    /// Writes a record that waits for its summary, with it or without; nothing where none waits.
    fn write_record(
        &self,
        person: PersonId,
        call: InviteId,
        summary: Option<String>,
        now_ms: i64,
    ) -> Answer<'_, Option<Message>>;
    /// Writes a message outside any conversation's turn into the person's pinned chat: a turn of its own, already finished.
    fn house_message(&self, person: PersonId, role: Role, text: String, now_ms: i64) -> Answer<'_, Message>;
    /// Pins a chat in the place of the one that was pinned, or takes its pin away; gives the chat, or nothing where the person
    /// has no such chat.
    fn pin_chat_once(
        &self,
        person: PersonId,
        chat: ChatId,
        pinned: bool,
        now_ms: i64,
        once: Option<Once>,
    ) -> Answer<'_, Option<Chat>>;
    /// Since when the conversation of a chat goes on that a message of now would belong to: it began behind the person's last
    /// call, and behind the last pause of `gap_ms` or more. `now_ms` where nothing was said in it yet.
    fn conversation_started_ms(
        &self,
        person: PersonId,
        chat: ChatId,
        gap_ms: i64,
        now_ms: i64,
    ) -> Answer<'_, i64>;
}
