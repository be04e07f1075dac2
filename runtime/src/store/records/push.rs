//! Where devices are rung, rings, and their arrivals.

use super::{Fate, RingOutcome};
use crate::ids::{DeviceId, InviteId, PersonId};

/// A subscription to keep.
#[derive(Debug, Clone)]
pub struct NewSubscription {
    /// Whose device it is.
    pub person: PersonId,
    /// The device: its token's id.
    pub device: DeviceId,
    /// Where pushes go.
    pub endpoint: String,
    /// The browser's public key, in base64url.
    pub p256dh: String,
    /// The secret shared with it, in base64url.
    pub auth: String,
    /// The public half of the server key that it was made for.
    pub server_key: String,
    /// The origin of the page that subscribed.
    pub site: Option<String>,
    /// The browser, as it calls itself.
    pub agent: Option<String>,
    /// When.
    pub now_ms: i64,
}

/// Where a device is rung.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// The device: its token's id.
    pub device: DeviceId,
    /// Whose it is.
    pub person: PersonId,
    /// Where pushes go.
    pub endpoint: String,
    /// The browser's public key, in base64url.
    pub p256dh: String,
    /// The secret shared with it, in base64url.
    pub auth: String,
    /// The public half of the server key that it was made for.
    pub server_key: String,
    /// The origin of the page that subscribed.
    pub site: Option<String>,
    /// The browser, as it calls itself.
    pub agent: Option<String>,
    /// When it was made.
    pub created_ms: i64,
    /// What came of the last push.
    pub outcome: Option<RingOutcome>,
    /// When.
    pub outcome_ms: Option<i64>,
    /// What the service answered then, as HTTP's status.
    pub status: Option<i64>,
    /// When a push was last accepted: exact to a minute.
    pub succeeded_ms: Option<i64>,
    /// How many pushes in a row were not accepted.
    pub failures: i64,
    /// For how many calls in a row the service refused it as such.
    pub refusals: i64,
    /// Until when the service asked to be left alone.
    pub paused_ms: Option<i64>,
}

/// What became of a subscription that was to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subscribed {
    /// It is kept.
    Kept {
        /// As it is now.
        subscription: Box<Subscription>,
        /// Another person whose device had it until now.
        from: Option<PersonId>,
    },
    /// The person has so many that none more is kept.
    TooMany,
    /// The endpoint is another person's, and the keys are not the same.
    Taken,
}

/// A ring that was carried to a device, or was to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentRing {
    /// Whose device it is.
    pub person: PersonId,
    /// For which invite.
    pub invite: InviteId,
    /// The device.
    pub device: DeviceId,
    /// Its number in the burst, from 0.
    pub sequence: u32,
    /// When it was due.
    pub due_ms: i64,
    /// When it was handed to the connection.
    pub sent_ms: Option<i64>,
    /// When that was over.
    pub answered_ms: Option<i64>,
    /// What came of it.
    pub outcome: RingOutcome,
    /// What the service answered, as HTTP's status.
    pub status: Option<u16>,
    /// What it means for the subscription.
    pub fate: Fate,
    /// The endpoint that it went to: what happened there means nothing for one that was made since.
    pub endpoint: String,
}

/// A device's report that a ring has arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// Whose device it is.
    pub person: PersonId,
    /// For which invite.
    pub invite: InviteId,
    /// The device.
    pub device: DeviceId,
    /// The ring's number in the burst.
    pub sequence: u32,
    /// The version of the worker that took it.
    pub worker: String,
    /// What it took it for.
    pub kind: String,
    /// When it arrived, by the device's clock.
    pub arrived_ms: i64,
    /// When the report came, by the server's clock.
    pub reported_ms: i64,
}

/// The rings of an invite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rings {
    /// Those that were sent, or were to be, by device and number.
    pub sent: Vec<SentRing>,
    /// Those that arrived, by device and number.
    pub arrived: Vec<Arrival>,
}
