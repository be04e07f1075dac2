//! What is due when: the next ring or the end of each invite, the next look at each call; and the one timer for them all.
//!
//! A burst that waits costs its entry here and nothing else: no task, no timer of its own. The table is looked at by one task,
//! which hands out what is due and waits for none of it.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use handset_spec::Language;
use tokio::sync::Notify;

use super::bell::{Live, Ring};
use super::burst::{Burst, Effect, Event};
use crate::clock::Clock;
use crate::ids::{InviteId, PersonId};

/// How long a ring waits that is due while an answer is being written, in milliseconds.
const HELD_MS: i64 = 5;

/// An invite that rings.
pub(super) struct Ringing {
    pub(super) person: PersonId,
    pub(super) reason: String,
    pub(super) language: Language,
    pub(super) burst: Burst,
}

/// What is due.
pub(super) enum Due {
    /// A ring.
    Ring(Ring),
    /// The end of an invite.
    End(PersonId, Arc<InviteId>),
    /// A look at a call.
    Look(PersonId, Arc<InviteId>),
}

enum Row {
    Invite {
        ringing: Box<Ringing>,
        live: Live,
        /// How many answers are being written just now; rings wait for them.
        held: u32,
    },
    Call(PersonId),
}

struct Entry {
    row: Row,
    /// When it is due; not at all while what was due is being done.
    due_ms: Option<i64>,
}

#[derive(Default)]
struct Table {
    /// By the id that an invite and its call share.
    entries: HashMap<Arc<InviteId>, Entry>,
    due: BTreeSet<(i64, Arc<InviteId>)>,
    /// The call of each person who has one.
    calls: HashMap<PersonId, Arc<InviteId>>,
    stopped: bool,
}

impl Table {
    /// Sets when an entry is due; true where it is the first of all now.
    fn arm(&mut self, id: &Arc<InviteId>, due_ms: Option<i64>) -> bool {
        let Some(entry) = self.entries.get_mut(id) else { return false };
        if let Some(before) = std::mem::replace(&mut entry.due_ms, due_ms) {
            self.due.remove(&(before, Arc::clone(id)));
        }
        let Some(due_ms) = due_ms else { return false };
        let first = self.due.first().is_none_or(|(first, _)| due_ms < *first);
        self.due.insert((due_ms, Arc::clone(id)));
        first
    }

    fn remove(&mut self, id: &InviteId) -> Option<Row> {
        let (id, entry) = self.entries.remove_entry(id)?;
        if let Row::Call(person) = &entry.row {
            self.calls.remove(person);
        }
        if let Some(due_ms) = entry.due_ms {
            self.due.remove(&(due_ms, id));
        }
        Some(entry.row)
    }

    fn find(&self, id: &InviteId) -> Option<Arc<InviteId>> {
        self.entries.get_key_value(id).map(|(id, _)| Arc::clone(id))
    }
}

/// The table.
#[derive(Default)]
pub(super) struct Deadlines {
    table: Mutex<Table>,
    /// Told when the first that is due has become an earlier one.
    sooner: Notify,
}

impl Deadlines {
    /// Puts an invite down that is not open yet: held, and due never. It stands here before anybody can answer it, so that an
    /// answer that follows at once finds it.
    pub(super) fn prepare(&self, id: InviteId, ringing: Ringing) {
        let mut table = self.table();
        if !table.stopped {
            let row = Row::Invite { ringing: Box::new(ringing), live: Live::new(), held: 0 };
            table.entries.insert(Arc::new(id), Entry { row, due_ms: None });
        }
    }

    /// Begins to ring for an invite that was put down, unless it was resolved meanwhile.
    pub(super) fn begin(&self, id: &InviteId) {
        let mut table = self.table();
        let Some(id) = table.find(id) else { return };
        let Some(Entry { row: Row::Invite { ringing, .. }, .. }) = table.entries.get(&id) else { return };
        let due_ms = next_ms(&ringing.burst);
        let first = table.arm(&id, Some(due_ms));
        drop(table);
        if first {
            self.sooner.notify_one();
        }
    }

    /// An answer to an invite is about to be written: nothing rings from here on, not even what is under way already.
    pub(super) fn hold(&self, id: &InviteId) {
        if let Some(Entry { row: Row::Invite { live, held, .. }, .. }) = self.table().entries.get_mut(id) {
            *held += 1;
            live.end();
        }
    }

    /// The answer changed nothing: it may ring again, unless another one is being written.
    pub(super) fn release(&self, id: &InviteId) {
        if let Some(Entry { row: Row::Invite { live, held, .. }, .. }) = self.table().entries.get_mut(id) {
            *held = held.saturating_sub(1);
            if *held == 0 {
                live.resume();
            }
        }
    }

