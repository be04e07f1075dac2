//! Everything of a person's, erased; and the calls that rang on their devices.

use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::rows::{self, select};
use super::writer::Job;
use super::{Sqlite, export};
use crate::ids::{DeviceId, InviteId, PersonId};
use crate::store::{Answer, Belongings, DeviceKind, Erased, Error, InviteState, RangCall, Sink};

struct Erase(PersonId);

impl Job for Erase {
    type Out = Option<Erased>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let person = self.0.as_str();
        let found = sqlx::query(select!(person, "WHERE id = $1"))
            .bind(person)
            .fetch_optional(&mut *connection)
            .await?;
        let Some(found) = found.as_ref().map(rows::person).transpose()? else { return Ok(None) };
        let cards = sqlx::query(select!(card, "WHERE person = $1 AND state = 'pending' ORDER BY id"))
            .bind(person)
            .fetch_all(&mut *connection)
            .await?;
        let cards = cards.iter().map(rows::card).collect::<Result<_, _>>()?;
        let tokens = sqlx::query("SELECT id, kind, hash, name, created_at FROM tokens WHERE person = $1")
            .bind(person)
            .fetch_all(&mut *connection)
            .await?;
        // Every row names its person, and goes with them.
        sqlx::query("DELETE FROM persons WHERE id = $1").bind(person).execute(&mut *connection).await?;
        let (mut devices, mut operator) = (Vec::new(), None);
        for token in tokens {
            devices.push(DeviceId::from_text(token.try_get::<String, _>(0)?));
            let (kind, created_ms): (String, i64) = (token.try_get(1)?, token.try_get(4)?);
            if kind != DeviceKind::Operator.word() {
                continue;
            }
            // Who came first stays the first: the operator is known by it.
            let goes_on = PersonId::new(created_ms)?;
            sqlx::query("INSERT INTO persons (id, name, created_at) VALUES ($1, $2, $3)")
                .bind(goes_on.as_str())
                .bind(&found.name)
                .bind(found.created_ms)
                .execute(&mut *connection)
                .await?;
            sqlx::query(
                "INSERT INTO tokens (id, hash, person, name, kind, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
            )
            .bind(DeviceId::new(created_ms)?.as_str())
            .bind(token.try_get::<String, _>(2)?)
            .bind(goes_on.as_str())
            .bind(token.try_get::<String, _>(3)?)
            .bind(kind)
            .bind(created_ms)
            .execute(&mut *connection)
            .await?;
            operator = Some(goes_on);
        }
        Ok(Some(Erased { cards, devices, operator }))
    }
}

async fn rang_calls(pool: &SqlitePool, person: PersonId, limit: i64) -> Result<Vec<RangCall>, Error> {
    let found = sqlx::query(
        "SELECT id, reason, created_at, ring_interval, state FROM invites i WHERE person = $1 \
         AND ring_interval IS NOT NULL AND EXISTS (SELECT 1 FROM push_rings r WHERE r.person = i.person AND r.invite = i.id) \
         ORDER BY id DESC LIMIT $2",
    )
    .bind(person.as_str())
    .bind(limit)
    .fetch_all(pool)
    .await?;
    let call = |row: &sqlx::sqlite::SqliteRow| {
        Ok(RangCall {
            invite: InviteId::from_text(row.try_get::<String, _>(0)?),
            reason: row.try_get(1)?,
            created_ms: row.try_get(2)?,
            interval_ms: row.try_get(3)?,
            state: rows::word(row, 4, "invites.state", InviteState::from_word)?,
        })
    };
    found.iter().map(call).collect()
}

impl Belongings for Sqlite {
    fn export(&self, person: PersonId, sink: Sink) -> Answer<'_, ()> {
        Box::pin(export::all(&self.readers, person, sink))
    }

    fn erase(&self, person: PersonId) -> Answer<'_, Option<Erased>> {
        self.write(Erase(person))
    }

    fn rang_calls(&self, person: PersonId, limit: i64) -> Answer<'_, Vec<RangCall>> {
        Box::pin(rang_calls(&self.readers, person, limit))
    }
}
