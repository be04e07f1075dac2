//! Everything of a person's as JSON: one member a table, its rows in their order, each column under its own name.
//!
//! A test holds the tables and columns against the schema: what is neither exported nor named as a secret fails it.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use futures_core::Stream;
use serde_json::{Map, Value};
use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Column as _, Row as _, SqlitePool, TypeInfo as _, ValueRef as _};

use crate::ids::PersonId;
use crate::store::{Error, Sink};

/// How long whoever reads may take for one piece: a connection that reads holds back the folding of the log.
const PIECE_WITHIN: Duration = Duration::from_secs(60);
/// How large a piece is, in bytes.
const PIECE: usize = 64 * 1024;
/// The columns that are JSON by themselves.
const JSON: &[&str] = &["settings", "call", "capabilities"];

/// What one table gives.
pub(super) struct Part {
    /// The member's name.
    pub(super) name: &'static str,
    /// Whether there is one row, or none: an object or null in the place of a list.
    single: bool,
    pub(super) rows: Query<'static, sqlx::Sqlite, SqliteArguments>,
}

const fn one(name: &'static str, rows: Query<'static, sqlx::Sqlite, SqliteArguments>) -> Part {
    Part { name, single: true, rows }
}

const fn list(name: &'static str, rows: Query<'static, sqlx::Sqlite, SqliteArguments>) -> Part {
    Part { name, single: false, rows }
}

/// Every table, in the order of the file. Times are milliseconds since the Unix epoch.
pub(super) fn parts() -> Vec<Part> {
    vec![
        one(
            "person",
            sqlx::query(
                "SELECT id, name, created_at, language, zone, dnd, dnd_changed_at, settings, heard_at, heard_in, \
                 spoken, escalated_on, escalated_times, escalated_at, look_at FROM persons WHERE id = $1",
            ),
        ),
        one(
            "companion",
            sqlx::query(
                "SELECT name, persona, picture_kind, picture_size, picture_tag, picture FROM companions \
                 WHERE person = $1",
            ),
        ),
        list(
            "devices",
            sqlx::query(
                "SELECT id, name, kind, device, created_at, seen_at FROM tokens WHERE person = $1 \
                 ORDER BY created_at, id",
            ),
        ),
        list(
            "chats",
            sqlx::query(
                "SELECT id, kind, mode, title, offered_since, last_seq, pinned_at, created_at FROM chats \
                 WHERE person = $1 ORDER BY id",
            ),
        ),
        list(
            "turns",
            sqlx::query(
                "SELECT id, chat, message_seq, state, code, starts, ended_at FROM turns WHERE person = $1 ORDER BY id",
            ),
        ),
        list(
            "messages",
            sqlx::query(
                "SELECT id, chat, turn, seq, role, text, tool, call_id, capabilities, device, client_id, mark, \
                 voice, created_at FROM messages WHERE person = $1 ORDER BY chat, seq",
            ),
        ),
        list(
            "cards",
            sqlx::query(
                "SELECT id, chat, turn, call_id, part, device, tool, call, summary, created_at, deadline, state, \
                 message, text_before, text_after, result, closed_at FROM cards WHERE person = $1 ORDER BY id",
            ),
        ),
        list(
            "effects",
            sqlx::query(
                "SELECT id, chat, turn, number, kind, argument, place, state, why, created_at, settled_at \
                 FROM effects WHERE person = $1 ORDER BY id",
            ),
        ),
        list(
            "invites",
            sqlx::query(
                "SELECT id, chat, asked_by, reason, language, created_at, expires_at, ring_interval, extra_rings, \
                 state, answered_by, note, resolved_at FROM invites WHERE person = $1 ORDER BY id",
            ),
        ),
        list(
            "calls",
            sqlx::query(
                "SELECT id, language, state, began_at, seen_at, hung_up_at, marked_turn, marked_at, line_until, \
                 ended_at, ended_by, length, leaves, record_due, live_at FROM calls WHERE person = $1 ORDER BY id",
            ),
        ),
        list(
            "spoken",
            sqlx::query(
                "SELECT turn, call, pieces, words, ended_at FROM spoken WHERE person = $1 ORDER BY turn",
            ),
        ),
        list(
            "push_subscriptions",
            sqlx::query(
                "SELECT device, site, agent, created_at, outcome, outcome_at, status, succeeded_at, failures, \
                 refusals, refused_for, paused_until FROM subscriptions WHERE person = $1 ORDER BY created_at, device",
            ),
        ),
        list(
            "push_rings",
            sqlx::query(
                "SELECT invite, device, sequence, due_at, sent_at, answered_at, outcome, status FROM push_rings \
                 WHERE person = $1 ORDER BY due_at, device, sequence",
            ),
        ),
        list(
            "push_arrivals",
            sqlx::query(
                "SELECT invite, device, sequence, worker, kind, arrived_at, reported_at FROM push_arrivals \
                 WHERE person = $1 ORDER BY reported_at, device, sequence",
            ),
        ),
        list(
            "speech_days",
            sqlx::query("SELECT day, characters, told FROM speech_days WHERE person = $1 ORDER BY day"),
        ),
        list(
            "readings",
            sqlx::query(
                "SELECT id, title, language, chars, bookmark, created_at, read_at, turn, turn_place, turn_from, turn_to, \
                 text FROM readings WHERE person = $1 ORDER BY id",
            ),
        ),
        list(
            "voice",
            sqlx::query(
                "SELECT number, version, heard_at, dur, pitch, pitch_var, energy, pause, rate, tail FROM voice_clips \
                 WHERE person = $1 ORDER BY number",
            ),
        ),
        list(
            "codes",
            sqlx::query(
                "SELECT kind, created_at, expires_at, used_at, client_id FROM codes WHERE person = $1 \
                 ORDER BY created_at, hash",
            ),
        ),
        list(
            "writes",
            sqlx::query(
                "SELECT client_id, subject, outcome, created_at FROM writes WHERE person = $1 \
                 ORDER BY created_at, client_id",
            ),
        ),
    ]
}

