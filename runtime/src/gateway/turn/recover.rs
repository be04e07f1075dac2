//! After a restart: cards that waited end as no answer, once; turns that were cut off go on from what is stored.

use std::collections::HashSet;
use std::sync::Arc;

use handset_spec::phone::no_answer;

use super::{Fault, MAX_STARTS};
use crate::gateway::Gateway;
use crate::gateway::desk::slip::Event;
use crate::gateway::events::{Kind, News};
use crate::store::{Card, CardState, Error, Message, Role, Turn, join_results};

impl Gateway {
    /// Closes what the last run of the server left open, and starts its turns again. Called before anyone is served.
    ///
    /// # Errors
    /// What the store says.
    pub async fn recover(self: &Arc<Self>) -> Result<usize, Error> {
        let turns = self.store.unfinished_turns().await?;
        let count = turns.len();
        for turn in turns {
            self.close_open_calls(&turn).await?;
            let starts = self.store.count_start(turn.person.clone(), turn.id.clone()).await?;
            if starts > MAX_STARTS {
                self.fail(&turn, &Fault::TooManyStarts).await;
            } else {
                self.start(turn, false);
            }
        }
        Ok(count)
    }

    /// Gives every call of a turn its one result.
    pub(super) async fn close_open_calls(&self, turn: &Turn) -> Result<(), Error> {
        let (person, id) = (&turn.person, &turn.id);
        for card in self.store.turn_cards(person.clone(), id.clone()).await? {
            if card.state == CardState::Pending {
                self.desk.bring(person, &card.id, Event::Restarted).await?;
            }
        }
        let cards = self.store.turn_cards(person.clone(), id.clone()).await?;
        let messages = self.store.turn_messages(person.clone(), id.clone()).await?;
        for call_id in without_result(&messages) {
            let text = result_so_far(&cards, &call_id);
            let now_ms = self.clock.now_ms();
            let result = self.store.record_result(person.clone(), id.clone(), call_id, text, now_ms).await?;
            if let Some(result) = result {
                self.hub.publish(person, News::message(Kind::Result, &result));
            }
        }
        Ok(())
    }
}

/// The calls that have no result, in order.
fn without_result(messages: &[Message]) -> Vec<String> {
    let ids =
        |role| messages.iter().filter(move |message| message.role == role).filter_map(|m| m.call_id.clone());
    let closed: HashSet<String> = ids(Role::Result).collect();
    ids(Role::Call).filter(|id| !closed.contains(id)).collect()
}

/// What the cards of a call have brought, and that the rest had no answer.
fn result_so_far(cards: &[Card], call_id: &str) -> String {
    let last = cards.iter().rfind(|card| card.call_id == call_id);
    let (before, own) = match last {
        Some(card) => (card.before.as_str(), card.result.as_deref().unwrap_or_default()),
        None => ("", ""),
    };
    // Two unanswered parts need not be told twice.
    let rest = if own == no_answer() { "" } else { no_answer() };
    join_results([before, own, rest])
}
