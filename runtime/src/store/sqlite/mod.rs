//! The embedded store: one SQLite file, one writer, a few readers beside it, and a keeper that folds the log.

mod cards;
mod chats;
mod keeper;
mod open;
mod persons;
mod rows;
mod schema;
mod state;
mod turns;
mod writer;

use std::path::Path;

use sqlx::SqlitePool;

use self::keeper::Keeper;
pub use self::state::{State, state};
use self::writer::{Job, Writer};
use super::{
    Answer, Bearer, Begun, Card, Chat, Error, Message, NewCard, NewChat, NewEntry, NewMessage, NewToken,
    Settled, Store, Turn, TurnState,
};
use crate::gateway::desk::slip;
use crate::ids::{CardId, ChatId, PersonId, TurnId};

/// A store in one SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    writer: Writes,
    readers: SqlitePool,
}

/// Who writes.
#[derive(Debug)]
enum Writes {
    /// The one writer, and who folds its log.
    By(Writer, Keeper),
    /// Nobody, for this reason.
    Nobody(String),
}

impl Sqlite {
    /// Opens the file, makes it where there is none, and brings it to this program's schema.
    ///
    /// # Errors
    /// When the file cannot be opened, is damaged or no database, takes no write, is newer than this program, or cannot
    /// have a write-ahead log. Nothing of it is deleted or overwritten.
    pub async fn open(path: &Path) -> Result<Self, Error> {
        open::look_through(path).await?;
        let mut connection = open::writer(path).await?;
        schema::migrate(&mut connection, path).await?;
        // A file may open and still take no write: it is read-only, or its disk is full.
        schema::pulse(&mut connection).await?;
        let readers = open::readers(path).await?;
        let writer = Writer::start(connection);
        let keeper = Keeper::start(open::keeper(path).await?, writer.committed());
        Ok(Self { writer: Writes::By(writer, keeper), readers })
    }

    /// Opens what can be read of a file that [`Self::open`] could not open. Every write is answered with `reason`.
    pub async fn open_degraded(path: &Path, reason: String) -> Self {
        Self { writer: Writes::Nobody(reason), readers: open::remains(path).await }
    }

    fn write<J: Job>(&self, job: J) -> Answer<'_, J::Out> {
        match &self.writer {
            Writes::By(writer, _) => Box::pin(writer.perform(job)),
            Writes::Nobody(reason) => Box::pin(async { Err(Error::Degraded(reason.clone())) }),
        }
    }
}

impl Store for Sqlite {
    fn create_person(&self, name: String, now_ms: i64) -> Answer<'_, PersonId> {
        self.write(persons::CreatePerson { name, now_ms })
    }

    fn first_person(&self) -> Answer<'_, Option<PersonId>> {
        Box::pin(persons::first(&self.readers))
    }

    fn add_token(&self, token: NewToken) -> Answer<'_, ()> {
        self.write(persons::AddToken(token))
    }

    fn bearer(&self, hash: String) -> Answer<'_, Option<Bearer>> {
        Box::pin(persons::bearer(&self.readers, hash))
    }

    fn create_chat(&self, chat: NewChat) -> Answer<'_, Chat> {
        self.write(chats::CreateChat(chat))
    }

    fn chats(&self, person: PersonId) -> Answer<'_, Vec<Chat>> {
        Box::pin(chats::all(&self.readers, person))
    }

    fn chat(&self, person: PersonId, chat: ChatId) -> Answer<'_, Option<Chat>> {
        Box::pin(chats::one(&self.readers, person, chat))
    }

    fn delete_chat(&self, person: PersonId, chat: ChatId) -> Answer<'_, Option<Vec<Card>>> {
        self.write(chats::DeleteChat { person, chat })
    }

    fn messages(&self, person: PersonId, chat: ChatId, after: i64, limit: i64) -> Answer<'_, Vec<Message>> {
        Box::pin(chats::messages(&self.readers, person, chat, after, limit))
    }

    fn begin_turn(&self, message: NewMessage) -> Answer<'_, Option<Begun>> {
        self.write(turns::BeginTurn(message))
    }

    fn turn(&self, person: PersonId, turn: TurnId) -> Answer<'_, Option<Turn>> {
        Box::pin(turns::one(&self.readers, person, turn))
    }

    fn unfinished_turns(&self) -> Answer<'_, Vec<Turn>> {
        Box::pin(turns::unfinished(&self.readers))
    }

    fn count_start(&self, person: PersonId, turn: TurnId) -> Answer<'_, i64> {
        self.write(turns::CountStart { person, turn })
    }

    fn history(&self, person: PersonId, turn: TurnId) -> Answer<'_, Vec<Message>> {
        Box::pin(turns::history(&self.readers, person, turn))
    }

    fn turn_messages(&self, person: PersonId, turn: TurnId) -> Answer<'_, Vec<Message>> {
        Box::pin(turns::messages(&self.readers, person, turn))
    }

    fn append(
        &self,
        person: PersonId,
        turn: TurnId,
        entries: Vec<NewEntry>,
        now_ms: i64,
    ) -> Answer<'_, Vec<Message>> {
        self.write(turns::Append { person, turn, entries, now_ms })
    }

    fn record_result(
        &self,
        person: PersonId,
        turn: TurnId,
        call_id: String,
        text: String,
        now_ms: i64,
    ) -> Answer<'_, Option<Message>> {
        self.write(turns::RecordResult { person, turn, call_id, text, now_ms })
    }

    fn finish_turn(
        &self,
        person: PersonId,
        turn: TurnId,
        state: TurnState,
        reply: Option<String>,
        now_ms: i64,
    ) -> Answer<'_, Option<Message>> {
        self.write(turns::FinishTurn { person, turn, state, reply, now_ms })
    }

    fn open_card(&self, card: NewCard) -> Answer<'_, Card> {
        self.write(cards::OpenCard(card))
    }

    fn card(&self, person: PersonId, card: CardId) -> Answer<'_, Option<Card>> {
        Box::pin(cards::one(&self.readers, person, card))
    }

    fn open_cards(&self, person: PersonId, device: Option<String>) -> Answer<'_, Vec<Card>> {
        Box::pin(cards::pending(&self.readers, person, device))
    }

    fn turn_cards(&self, person: PersonId, turn: TurnId) -> Answer<'_, Vec<Card>> {
        Box::pin(cards::of_turn(&self.readers, person, turn))
    }

    fn settle(
        &self,
        person: PersonId,
        card: CardId,
        event: slip::Event,
        now_ms: i64,
    ) -> Answer<'_, Option<Settled>> {
        self.write(cards::Settle { person, card, event, now_ms })
    }

    fn check(&self, now_ms: i64) -> Answer<'_, ()> {
        self.write(schema::Pulse { now_ms })
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.readers.close().await;
            if let Writes::By(writer, keeper) = &self.writer {
                keeper.stop().await;
                writer.stop().await;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;
