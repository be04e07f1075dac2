//! What replies are spoken with, and on whose account.

use std::fmt;
use std::sync::Arc;

use super::ledger::Ledger;
use super::meter::{Free, Meter};
use super::service::{Format, Speech};
use super::speaker::{Events, Manner, Speaker};
use crate::ids::PersonId;

/// What replies are spoken with. By default it is each browser's own voice.
#[derive(Clone, Default)]
pub struct Mouth(Option<Served>);

#[derive(Clone)]
struct Served {
    service: Arc<dyn Speech>,
    ledger: Arc<Ledger>,
}

impl Mouth {
    /// A mouth that speaks by a service; without one by each browser's own voice.
    #[must_use]
    pub fn new(service: Option<Arc<dyn Speech>>, ledger: Arc<Ledger>) -> Self {
        Self(service.map(|service| Served { service, ledger }))
    }

    /// What the audio comes in; nothing where the browser speaks.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        self.0.as_ref().map(|served| served.service.format())
    }

    /// Begins to speak a reply to a person. Must be called within a runtime.
    #[must_use]
    pub fn speaker(&self, person: &PersonId, manner: Manner) -> (Speaker, Events) {
        let Some(Served { service, ledger }) = &self.0 else {
            return Speaker::new(None, Arc::new(Free), manner);
        };
        let meter: Arc<dyn Meter> = if service.metered() { ledger.account(person) } else { Arc::new(Free) };
        Speaker::new(Some(Arc::clone(service)), meter, manner)
    }
}

impl fmt::Debug for Mouth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mouth").field(&self.0.as_ref().map(|served| served.service.name())).finish()
    }
}
