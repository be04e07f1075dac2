//! What each person has set, and the companion's own calls.

use handset_spec::Language;
use handset_spec::settings::{Clamped, Settings};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::Sqlite;
use super::once::{self, Repeatable};
use super::rows::{self, select};
use super::writer::Job;
use crate::gateway::language;
use crate::ids::{ChatId, PersonId};
use crate::ringer::escalation::state::Escalated;
use crate::ringer::escalation::{Decision, Rules, State};
use crate::store::{
    Answer, Error, Message, Once, Personal, Role, Standing, Tune, TuneFault, Tuned, Tuning, Words,
};
use crate::zone;

/// A row of `select!(standing, …)`.
fn standing(row: &SqliteRow) -> Result<Standing, Error> {
    let language = |index| -> Result<Option<Language>, Error> {
        let key: Option<String> = row.try_get(index)?;
        Ok(key.as_deref().and_then(Language::from_key))
    };
    let stored: String = row.try_get(1)?;
    let read = Settings::from_stored(&stored);
    let (day, at_ms): (Option<String>, Option<i64>) = (row.try_get(9)?, row.try_get(11)?);
    let times: i64 = row.try_get(10)?;
    // A date that cannot be read is as if there had been none.
    let day = day.and_then(|day| day.parse().ok());
    let heard_in: Option<String> = row.try_get(8)?;
    Ok(Standing {
        person: PersonId::from_text(row.try_get::<String, _>(0)?),
        personal: Personal {
            settings: read.settings,
            clamped: read.clamped,
            ignored: read.ignored,
            language: language(2)?,
            spoken: language(3)?,
            zone: row.try_get(4)?,
            dnd: row.try_get::<i64, _>(5)? != 0,
            dnd_changed_ms: row.try_get(6)?,
        },
        heard_ms: row.try_get(7)?,
        heard_in: heard_in.map(ChatId::from_text),
        escalated: day.zip(at_ms).map(|(day, at_ms)| Escalated {
            day,
            times: usize::try_from(times).unwrap_or_default(),
            at_ms,
        }),
        look_ms: row.try_get(12)?,
    })
}

/// A person's row, read inside the writer's transaction.
pub(super) async fn in_transaction(
    connection: &mut SqliteConnection,
    person: &PersonId,
) -> Result<Option<Standing>, Error> {
    let found = sqlx::query(select!(standing, "WHERE id = $1"))
        .bind(person.as_str())
        .fetch_optional(connection)
        .await?;
    found.as_ref().map(standing).transpose()
}

