//! Each person's characters of the day.
//!
//! Counted in memory, where a sentence waits for nothing, and written behind it: a crash forgets at most what was asked for in its last
//! moment. The day is a date where the person lives, and how much it holds is a knob of theirs (`voice.speech_characters`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use handset_spec::Language;
use handset_spec_macros::text;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use tokio::sync::OnceCell;

use super::meter::{Meter, Taking};
use super::service::{Code, Fault};
use crate::clock::Clock;
use crate::ids::PersonId;
use crate::store::{SpokenDay, Store};
use crate::zone;

/// Everybody's characters.
pub struct Ledger {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    /// Each person's newest day.
    days: Mutex<HashMap<PersonId, Day>>,
}

struct Day {
    date: Date,
    spent: SpokenDay,
    /// What was allowed when it was too much: from then on nothing is spoken, also where a shorter sentence would still fit, so that
    /// the voice does not change from one sentence to the next.
    closed: Option<u64>,
}

/// One person's, for one reply: what they have set is read at its beginning.
pub struct Account {
    ledger: Arc<Ledger>,
    person: PersonId,
    terms: OnceCell<Terms>,
}

struct Terms {
    zone: TimeZone,
    limit: u64,
    language: Language,
}

/// What came of taking.
enum Taken {
    Yes,
    /// It is more than is left; whether that is the first time today.
    TooMuch(bool),
}

impl Ledger {
    /// A ledger over what is kept.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self { store, clock, days: Mutex::default() })
    }

    /// A person's account. It is read meanwhile, so that the first sentence need not wait for it. Must be called within a runtime.
    #[must_use]
    pub fn account(self: &Arc<Self>, person: &PersonId) -> Arc<Account> {
        let (ledger, person) = (Arc::clone(self), person.clone());
        let account = Arc::new(Account { ledger, person, terms: OnceCell::new() });
        let early = Arc::clone(&account);
        tokio::spawn(async move {
            let today = early.today(early.terms().await);
            early.read(today).await;
        });
        account
    }

    fn days(&self) -> MutexGuard<'_, HashMap<PersonId, Day>> {
        // What is inside is whole between any two steps.
        self.days.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Account {
    async fn terms(&self) -> &Terms {
        let read = || async {
            let personal = self.ledger.store.settings(self.person.clone()).await;
            let personal = personal.unwrap_or_else(|error| {
                tracing::warn!(%error, "settings could not be read; what is spoken counts by the defaults");
                None
            });
            match personal {
                Some(personal) => Terms {
                    zone: zone::or_utc(&personal.zone),
                    limit: u64::try_from(personal.settings.voice.speech_characters).unwrap_or(0),
                    language: personal.reads(),
                },
                None => Terms {
                    zone: TimeZone::UTC,
                    limit: u64::try_from(handset_spec::settings::Settings::default().voice.speech_characters)
                        .unwrap_or(0),
                    language: Language::default(),
                },
            }
        };
        self.terms.get_or_init(read).await
    }

    fn today(&self, terms: &Terms) -> Date {
        let now = Timestamp::from_millisecond(self.ledger.clock.now_ms()).unwrap_or(Timestamp::UNIX_EPOCH);
        terms.zone.to_datetime(now).date()
    }

    /// Makes sure that a day is at hand.
    async fn read(&self, day: Date) {
        let known = |days: &HashMap<_, Day>| days.get(&self.person).is_some_and(|known| known.date == day);
        if known(&self.ledger.days()) {
            return;
        }
        let kept = self.ledger.store.spoken(self.person.clone(), day.to_string()).await;
        let kept = kept.unwrap_or_else(|error| {
            tracing::warn!(%error, "what was spoken today could not be read; counting begins anew");
            SpokenDay::default()
        });
        let mut days = self.ledger.days();
        if !known(&days) {
            days.insert(self.person.clone(), Day { date: day, spent: kept, closed: None });
        }
    }

    /// Takes from a day that is at hand; nothing where it is not any more.
    fn take_now(&self, day: Date, characters: u64, limit: u64) -> Option<Taken> {
        let mut days = self.ledger.days();
        let Day { spent, closed, .. } = days.get_mut(&self.person).filter(|known| known.date == day)?;
        let all = spent.characters.saturating_add(characters);
        if all > limit || *closed == Some(limit) {
            *closed = Some(limit);
            return Some(Taken::TooMuch(!std::mem::replace(&mut spent.told, true)));
        }
        spent.characters = all;
        Some(Taken::Yes)
    }

    /// Writes it down, while the sentence goes on.
    fn note(&self, day: Date, more: SpokenDay) {
        let (store, person) = (Arc::clone(&self.ledger.store), self.person.clone());
        tokio::spawn(async move {
            if let Err(error) = store.add_spoken(person, day.to_string(), more).await {
                tracing::warn!(%error, "what was spoken could not be written down; it counts until the server stops");
            }
        });
    }
}

impl Meter for Account {
    fn take(&self, characters: usize) -> Taking<'_> {
        Box::pin(async move {
            let terms = self.terms().await;
            let characters = characters as u64;
            let (day, taken) = loop {
                let day = self.today(terms);
                self.read(day).await;
                if let Some(taken) = self.take_now(day, characters, terms.limit) {
                    break (day, taken);
                }
            };
            match taken {
                Taken::Yes => {
                    self.note(day, SpokenDay { characters, told: false });
                    Ok(())
                }
                Taken::TooMuch(first) => {
                    let limit = terms.limit;
                    let mut fault = Fault::new(Code::OverQuota, format!("{limit} characters a day"));
                    if first {
                        self.note(day, SpokenDay { characters: 0, told: true });
                    }
                    // Who allowed none knows it.
                    fault.notice =
                        (limit > 0).then(|| text!(voice.over_quota in terms.language, characters = limit));
                    Err(fault)
                }
            }
        })
    }
}

#[cfg(test)]
mod tests;
