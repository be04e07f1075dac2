//! The keys of a subscription: with them a push is sealed, so that the service that carries it cannot read it.

use std::fmt;

use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::rand::SystemRandom;

use super::base64url;

/// How many bytes an uncompressed point of P-256 has: a 4, and two coordinates.
pub(super) const POINT: usize = 65;
/// How many bytes the shared secret has (RFC 8291, section 3.2).
pub(super) const AUTH: usize = 16;

/// A subscription's keys, checked: the point lies on the curve.
#[derive(Clone, PartialEq, Eq)]
pub struct Keys {
    pub(super) p256dh: [u8; POINT],
    pub(super) auth: [u8; AUTH],
}

/// What is wrong with a subscription's keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyFault {
    /// A key is no base64url.
    NotBase64(&'static str),
    /// A key has another length than it must: its name, the bytes found, the bytes that it must have.
    Length(&'static str, usize, usize),
    /// `p256dh` is no uncompressed point of the curve P-256.
    NoPoint,
    /// The system gives no random bytes to check it with.
    NoRandomness,
}

impl fmt::Display for KeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBase64(name) => write!(f, "keys.{name} is no base64url"),
            Self::Length(name, found, expected) => {
                write!(f, "keys.{name} has {found} bytes; it must have {expected}")
            }
            Self::NoPoint => f.write_str("keys.p256dh is no point of the curve P-256"),
            Self::NoRandomness => f.write_str("the keys could not be checked: there are no random bytes"),
        }
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys(…)")
    }
}

impl Keys {
    /// Reads keys as a browser writes them, `p256dh` and `auth` in base64url.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn read(p256dh: &str, auth: &str) -> Result<Self, KeyFault> {
        let p256dh: [u8; POINT] = part("p256dh", p256dh)?;
        let auth = part("auth", auth)?;
        // An agreement is the check: it fails for what is no uncompressed point of the curve.
        let mine = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new())
            .map_err(|_| KeyFault::NoRandomness)?;
        agree_ephemeral(mine, &UnparsedPublicKey::new(&ECDH_P256, p256dh), |_| ())
            .map_err(|_| KeyFault::NoPoint)?;
        Ok(Self { p256dh, auth })
    }

    /// Takes keys that were read before and kept since.
    #[must_use]
    pub fn kept(p256dh: &str, auth: &str) -> Option<Self> {
        Some(Self { p256dh: part("p256dh", p256dh).ok()?, auth: part("auth", auth).ok()? })
    }

    /// The browser's public key, in base64url.
    #[must_use]
    pub fn p256dh(&self) -> String {
        base64url::write(&self.p256dh)
    }

    /// The shared secret, in base64url.
    #[must_use]
    pub fn auth(&self) -> String {
        base64url::write(&self.auth)
    }
}

fn part<const N: usize>(name: &'static str, text: &str) -> Result<[u8; N], KeyFault> {
    let bytes = base64url::read(text).ok_or(KeyFault::NotBase64(name))?;
    let found = bytes.len();
    bytes.try_into().map_err(|_| KeyFault::Length(name, found, N))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The receiver's keys of RFC 8291, appendix A.
    const P256DH: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

    #[test]
    fn keys_are_checked() {
        let keys = Keys::read(P256DH, AUTH).unwrap();
        assert_eq!((keys.p256dh().as_str(), keys.auth().as_str()), (P256DH, AUTH));
        assert_eq!(Keys::kept(P256DH, AUTH).as_ref(), Some(&keys));
        let off = P256DH.replacen("BCV", "BDV", 1);
        for (p256dh, auth, fault) in [
            ("", AUTH, KeyFault::Length("p256dh", 0, 65)),
            (P256DH, "", KeyFault::Length("auth", 0, 16)),
            (P256DH, "BTBZMqHH6r4Tts7J_aSI", KeyFault::Length("auth", 15, 16)),
            (&P256DH[..86], AUTH, KeyFault::Length("p256dh", 64, 65)),
            ("?", AUTH, KeyFault::NotBase64("p256dh")),
            (P256DH, "a b", KeyFault::NotBase64("auth")),
            (&off, AUTH, KeyFault::NoPoint),
            // A compressed point begins with 2 or 3, one at infinity is a single 0.
            (&P256DH.replacen("BC", "AC", 1), AUTH, KeyFault::NoPoint),
        ] {
            assert_eq!(Keys::read(p256dh, auth), Err(fault.clone()), "{fault}");
        }
    }
}