/// Notes that the person has written.
pub(super) async fn heard_words(connection: &mut SqliteConnection, message: &Message) -> Result<(), Error> {
    // A schedule that speaks for a person is not the person.
    sqlx::query(
        "UPDATE persons SET heard_at = $1, heard_in = $2, spoken = $3, look_at = COALESCE(look_at, $1) \
         WHERE id = $4 AND EXISTS (SELECT 1 FROM chats WHERE id = $2 AND kind = 'chat')",
    )
    .bind(message.created_ms)
    .bind(message.chat.as_str())
    .bind(language::of(&message.text).key())
    .bind(message.person.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

/// Notes that a call of the person's has ended: silence counts from then.
pub(super) async fn heard_call(
    connection: &mut SqliteConnection,
    person: &PersonId,
    now_ms: i64,
) -> Result<(), Error> {
    sqlx::query("UPDATE persons SET heard_at = $1, look_at = COALESCE(look_at, $1) WHERE id = $2")
        .bind(now_ms)
        .bind(person.as_str())
        .execute(connection)
        .await?;
    Ok(())
}

/// Decides whether the companion may call now, and records the call where it may: the local date has had it. To be called in
/// the transaction that writes the invite; `engaged` is whether an invite is pending or a call goes on, read in it as well.
pub(super) async fn claim(
    connection: &mut SqliteConnection,
    person: &PersonId,
    engaged: bool,
    now_ms: i64,
) -> Result<Option<Decision>, Error> {
    let Some(standing) = in_transaction(connection, person).await? else { return Ok(None) };
    let state = standing.state(engaged);
    let decision = state.decide(now_ms);
    if let Decision::Ring(ring) = decision {
        let Escalated { day, times, at_ms } = state.recorded(ring, now_ms);
        sqlx::query(
            "UPDATE persons SET escalated_on = $1, escalated_times = $2, escalated_at = $3 WHERE id = $4",
        )
        .bind(day.to_string())
        .bind(i64::try_from(times).unwrap_or(i64::MAX))
        .bind(at_ms)
        .bind(person.as_str())
        .execute(connection)
        .await?;
    }
    Ok(Some(decision))
}

impl Standing {
    /// The state of the machine that decides.
    #[must_use]
    pub fn state(&self, engaged: bool) -> State {
        State {
            rules: Rules::from(&self.personal.settings),
            zone: zone::or_utc(&self.personal.zone),
            dnd: self.personal.dnd,
            heard_ms: self.heard_ms,
            escalated: self.escalated,
            invited: engaged,
            in_call: false,
        }
    }
}

struct ChangeSettings {
    person: PersonId,
    tune: Tune,
    now_ms: i64,
}

impl Job for ChangeSettings {
    type Out = Option<Result<Tuned, TuneFault>>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let Some(standing) = in_transaction(connection, &self.person).await? else { return Ok(None) };
        let before = standing.personal;
        let mut after = Personal { clamped: Vec::new(), ignored: Vec::new(), ..before.clone() };
        let mut clamped = Vec::new();
        if let Some(patch) = &self.tune.settings {
            match before.settings.patched(patch) {
                Ok(patched) => (after.settings, clamped) = (patched.settings, patched.clamped),
                Err(faults) => return Ok(Some(Err(faults))),
            }
        }
        if let Some(language) = self.tune.language {
            after.language = language;
        }
        if let Some(zone) = &self.tune.zone {
            after.zone.clone_from(zone);
        }
        let switched = self.tune.dnd.is_some_and(|dnd| dnd != before.dnd);
        if switched {
            (after.dnd, after.dnd_changed_ms) = (!before.dnd, Some(self.now_ms));
        }
        let changed = (&after.settings, after.language, &after.zone)
            != (&before.settings, before.language, &before.zone);
        if changed || switched || !before.clamped.is_empty() || !before.ignored.is_empty() {
            self.write(connection, &after).await?;
        }
        Ok(Some(Ok(Tuned { personal: after, clamped, changed, switched })))
    }
}

impl ChangeSettings {
    async fn write(&self, connection: &mut SqliteConnection, after: &Personal) -> Result<(), Error> {
        // The next look is now, and at a moment that no look before it was due at.
        sqlx::query(
            "UPDATE persons SET settings = $1, language = $2, zone = $3, dnd = $4, dnd_changed_at = $5, \
             look_at = CASE WHEN heard_at IS NULL THEN NULL WHEN look_at IS NULL OR look_at > $6 THEN $6 \
             ELSE look_at - 1 END WHERE id = $7",
        )
        .bind(after.settings.to_stored())
        .bind(after.language.map(Language::key))
        .bind(&after.zone)
        .bind(i64::from(after.dnd))
        .bind(after.dnd_changed_ms)
        .bind(self.now_ms)
        .bind(self.person.as_str())
        .execute(connection)
        .await?;
        Ok(())
    }
}

impl Repeatable for ChangeSettings {
    fn writer(&self) -> &PersonId {
        &self.person
    }

    fn subject(&self) -> String {
        "settings".to_owned()
    }

    fn remember(&self, out: &Self::Out) -> Option<String> {
        let Some(Ok(tuned)) = out else { return None };
        // Paths and numbers: nobody's words.
        serde_json::to_string(&tuned.clamped).ok()
    }

    async fn recall(&self, connection: &mut SqliteConnection, clamped: &str) -> Result<Self::Out, Error> {
        let clamped: Vec<Clamped> = serde_json::from_str(clamped)
            .map_err(|_| Error::Row { column: "writes.outcome", found: clamped.to_owned() })?;
        let standing = in_transaction(connection, &self.person).await?;
        let tuned = |standing: Standing| Tuned {
            personal: standing.personal,
            clamped,
            changed: false,
            switched: false,
        };
        Ok(standing.map(tuned).map(Ok))
    }
}

struct LookAgain {
    person: PersonId,
    seen_ms: i64,
    at_ms: Option<i64>,
}

impl Job for LookAgain {
    type Out = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), Error> {
        sqlx::query("UPDATE persons SET look_at = $1 WHERE id = $2 AND look_at = $3")
            .bind(self.at_ms)
            .bind(self.person.as_str())
            .bind(self.seen_ms)
            .execute(connection)
            .await?;
        Ok(())
    }
}

