//! Where people's devices are rung, read once for many rings.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::carry::Target;
use crate::ids::PersonId;
use crate::store::{Error, Store};

/// How long what was read is good, in milliseconds: a burst and a little. What this process changes, it forgets at once.
const GOOD_MS: i64 = 30_000;
/// How many people's are remembered before those that are no good any more go.
const MANY: usize = 4096;

type List = Arc<[Arc<Target>]>;
/// What the person calls their companion: a push says who calls.
type Name = Option<Arc<str>>;

#[derive(Debug, Default)]
pub(super) struct Targets(Mutex<HashMap<PersonId, Known>>);

#[derive(Debug)]
struct Known {
    list: List,
    name: Name,
    until_ms: i64,
    /// How often it was forgotten: what was read meanwhile is old.
    forgotten: u64,
}

impl Targets {
    /// The person's, from memory or from the store.
    pub(super) async fn of(
        &self,
        store: &dyn Store,
        person: &PersonId,
        now_ms: i64,
    ) -> Result<(List, Name), Error> {
        let forgotten = match self.known().get(person) {
            Some(known) if now_ms < known.until_ms => {
                return Ok((Arc::clone(&known.list), known.name.clone()));
            }
            Some(known) => known.forgotten,
            None => 0,
        };
        let rows = store.subscriptions(person.clone()).await?;
        // Who is rung nowhere needs no name.
        let name: Name = match rows.is_empty() {
            true => None,
            false => store.companion(person.clone()).await?.name.map(Arc::from),
        };
        let mut known = self.known();
        if known.len() >= MANY {
            known.retain(|_, known| now_ms < known.until_ms);
        }
        let before = known.get(person);
        let target = |row: crate::store::Subscription| {
            let before = before.and_then(|known| known.list.iter().find(|t| t.row.device == row.device));
            Arc::new(Target::new(row, before.map(|before| &**before)))
        };
        let list: List = rows.into_iter().map(target).collect();
        let now_forgotten = before.map_or(0, |known| known.forgotten);
        let until_ms = if now_forgotten == forgotten { now_ms + GOOD_MS } else { i64::MIN };
        let (kept, named) = (Arc::clone(&list), name.clone());
        known.insert(person.clone(), Known { list: kept, name: named, until_ms, forgotten: now_forgotten });
        Ok((list, name))
    }

    /// Something of the person's has changed.
    pub(super) fn forget(&self, person: &PersonId) {
        let mut known = self.known();
        let known = known.entry(person.clone()).or_insert_with(|| Known {
            list: Arc::new([]),
            name: None,
            until_ms: i64::MIN,
            forgotten: 0,
        });
        known.until_ms = i64::MIN;
        known.forgotten += 1;
    }

    fn known(&self) -> MutexGuard<'_, HashMap<PersonId, Known>> {
        // The map is whole whatever panicked beside it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
