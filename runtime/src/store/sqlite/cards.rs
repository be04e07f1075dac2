//! Cards: laid on the desk, read, and settled by one conditional update.

use sqlx::{SqliteConnection, SqlitePool};

use super::Sqlite;
use super::once::{self, Repeatable};
use super::rows::{self, select};
use super::turns;
use super::writer::Job;
use crate::gateway::desk::slip::{Effect, Event, Outcome, Slip};
use crate::ids::{CardId, PersonId, TurnId};
use crate::store::{Answer, Card, CardState, Cards, Error, NewCard, Once, Settled};

pub(super) struct OpenCard(pub(super) NewCard);

impl Job for OpenCard {
    type Out = Card;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Card, Error> {
        let new = &self.0;
        turns::required(turns::in_transaction(connection, &new.person, &new.turn).await?)?;
        let card = Card {
            id: new.id.clone(),
            person: new.person.clone(),
            chat: new.chat.clone(),
            turn: new.turn.clone(),
            call_id: new.call_id.clone(),
            part: new.part,
            device: new.device.clone(),
            tool: new.tool.clone(),
            call: new.call.clone(),
            summary: new.summary.clone(),
            created_ms: new.created_ms,
            deadline_ms: new.deadline_ms,
            state: CardState::Pending,
            message: None,
            before: new.before.clone(),
            after: new.after.clone(),
            result: None,
            closed_ms: None,
        };
        sqlx::query(
            "INSERT INTO cards (id, person, chat, turn, call_id, part, device, tool, call, summary, created_at, \
             deadline, state, text_before, text_after) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        )
        .bind(card.id.as_str())
        .bind(card.person.as_str())
        .bind(card.chat.as_str())
        .bind(card.turn.as_str())
        .bind(&card.call_id)
        .bind(card.part)
        .bind(&card.device)
        .bind(&card.tool)
        .bind(&card.call)
        .bind(&card.summary)
        .bind(card.created_ms)
        .bind(card.deadline_ms)
        .bind(card.state.word())
        .bind(&card.before)
        .bind(&card.after)
        .execute(connection)
        .await?;
        Ok(card)
    }
}

pub(super) struct Settle {
    pub(super) person: PersonId,
    pub(super) card: CardId,
    pub(super) event: Event,
    pub(super) now_ms: i64,
}

impl Job for Settle {
    type Out = Option<Settled>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Out, Error> {
        let Some(mut card) = self.find(connection).await? else { return Ok(None) };
        let slip = Slip {
            device: card.device.clone(),
            deadline_ms: card.deadline_ms,
            state: card.state,
            message: card.message.clone(),
        };
        let (slip, effects) = slip.on(self.event.clone(), self.now_ms);
        let mut settled =
            Settled { outcome: Outcome::Waiting, card: card.clone(), closed: false, result: None };
        for effect in effects {
            match effect {
                Effect::Tell(outcome) => settled.outcome = outcome,
                Effect::Close { result } => {
                    card.state = slip.state;
                    card.message.clone_from(&slip.message);
                    card.result = Some(result);
                    card.closed_ms = Some(self.now_ms);
                    close(connection, &card).await?;
                    settled.result = self.result(connection, &card).await?;
                    settled.closed = true;
                }
            }
        }
        settled.card = card;
        Ok(Some(settled))
    }
}

impl Repeatable for Settle {
    fn writer(&self) -> &PersonId {
        &self.person
    }

    fn subject(&self) -> String {
        format!("answer {}", self.card)
    }

    fn remember(&self, settled: &Self::Out) -> Option<String> {
        settled.as_ref().map(|settled| settled.outcome.word().to_owned())
    }