/// Writes the members, without the braces around them.
pub(super) async fn all(pool: &SqlitePool, person: PersonId, sink: Sink) -> Result<(), Error> {
    // One transaction, so that all of it is of one moment.
    let mut reading = pool.begin().await?;
    let mut piece = Vec::with_capacity(PIECE + 4096);
    for (number, part) in parts().into_iter().enumerate() {
        let (open, close) = if part.single { ("", "") } else { ("[", "\n]") };
        let comma = if number > 0 { ",\n" } else { "" };
        piece.extend_from_slice(format!("{comma}\"{}\":{open}", part.name).as_bytes());
        let mut rows = part.rows.bind(person.as_str().to_owned()).fetch(&mut *reading);
        let mut first = true;
        while let Some(row) = poll_fn(|context| Pin::new(&mut rows).poll_next(context)).await {
            let row = object(&row?)?;
            if !part.single {
                piece.extend_from_slice(if first { b"\n" } else { b",\n" });
            }
            first = false;
            // A value under string keys: there is nothing in it that JSON cannot say.
            serde_json::to_writer(&mut piece, &row).map_err(|error| Error::Database(error.to_string()))?;
            if piece.len() >= PIECE {
                give(&sink, &mut piece).await?;
            }
        }
        if part.single && first {
            piece.extend_from_slice(b"null");
        }
        piece.extend_from_slice(close.as_bytes());
    }
    give(&sink, &mut piece).await
}

/// Hands a piece over, if somebody takes it in time.
async fn give(sink: &Sink, piece: &mut Vec<u8>) -> Result<(), Error> {
    let whole = std::mem::replace(piece, Vec::with_capacity(PIECE + 4096));
    sink.send_timeout(whole, PIECE_WITHIN).await.map_err(|_| Error::Closed)
}

fn object(row: &SqliteRow) -> Result<Value, Error> {
    let mut members = Map::new();
    for (index, column) in row.columns().iter().enumerate() {
        let found = row.try_get_raw(index)?;
        let value = if found.is_null() {
            Value::Null
        } else if found.type_info().name() == "INTEGER" {
            row.try_get::<i64, _>(index)?.into()
        } else if found.type_info().name() == "REAL" {
            row.try_get::<f64, _>(index)?.into()
        } else {
            let text: String = row.try_get(index)?;
            let own = JSON.contains(&column.name()).then(|| serde_json::from_str(&text).ok()).flatten();
            own.unwrap_or(Value::String(text))
        };
        members.insert(column.name().to_owned(), value);
    }
    Ok(Value::Object(members))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use sqlx::Execute as _;

    use super::*;
    use crate::store::sqlite::Sqlite;

    /// What is not exported, since whoever has it could speak for the person, or read what is meant for their device.
    const SECRETS: &[&str] = &[
        "tokens.hash",
        "codes.hash",
        "codes.token",
        "subscriptions.endpoint",
        "subscriptions.p256dh",
        "subscriptions.auth",
        "subscriptions.server_key",
    ];

    /// A table or a column that somebody adds is exported, or named here.
    #[tokio::test]
    async fn every_column_of_every_table_is_exported_or_a_secret() {
        let path = std::env::temp_dir().join(format!("handset-export-{}.db", crate::ids::secret().unwrap()));
        let store = Sqlite::open(&path).await.unwrap();
        // Not by `query`: it is SQLite's own question, which the other database is not asked.
        let columns = sqlx::raw_sql(
            "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'",
        );
        let mut tables: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for row in columns.fetch_all(&store.readers).await.unwrap() {
            tables.entry(row.get(0)).or_default().insert(row.get(1));
        }
        let mut told = BTreeSet::new();
        for part in parts() {
            let sql = part.rows.sql().as_str().to_owned();
            let (columns, rest) = sql.strip_prefix("SELECT ").unwrap().split_once(" FROM ").unwrap();
            let table = rest.split(' ').next().unwrap();
            told.extend(columns.split(", ").map(|column| format!("{table}.{column}")));
        }
        let mut owned = 0;
        for (table, columns) in &tables {
            if table != "persons" && !columns.contains("person") {
                assert!(["schema_version", "pulse"].contains(&table.as_str()), "{table} has no owner");
                continue;
            }
            owned += 1;
            for column in columns.iter().filter(|column| *column != "person") {
                let name = format!("{table}.{column}");
                let secret = SECRETS.contains(&name.as_str());
                assert!(secret != told.contains(&name), "{name} is neither exported nor a secret, or both");
            }
        }
        assert_eq!(owned, parts().len());
        drop(store);
        let _ = std::fs::remove_file(path);
    }
}
