//! Turns: a person's message, and everything the companion does until its reply is stored.
//!
//! A chat's turns run one after another. A message that comes while a card waits is taken at once and answered when the
//! turn before it has ended. One that comes while the companion speaks stops it: what was said so far stands.

mod hearing;
mod phone;
mod prompt;
mod recover;
mod run;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, MutexGuard, PoisonError};

pub use self::prompt::available;

use handset_spec::Language;
use handset_spec_macros::text;
use tokio::sync::oneshot;

use super::events::{Follower, Kind, News};
use super::lines::Tap;
use super::speech::Speech;
use super::{Gateway, Queue, language};
use crate::guarded::Guarded;
use crate::ids::{ChatId, PersonId};
use crate::metrics::METRICS;
use crate::store::{Begun, Ending, Error, Message, NewMessage, Once, Turn, mark};

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
        self.hush(&begun.turn.chat);
        self.start(begun.turn.clone(), true);
        Ok(Some(Taken { begun, follower }))
    }

    /// Stops what the companion is saying in a chat; false where it says nothing just now: a card that waits stays, and
    /// so does a message that waits behind it. Nothing where the person has no such chat.
    ///
    /// # Errors
    /// What the store says.
    pub async fn stop(&self, person: PersonId, chat: ChatId) -> Result<Option<bool>, Error> {
        let found = self.store.chat(person, chat).await?;
        Ok(found.map(|chat| self.hush(&chat.id)))
    }

    fn hush(&self, chat: &ChatId) -> bool {
        self.queues().get(chat).and_then(|queue| queue.speech.as_ref()).is_some_and(|speech| speech.hush())
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<ChatId, Queue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
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
        let deleted = self.store.delete_chat_once(person, chat.clone(), once).await?;
        let Some(cards) = deleted else { return Ok(false) };
        self.hush(&chat);
        self.desk.withdraw(cards);
        Ok(true)
    }

    /// Runs a turn behind the turns of its chat that were started before. `spoken` is whether the person has said its message
    /// just now, which holds a line that lingers.
    fn start(self: &Arc<Self>, turn: Turn, spoken: bool) {
        let (ends, ended) = oneshot::channel::<()>();
        let mut queues = self.queues();
        let (number, before) = match queues.get_mut(&turn.chat) {
            None => {
                queues.insert(turn.chat.clone(), Queue { number: 0, ended, speech: None });
                (0, None)
            }
            Some(queue) => {
                queue.number += 1;
                (queue.number, Some(std::mem::replace(&mut queue.ended, ended)))
            }
        };
        drop(queues);
        let gateway = Arc::clone(self);
        tokio::spawn(async move {
            if spoken {
                // Before its own reply can hang up: the message would cancel that.
                gateway.ringer.spoke(&turn.person).await;
            }
            if let Some(before) = before {
                // Its sender is dropped when it ends, however it ends.
                let _ = before.await;
            }
            // Once the server stops, the turn stands in the store for the next start.
            let Some(_counted) = gateway.turns.enter() else { return };
            let speech = Arc::new(Speech::new());
            if let Some(queue) = gateway.queues().get_mut(&turn.chat) {
                queue.speech = Some(Arc::clone(&speech));
            }
            let tap = gateway.lines.tap(&turn, &speech);
            // A panic in it ends this turn, told to its person, and nothing else.
            let running = Guarded::new(run::run(&gateway, &turn, &speech, tap.clone()));
            match running.await.unwrap_or(Err(Fault::Panicked)) {
                Ok(()) => METRICS.turns_finished.add_one(),
                Err(fault) => Box::pin(gateway.fail(&turn, &fault, tap.as_deref())).await,
            }
            let mut queues = gateway.queues();
            if let Entry::Occupied(mut queue) = queues.entry(turn.chat.clone()) {
                if queue.get().number == number {
                    queue.remove();
                } else {
                    queue.get_mut().speech = None;
                }
            }
            drop(queues);
            // The next turn of the chat begins behind this.
            drop(ends);
        });
    }

    /// Ends a turn whose model gave no reply: its calls get their results, and what the companion says in its stead is
    /// stored and told.
    async fn fail(&self, turn: &Turn, fault: &Fault, tap: Option<&Tap>) {
        if matches!(fault, Fault::Store(Error::Closed)) {
            // The server stops: the turn stays open in the store, and the next start takes it up.
            tracing::info!(turn = %turn.id, "a turn is left for the next start");
            METRICS.turns_left.add_one();
            return;
        }
        METRICS.turns_failed.add_one();
        if matches!(fault, Fault::Store(Error::Gone)) {
            tracing::info!(turn = %turn.id, "a turn ended with its chat");
        } else {
            match fault {
                Fault::Stopped => tracing::info!(turn = %turn.id, "a turn was stopped before its first word"),
                fault => {
                    tracing::warn!(turn = %turn.id, code = fault.code(), %fault, "a turn ended without a reply")
                }
            }
            match self.end_failed(turn, fault).await {
                Ok(reply) => {
                    if let Some(tap) = tap {
                        tap.over_with(reply.as_ref());
                    }
                }
                // It stays open in the store, and the next start takes it up.
                Err(error) => tracing::error!(turn = %turn.id, %error, "a turn could not be ended"),
            }
        }
        let news = News::failed(&turn.chat, &turn.id, fault.code(), fault.sentence());
        self.hub.publish(&turn.person, news);
    }

    async fn end_failed(&self, turn: &Turn, fault: &Fault) -> Result<Option<Message>, Error> {
        self.close_open_calls(turn).await?;
        let (person, id) = (turn.person.clone(), turn.id.clone());
        let messages = self.store.turn_messages(person.clone(), id.clone()).await?;
        let language = messages.first().map(|message| language::of(&message.text)).unwrap_or_default();
        let ending = match fault {
            Fault::Stopped => Ending::interrupted(None),
            fault => Ending::failed(fault.code(), fault.words(language).map(str::to_owned)),
        };
        let reply = self.store.finish_turn(person, id, ending, self.clock.now_ms()).await?;
        if let Some(reply) = &reply {
            self.hub.publish(&turn.person, News::message(Kind::Message, reply));
        }
        Ok(reply)
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
    /// The person stopped it before the first word.
    Stopped,
    /// A fault of the program.
    Panicked,
}

