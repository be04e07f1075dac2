//! Where devices are rung.

use sqlx::{SqliteConnection, SqlitePool};

use super::once::{self, Repeatable};
use super::rows::{self, select};
use super::writer::Job;
use super::{Sqlite, rings};
use crate::ids::{DeviceId, InviteId, PersonId};
use crate::store::{
    Answer, Arrival, Error, NewSubscription, Once, Rings, SentRing, Subscribed, Subscription, Subscriptions,
};

/// How many devices of a person are rung at most: each costs a push every two seconds while a call rings.
const MAX_A_PERSON: i64 = 20;

struct Subscribe(NewSubscription);

impl Job for Subscribe {
    type Out = Subscribed;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Subscribed, Error> {
        let new = &self.0;
        let other = sqlx::query(select!(subscription, "WHERE endpoint = $1 AND device <> $2"))
            .bind(&new.endpoint)
            .bind(new.device.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        let mut from = None;
        if let Some(other) = other.as_ref().map(rows::subscription).transpose()? {
            let same = other.p256dh == new.p256dh && other.auth == new.auth;
            if other.person != new.person && !same {
                return Ok(Subscribed::Taken);
            }
            from = Some(other);
        }
        let others: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM subscriptions WHERE person = $1 AND device <> $2 AND endpoint <> $3",
        )
        .bind(new.person.as_str())
        .bind(new.device.as_str())
        .bind(&new.endpoint)
        .fetch_one(&mut *connection)
        .await?;
        if others >= MAX_A_PERSON {
            return Ok(Subscribed::TooMany);
        }
        if let Some(other) = &from {
            sqlx::query("DELETE FROM subscriptions WHERE device = $1")
                .bind(other.device.as_str())
                .execute(&mut *connection)
                .await?;
        }
        // The same one again says nothing new; what is known of its pushes stays.
        let same = sqlx::query(
            "UPDATE subscriptions SET server_key = $1, site = $2, agent = $3 \
             WHERE device = $4 AND endpoint = $5 AND p256dh = $6 AND auth = $7",
        )
        .bind(&new.server_key)
        .bind(&new.site)
        .bind(&new.agent)
        .bind(new.device.as_str())
        .bind(&new.endpoint)
        .bind(&new.p256dh)
        .bind(&new.auth)
        .execute(&mut *connection)
        .await?;
        if same.rows_affected() == 0 {
            sqlx::query("DELETE FROM subscriptions WHERE device = $1")
                .bind(new.device.as_str())
                .execute(&mut *connection)
                .await?;
            sqlx::query(
                "INSERT INTO subscriptions (device, person, endpoint, p256dh, auth, server_key, site, agent, \
                 created_at, failures, refusals) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0)",
            )
            .bind(new.device.as_str())
            .bind(new.person.as_str())
            .bind(&new.endpoint)
            .bind(&new.p256dh)
            .bind(&new.auth)
            .bind(&new.server_key)
            .bind(&new.site)
            .bind(&new.agent)
            .bind(new.now_ms)
            .execute(&mut *connection)
            .await?;
        }
        let kept = sqlx::query(select!(subscription, "WHERE device = $1"))
            .bind(new.device.as_str())
            .fetch_one(connection)
            .await?;
        let from = from.map(|other| other.person).filter(|before| *before != new.person);
        Ok(Subscribed::Kept { subscription: Box::new(rows::subscription(&kept)?), from })
    }
}

struct Unsubscribe {
    person: PersonId,
    device: DeviceId,
}

impl Job for Unsubscribe {
    type Out = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<bool, Error> {
        let gone = sqlx::query("DELETE FROM subscriptions WHERE person = $1 AND device = $2")
            .bind(self.person.as_str())
            .bind(self.device.as_str())
            .execute(connection)
            .await?;
        Ok(gone.rows_affected() > 0)
    }
}

impl Repeatable for Unsubscribe {
    fn writer(&self) -> &PersonId {
        &self.person
    }

    fn subject(&self) -> String {
        format!("unsubscribe {}", self.device)
    }

    fn remember(&self, out: &bool) -> Option<String> {
        out.then(|| "unsubscribed".to_owned())
    }

    async fn recall(&self, _: &mut SqliteConnection, _: &str) -> Result<bool, Error> {
        Ok(true)
    }
}

/// A ring that tries a device out has a name and nothing else; what comes of it is kept like any ring.
struct NameTest {
    person: PersonId,
    offered: InviteId,
}

impl Job for NameTest {
    type Out = InviteId;

    async fn run(&self, _: &mut SqliteConnection) -> Result<InviteId, Error> {
        Ok(self.offered.clone())
    }
}

impl Repeatable for NameTest {
    fn writer(&self) -> &PersonId {
        &self.person
    }

    fn subject(&self) -> String {
        "test ring".to_owned()
    }

    fn remember(&self, out: &InviteId) -> Option<String> {
        Some(out.to_string())
    }

    async fn recall(&self, _: &mut SqliteConnection, id: &str) -> Result<InviteId, Error> {
        Ok(InviteId::from_text(id))
    }
}

async fn all(pool: &SqlitePool, person: PersonId) -> Result<Vec<Subscription>, Error> {
    let found = sqlx::query(select!(subscription, "WHERE person = $1 ORDER BY created_at, device"))
        .bind(person.as_str())
        .fetch_all(pool)
        .await?;
    found.iter().map(rows::subscription).collect()
}

impl Subscriptions for Sqlite {
    fn subscribe(&self, subscription: NewSubscription) -> Answer<'_, Subscribed> {
        self.write(Subscribe(subscription))
    }

    fn subscriptions(&self, person: PersonId) -> Answer<'_, Vec<Subscription>> {
        Box::pin(all(&self.readers, person))
    }

    fn unsubscribe(&self, person: PersonId, device: DeviceId, once: Option<Once>) -> Answer<'_, bool> {
        self.write(once::Once { job: Unsubscribe { person, device }, once })
    }

    fn name_test(&self, person: PersonId, offered: InviteId, once: Option<Once>) -> Answer<'_, InviteId> {
        self.write(once::Once { job: NameTest { person, offered }, once })
    }

    fn keep_rings(&self, sent: Vec<SentRing>) -> Answer<'_, ()> {
        self.write(rings::KeepRings(sent))
    }

    fn keep_arrival(&self, arrival: Arrival, known: bool) -> Answer<'_, bool> {
        self.write(rings::KeepArrival { arrival, known })
    }

    fn rings(&self, person: PersonId, invite: InviteId) -> Answer<'_, Rings> {
        Box::pin(rings::of_invite(&self.readers, person, invite))
    }
}
