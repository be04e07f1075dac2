//! What is kept of pushes: where each device is rung, each ring, and what devices report of them.

use super::{Answer, Arrival, NewSubscription, Once, Rings, SentRing, Subscribed, Subscription};
use crate::ids::{DeviceId, InviteId, PersonId};

/// Subscriptions, rings and their arrivals.
pub trait Subscriptions: Send + Sync {
    /// Keeps where a device is rung, in the place of what was kept for it before. An endpoint is one device's: it moves
    /// here from another device of the person's, and from another person's only with the same keys, which their browser
    /// alone has.
    fn subscribe(&self, subscription: NewSubscription) -> Answer<'_, Subscribed>;
    /// Where the person's devices are rung, oldest first.
    fn subscriptions(&self, person: PersonId) -> Answer<'_, Vec<Subscription>>;
    /// Forgets where a device is rung; false where nothing was kept.
    fn unsubscribe(&self, person: PersonId, device: DeviceId, once: Option<Once>) -> Answer<'_, bool>;
    /// Names a ring that tries a device out; the id is the one offered, and that of the first request at a repetition.
    fn name_test(&self, person: PersonId, offered: InviteId, once: Option<Once>) -> Answer<'_, InviteId>;
    /// Keeps what became of rings, and what that means for the subscriptions they went to.
    fn keep_rings(&self, rings: Vec<SentRing>) -> Answer<'_, ()>;
    /// Keeps a report that a ring arrived. The first report of a ring stays. False where the person has no ring of this
    /// invite, unless it is `known` to be under way.
    fn keep_arrival(&self, arrival: Arrival, known: bool) -> Answer<'_, bool>;
    /// Every ring of an invite of the person's, with what arrived.
    fn rings(&self, person: PersonId, invite: InviteId) -> Answer<'_, Rings>;
}