impl Fault {
    fn code(&self) -> &'static str {
        match self {
            Self::Store(Error::Gone) => "chat_deleted",
            Self::Store(_) => "store_failed",
            Self::Model(fault) => fault.code.word(),
            Self::TooManyRounds => "too_many_rounds",
            Self::TooManyStarts => "restarted",
            Self::Stopped => mark::INTERRUPTED,
            Self::Panicked => "internal",
        }
    }

    /// What the client is told: whose matter it is, without what only the operator may read.
    const fn sentence(&self) -> &'static str {
        match self {
            Self::Store(Error::Gone) => "the chat was deleted",
            Self::Store(_) => "the server could not read or write",
            Self::Model(_) => {
                "the model gave no whole reply; the code says why, and the server's log says more"
            }
            Self::TooManyRounds => "the model went on calling tools and gave no reply",
            Self::TooManyStarts => "the server stopped in the midst of this turn several times",
            Self::Stopped => "the turn was stopped before its first word",
            Self::Panicked => "a fault of the program ended this turn",
        }
    }

    /// What the companion says in the model's stead.
    const fn words(&self, language: Language) -> Option<&'static str> {
        match self {
            Self::Model(fault) => Some(fault.code.words(language)),
            Self::TooManyRounds => Some(text!(gateway.astray in language)),
            Self::TooManyStarts => Some(text!(gateway.restarted in language)),
            Self::Store(_) | Self::Panicked => Some(text!(gateway.fault in language)),
            Self::Stopped => None,
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Model(fault) => write!(f, "the model did not finish: {fault}"),
            fault => f.write_str(fault.sentence()),
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
