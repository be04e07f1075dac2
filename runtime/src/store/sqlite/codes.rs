//! One-time codes: kept as hashes, redeemed once.

use sqlx::{Row as _, SqliteConnection};

use super::devices;
use super::persons;
use super::writer::Job;
use crate::ids::PersonId;
use crate::store::{CodeKind, Error, NewCode, Redeem, Redeemed};

/// How long a code stays known after its time, in milliseconds: a day, for repetitions.
const KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// How many devices of one name a person may bring in by codes.
const MAX_ALIKE: u32 = 1000;

/// Keeps a code and gives the moment until which it holds: of the same code brought again, the first moment.
pub(super) struct OpenCode(pub(super) NewCode);

impl Job for OpenCode {
    type Out = i64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<i64, Error> {
        let new = &self.0;
        sqlx::query("DELETE FROM codes WHERE expires_at < $1")
            .bind(new.now_ms - KEPT_MS)
            .execute(&mut *connection)
            .await?;
        sqlx::query(
            "INSERT INTO codes (hash, kind, person, created_at, expires_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (hash) DO NOTHING",
        )
        .bind(&new.hash)
        .bind(new.kind.word())
        .bind(new.person.as_str())
        .bind(new.now_ms)
        .bind(new.expires_ms)
        .execute(&mut *connection)
        .await?;
        let expires: Option<i64> =
            sqlx::query_scalar("SELECT expires_at FROM codes WHERE hash = $1 AND person = $2")
                .bind(&new.hash)
                .bind(new.person.as_str())
                .fetch_optional(connection)
                .await?;
        // Another person's open code of the same letters: as likely as a guess, and told as a moment's fault.
        expires.ok_or(Error::Busy)
    }
}

/// Redeems a code: once, but for the repetition of the same request.
pub(super) struct RedeemCode(pub(super) Redeem);

impl Job for RedeemCode {
    type Out = Option<Redeemed>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let brought = &self.0;
        let found = sqlx::query(
            "SELECT person, kind, expires_at, used_at, client_id, token FROM codes WHERE hash = $1",
        )
        .bind(&brought.code)
        .fetch_optional(&mut *connection)
        .await?;
        let Some(row) = found else { return Ok(None) };
        let person = PersonId::from_text(row.try_get::<String, _>(0)?);
        if CodeKind::from_word(&row.try_get::<String, _>(1)?) != Some(brought.kind) {
            return Ok(None);
        }
        if row.try_get::<Option<i64>, _>(3)?.is_some() {
            let same =
                brought.client_id.is_some() && row.try_get::<Option<String>, _>(4)? == brought.client_id;
            let token: Option<String> = row.try_get(5)?;
            let (true, Some(token)) = (same, token) else { return Ok(None) };
            // A device that was revoked meanwhile is not there any more, and the code does not bring it back.
            let device = devices::in_transaction(connection, &token, &brought.token).await?;
            let Some(device) = device else { return Ok(None) };
            let person = persons::in_transaction(connection, person.as_str()).await?;
            return Ok(Some(Redeemed { person, device }));
        }
        if brought.now_ms > row.try_get::<i64, _>(2)? {
            return Ok(None);
        }
        let name = free_name(connection, &person, &brought.name).await?;
        let device = devices::insert(connection, &person, &brought.token, &name, brought.now_ms).await?;
        sqlx::query("UPDATE codes SET used_at = $1, client_id = $2, token = $3 WHERE hash = $4")
            .bind(brought.now_ms)
            .bind(&brought.client_id)
            .bind(device.id.as_str())
            .bind(&brought.code)
            .execute(&mut *connection)
            .await?;
        let person = persons::in_transaction(connection, person.as_str()).await?;
        Ok(Some(Redeemed { person, device }))
    }
}

/// The name, or the first of `NAME 2`, `NAME 3`, … that no device of the person's has.
async fn free_name(
    connection: &mut SqliteConnection,
    person: &PersonId,
    name: &str,
) -> Result<String, Error> {
    let mut candidate = name.to_owned();
    for number in 2..=MAX_ALIKE {
        if !devices::is_taken(connection, person, &candidate).await? {
            return Ok(candidate);
        }
        candidate = format!("{name} {number}");
    }
    Err(Error::Database(format!("a person has {MAX_ALIKE} devices of one name")))
}
