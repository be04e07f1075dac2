//! Rows to records. Each `*_COLUMNS` is the one order in which a record's columns are asked for.

use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use crate::ids::{CardId, ChatId, DeviceId, MessageId, PersonId, TurnId};
use crate::store::{
    Card, CardState, Chat, Device, DeviceKind, Error, Kind, Message, Mode, Person, RingOutcome, Role,
    Subscription, Turn, TurnState,
};

/// A select of whole records, its columns in the order that the functions below read them.
macro_rules! select {
    (person, $rest:literal) => {
        concat!("SELECT id, name, created_at FROM persons ", $rest)
    };
    (standing, $rest:literal) => {
        concat!(
            "SELECT id, settings, language, spoken, zone, dnd, dnd_changed_at, heard_at, heard_in, escalated_on, ",
            "escalated_times, escalated_at, look_at FROM persons ",
            $rest
        )
    };
    (device, $rest:literal) => {
        concat!("SELECT id, person, name, kind, created_at, seen_at FROM tokens ", $rest)
    };
    (subscription, $rest:literal) => {
        concat!(
            "SELECT device, person, endpoint, p256dh, auth, server_key, site, agent, created_at, outcome, ",
            "outcome_at, status, succeeded_at, failures, refusals, paused_until FROM subscriptions ",
            $rest
        )
    };
    (chat, $rest:literal) => {
        concat!("SELECT id, person, kind, mode, title, offered_since, created_at FROM chats ", $rest)
    };
    (message, $rest:literal) => {
        concat!(
            "SELECT m.id, m.person, m.chat, m.turn, m.seq, m.role, m.text, m.tool, m.call_id, m.capabilities, ",
            "m.device, m.client_id, m.created_at, m.mark FROM messages m ",
            $rest
        )
    };
    (turn, $rest:literal) => {
        concat!("SELECT id, person, chat, message_seq, state, starts, code FROM turns ", $rest)
    };
    (card, $rest:literal) => {
        concat!(
            "SELECT id, person, chat, turn, call_id, part, device, tool, call, summary, created_at, deadline, ",
            "state, message, text_before, text_after, result, closed_at FROM cards ",
            $rest
        )
    };
}
pub(super) use select;

/// Reads a word of one of the enums.
pub(super) fn word<T>(
    row: &SqliteRow,
    index: usize,
    column: &'static str,
    read: fn(&str) -> Option<T>,
) -> Result<T, Error> {
    let found: String = row.try_get(index)?;
    read(&found).ok_or(Error::Row { column, found })
}

/// Reads a word of one of the enums, where there is one.
pub(super) fn maybe_word<T>(
    row: &SqliteRow,
    index: usize,
    column: &'static str,
    read: fn(&str) -> Option<T>,
) -> Result<Option<T>, Error> {
    let found: Option<String> = row.try_get(index)?;
    found.map(|found| read(&found).ok_or(Error::Row { column, found })).transpose()
}

fn text(row: &SqliteRow, index: usize) -> Result<String, Error> {
    Ok(row.try_get(index)?)
}

pub(super) fn person(row: &SqliteRow) -> Result<Person, Error> {
    Ok(Person { id: PersonId::from_text(text(row, 0)?), name: row.try_get(1)?, created_ms: row.try_get(2)? })
}

pub(super) fn device(row: &SqliteRow) -> Result<Device, Error> {
    Ok(Device {
        id: DeviceId::from_text(text(row, 0)?),
        person: PersonId::from_text(text(row, 1)?),
        name: row.try_get(2)?,
        kind: word(row, 3, "tokens.kind", DeviceKind::from_word)?,
        created_ms: row.try_get(4)?,
        seen_ms: row.try_get(5)?,
    })
}

pub(super) fn subscription(row: &SqliteRow) -> Result<Subscription, Error> {
    Ok(Subscription {
        device: DeviceId::from_text(text(row, 0)?),
        person: PersonId::from_text(text(row, 1)?),
        endpoint: row.try_get(2)?,
        p256dh: row.try_get(3)?,
        auth: row.try_get(4)?,
        server_key: row.try_get(5)?,
        site: row.try_get(6)?,
        agent: row.try_get(7)?,
        created_ms: row.try_get(8)?,
        outcome: maybe_word(row, 9, "subscriptions.outcome", RingOutcome::from_word)?,
        outcome_ms: row.try_get(10)?,
        status: row.try_get(11)?,
        succeeded_ms: row.try_get(12)?,
        failures: row.try_get(13)?,
        refusals: row.try_get(14)?,
        paused_ms: row.try_get(15)?,
    })
}

pub(super) fn chat(row: &SqliteRow) -> Result<Chat, Error> {
    Ok(Chat {
        id: ChatId::from_text(text(row, 0)?),
        person: PersonId::from_text(text(row, 1)?),
        kind: word(row, 2, "chats.kind", Kind::from_word)?,
        mode: word(row, 3, "chats.mode", Mode::from_word)?,
        title: row.try_get(4)?,
        offered_since: row.try_get(5)?,
        created_ms: row.try_get(6)?,
    })
}

pub(super) fn message(row: &SqliteRow) -> Result<Message, Error> {
    let capabilities = text(row, 9)?;
    Ok(Message {
        id: MessageId::from_text(text(row, 0)?),
        person: PersonId::from_text(text(row, 1)?),
        chat: ChatId::from_text(text(row, 2)?),
        turn: TurnId::from_text(text(row, 3)?),
        seq: row.try_get(4)?,
        role: word(row, 5, "messages.role", Role::from_word)?,
        text: row.try_get(6)?,
        tool: row.try_get(7)?,
        call_id: row.try_get(8)?,
        capabilities: serde_json::from_str(&capabilities)
            .map_err(|_| Error::Row { column: "messages.capabilities", found: capabilities })?,
        device: row.try_get(10)?,
        client_id: row.try_get(11)?,
        created_ms: row.try_get(12)?,
        mark: row.try_get(13)?,
    })
}

pub(super) fn turn(row: &SqliteRow) -> Result<Turn, Error> {
    Ok(Turn {
        id: TurnId::from_text(text(row, 0)?),
        person: PersonId::from_text(text(row, 1)?),
        chat: ChatId::from_text(text(row, 2)?),
        message_seq: row.try_get(3)?,
        state: word(row, 4, "turns.state", TurnState::from_word)?,
        starts: row.try_get(5)?,
        code: row.try_get(6)?,
    })
}

pub(super) fn card(row: &SqliteRow) -> Result<Card, Error> {
    Ok(Card {
        id: CardId::from_text(text(row, 0)?),
        person: PersonId::from_text(text(row, 1)?),
        chat: ChatId::from_text(text(row, 2)?),
        turn: TurnId::from_text(text(row, 3)?),
        call_id: row.try_get(4)?,
        part: row.try_get(5)?,
        device: row.try_get(6)?,
        tool: row.try_get(7)?,
        call: row.try_get(8)?,
        summary: row.try_get(9)?,
        created_ms: row.try_get(10)?,
        deadline_ms: row.try_get(11)?,
        state: word(row, 12, "cards.state", CardState::from_word)?,
        message: row.try_get(13)?,
        before: row.try_get(14)?,
        after: row.try_get(15)?,
        result: row.try_get(16)?,
        closed_ms: row.try_get(17)?,
    })
}
