//! The telephone: invites that ring, the pushes that make a phone ring, and what comes of a call.

pub mod bell;
pub mod burst;
pub mod call;
pub mod invite;
pub mod linger;
pub mod record;
