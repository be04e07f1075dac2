//! A push's body, sealed for one browser: RFC 8291 over RFC 8188 (`aes128gcm`), one record, without padding.
//!
//! Two multiplications on the curve are nearly all that it costs: a fresh key for each push, and the agreement.

use std::fmt;

use ring::aead::{AES_128_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::rand::{SecureRandom as _, SystemRandom};

use super::keys::{Keys, POINT};

const SALT: usize = 16;
/// Salt, record size, the length of the key id, and the key id, which is the sender's public key.
const HEADER: usize = SALT + 4 + 1 + POINT;
/// The end of the last record (RFC 8188, section 2).
const DELIMITER: u8 = 2;
const TAG: usize = 16;
/// How many bytes of plaintext a push may have: services take bodies of 4096 (RFC 8291, section 4).
pub const MAX_PLAINTEXT: usize = 4096 - HEADER - 1 - TAG;

/// A push could not be sealed: the system gave no random bytes, or the plaintext is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotSealed;

impl fmt::Display for NotSealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a push could not be encrypted")
    }
}

impl std::error::Error for NotSealed {}

impl From<Unspecified> for NotSealed {
    fn from(_: Unspecified) -> Self {
        Self
    }
}

/// Seals a plaintext of at most [`MAX_PLAINTEXT`] bytes for a subscription.
///
/// # Errors
/// When the plaintext is longer, or the system gives no random bytes.
pub fn seal(keys: &Keys, plaintext: &[u8]) -> Result<Vec<u8>, NotSealed> {
    let random = SystemRandom::new();
    let mut salt = [0; SALT];
    random.fill(&mut salt)?;
    let mine = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
    let public = mine.compute_public_key()?;
    let public: [u8; POINT] = public.as_ref().try_into().map_err(|_| NotSealed)?;
    let theirs = UnparsedPublicKey::new(&ECDH_P256, &keys.p256dh);
    agree_ephemeral(mine, &theirs, |shared| with_shared(shared, &public, keys, &salt, plaintext))?
}

/// The same from the shared secret of the agreement on.
fn with_shared(
    shared: &[u8],
    public: &[u8; POINT],
    keys: &Keys,
    salt: &[u8; SALT],
    plaintext: &[u8],
) -> Result<Vec<u8>, NotSealed> {
    if plaintext.len() > MAX_PLAINTEXT {
        return Err(NotSealed);
    }
    let mut input = [0; 32];
    let info: [&[u8]; 3] = [b"WebPush: info\0", &keys.p256dh, public];
    derive(&keys.auth, shared, &info, &mut input)?;
    let mut key = [0; 16];
    derive(salt, &input, &[b"Content-Encoding: aes128gcm\0"], &mut key)?;
    let mut nonce = [0; NONCE_LEN];
    derive(salt, &input, &[b"Content-Encoding: nonce\0"], &mut nonce)?;

    let record = plaintext.len() + 1 + TAG;
    let mut body = Vec::with_capacity(HEADER + record);
    body.extend_from_slice(salt);
    // The one record is the last one, so that any size from its own on is right; this is what others write.
    body.extend_from_slice(&4096_u32.to_be_bytes());
    body.push(POINT as u8);
    body.extend_from_slice(public);
    body.extend_from_slice(plaintext);
    body.push(DELIMITER);
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?);
    let nonce = Nonce::assume_unique_for_key(nonce);
    let (_, open) = body.split_at_mut(HEADER);
    let tag = key.seal_in_place_separate_tag(nonce, Aad::empty(), open)?;
    body.extend_from_slice(tag.as_ref());
    Ok(body)
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

/// HKDF with SHA-256, extract and expand.
fn derive(salt: &[u8], secret: &[u8], info: &[&[u8]], out: &mut [u8]) -> Result<(), Unspecified> {
    let length = Length(out.len());
    Salt::new(HKDF_SHA256, salt).extract(secret).expand(info, length)?.fill(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ringer::push::base64url;

    /// RFC 8291, appendix A, and section 5 for the whole message. `ring` takes no private key from outside, so that the
    /// vector comes in behind the agreement, whose result the appendix gives.
    #[test]
    fn the_vector_of_rfc_8291() {
        let bytes = |text: &str| base64url::read(text).unwrap();
        let keys = Keys::read(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
        )
        .unwrap();
        let shared = bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let public =
            bytes("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let plaintext = b"When I grow up, I want to be a watermelon";
        let body = with_shared(&shared, &public.try_into().unwrap(), &keys, &salt, plaintext).unwrap();
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml\
                        mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT\
                        pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(base64url::write(&body), expected);
    }

    #[test]
    fn a_push_has_3993_bytes_at_most() {
        let keys = Keys::read(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
        )
        .unwrap();
        assert_eq!(MAX_PLAINTEXT, 3993);
        assert_eq!(seal(&keys, &[b'x'; MAX_PLAINTEXT]).unwrap().len(), 4096);
        assert_eq!(seal(&keys, &[b'x'; MAX_PLAINTEXT + 1]), Err(NotSealed));
        assert_ne!(
            seal(&keys, b"x").unwrap(),
            seal(&keys, b"x").unwrap(),
            "each has a key and a salt of its own"
        );
    }
}
