//! Names of things: random, sortable by the time they were made, and one type a kind, so that a card's id is never
//! taken for a chat's.

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The system gave no random bytes; nothing that must not be guessed can be made without them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoRandomness;

impl fmt::Display for NoRandomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the operating system gave no random bytes")
    }
}

impl std::error::Error for NoRandomness {}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// A new id, its first 12 digits the time in milliseconds.
            ///
            /// # Errors
            /// When the system gives no random bytes.
            pub fn new(now_ms: i64) -> Result<Self, NoRandomness> {
                fresh(now_ms).map(Self)
            }

            /// Takes an id as it came from outside or from the store; whether it names anything shows there.
            #[must_use]
            pub fn from_text(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

ids! {
    /// One person; every row that is kept belongs to one.
    PersonId,
    /// One call invite: the phone rings until it is answered, expires or is cancelled.
    InviteId,
    /// One device of a person's, which is one token.
    DeviceId,
    /// One conversation.
    ChatId,
    /// One message of a chat.
    MessageId,
    /// One turn: a person's message and everything the companion does until its reply is finished.
    TurnId,
    /// One card on a phone.
    CardId,
    /// One marker that the companion wrote.
    EffectId,
    /// One text to read aloud from.
    ReadingId,
}

/// 32 hexadecimal digits: 48 bits of time, 80 bits of chance. Later ids sort later, which keeps indexes compact.
fn fresh(now_ms: i64) -> Result<String, NoRandomness> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes[6..]).map_err(|_| NoRandomness)?;
    bytes[..6].copy_from_slice(&now_ms.max(0).to_be_bytes()[2..]);
    Ok(hex(&bytes))
}

/// An id for a call, other than those `used`: nine letters and digits, since there are endpoints that take no other.
///
/// # Errors
/// When the system gives no random bytes.
pub fn call_id(used: &HashSet<String>) -> Result<String, NoRandomness> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    loop {
        let mut bytes = [0; 9];
        getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
        let id = bytes.map(|byte| char::from(LETTERS[usize::from(byte % 32)]));
        let id = String::from_iter(id);
        if !used.contains(&id) {
            return Ok(id);
        }
    }
}

/// A secret of 256 bits, as 64 hexadecimal digits.
///
/// # Errors
/// When the system gives no random bytes.
pub fn secret() -> Result<String, NoRandomness> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(hex(&bytes))
}

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_ids_sort_later_and_none_repeats() {
        let early = ChatId::new(1_000).unwrap();
        let late = ChatId::new(2_000).unwrap();
        assert!(early < late);
        assert_eq!(early.as_str().len(), 32);
        assert_ne!(late, ChatId::new(2_000).unwrap());
    }

    #[test]
    fn a_secret_has_256_bits() {
        assert_eq!(secret().unwrap().len(), 64);
        assert_ne!(secret().unwrap(), secret().unwrap());
    }
}
