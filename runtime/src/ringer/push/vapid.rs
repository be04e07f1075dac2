//! Who sends: the server's key, and what it signs for each push service (RFC 8292).
//!
//! A signature holds for half a day and for one service, so that it is made once and used for every push in that time.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::HeaderValue;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde::Serialize;

use super::base64url;

/// How long a signature holds, in milliseconds: half of what services take at most, so that clocks may differ.
const HOLDS_MS: i64 = 12 * 60 * 60 * 1000;
/// How long before its end it is made anew, in milliseconds.
const RENEWED_MS: i64 = 60 * 60 * 1000;
/// How many signatures are kept: there is a handful of services.
const MAX_KEPT: usize = 256;

const BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const END: &str = "-----END PRIVATE KEY-----";

/// What cannot be done with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyError {
    /// The text holds no key of the curve P-256 in PKCS #8, PEM.
    NoKey,
    /// The system gave no random bytes.
    NoRandomness,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoKey => "it holds no private key of the curve P-256 (PKCS #8, PEM)",
            Self::NoRandomness => "the operating system gave no random bytes",
        })
    }
}

impl std::error::Error for KeyError {}

/// The server's own key. Every subscription is made for its public half, and none can be used with another.
pub struct ServerKey {
    pair: EcdsaKeyPair,
    public: String,
}

impl fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerKey").field("public", &self.public).finish_non_exhaustive()
    }
}

impl ServerKey {
    /// Makes a key; the text is what is kept of it.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn make() -> Result<(Self, String), KeyError> {
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new())
            .map_err(|_| KeyError::NoRandomness)?;
        let encoded = STANDARD.encode(made.as_ref());
        let mut pem = format!("{BEGIN}\n");
        for line in encoded.as_bytes().chunks(64) {
            // Base64 is ASCII.
            pem.push_str(&String::from_utf8_lossy(line));
            pem.push('\n');
        }
        pem.push_str(END);
        Ok((Self::read(&pem)?, pem))
    }

    /// Reads a key from what was kept of it: PKCS #8 in PEM, as `openssl genpkey` writes it, too.
    ///
    /// # Errors
    /// When there is no such key in it.
    pub fn read(pem: &str) -> Result<Self, KeyError> {
        let inner = pem.trim().strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END));
        let encoded: String = inner.ok_or(KeyError::NoKey)?.split_ascii_whitespace().collect();
        let pkcs8 = STANDARD.decode(encoded).map_err(|_| KeyError::NoKey)?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &pkcs8, &SystemRandom::new())
            .map_err(|_| KeyError::NoKey)?;
        let public = base64url::write(pair.public_key().as_ref());
        Ok(Self { pair, public })
    }

    /// The public half, in base64url: what a page subscribes with as `applicationServerKey`.
    #[must_use]
    pub fn public(&self) -> &str {
        &self.public
    }

    /// The header `Authorization` for a push service, made now.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn authorization(
        &self,
        audience: &str,
        subject: Option<&str>,
        now_ms: i64,
    ) -> Result<HeaderValue, KeyError> {
        let claims = Claims { aud: audience, exp: (now_ms + HOLDS_MS) / 1000, sub: subject };
        // Strings and numbers under string keys: there is nothing in it that JSON cannot say.
        let claims = serde_json::to_vec(&claims).unwrap_or_default();
        let head = base64url::write(br#"{"typ":"JWT","alg":"ES256"}"#);
        let mut token = format!("{head}.{}", base64url::write(&claims));
        let signature = self.pair.sign(&SystemRandom::new(), token.as_bytes());
        let signature = signature.map_err(|_| KeyError::NoRandomness)?;
        token.push('.');
        token.push_str(&base64url::write(signature.as_ref()));
        let mut value = HeaderValue::try_from(format!("vapid t={token}, k={}", self.public))
            // Base64url, points, blanks and a comma: all of it may stand in a header.
            .map_err(|_| KeyError::NoKey)?;
        value.set_sensitive(true);
        Ok(value)
    }
}

#[derive(Serialize)]
struct Claims<'a> {
    aud: &'a str,
    exp: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sub: Option<&'a str>,
}

/// The key with the signatures that hold.
#[derive(Debug)]
pub(super) struct Signer {
    key: ServerKey,
    kept: Mutex<HashMap<(String, Option<String>), Signed>>,
}

