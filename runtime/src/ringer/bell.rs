//! What makes the devices of a person ring once. The burst decides when; a bell only carries.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use handset_spec::Language;

use crate::ids::{InviteId, PersonId};

/// One ring of a burst.
#[derive(Debug, Clone)]
pub struct Ring {
    /// Whose devices ring.
    pub person: PersonId,
    /// For which invite.
    pub invite: InviteId,
    /// Its number in the burst, from 0.
    pub sequence: u32,
    /// Whether no ring follows.
    pub last: bool,
    /// What the incoming call says.
    pub reason: String,
    /// The language in which the person reads.
    pub language: Language,
    /// When it was due, in milliseconds since the Unix epoch.
    pub due_ms: i64,
    /// When the invite ends unanswered, in milliseconds since the Unix epoch.
    pub expires_ms: i64,
    /// Whether the invite still waits for its answer.
    pub live: Live,
}

/// Whether an invite is pending: looked at directly before each send, so that nothing rings after the answer.
#[derive(Debug, Clone)]
pub struct Live(Arc<AtomicBool>);

impl Live {
    /// An invite that is pending.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(AtomicBool::new(true)))
    }

    /// The invite is pending no more. Comes before its change is told to anybody.
    pub fn end(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    /// The invite is pending still: the answer that was about to be written changed nothing.
    pub fn resume(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether the invite is pending.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

impl Default for Live {
    fn default() -> Self {
        Self::new()
    }
}

/// Carries rings to devices. A ring that cannot be carried is the bell's to log and to count; it never ends a burst.
pub trait Bell: Send + Sync + 'static {
    /// Rings once on every device of the person; done when every device was tried.
    fn ring(&self, ring: Ring) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// A bell that reaches no device: the server polls and streams, and pushes nothing.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Bell for Silent {
    fn ring(&self, _ring: Ring) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(std::future::ready(()))
    }
}