    /// Looks at an invite again, whose end was due and has not been performed.
    pub(super) fn again(&self, id: &InviteId, due_ms: i64) {
        let mut table = self.table();
        let Some(id) = table.find(id) else { return };
        let first = table.arm(&id, Some(due_ms));
        drop(table);
        if first {
            self.sooner.notify_one();
        }
    }

    /// The invite is pending no more.
    pub(super) fn silence(&self, id: &InviteId) {
        let mut table = self.table();
        if matches!(table.entries.get(id), Some(Entry { row: Row::Invite { .. }, .. }))
            && let Some(Row::Invite { live, .. }) = table.remove(id)
        {
            live.end();
        }
    }

    /// Looks at a call at a moment, or never again.
    pub(super) fn look(&self, person: &PersonId, id: &InviteId, due_ms: Option<i64>) {
        let mut table = self.table();
        let Some(due_ms) = due_ms else {
            if matches!(table.entries.get(id), Some(Entry { row: Row::Call(_), .. })) {
                table.remove(id);
            }
            return;
        };
        if table.stopped {
            return;
        }
        let id = table.find(id).unwrap_or_else(|| Arc::new(id.clone()));
        let entry = || Entry { row: Row::Call(person.clone()), due_ms: None };
        table.entries.entry(Arc::clone(&id)).or_insert_with(entry);
        table.calls.insert(person.clone(), Arc::clone(&id));
        let first = table.arm(&id, Some(due_ms));
        drop(table);
        if first {
            self.sooner.notify_one();
        }
    }

    /// The person's call that goes on, as far as this server knows.
    pub(super) fn call(&self, person: &PersonId) -> Option<Arc<InviteId>> {
        self.table().calls.get(person).cloned()
    }

    /// Takes everything off the table, and nothing on any more.
    pub(super) fn stop(&self) {
        *self.table() = Table { stopped: true, ..Table::default() };
    }

    /// When the first of all is due.
    #[cfg(test)]
    pub(super) fn first_ms(&self) -> Option<i64> {
        self.table().due.first().map(|(due_ms, _)| *due_ms)
    }

    /// How many invites and calls stand here.
    pub(super) fn len(&self) -> usize {
        self.table().entries.len()
    }

    /// Hands out what is due, each in its time, for ever.
    pub(super) async fn watch(&self, clock: &dyn Clock, mut hand_out: impl FnMut(Due)) {
        loop {
            let first = self.table().due.first().map(|(due_ms, _)| *due_ms);
            let Some(due_ms) = first else {
                self.sooner.notified().await;
                continue;
            };
            tokio::select! {
                () = self.sooner.notified() => {}
                () = clock.sleep_until(due_ms) => {
                    while let Some(due) = self.take(clock.now_ms()) {
                        hand_out(due);
                    }
                }
            }
        }
    }

