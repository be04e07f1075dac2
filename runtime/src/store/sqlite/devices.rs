//! Devices: added, seen, revoked.

use sqlx::{SqliteConnection, SqlitePool};

use super::once::Repeatable;
use super::rows::{self, select};
use super::writer::Job;
use crate::ids::{DeviceId, PersonId};
use crate::store::{Device, DeviceKind, Error, NewDevice};

/// How often it is noted that a device was seen, in milliseconds: a note is a write, and a minute is exact enough.
pub(super) const SEEN_EVERY_MS: i64 = 60_000;

/// Adds a device whose name the person has for no other; nothing where they have.
pub(super) struct AddDevice {
    /// Who adds it: the person themselves, or the operator.
    pub(super) by: PersonId,
    pub(super) new: NewDevice,
}

impl Job for AddDevice {
    type Out = Option<Device>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let new = &self.new;
        if is_taken(connection, &new.person, &new.name).await? {
            return Ok(None);
        }
        insert(connection, &new.person, &new.hash, &new.name, new.now_ms).await.map(Some)
    }
}

impl Repeatable for AddDevice {
    fn writer(&self) -> &PersonId {
        &self.by
    }

    fn subject(&self) -> String {
        format!("device of {}", self.new.person)
    }

    fn remember(&self, out: &Self::Out) -> Option<String> {
        out.as_ref().map(|device| device.id.to_string())
    }

    /// The same device, provided that its token is the same: the token itself is kept nowhere.
    async fn recall(&self, connection: &mut SqliteConnection, id: &str) -> Result<Self::Out, Error> {
        in_transaction(connection, id, &self.new.hash).await?.ok_or(Error::Gone).map(Some)
    }
}

/// Takes a device's token away; false where the person has no such device.
pub(super) struct Revoke {
    /// Who does it.
    pub(super) by: PersonId,
    pub(super) person: PersonId,
    pub(super) device: DeviceId,
}

impl Job for Revoke {
    type Out = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<bool, Error> {
        let gone = sqlx::query("DELETE FROM tokens WHERE person = $1 AND id = $2 AND kind = $3")
            .bind(self.person.as_str())
            .bind(self.device.as_str())
            .bind(DeviceKind::Device.word())
            .execute(connection)
            .await?;
        Ok(gone.rows_affected() > 0)
    }
}

impl Repeatable for Revoke {
    fn writer(&self) -> &PersonId {
        &self.by
    }

    fn subject(&self) -> String {
        format!("revoke {}", self.device)
    }

    fn remember(&self, out: &bool) -> Option<String> {
        out.then(|| "revoked".to_owned())
    }

    async fn recall(&self, _: &mut SqliteConnection, _: &str) -> Result<bool, Error> {
        Ok(true)
    }
}

/// Notes that a device was seen, at most once a minute whoever notes it.
pub(super) struct Saw {
    pub(super) device: DeviceId,
    pub(super) now_ms: i64,
}

impl Job for Saw {
    type Out = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), Error> {
        sqlx::query("UPDATE tokens SET seen_at = $1 WHERE id = $2 AND (seen_at IS NULL OR seen_at <= $3)")
            .bind(self.now_ms)
            .bind(self.device.as_str())
            .bind(self.now_ms - SEEN_EVERY_MS)
            .execute(connection)
            .await?;
        Ok(())
    }
}

pub(super) async fn all(pool: &SqlitePool, person: PersonId) -> Result<Vec<Device>, Error> {
    let found = sqlx::query(select!(device, "WHERE person = $1 ORDER BY created_at, id"))
        .bind(person.as_str())
        .fetch_all(pool)
        .await?;
    found.iter().map(rows::device).collect()
}

pub(super) async fn one(
    pool: &SqlitePool,
    person: PersonId,
    device: DeviceId,
) -> Result<Option<Device>, Error> {
    let found = sqlx::query(select!(device, "WHERE person = $1 AND id = $2"))
        .bind(person.as_str())
        .bind(device.as_str())
        .fetch_optional(pool)
        .await?;
    found.as_ref().map(rows::device).transpose()
}

/// The device with this id, where its token has this hash.
pub(super) async fn in_transaction(
    connection: &mut SqliteConnection,
    id: &str,
    hash: &str,
) -> Result<Option<Device>, Error> {
    let found = sqlx::query(select!(device, "WHERE id = $1 AND hash = $2"))
        .bind(id)
        .bind(hash)
        .fetch_optional(connection)
        .await?;
    found.as_ref().map(rows::device).transpose()
}

pub(super) async fn is_taken(
    connection: &mut SqliteConnection,
    person: &PersonId,
    name: &str,
) -> Result<bool, Error> {
    let taken: Option<String> = sqlx::query_scalar("SELECT id FROM tokens WHERE person = $1 AND name = $2")
        .bind(person.as_str())
        .bind(name)
        .fetch_optional(connection)
        .await?;
    Ok(taken.is_some())
}

pub(super) async fn insert(
    connection: &mut SqliteConnection,
    person: &PersonId,
    hash: &str,
    name: &str,
    now_ms: i64,
) -> Result<Device, Error> {
    let device = Device {
        id: DeviceId::new(now_ms)?,
        person: person.clone(),
        name: name.to_owned(),
        kind: DeviceKind::Device,
        created_ms: now_ms,
        seen_ms: None,
    };
    // A device speaks under its own name: its cards are its own.
    sqlx::query(
        "INSERT INTO tokens (id, hash, person, name, device, kind, created_at) VALUES ($1, $2, $3, $4, $4, $5, $6)",
    )
    .bind(device.id.as_str())
    .bind(hash)
    .bind(person.as_str())
    .bind(name)
    .bind(device.kind.word())
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(device)
}
