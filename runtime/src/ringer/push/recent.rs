//! The invites that rang lately, in bounded memory: a device may report a ring before what became of it is kept.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::ids::{InviteId, PersonId};

/// How many invites are remembered: twice as many at most, one generation and the one before it.
const GENERATION: usize = 8192;

#[derive(Debug, Default)]
pub(super) struct Recent(Mutex<Generations>);

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<InviteId, PersonId>,
    old: HashMap<InviteId, PersonId>,
}

impl Recent {
    pub(super) fn note(&self, invite: &InviteId, person: &PersonId) {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if generations.young.contains_key(invite) {
            return;
        }
        if generations.young.len() >= GENERATION {
            generations.old = std::mem::take(&mut generations.young);
        }
        generations.young.insert(invite.clone(), person.clone());
    }

    pub(super) fn is_of(&self, invite: &InviteId, person: &PersonId) -> bool {
        let generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        [&generations.young, &generations.old].iter().any(|known| known.get(invite) == Some(person))
    }
}