    /// One thing that is due. Each is taken by itself, so that an answer need not wait for all that is due with it.
    fn take(&self, now_ms: i64) -> Option<Due> {
        let mut table = self.table();
        loop {
            let (due_ms, id) = table.due.first()?;
            if *due_ms > now_ms {
                return None;
            }
            let id = Arc::clone(id);
            let (due, next) = match table.entries.get_mut(&id).map(|entry| &mut entry.row) {
                Some(Row::Call(person)) => (Some(Due::Look(person.clone(), Arc::clone(&id))), None),
                Some(Row::Invite { ringing, live, held }) => {
                    if now_ms >= ringing.burst.plan.expires_ms {
                        live.end();
                        (Some(Due::End(ringing.person.clone(), Arc::clone(&id))), None)
                    } else if *held > 0 {
                        (None, Some(now_ms.saturating_add(HELD_MS)))
                    } else {
                        (ringing.ring(&id, live, now_ms).map(Due::Ring), Some(next_ms(&ringing.burst)))
                    }
                }
                None => (None, None),
            };
            table.arm(&id, next);
            if due.is_some() {
                return due;
            }
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Its two halves change together, and nothing between them panics.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When a burst has to be looked at: at its next ring, else at the end of its invite.
fn next_ms(burst: &Burst) -> i64 {
    let expires_ms = burst.plan.expires_ms;
    burst.wakes_ms().map_or(expires_ms, |wakes_ms| wakes_ms.min(expires_ms))
}

impl Ringing {
    fn ring(&mut self, id: &InviteId, live: &Live, now_ms: i64) -> Option<Ring> {
        let (burst, effect) = self.burst.on(Event::Tick, now_ms);
        self.burst = burst;
        effect.map(|Effect::Ring { sequence, last, due_ms }| Ring {
            person: self.person.clone(),
            invite: id.clone(),
            sequence,
            last,
            reason: self.reason.clone(),
            language: self.language,
            due_ms,
            expires_ms: burst.plan.expires_ms,
            live: live.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ringer::burst::Plan;

    fn ringing(created_ms: i64) -> Ringing {
        let plan = Plan { created_ms, interval_ms: 2_000, extra: 10, expires_ms: created_ms + 30_000 };
        let person = PersonId::from_text("ann");
        Ringing { person, reason: "dinner".to_owned(), language: Language::En, burst: Burst::new(plan) }
    }

    fn id(name: &str) -> InviteId {
        InviteId::from_text(name)
    }

    /// What is due, in words.
    fn due(deadlines: &Deadlines, now_ms: i64) -> Vec<String> {
        let word = |due| match due {
            Due::Ring(ring) => format!("{} {}", ring.invite, ring.sequence),
            Due::End(_, id) => format!("{id} ends"),
            Due::Look(_, id) => format!("{id} looked at"),
        };
        std::iter::from_fn(|| deadlines.take(now_ms)).map(word).collect()
    }

    fn live(deadlines: &Deadlines, name: &str) -> Live {
        match &deadlines.table().entries.get(&id(name)).unwrap().row {
            Row::Invite { live, .. } => live.clone(),
            Row::Call(_) => panic!("it is an invite"),
        }
    }

    #[test]
    fn each_in_its_time() {
        let deadlines = Deadlines::default();
        for (name, created_ms) in [("late", 1_000), ("soon", 0)] {
            deadlines.prepare(id(name), ringing(created_ms));
            assert_eq!(due(&deadlines, 0), [""; 0], "it is not open yet");
            deadlines.begin(&id(name));
        }
        assert_eq!(due(&deadlines, 0), ["soon 0"]);
        assert_eq!(due(&deadlines, 1_000), ["late 0"]);
        assert_eq!(due(&deadlines, 3_000), ["soon 1", "late 1"]);
        deadlines.silence(&id("soon"));
        assert_eq!(due(&deadlines, 31_000), ["late ends"]);
        assert_eq!(due(&deadlines, 99_000), [""; 0], "once");
        deadlines.again(&id("late"), 99_500);
        assert_eq!(due(&deadlines, 99_500), ["late ends"]);
        deadlines.silence(&id("late"));
        assert_eq!((deadlines.len(), deadlines.table().due.len()), (0, 0));
    }

    /// Before an answer is written the sign is down, and rings that are due wait; where it changed nothing, they ring.
    #[test]
    fn nothing_rings_while_an_answer_is_written() {
        let deadlines = Deadlines::default();
        deadlines.prepare(id("a"), ringing(0));
        deadlines.begin(&id("a"));
        let sign = live(&deadlines, "a");
        deadlines.hold(&id("a"));
        deadlines.hold(&id("a"));
        assert!(!sign.is_pending());
        assert_eq!(due(&deadlines, 0), [""; 0]);
        deadlines.release(&id("a"));
        assert!(!sign.is_pending(), "another answer is being written");
        deadlines.release(&id("a"));
        assert!(sign.is_pending());
        assert_eq!(due(&deadlines, HELD_MS), ["a 0"]);
        deadlines.hold(&id("a"));
        deadlines.silence(&id("a"));
        deadlines.release(&id("a"));
        assert!(!sign.is_pending(), "it is resolved, and stays so");
    }

    /// An answer that comes before the invite has begun to ring finds it.
    #[test]
    fn resolved_before_it_began() {
        let deadlines = Deadlines::default();
        deadlines.prepare(id("a"), ringing(0));
        deadlines.silence(&id("a"));
        deadlines.begin(&id("a"));
        assert_eq!(due(&deadlines, 99_000), [""; 0]);
    }

    #[test]
    fn a_call_takes_its_invites_place() {
        let (deadlines, ann) = (Deadlines::default(), PersonId::from_text("ann"));
        deadlines.prepare(id("a"), ringing(0));
        deadlines.begin(&id("a"));
        deadlines.silence(&id("a"));
        deadlines.look(&ann, &id("a"), Some(500));
        // A late repetition of the answer is no reason to forget the call.
        deadlines.hold(&id("a"));
        deadlines.silence(&id("a"));
        assert!(deadlines.call(&ann).is_some());
        deadlines.look(&ann, &id("a"), Some(700));
        assert_eq!(due(&deadlines, 699), [""; 0]);
        assert_eq!(due(&deadlines, 700), ["a looked at"]);
        deadlines.look(&ann, &id("a"), None);
        assert_eq!((deadlines.len(), deadlines.call(&ann)), (0, None));
        deadlines.stop();
        deadlines.look(&ann, &id("a"), Some(1));
        deadlines.prepare(id("b"), ringing(0));
        assert_eq!(deadlines.len(), 0);
    }
}
