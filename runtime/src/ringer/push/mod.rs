//! Web Push: what makes a phone ring that shows no page (RFC 8030, 8188, 8291, 8292).
//!
//! | file | what |
//! |---|---|
//! | [`keys`], [`seal`] | a subscription's keys, and a body that it alone can read |
//! | [`vapid`] | the server's key, and what it signs |
//! | [`guard`] | where pushes may go |
//! | [`payload`] | what a push says |
//! | [`carry`], [`client`] | one ring to one device, and the connection that it takes |
//! | [`answer`] | what a service's answer means |
//! | [`lanes`], [`targets`], [`recent`], [`ledger`] | one push at a time to a device; what is remembered; the way to the store |

mod answer;
mod base64url;
mod carry;
mod client;
mod guard;
mod keys;
mod lanes;
mod ledger;
pub mod payload;
mod recent;
mod seal;
mod targets;
mod vapid;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use handset_spec::Language;

pub use guard::{Endpoint, Guard, KNOWN, Refusal, host, is_public, origin};
pub use keys::{KeyFault, Keys};
pub use seal::{MAX_PLAINTEXT, NotSealed, seal};
pub use vapid::{KeyError, ServerKey};

use self::carry::{Services, Target};
use self::client::Clients;
use self::lanes::Lanes;
use self::ledger::Ledger;
use self::payload::Kind;
use self::recent::Recent;
use self::targets::Targets;
use self::vapid::Signer;
use super::bell::{Bell, Live, Ring};
use crate::clock::Clock;
use crate::ids::{DeviceId, InviteId, PersonId};
use crate::store::{SentRing, Store};

/// How long a test ring is good, in milliseconds.
const TEST_LIVES_MS: i64 = 30_000;

/// What rings devices by their push services.
#[derive(Clone)]
pub struct Push(Arc<Shared>);

/// What all sends share.
struct Shared {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    signer: Signer,
    subject: Option<String>,
    guard: Guard,
    clients: Clients,
    services: Services,
    lanes: Arc<Lanes>,
    targets: Targets,
    recent: Recent,
    ledger: Ledger,
}

impl std::fmt::Debug for Push {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Push").field("key", &self.0.signer.key()).finish_non_exhaustive()
    }
}

impl Push {
    /// A bell over a store. `subject` is how push services reach the operator; without it they are told the page that a
    /// device subscribed from. Inside a tokio runtime.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        key: ServerKey,
        subject: Option<String>,
        guard: Guard,
    ) -> Self {
        let clients = Clients::new(&guard);
        if let Some(reason) = clients.fault() {
            tracing::warn!(
                reason,
                "push services cannot be reached: install the system's certificates (ca-certificates)"
            );
        }
        let ledger = Ledger::start(Arc::clone(&store));
        Self(Arc::new(Shared {
            store,
            clock,
            signer: Signer::new(key),
            subject,
            guard,
            clients,
            services: Services::default(),
            lanes: Arc::default(),
            targets: Targets::default(),
            recent: Recent::default(),
            ledger,
        }))
    }

    /// The public half of the server's key, in base64url: pages subscribe with it.
    #[must_use]
    pub fn key(&self) -> &str {
        self.0.signer.key().public()
    }

    /// How push services reach the operator, where that is configured.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        self.0.subject.as_deref()
    }

    /// Where pushes may go.
    #[must_use]
    pub fn guard(&self) -> &Guard {
        &self.0.guard
    }

    /// A subscription of the person's has come or gone, or their companion has another name: what was read of them is old.
    pub fn forget(&self, person: &PersonId) {
        self.0.targets.forget(person);
    }

    /// Whether the invite is the person's and rang lately.
    #[must_use]
    pub fn rang(&self, invite: &InviteId, person: &PersonId) -> bool {
        self.0.recent.is_of(invite, person)
    }

    /// Resolves once what became of every ring so far is kept.
    pub async fn settled(&self) {
        self.0.ledger.settled().await;
    }

    /// Rings one device once, to try it out; nothing where it has no subscription.
    pub async fn test(
        &self,
        person: &PersonId,
        device: &DeviceId,
        id: InviteId,
        language: Language,
    ) -> Option<SentRing> {
        let now_ms = self.0.clock.now_ms();
        let ring = Ring {
            person: person.clone(),
            invite: id,
            sequence: 0,
            last: true,
            reason: payload::test_reason(language),
            language,
            due_ms: now_ms,
            expires_ms: now_ms + TEST_LIVES_MS,
            live: Live::new(),
        };
        self.everywhere(Kind::Test, ring, |target| target.row.device == *device).await.pop()
    }

    /// Rings on every device that is wanted, each in a task of its own, so that none waits for another and one that fails
    /// ends nothing.
    async fn everywhere(&self, kind: Kind, ring: Ring, wanted: impl Fn(&Target) -> bool) -> Vec<SentRing> {
        let shared = &self.0;
        let (targets, name) =
            match shared.targets.of(&*shared.store, &ring.person, shared.clock.now_ms()).await {
                Ok(found) => found,
                Err(error) => {
                    tracing::warn!(%error, "where a person's devices are rung could not be read");
                    return Vec::new();
                }
            };
        let payload: Arc<[u8]> = payload::write(kind, &ring, name.as_deref()).into();
        let ring = Arc::new(ring);
        let mut sends = Vec::new();
        for target in targets.iter().filter(|target| wanted(target)) {
            shared.recent.note(&ring.invite, &ring.person);
            // Its place is taken before the task begins: rings keep their order.
            let place = shared.lanes.enter(&target.row.device);
            let (shared, target) = (Arc::clone(shared), Arc::clone(target));
            sends.push(tokio::spawn(shared.carry(target, Arc::clone(&ring), Arc::clone(&payload), place)));
        }
        let mut sent = Vec::with_capacity(sends.len());
        for send in sends {
            match send.await {
                Ok(done) => sent.extend(done),
                Err(error) => tracing::error!(%error, "a send ended unexpectedly"),
            }
        }
        sent
    }
}

impl Bell for Push {
    fn ring(&self, ring: Ring) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            self.everywhere(Kind::Call, ring, |_| true).await;
        })
    }
}
