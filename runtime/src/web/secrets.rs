//! Secrets that this server makes, and how they are known again without being kept.
//!
//! - Tokens and sign-in codes have 256 random bits. Kept is their SHA-256: with so many bits there is nothing to guess, and a
//!   slow hash would protect nothing more.
//! - Pairing codes are short enough to type, 39 bits: whoever had the database could try all of them within seconds,
//!   whatever the hash. They are therefore kept as an HMAC under a key that exists in this process alone. A restart
//!   voids the codes that are open, which hold ten minutes at most.
//! - What a client asks for with an id of its own is made from that id under the same key. The same request then gives the
//!   same secret again while the server runs, and still nothing of it is kept.

use sha2::{Digest as _, Sha256};

use crate::ids::{NoRandomness, hex, secret};

/// Digits and letters that are not taken for each other, by eye or by ear: no 0 and O, no 1, I and L, no U beside V.
const ALPHABET: &[u8; 30] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";
/// How many of them a pairing code has.
const PAIRING_CHARS: usize = 8;

/// The key of this process.
#[derive(Clone)]
pub(super) struct Secrets {
    key: [u8; 32],
}

impl Secrets {
    /// A new key.
    pub(super) fn new() -> Result<Self, NoRandomness> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|_| NoRandomness)?;
        Ok(Self { key })
    }

    /// A secret of 256 bits: a new one, or for a client's own id the one that it was given before.
    pub(super) fn make(&self, purpose: &[&str], client_id: Option<&str>) -> Result<String, NoRandomness> {
        match client_id {
            None => secret(),
            Some(client_id) => Ok(hex(&self.keyed(&[purpose, &[client_id]].concat()))),
        }
    }

    /// A pairing code, made in the same way, as it is kept: without the dash.
    pub(super) fn pairing(&self, person: &str, client_id: Option<&str>) -> Result<String, NoRandomness> {
        let mut code = String::with_capacity(PAIRING_CHARS);
        let mut seed = self.make(&["pairing", person], client_id)?;
        loop {
            // 240 is the largest multiple of 30 in a byte: what lies above would make some letters likelier.
            for byte in self.keyed(&["letters", &seed]).into_iter().filter(|byte| *byte < 240) {
                code.push(char::from(ALPHABET[usize::from(byte % 30)]));
                if code.len() == PAIRING_CHARS {
                    return Ok(code);
                }
            }
            seed.push('+');
        }
    }

    /// The hash that a pairing code is kept by.
    pub(super) fn pairing_hash(&self, code: &str) -> String {
        hex(&self.keyed(&["code", code]))
    }

    /// HMAC-SHA-256 of the parts, each with its length before it, so that no two lists of parts are one text.
    fn keyed(&self, parts: &[&str]) -> [u8; 32] {
        let mut text = Vec::new();
        for part in parts {
            text.extend_from_slice(&(part.len() as u64).to_be_bytes());
            text.extend_from_slice(part.as_bytes());
        }
        hmac(&self.key, &text)
    }
}

/// HMAC-SHA-256 (RFC 2104) with a key of at most one block.
fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    let padded = |with: u8| {
        let mut block = [with; 64];
        for (byte, key) in block.iter_mut().zip(key) {
            *byte ^= key;
        }
        block
    };
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(text).finalize();
    Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize().into()
}

/// A pairing code as a person reads it, `ABCD-EFGH`.
pub(super) fn readable(code: &str) -> String {
    let (left, right) = code.split_at(code.len() / 2);
    format!("{left}-{right}")
}

/// A pairing code as a person typed it: small letters, dashes and blanks are as good. Nothing where it cannot be one.
pub(super) fn typed(code: &str) -> Option<String> {
    let code: String = code
        .chars()
        .filter(|char| !char.is_whitespace() && *char != '-')
        .take(PAIRING_CHARS + 1)
        .map(|char| char.to_ascii_uppercase())
        .collect();
    (code.len() == PAIRING_CHARS && code.bytes().all(|byte| ALPHABET.contains(&byte))).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4231, test cases 1 and 2.
    #[test]
    fn the_hmac_is_the_standard_one() {
        assert_eq!(
            hex(&hmac(&[0x0b; 20], b"Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
        assert_eq!(
            hex(&hmac(b"Jefe", b"what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn a_clients_own_id_gives_the_same_secret_again() {
        let secrets = Secrets::new().unwrap();
        let first = secrets.make(&["device", "ann"], Some("c1")).unwrap();
        assert_eq!(first.len(), 64);
        assert_eq!(secrets.make(&["device", "ann"], Some("c1")).unwrap(), first);
        for (purpose, id) in [(["device", "ann"], "c2"), (["device", "bob"], "c1"), (["devic", "eann"], "c1")]
        {
            assert_ne!(secrets.make(&purpose, Some(id)).unwrap(), first);
        }
        assert_ne!(Secrets::new().unwrap().make(&["device", "ann"], Some("c1")).unwrap(), first);
        assert_ne!(secrets.make(&["x"], None).unwrap(), secrets.make(&["x"], None).unwrap());
    }

    #[test]
    fn pairing_codes_are_typed_as_they_are_read() {
        let secrets = Secrets::new().unwrap();
        let code = secrets.pairing("ann", Some("c1")).unwrap();
        assert_eq!(secrets.pairing("ann", Some("c1")).unwrap(), code);
        assert_ne!(secrets.pairing("bob", Some("c1")).unwrap(), code);
        let shown = readable(&code);
        assert_eq!(shown.len(), 9);
        for written in [shown.clone(), shown.to_lowercase(), format!(" {code} "), shown.replace('-', " - ")] {
            assert_eq!(typed(&written).as_ref(), Some(&code));
        }
        for wrong in ["", "ABCD-EFG", "ABCD-EFGHJ", "ABCD-EFG0", "ABCD-EFGÉ", "ＡBCDEFGH"] {
            assert_eq!(typed(wrong), None, "{wrong}");
        }
        assert_eq!(secrets.pairing_hash(&code), secrets.pairing_hash(&code));
        assert_ne!(secrets.pairing_hash(&code), Secrets::new().unwrap().pairing_hash(&code));
    }

    /// Every letter about as often as every other.
    #[test]
    fn no_letter_is_likelier() {
        let secrets = Secrets::new().unwrap();
        let mut counts = [0_u32; 256];
        for number in 0..3000 {
            for byte in secrets.pairing("ann", Some(&number.to_string())).unwrap().bytes() {
                counts[usize::from(byte)] += 1;
            }
        }
        // 24,000 letters, 800 each; the standard deviation is 28, so that six of them are an error in a billion runs.
        assert!(ALPHABET.iter().all(|letter| (630..970).contains(&counts[usize::from(*letter)])));
    }
}
