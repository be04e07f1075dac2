//! Who may have how many characters spoken.

use std::future::{Future, ready};
use std::pin::Pin;

use super::service::Fault;

/// What a meter gives: a future that can be awaited on any thread.
pub type Taking<'a> = Pin<Box<dyn Future<Output = Result<(), Fault>> + Send + 'a>>;

/// Counts what is asked of a service, before it is asked.
pub trait Meter: Send + Sync + 'static {
    /// Takes so many characters from what is left. What was taken stays taken, also where the piece fails or is stopped then: the
    /// service may have counted it.
    ///
    /// # Errors
    /// [`super::Code::OverQuota`], where less than this is left; its notice is what the person is told, once a call.
    fn take(&self, characters: usize) -> Taking<'_>;
}

/// No limit, and nothing counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Free;

impl Meter for Free {
    fn take(&self, _: usize) -> Taking<'_> {
        Box::pin(ready(Ok(())))
    }
}
