//! Rings, what they mean for the subscriptions they went to, and their arrivals.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::rows;
use super::writer::Job;
use crate::ids::{DeviceId, InviteId, PersonId};
use crate::store::{Arrival, Error, Fate, RingOutcome, Rings, SentRing};

/// How long rings and arrivals are kept, in milliseconds: thirty days, to compare one month of calls with another.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// For how many calls in a row a service may refuse a subscription that never worked, before it goes. A service that
/// answers so while it restarts does it for one call, or two (P089).
const REFUSALS: i64 = 3;
/// How often it is noted that a subscription still works, in milliseconds: a note is a write.
const WORKS_EVERY_MS: i64 = 60_000;

/// Keeps what became of rings.
pub(super) struct KeepRings(pub(super) Vec<SentRing>);

impl Job for KeepRings {
    type Out = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), Error> {
        for ring in &self.0 {
            sqlx::query(
                "INSERT INTO push_rings (person, invite, device, sequence, due_at, sent_at, answered_at, outcome, status) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
                 ON CONFLICT (person, invite, device, sequence) DO UPDATE SET sent_at = excluded.sent_at, \
                 answered_at = excluded.answered_at, outcome = excluded.outcome, status = excluded.status",
            )
            .bind(ring.person.as_str())
            .bind(ring.invite.as_str())
            .bind(ring.device.as_str())
            .bind(i64::from(ring.sequence))
            .bind(ring.due_ms)
            .bind(ring.sent_ms)
            .bind(ring.answered_ms)
            .bind(ring.outcome.word())
            .bind(ring.status.map(i64::from))
            .execute(&mut *connection)
            .await?;
            fate(connection, ring).await?;
        }
        let Some(newest) = self.0.iter().map(|ring| ring.due_ms).max() else { return Ok(()) };
        sqlx::query("DELETE FROM push_rings WHERE due_at < $1")
            .bind(newest - KEPT_MS)
            .execute(connection)
            .await?;
        Ok(())
    }
}

/// Brings a ring's outcome to the subscription that it went to.
async fn fate(connection: &mut SqliteConnection, ring: &SentRing) -> Result<(), Error> {
    let at_ms = ring.answered_ms.unwrap_or(ring.due_ms);
    let (device, endpoint) = (ring.device.as_str(), ring.endpoint.as_str());
    let (outcome, status) = (ring.outcome.word(), ring.status.map(i64::from));
    match ring.fate {
        Fate::Untouched => {}
        Fate::Works => {
            sqlx::query(
                "UPDATE subscriptions SET outcome = $1, outcome_at = $2, status = $3, succeeded_at = $2, failures = 0, \
                 refusals = 0, refused_for = NULL, paused_until = NULL WHERE device = $4 AND endpoint = $5 \
                 AND (failures > 0 OR succeeded_at IS NULL OR succeeded_at <= $6)",
            )
            .bind(outcome)
            .bind(at_ms)
            .bind(status)
            .bind(device)
            .bind(endpoint)
            .bind(at_ms - WORKS_EVERY_MS)
            .execute(connection)
            .await?;
        }
        Fate::Failed | Fate::Paused(_) => {
            let until = if let Fate::Paused(until) = ring.fate { Some(until) } else { None };
            sqlx::query(
                "UPDATE subscriptions SET outcome = $1, outcome_at = $2, status = $3, failures = failures + 1, \
                 paused_until = $4 WHERE device = $5 AND endpoint = $6",
            )
            .bind(outcome)
            .bind(at_ms)
            .bind(status)
            .bind(until)
            .bind(device)
            .bind(endpoint)
            .execute(connection)
            .await?;
        }
        Fate::Refused => {
            sqlx::query(
                "UPDATE subscriptions SET outcome = $1, outcome_at = $2, status = $3, failures = failures + 1, \
                 refusals = refusals + CASE WHEN refused_for = $4 THEN 0 ELSE 1 END, refused_for = $4 \
                 WHERE device = $5 AND endpoint = $6",
            )
            .bind(outcome)
            .bind(at_ms)
            .bind(status)
            .bind(ring.invite.as_str())
            .bind(device)
            .bind(endpoint)
            .execute(&mut *connection)
            .await?;
            sqlx::query(
                "DELETE FROM subscriptions WHERE device = $1 AND endpoint = $2 AND succeeded_at IS NULL AND refusals >= $3",
            )
            .bind(device)
            .bind(endpoint)
            .bind(REFUSALS)
            .execute(connection)
            .await?;
        }
        Fate::Gone => {
            sqlx::query("DELETE FROM subscriptions WHERE device = $1 AND endpoint = $2")
                .bind(device)
                .bind(endpoint)
                .execute(connection)
                .await?;
        }
    }
    Ok(())
}

