//! Rows to records. Each `*_COLUMNS` is the one order in which a record's columns are asked for.

use handset_spec::Language;
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use crate::ids::{CardId, ChatId, DeviceId, InviteId, MessageId, PersonId, TurnId};
use crate::ringer::burst::Plan;
use crate::ringer::call as line;
use crate::ringer::linger::Linger;
use crate::ringer::record::Leaves;
use crate::store::{
    By, Call, CallState, Card, CardState, Chat, Device, DeviceKind, EndedBy, Error, Invite, InviteState,
    Kind, Message, Mode, Person, RingOutcome, Role, Subscription, Turn, TurnState,
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
        concat!("SELECT id, person, kind, mode, title, offered_since, created_at, pinned_at FROM chats ", $rest)
    };
    (message, $rest:literal) => {
        concat!(
            "SELECT m.id, m.person, m.chat, m.turn, m.seq, m.role, m.text, m.tool, m.call_id, m.capabilities, ",
            "m.device, m.client_id, m.created_at, m.mark, m.voice FROM messages m ",
            $rest
        )
    };
    (turn, $rest:literal) => {
        concat!("SELECT id, person, chat, message_seq, state, starts, code FROM turns ", $rest)
    };
    (reading, $rest:literal) => {
        concat!(
            "SELECT id, title, language, chars, bookmark, created_at, read_at, ",
            "substr(text, CAST(bookmark AS INTEGER) + 1, 160) FROM readings ",
            $rest
        )
    };
    (effect, $rest:literal) => {
        concat!(
            "SELECT id, person, chat, turn, kind, argument, place, state, why, created_at FROM effects ",
            $rest
        )
    };
    (card, $rest:literal) => {
        concat!(
            "SELECT id, person, chat, turn, call_id, part, device, tool, call, summary, created_at, deadline, ",
            "state, message, text_before, text_after, result, closed_at FROM cards ",
            $rest
        )
    };
    (invite, $rest:literal) => {
        concat!(
            "SELECT id, person, chat, asked_by, reason, language, created_at, expires_at, ring_interval, ",
            "extra_rings, state, answered_by, note, resolved_at FROM invites ",
            $rest
        )
    };
    (call, $rest:literal) => {
        concat!(
            "SELECT id, person, language, state, began_at, seen_at, hung_up_at, marked_turn, marked_at, ",
            "line_until, ended_at, ended_by, length, leaves, record_due FROM calls ",
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
        pinned_ms: row.try_get(7)?,
    })
}

pub(super) fn message(row: &SqliteRow) -> Result<Message, Error> {
    let capabilities = text(row, 9)?;
    let voice: Option<String> = row.try_get(14)?;
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
        // One of a feeling that this version does not know is none: the words are what counts.
        voice: voice.and_then(|voice| serde_json::from_str(&voice).ok()),
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

pub(super) fn invite(row: &SqliteRow) -> Result<Invite, Error> {
    let interval_ms: Option<i64> = row.try_get(8)?;
    let extra: i64 = row.try_get(9)?;
    Ok(Invite {
        id: InviteId::from_text(text(row, 0)?),
        person: PersonId::from_text(text(row, 1)?),
        chat: row.try_get::<Option<String>, _>(2)?.map(ChatId::from_text),
        by: word(row, 3, "invites.asked_by", By::from_word)?,
        reason: row.try_get(4)?,
        language: word(row, 5, "invites.language", Language::from_key)?,
        plan: Plan {
            created_ms: row.try_get(6)?,
            expires_ms: row.try_get(7)?,
            interval_ms: interval_ms.unwrap_or(0),
            extra: u32::try_from(extra)
                .map_err(|_| Error::Row { column: "invites.extra_rings", found: extra.to_string() })?,
        },
        rings: interval_ms.is_some(),
        state: word(row, 10, "invites.state", InviteState::from_word)?,
        answered_by: row.try_get(11)?,
        note: row.try_get(12)?,
        resolved_ms: row.try_get(13)?,
    })
}

pub(super) fn call(row: &SqliteRow) -> Result<Call, Error> {
    let (turn, until_ms): (Option<String>, Option<i64>) = (row.try_get(7)?, row.try_get(9)?);
    let at: Option<i64> = row.try_get(8)?;
    let linger = match (turn, until_ms) {
        (_, None) => Linger::Open,
        (None, Some(until_ms)) => Linger::Lingering { until_ms },
        (Some(turn), Some(until_ms)) => {
            Linger::Marked { turn, at: at.and_then(|at| u64::try_from(at).ok()).unwrap_or(0), until_ms }
        }
    };
    Ok(Call {
        id: InviteId::from_text(text(row, 0)?),
        person: PersonId::from_text(text(row, 1)?),
        language: word(row, 2, "calls.language", Language::from_key)?,
        line: line::Call {
            state: word(row, 3, "calls.state", CallState::from_word)?,
            began_ms: row.try_get(4)?,
            seen_ms: row.try_get(5)?,
            hung_up_ms: row.try_get(6)?,
            linger,
            end: super::calls::end(
                maybe_word(row, 11, "calls.ended_by", EndedBy::from_word)?,
                row.try_get(12)?,
                maybe_word(row, 13, "calls.leaves", Leaves::from_word)?,
            ),
        },
        ended_ms: row.try_get(10)?,
        record_due_ms: row.try_get(14)?,
    })
}
