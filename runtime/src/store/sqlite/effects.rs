//! Effects of markers: recorded with the words they stood in, counted there, settled once.

use handset_spec::markers::Kind;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection, SqlitePool};

use super::rows::{select, word};
use super::writer::Job;
use super::{Sqlite, conversation, settings};
use crate::ids::{ChatId, EffectId, PersonId, TurnId};
use crate::store::{Answer, Effect, EffectState, Effects, Error, InSpeech, NewEffect, Turn, budget};

/// Records what words said, in the transaction that stores them; what is beyond its budget is refused here.
pub(super) async fn record(
    connection: &mut SqliteConnection,
    turn: &Turn,
    effects: impl Iterator<Item = &NewEffect>,
    now_ms: i64,
) -> Result<(), Error> {
    let (mut started_ms, mut number) = (None, None);
    for effect in effects {
        let place = match (effect.spoken, number) {
            (Some(spoken), _) => {
                if there(connection, turn, spoken).await? {
                    continue;
                }
                spoken.number
            }
            (None, Some(number)) => number,
            (None, None) => before(connection, turn).await?,
        };
        number = Some(place + 1);
        let spent = match effect.kind.per_conversation() {
            None => false,
            Some(budget) => {
                let since = match started_ms {
                    Some(since) => since,
                    None => *started_ms.insert(conversation_started_ms(connection, turn, now_ms).await?),
                };
                counted(connection, turn, effect.kind, since).await? >= budget
            }
        };
        let (state, why) = match effect.spoken {
            _ if spent => (EffectState::Refused, Some(budget::SPENT)),
            Some(spoken) if !spoken.heard => (EffectState::Unheard, None),
            _ => (EffectState::Recorded, None),
        };
        sqlx::query(
            "INSERT INTO effects (id, person, chat, turn, number, kind, argument, place, state, why, created_at, \
             settled_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        )
        .bind(EffectId::new(now_ms)?.as_str())
        .bind(turn.person.as_str())
        .bind(turn.chat.as_str())
        .bind(turn.id.as_str())
        .bind(place)
        .bind(effect.kind.name())
        .bind(&effect.argument)
        .bind(i64::try_from(effect.place).unwrap_or(i64::MAX))
        .bind(state.word())
        .bind(why)
        .bind(now_ms)
        .bind(spent.then_some(now_ms))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Whether a marker of a spoken turn stands there already; it is to be performed where it was heard since.
async fn there(connection: &mut SqliteConnection, turn: &Turn, spoken: InSpeech) -> Result<bool, Error> {
    let state: Option<String> =
        sqlx::query_scalar("SELECT state FROM effects WHERE person = $1 AND turn = $2 AND number = $3")
            .bind(turn.person.as_str())
            .bind(turn.id.as_str())
            .bind(spoken.number)
            .fetch_optional(&mut *connection)
            .await?;
    if spoken.heard && state.as_deref() == Some(EffectState::Unheard.word()) {
        sqlx::query("UPDATE effects SET state = 'recorded' WHERE person = $1 AND turn = $2 AND number = $3")
            .bind(turn.person.as_str())
            .bind(turn.id.as_str())
            .bind(spoken.number)
            .execute(connection)
            .await?;
    }
    Ok(state.is_some())
}

/// How many markers the turn has had.
async fn before(connection: &mut SqliteConnection, turn: &Turn) -> Result<i64, Error> {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM effects WHERE person = $1 AND turn = $2")
        .bind(turn.person.as_str())
        .bind(turn.id.as_str())
        .fetch_one(connection)
        .await?;
    Ok(count)
}

async fn conversation_started_ms(
    connection: &mut SqliteConnection,
    turn: &Turn,
    now_ms: i64,
) -> Result<i64, Error> {
    let standing = settings::in_transaction(connection, &turn.person).await?.ok_or(Error::Gone)?;
    let gap = standing.personal.settings.markers.conversation_gap;
    let gap_ms = i64::try_from(gap.as_millis()).unwrap_or(i64::MAX);
    conversation::started_ms(connection, &turn.person, &turn.chat, gap_ms, now_ms).await
}

/// How many of a kind the conversation has had that were not refused.
async fn counted(
    connection: &mut SqliteConnection,
    turn: &Turn,
    kind: Kind,
    since_ms: i64,
) -> Result<u64, Error> {
    let count: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM effects \
         WHERE person = $1 AND chat = $2 AND kind = $3 AND created_at >= $4 AND state <> 'refused'",
    )
    .bind(turn.person.as_str())
    .bind(turn.chat.as_str())
    .bind(kind.name())
    .bind(since_ms)
    .fetch_one(connection)
    .await?;
    Ok(u64::try_from(count).unwrap_or_default())
}

pub(super) struct SettleEffect {
    person: PersonId,
    effect: EffectId,
    state: EffectState,
    why: Option<String>,
    now_ms: i64,
}

impl Job for SettleEffect {
    type Out = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<bool, Error> {
        let settled = sqlx::query(
            "UPDATE effects SET state = $1, why = $2, settled_at = $3 \
             WHERE person = $4 AND id = $5 AND state = 'recorded'",
        )
        .bind(self.state.word())
        .bind(&self.why)
        .bind(self.now_ms)
        .bind(self.person.as_str())
        .bind(self.effect.as_str())
        .execute(connection)
        .await?;
        Ok(settled.rows_affected() > 0)
    }
}

/// A row of `select!(effect, …)`; none of a kind that this version of the spec does not have any more.
fn effect(row: &SqliteRow) -> Result<Option<Effect>, Error> {
    let text = |index| row.try_get::<String, _>(index);
    let Some(kind) = Kind::from_name(&text(4)?) else { return Ok(None) };
    Ok(Some(Effect {
        id: EffectId::from_text(text(0)?),
        person: PersonId::from_text(text(1)?),
        chat: ChatId::from_text(text(2)?),
        turn: TurnId::from_text(text(3)?),
        kind,
        argument: row.try_get(5)?,
        place: u64::try_from(row.try_get::<i64, _>(6)?).unwrap_or_default(),
        state: word(row, 7, "effects.state", EffectState::from_word)?,
        why: row.try_get(8)?,
        created_ms: row.try_get(9)?,
    }))
}

async fn of_turn(pool: &SqlitePool, person: PersonId, turn: TurnId) -> Result<Vec<Effect>, Error> {
    let found = sqlx::query(select!(effect, "WHERE person = $1 AND turn = $2 ORDER BY number"))
        .bind(person.as_str())
        .bind(turn.as_str())
        .fetch_all(pool)
        .await?;
    found.iter().filter_map(|row| effect(row).transpose()).collect()
}

async fn recorded(pool: &SqlitePool) -> Result<Vec<Effect>, Error> {
    let found = sqlx::query(select!(effect, "WHERE state = 'recorded' ORDER BY created_at, turn, number"))
        .fetch_all(pool)
        .await?;
    found.iter().filter_map(|row| effect(row).transpose()).collect()
}

impl Effects for Sqlite {
    fn effects(&self, person: PersonId, turn: TurnId) -> Answer<'_, Vec<Effect>> {
        Box::pin(of_turn(&self.readers, person, turn))
    }

    fn recorded_effects(&self) -> Answer<'_, Vec<Effect>> {
        Box::pin(recorded(&self.readers))
    }

    fn settle_effect(
        &self,
        person: PersonId,
        effect: EffectId,
        state: EffectState,
        why: Option<String>,
        now_ms: i64,
    ) -> Answer<'_, bool> {
        self.write(SettleEffect { person, effect, state, why, now_ms })
    }
}
