//! Web Push: what makes a phone ring that shows no page (RFC 8030, 8188, 8291, 8292).

mod base64url;
mod guard;
mod keys;
mod seal;
mod vapid;

pub use guard::{Endpoint, Guard, KNOWN, Refusal, host, is_public, origin};
pub use keys::{KeyFault, Keys};
pub use seal::{MAX_PLAINTEXT, NotSealed, seal};
pub use vapid::{KeyError, ServerKey};