/// Keeps a report that a ring arrived.
pub(super) struct KeepArrival {
    pub(super) arrival: Arrival,
    pub(super) known: bool,
}

impl Job for KeepArrival {
    type Out = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<bool, Error> {
        let arrival = &self.arrival;
        if !self.known {
            let sent: Option<i64> = sqlx::query_scalar(
                "SELECT sequence FROM push_rings WHERE person = $1 AND invite = $2 LIMIT 1",
            )
            .bind(arrival.person.as_str())
            .bind(arrival.invite.as_str())
            .fetch_optional(&mut *connection)
            .await?;
            if sent.is_none() {
                return Ok(false);
            }
        }
        sqlx::query(
            "INSERT INTO push_arrivals (person, invite, device, sequence, worker, kind, arrived_at, reported_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (person, invite, device, sequence) DO NOTHING",
        )
        .bind(arrival.person.as_str())
        .bind(arrival.invite.as_str())
        .bind(arrival.device.as_str())
        .bind(i64::from(arrival.sequence))
        .bind(&arrival.worker)
        .bind(&arrival.kind)
        .bind(arrival.arrived_ms)
        .bind(arrival.reported_ms)
        .execute(&mut *connection)
        .await?;
        sqlx::query("DELETE FROM push_arrivals WHERE reported_at < $1")
            .bind(arrival.reported_ms - KEPT_MS)
            .execute(connection)
            .await?;
        Ok(true)
    }
}

pub(super) async fn of_invite(pool: &SqlitePool, person: PersonId, invite: InviteId) -> Result<Rings, Error> {
    let sent = sqlx::query(
        "SELECT device, sequence, due_at, sent_at, answered_at, outcome, status FROM push_rings \
         WHERE person = $1 AND invite = $2 ORDER BY device, sequence",
    )
    .bind(person.as_str())
    .bind(invite.as_str())
    .fetch_all(pool)
    .await?;
    let arrived = sqlx::query(
        "SELECT device, sequence, worker, kind, arrived_at, reported_at FROM push_arrivals \
         WHERE person = $1 AND invite = $2 ORDER BY device, sequence",
    )
    .bind(person.as_str())
    .bind(invite.as_str())
    .fetch_all(pool)
    .await?;
    Ok(Rings {
        sent: sent.iter().map(|row| sent_ring(row, &person, &invite)).collect::<Result<_, _>>()?,
        arrived: arrived.iter().map(|row| arrival(row, &person, &invite)).collect::<Result<_, _>>()?,
    })
}

fn sent_ring(row: &SqliteRow, person: &PersonId, invite: &InviteId) -> Result<SentRing, Error> {
    Ok(SentRing {
        person: person.clone(),
        invite: invite.clone(),
        device: DeviceId::from_text(row.try_get::<String, _>(0)?),
        sequence: number(row, 1, "rings.sequence")?,
        due_ms: row.try_get(2)?,
        sent_ms: row.try_get(3)?,
        answered_ms: row.try_get(4)?,
        outcome: rows::word(row, 5, "rings.outcome", RingOutcome::from_word)?,
        status: row.try_get::<Option<i64>, _>(6)?.and_then(|status| u16::try_from(status).ok()),
        fate: Fate::Untouched,
        endpoint: String::new(),
    })
}

fn arrival(row: &SqliteRow, person: &PersonId, invite: &InviteId) -> Result<Arrival, Error> {
    Ok(Arrival {
        person: person.clone(),
        invite: invite.clone(),
        device: DeviceId::from_text(row.try_get::<String, _>(0)?),
        sequence: number(row, 1, "arrivals.sequence")?,
        worker: row.try_get(2)?,
        kind: row.try_get(3)?,
        arrived_ms: row.try_get(4)?,
        reported_ms: row.try_get(5)?,
    })
}

fn number(row: &SqliteRow, index: usize, column: &'static str) -> Result<u32, Error> {
    let found: i64 = row.try_get(index)?;
    u32::try_from(found).map_err(|_| Error::Row { column, found: found.to_string() })
}
