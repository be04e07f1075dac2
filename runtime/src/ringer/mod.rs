//! The telephone: invites that ring, the pushes that make a phone ring, and what comes of a call.

pub mod bell;
pub mod escalation;
pub mod push;