#[derive(Debug, Clone)]
struct Signed {
    value: HeaderValue,
    made_ms: i64,
}

impl Signer {
    pub(super) fn new(key: ServerKey) -> Self {
        Self { key, kept: Mutex::default() }
    }

    pub(super) fn key(&self) -> &ServerKey {
        &self.key
    }

    /// The header `Authorization` for a push service, given by its origin.
    pub(super) fn authorization(
        &self,
        audience: &str,
        subject: Option<&str>,
        now_ms: i64,
    ) -> Result<HeaderValue, KeyError> {
        let name = (audience.to_owned(), subject.map(str::to_owned));
        let holds = |signed: &Signed| (0..HOLDS_MS - RENEWED_MS).contains(&(now_ms - signed.made_ms));
        let known = self.kept().get(&name).filter(|signed| holds(signed)).cloned();
        if let Some(signed) = known {
            return Ok(signed.value);
        }
        // Two that come at once both sign; either will do.
        let value = self.key.authorization(audience, subject, now_ms)?;
        let mut kept = self.kept();
        if kept.len() >= MAX_KEPT {
            kept.retain(|_, signed| holds(signed));
        }
        if kept.len() < MAX_KEPT {
            kept.insert(name, Signed { value: value.clone(), made_ms: now_ms });
        }
        Ok(value)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, HashMap<(String, Option<String>), Signed>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
    use serde_json::{Value, json};

    use super::*;

    const NOW_MS: i64 = 1_800_000_000_000;

    /// The claims of a header, its signature checked with the key that stands in it.
    fn claims(value: &HeaderValue) -> Value {
        let text = value.to_str().unwrap().strip_prefix("vapid t=").unwrap();
        let (token, public) = text.split_once(", k=").unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, base64url::read(public).unwrap());
        public.verify(signed.as_bytes(), &base64url::read(signature).unwrap()).unwrap();
        let (head, claims) = signed.split_once('.').unwrap();
        let json = |text| serde_json::from_slice::<Value>(&base64url::read(text).unwrap()).unwrap();
        assert_eq!(json(head), json!({"typ": "JWT", "alg": "ES256"}));
        json(claims)
    }

    #[test]
    fn a_key_is_kept_and_read_again() {
        let (key, pem) = ServerKey::make().unwrap();
        assert_eq!(base64url::read(key.public()).unwrap().len(), 65);
        assert_eq!(ServerKey::read(&format!("{pem}\n")).unwrap().public(), key.public());
        for wrong in ["", "secret", &pem.replace("PRIVATE", "PUBLIC"), &pem.replacen("\nM", "\nN", 1)] {
            assert_eq!(ServerKey::read(wrong).unwrap_err(), KeyError::NoKey);
        }
        assert!(!format!("{key:?}").contains(pem.lines().nth(1).unwrap()));
    }

    #[test]
    fn a_signature_names_the_service_its_end_and_who_answers_for_it() {
        let (key, _) = ServerKey::make().unwrap();
        let value =
            key.authorization("https://push.example", Some("mailto:ann@example.org"), NOW_MS).unwrap();
        let exp = NOW_MS / 1000 + 12 * 60 * 60;
        let expected = json!({"aud": "https://push.example", "exp": exp, "sub": "mailto:ann@example.org"});
        assert_eq!(claims(&value), expected);
        let value = key.authorization("https://push.example", None, NOW_MS).unwrap();
        assert_eq!(claims(&value), json!({"aud": "https://push.example", "exp": exp}));
    }

    #[test]
    fn a_signature_is_used_again_until_shortly_before_its_end() {
        let signer = Signer::new(ServerKey::make().unwrap().0);
        let at = |audience: &str, now_ms| signer.authorization(audience, None, now_ms).unwrap();
        let first = at("https://a.example", NOW_MS);
        assert_eq!(at("https://a.example", NOW_MS + HOLDS_MS - RENEWED_MS - 1), first);
        assert_ne!(at("https://b.example", NOW_MS), first);
        let second = at("https://a.example", NOW_MS + HOLDS_MS - RENEWED_MS);
        assert_ne!(second, first);
        // A clock that was set back: what was signed then would not hold long enough to be sure.
        assert_ne!(at("https://a.example", NOW_MS - 1), second);
        for number in 0..2 * MAX_KEPT {
            at(&format!("https://{number}.example"), NOW_MS);
        }
        assert!(signer.kept().len() <= MAX_KEPT);
    }
}
