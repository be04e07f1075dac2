//! Turns: a person's message, and everything the companion does until its reply is stored.
//!
//! A chat's turns run one after another. A message that comes while a card waits is taken at once and answered when the
//! turn before it has ended.

mod phone;
mod prompt;
mod recover;
mod run;

use std::sync::{Arc, PoisonError};

pub use self::prompt::available;

use tokio::sync::oneshot;

use super::events::{Follower, Kind, News};
use super::{Gateway, Tail};
use crate::ids::{ChatId, PersonId};
use crate::store::{Begun, Error, NewMessage, Once, Turn, TurnState};

/// How many calls a turn may make; those beyond it are told so. Bounds what a model in a loop costs.
const MAX_CALLS: usize = 16;
/// How many times a turn may open the model's stream: each call alone, and a few rounds to find the words.
const MAX_ROUNDS: usize = MAX_CALLS + 4;
/// How often a turn is started before it is given up: once, and again after restarts that cut it off.
const MAX_STARTS: i64 = 3;

/// A message that was taken.
#[derive(Debug)]
pub struct Taken {
    /// The message and its turn.
    pub begun: Begun,
    /// The person's events from just before the message on.
    pub follower: Follower,
}

impl Gateway {
    /// Takes a message and starts its turn; nothing where the person has no such chat.
    ///
    /// # Errors
    /// What the store says.
    pub async fn take(self: &Arc<Self>, message: NewMessage) -> Result<Option<Taken>, Error> {
        let person = message.person.clone();
        let follower = self.hub.follow(&person);
        let Some(begun) = self.store.begin_turn(message).await? else { return Ok(None) };
        if !begun.fresh {
            // Its turn may be under way or over: what is kept of it is read from the start.
            let follower = self.hub.replay(&person);
            return Ok(Some(Taken { begun, follower }));
        }
        self.hub.publish(&person, News::message(Kind::Message, &begun.message));
        self.start(begun.turn.clone());
        Ok(Some(Taken { begun, follower }))
    }

    /// Deletes a chat: its cards leave their devices, its turns end. False where the person has no such chat.
    ///
    /// # Errors
    /// What the store says.
    pub async fn delete_chat(&self, person: PersonId, chat: ChatId) -> Result<bool, Error> {
        self.delete_chat_once(person, chat, None).await
    }

    /// As [`Gateway::delete_chat`]; with a client's own id, a repetition is told the same and deletes nothing more.
    ///
    /// # Errors
    /// [`Error::Reused`] when the id came with another write; else what the store says.
    pub async fn delete_chat_once(
        &self,
        person: PersonId,
        chat: ChatId,
        once: Option<Once>,
    ) -> Result<bool, Error> {
        let Some(cards) = self.store.delete_chat_once(person, chat, once).await? else { return Ok(false) };
        self.desk.withdraw(cards);
        Ok(true)
    }

    /// Runs a turn behind the turns of its chat that were started before.
    fn start(self: &Arc<Self>, turn: Turn) {
        let (ends, ended) = oneshot::channel::<()>();
        let mut tails = self.tails.lock().unwrap_or_else(PoisonError::into_inner);
        let number = tails.get(&turn.chat).map_or(0, |tail| tail.number + 1);
        let before = tails.insert(turn.chat.clone(), Tail { number, ended });
        drop(tails);
        let gateway = Arc::clone(self);
        tokio::spawn(async move {
            if let Some(before) = before {
                // Its sender is dropped when it ends, however it ends.
                let _ = before.ended.await;
            }
            let running = {
                let (gateway, turn) = (Arc::clone(&gateway), turn.clone());
                // A task of its own: a panic in it ends this turn, told to its person, and nothing else.
                tokio::spawn(async move { run::run(&gateway, &turn).await })
            };
            if let Err(fault) = running.await.unwrap_or(Err(Fault::Panicked)) {
                gateway.fail(&turn, &fault).await;
            }
            drop(ends);
            let mut tails = gateway.tails.lock().unwrap_or_else(PoisonError::into_inner);
            if tails.get(&turn.chat).is_some_and(|tail| tail.number == number) {
                tails.remove(&turn.chat);
            }
        });
    }

    /// Ends a turn without a reply: its calls get their results, its person is told.
    async fn fail(&self, turn: &Turn, fault: &Fault) {
        if matches!(fault, Fault::Store(Error::Closed)) {
            // The server stops: the turn stays open in the store, and the next start takes it up.
            tracing::info!(turn = %turn.id, "a turn is left for the next start");
            return;
        }
        if matches!(fault, Fault::Store(Error::Gone)) {
            tracing::info!(turn = %turn.id, "a turn ended with its chat");
        } else {
            tracing::warn!(turn = %turn.id, code = fault.code(), %fault, "a turn ended without a reply");
            let (person, id, now_ms) = (turn.person.clone(), turn.id.clone(), self.clock.now_ms());
            let ended = match self.close_open_calls(turn).await {
                Ok(()) => {
                    self.store.finish_turn(person, id, TurnState::Failed, None, now_ms).await.map(|_| ())
                }
                Err(error) => Err(error),
            };
            if let Err(error) = ended {
                // It stays open in the store, and the next start takes it up.
                tracing::error!(turn = %turn.id, %error, "a turn could not be ended");
            }
        }
        let news = News::failed(&turn.chat, &turn.id, fault.code(), &fault.to_string());
        self.hub.publish(&turn.person, news);
    }
}

/// Why a turn ended without a reply.
#[derive(Debug)]
enum Fault {
    /// The store failed, or the chat is gone.
    Store(Error),
    /// The model failed.
    Model(super::model::Fault),
    /// The model went on calling and never spoke.
    TooManyRounds,
    /// The server was stopped in the midst of it too often.
    TooManyStarts,
    /// A fault of the program.
    Panicked,
}

impl Fault {
    fn code(&self) -> &'static str {
        match self {
            Self::Store(Error::Gone) => "chat_deleted",
            Self::Store(_) => "store_failed",
            Self::Model(_) => "model_failed",
            Self::TooManyRounds => "too_many_rounds",
            Self::TooManyStarts => "interrupted",
            Self::Panicked => "internal",
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Model(fault) => write!(f, "the model did not finish: {fault}"),
            Self::TooManyRounds => f.write_str("the model went on calling tools and gave no reply"),
            Self::TooManyStarts => f.write_str("the server stopped in the midst of this turn several times"),
            Self::Panicked => f.write_str("a fault of the program ended this turn"),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Store(error)
    }
}

#[cfg(test)]
mod tests;
