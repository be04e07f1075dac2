//! What is said outside any conversation's turn: a voicemail, a note, a record. It goes into the pinned chat, as a turn of its
//! own that is already finished, so that history and views find it like everything else.

use sqlx::SqliteConnection;

use super::chats::CreateChat;
use super::settings;
use super::turns::{blank, insert, next_seq, required};
use super::writer::Job;
use crate::ids::{ChatId, PersonId, TurnId};
use crate::store::{Error, Kind, Message, Mode, NewChat, Role, Turn, TurnState};

pub(super) struct HouseMessage {
    pub(super) person: PersonId,
    pub(super) role: Role,
    pub(super) text: String,
    pub(super) now_ms: i64,
}

impl Job for HouseMessage {
    type Out = Message;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Message, Error> {
        let words = [Words { role: self.role, text: self.text.clone(), device: None }];
        let left = leave(connection, &self.person, words, self.now_ms).await?;
        left.into_iter().next().ok_or(Error::Gone)
    }
}

/// Something to leave.
pub(super) struct Words {
    pub(super) role: Role,
    pub(super) text: String,
    /// Where a person's words came from.
    pub(super) device: Option<String>,
}

/// Leaves words in the person's pinned chat, together as one turn; no words, no turn.
pub(super) async fn leave(
    connection: &mut SqliteConnection,
    person: &PersonId,
    words: impl IntoIterator<Item = Words> + Send,
    now_ms: i64,
) -> Result<Vec<Message>, Error> {
    let mut words = words.into_iter().collect::<Vec<_>>().into_iter();
    let Some(first) = words.next() else { return Ok(Vec::new()) };
    let chat = chat(connection, person, now_ms).await?;
    let seq = required(next_seq(connection, person, &chat).await?)?;
    let turn = Turn {
        id: TurnId::new(now_ms)?,
        person: person.clone(),
        chat,
        message_seq: seq,
        state: TurnState::Finished,
        code: None,
        starts: 1,
    };
    sqlx::query(
        "INSERT INTO turns (id, person, chat, message_seq, state, starts, ended_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(turn.id.as_str())
    .bind(turn.person.as_str())
    .bind(turn.chat.as_str())
    .bind(turn.message_seq)
    .bind(turn.state.word())
    .bind(turn.starts)
    .bind(now_ms)
    .execute(&mut *connection)
    .await?;
    let mut left = vec![say(connection, &turn, seq, first, now_ms).await?];
    for words in words {
        let seq = required(next_seq(connection, person, &turn.chat).await?)?;
        left.push(say(connection, &turn, seq, words, now_ms).await?);
    }
    Ok(left)
}

async fn say(
    connection: &mut SqliteConnection,
    turn: &Turn,
    seq: i64,
    words: Words,
    now_ms: i64,
) -> Result<Message, Error> {
    let message = Message { device: words.device, ..blank(turn, seq, words.role, words.text, now_ms)? };
    insert(connection, &message).await?;
    if message.role == Role::Person {
        settings::heard_words(connection, &message).await?;
    }
    Ok(message)
}

/// The chat for what is said outside of any.
pub(super) async fn chat(
    connection: &mut SqliteConnection,
    person: &PersonId,
    now_ms: i64,
) -> Result<ChatId, Error> {
    let found: Option<String> = sqlx::query_scalar(
        "SELECT id FROM chats WHERE person = $1 AND (pinned_at IS NOT NULL OR (kind = $2 AND mode <> $3)) \
         ORDER BY CASE WHEN pinned_at IS NULL THEN 1 ELSE 0 END, id DESC LIMIT 1",
    )
    .bind(person.as_str())
    .bind(Kind::Chat.word())
    .bind(Mode::Plan.word())
    .fetch_optional(&mut *connection)
    .await?;
    if let Some(id) = found {
        return Ok(ChatId::from_text(id));
    }
    let new = NewChat { person: person.clone(), kind: Kind::Chat, mode: Mode::Act, title: None, now_ms };
    Ok(CreateChat(new).run(connection).await?.id)
}
