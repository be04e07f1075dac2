//! The companion calls of its own accord after a long silence (document 2: escalation), once a local day at most.
//!
//! When it may is a pure state machine ([`state`]) over the hours of the person's own zone ([`window`]); what it says is
//! the model's to write ([`reason`]); [`watch`] performs it.

pub mod reason;
pub mod state;
pub mod watch;
pub mod window;

pub use state::{Decision, Event, Ring, Rules, State, Why};
pub use watch::{Invited, Inviter};

#[cfg(test)]
mod tests;
