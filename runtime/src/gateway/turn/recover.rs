//! After a restart: cards that waited end as no answer, once; turns that were cut off go on from what is stored.

use std::collections::HashSet;
use std::sync::Arc;

use handset_spec::phone::no_answer;

use super::{Fault, MAX_STARTS};
use crate::gateway::Gateway;
use crate::gateway::desk::slip::Event;
use crate::gateway::events::{Kind, News};
use crate::store::{Card, CardState, Ending, Error, Message, Role, Turn, join_results};

impl Gateway {
    /// Closes what the last run of the server left open, and starts its turns again. Called before anyone is served.
    ///
    /// # Errors
    /// What the store says.
    pub async fn recover(self: &Arc<Self>) -> Result<usize, Error> {
        for (person, call) in self.store.open_lines().await? {
            // Before any turn goes on: it is spoken there.
            if let Some(chat) = self.store.open_line(person, call.clone(), self.clock.now_ms()).await? {
                self.lines.prepare(chat, call);
            }
        }
        self.store.drop_unheard(self.clock.now_ms()).await?;
        let turns = self.store.unfinished_turns().await?;
        let count = turns.len();
        for turn in turns {
            self.close_open_calls(&turn).await?;
            if self.end_heard(&turn).await? {
                continue;
            }
            let starts = self.store.count_start(turn.person.clone(), turn.id.clone()).await?;
            if starts > MAX_STARTS {
                self.fail(&turn, &Fault::TooManyStarts, None).await;
            } else {
                self.start(turn, false);
            }
        }
        Ok(count)
    }

    /// Ends a turn that was being spoken in a call and of which something was heard: what was heard stands, and nobody says it
    /// anew in other words. False where nothing was heard that is not stored.
    async fn end_heard(&self, turn: &Turn) -> Result<bool, Error> {
        let (person, id) = (turn.person.clone(), turn.id.clone());
        let Some(spoken) = self.store.spoken_turn(person.clone(), id.clone()).await? else {
            return Ok(false);
        };
        let messages = self.store.turn_messages(person.clone(), id.clone()).await?;
        let said = messages.iter().filter(|message| message.role == Role::Companion);
        let stored: usize = said.map(|message| message.text.chars().count()).sum();
        let heard: String = spoken.progress.words.chars().skip(stored).collect();
        if heard.trim().is_empty() {
            return Ok(false);
        }
        let now_ms = self.clock.now_ms();
        let ending = Ending::interrupted(Some(heard.trim().to_owned()));
        self.store.finish_turn(person.clone(), id.clone(), ending, now_ms).await?;
        self.store.cut(person, id, Vec::new(), 0, now_ms).await?;
        tracing::info!(turn = %turn.id, "a turn that was being spoken ends with what was heard of it");
        Ok(true)
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
