//! The embedded store: one SQLite file, one writer, a few readers beside it, and a keeper that folds the log.

mod cards;
mod chats;
mod codes;
mod devices;
mod keeper;
mod once;
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
    Answer, Bearer, Begun, Card, Chat, Device, Ending, Error, Message, NewCard, NewChat, NewCode, NewDevice,
    NewEntry, NewMessage, NewPerson, NewToken, Once, Person, Redeem, Redeemed, Settled, Store, Turn,
};
use crate::gateway::desk::slip;
use crate::ids::{CardId, ChatId, DeviceId, PersonId, TurnId};

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

    fn persons(&self) -> Answer<'_, Vec<Person>> {
        Box::pin(persons::all(&self.readers))
    }

    fn person(&self, person: PersonId) -> Answer<'_, Option<Person>> {
        Box::pin(persons::one(&self.readers, person))
    }

    fn add_person(&self, by: PersonId, new: NewPerson, once: Option<Once>) -> Answer<'_, Option<Person>> {
        self.write(once::Once { job: persons::AddPerson { by, new }, once })
    }

    fn devices(&self, person: PersonId) -> Answer<'_, Vec<Device>> {
        Box::pin(devices::all(&self.readers, person))
    }

    fn device(&self, person: PersonId, device: DeviceId) -> Answer<'_, Option<Device>> {
        Box::pin(devices::one(&self.readers, person, device))
    }

    fn add_device(&self, by: PersonId, new: NewDevice, once: Option<Once>) -> Answer<'_, Option<Device>> {
        self.write(once::Once { job: devices::AddDevice { by, new }, once })
    }

    fn revoke_device(
        &self,
        by: PersonId,
        person: PersonId,
        device: DeviceId,
        once: Option<Once>,
    ) -> Answer<'_, bool> {
        self.write(once::Once { job: devices::Revoke { by, person, device }, once })
    }

    fn saw_device(&self, device: DeviceId, now_ms: i64) -> Answer<'_, ()> {
        self.write(devices::Saw { device, now_ms })
    }

    fn open_code(&self, code: NewCode) -> Answer<'_, i64> {
        self.write(codes::OpenCode(code))
    }

    fn redeem(&self, code: Redeem) -> Answer<'_, Option<Redeemed>> {
        self.write(codes::RedeemCode(code))
    }

    fn bearer(&self, hash: String) -> Answer<'_, Option<Bearer>> {
        Box::pin(persons::bearer(&self.readers, hash))
    }

    fn create_chat_once(&self, chat: NewChat, once: Option<Once>) -> Answer<'_, Chat> {
        self.write(once::Once { job: chats::CreateChat(chat), once })
    }

    fn chats(&self, person: PersonId) -> Answer<'_, Vec<Chat>> {
        Box::pin(chats::all(&self.readers, person))
    }

    fn chat(&self, person: PersonId, chat: ChatId) -> Answer<'_, Option<Chat>> {
        Box::pin(chats::one(&self.readers, person, chat))
    }

    fn delete_chat_once(
        &self,
        person: PersonId,
        chat: ChatId,
        once: Option<Once>,
    ) -> Answer<'_, Option<Vec<Card>>> {
        self.write(once::Once { job: chats::DeleteChat { person, chat }, once })
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
        ending: Ending,
        now_ms: i64,
    ) -> Answer<'_, Option<Message>> {
        self.write(turns::FinishTurn { person, turn, ending, now_ms })
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

    fn settle_once(
        &self,
        person: PersonId,
        card: CardId,
        event: slip::Event,
        now_ms: i64,
        once: Option<Once>,
    ) -> Answer<'_, Option<Settled>> {
        self.write(once::Once { job: cards::Settle { person, card, event, now_ms }, once })
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