struct Claim {
    person: PersonId,
    engaged: bool,
    now_ms: i64,
}

impl Job for Claim {
    type Out = Option<Decision>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        claim(connection, &self.person, self.engaged, self.now_ms).await
    }
}

async fn one(pool: &SqlitePool, person: PersonId) -> Result<Option<Personal>, Error> {
    let found =
        sqlx::query(select!(standing, "WHERE id = $1")).bind(person.as_str()).fetch_optional(pool).await?;
    Ok(found.as_ref().map(standing).transpose()?.map(|standing| standing.personal))
}

async fn to_look_at(pool: &SqlitePool, now_ms: i64, limit: i64) -> Result<Vec<Standing>, Error> {
    let found = sqlx::query(select!(standing, "WHERE look_at <= $1 ORDER BY look_at LIMIT $2"))
        .bind(now_ms)
        .bind(limit)
        .fetch_all(pool)
        .await?;
    found.iter().map(standing).collect()
}

async fn last_words(
    pool: &SqlitePool,
    person: PersonId,
    chat: ChatId,
    limit: i64,
) -> Result<Vec<Words>, Error> {
    let found = sqlx::query(
        "SELECT role, text FROM messages WHERE person = $1 AND chat = $2 AND role IN ('person', 'companion') \
         ORDER BY seq DESC LIMIT $3",
    )
    .bind(person.as_str())
    .bind(chat.as_str())
    .bind(limit)
    .fetch_all(pool)
    .await?;
    let words = |row: &SqliteRow| {
        Ok(Words { role: rows::word(row, 0, "messages.role", Role::from_word)?, text: row.try_get(1)? })
    };
    found.iter().rev().map(words).collect()
}

impl Tuning for Sqlite {
    fn settings(&self, person: PersonId) -> Answer<'_, Option<Personal>> {
        Box::pin(one(&self.readers, person))
    }

    fn tune(
        &self,
        person: PersonId,
        tune: Tune,
        now_ms: i64,
        once: Option<Once>,
    ) -> Answer<'_, Option<Result<Tuned, TuneFault>>> {
        self.write(once::Once { job: ChangeSettings { person, tune, now_ms }, once })
    }

    fn to_look_at(&self, now_ms: i64, limit: i64) -> Answer<'_, Vec<Standing>> {
        Box::pin(to_look_at(&self.readers, now_ms, limit))
    }

    fn look_again(&self, person: PersonId, seen_ms: i64, at_ms: Option<i64>) -> Answer<'_, ()> {
        self.write(LookAgain { person, seen_ms, at_ms })
    }

    fn claim_escalation(&self, person: PersonId, engaged: bool, now_ms: i64) -> Answer<'_, Option<Decision>> {
        self.write(Claim { person, engaged, now_ms })
    }

    fn last_words(&self, person: PersonId, chat: ChatId, limit: i64) -> Answer<'_, Vec<Words>> {
        Box::pin(last_words(&self.readers, person, chat, limit))
    }
}