    async fn recall(&self, connection: &mut SqliteConnection, outcome: &str) -> Result<Self::Out, Error> {
        let known = Outcome::from_word(outcome);
        let outcome =
            known.ok_or_else(|| Error::Row { column: "writes.outcome", found: outcome.to_owned() })?;
        let card = self.find(connection).await?;
        Ok(card.map(|card| Settled { outcome, card, closed: false, result: None }))
    }
}

impl Settle {
    async fn find(&self, connection: &mut SqliteConnection) -> Result<Option<Card>, Error> {
        let found = sqlx::query(select!(card, "WHERE person = $1 AND id = $2"))
            .bind(self.person.as_str())
            .bind(self.card.as_str())
            .fetch_optional(connection)
            .await?;
        found.as_ref().map(rows::card).transpose()
    }

    /// The call's result, where this was its last card.
    async fn result(
        &self,
        connection: &mut SqliteConnection,
        card: &Card,
    ) -> Result<Option<crate::store::Message>, Error> {
        let Some(text) = card.call_result() else { return Ok(None) };
        let turn = turns::required(turns::in_transaction(connection, &card.person, &card.turn).await?)?;
        turns::record_result(connection, &turn, &card.call_id, &text, self.now_ms).await
    }
}

/// Only from pending: whoever else settled the card first has won, and this transaction does nothing.
async fn close(connection: &mut SqliteConnection, card: &Card) -> Result<(), Error> {
    let closed = sqlx::query(
        "UPDATE cards SET state = $1, message = $2, result = $3, closed_at = $4 \
         WHERE person = $5 AND id = $6 AND state = 'pending'",
    )
    .bind(card.state.word())
    .bind(&card.message)
    .bind(&card.result)
    .bind(card.closed_ms)
    .bind(card.person.as_str())
    .bind(card.id.as_str())
    .execute(connection)
    .await?;
    if closed.rows_affected() == 1 { Ok(()) } else { Err(Error::Busy) }
}

pub(super) async fn one(pool: &SqlitePool, person: PersonId, card: CardId) -> Result<Option<Card>, Error> {
    let found = sqlx::query(select!(card, "WHERE person = $1 AND id = $2"))
        .bind(person.as_str())
        .bind(card.as_str())
        .fetch_optional(pool)
        .await?;
    found.as_ref().map(rows::card).transpose()
}

pub(super) async fn pending(
    pool: &SqlitePool,
    person: PersonId,
    device: Option<String>,
) -> Result<Vec<Card>, Error> {
    let found = sqlx::query(select!(
        card,
        "WHERE person = $1 AND state = 'pending' AND (CAST($2 AS TEXT) IS NULL OR device IS NULL OR device = $2) ORDER BY id"
    ))
    .bind(person.as_str())
    .bind(device)
    .fetch_all(pool)
    .await?;
    found.iter().map(rows::card).collect()
}

pub(super) async fn of_turn(pool: &SqlitePool, person: PersonId, turn: TurnId) -> Result<Vec<Card>, Error> {
    let found = sqlx::query(select!(card, "WHERE person = $1 AND turn = $2 ORDER BY call_id, part"))
        .bind(person.as_str())
        .bind(turn.as_str())
        .fetch_all(pool)
        .await?;
    found.iter().map(rows::card).collect()
}

impl Cards for Sqlite {
    fn open_card(&self, card: NewCard) -> Answer<'_, Card> {
        self.write(OpenCard(card))
    }

    fn card(&self, person: PersonId, card: CardId) -> Answer<'_, Option<Card>> {
        Box::pin(one(&self.readers, person, card))
    }

    fn open_cards(&self, person: PersonId, device: Option<String>) -> Answer<'_, Vec<Card>> {
        Box::pin(pending(&self.readers, person, device))
    }

    fn turn_cards(&self, person: PersonId, turn: TurnId) -> Answer<'_, Vec<Card>> {
        Box::pin(of_turn(&self.readers, person, turn))
    }

    fn settle_once(
        &self,
        person: PersonId,
        card: CardId,
        event: Event,
        now_ms: i64,
        once: Option<Once>,
    ) -> Answer<'_, Option<Settled>> {
        self.write(once::Once { job: Settle { person, card, event, now_ms }, once })
    }
}
