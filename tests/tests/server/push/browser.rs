//! A browser's side of Web Push, by another implementation: its keys, its subscription, and what it reads of a push.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use web_push_native::p256::SecretKey;
use web_push_native::p256::ecdsa::signature::Verifier as _;
use web_push_native::p256::ecdsa::{Signature, VerifyingKey};
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint as _;
use web_push_native::{Auth, decrypt};

use super::service::Pushed;
use crate::contract;

pub(crate) struct Browser {
    secret: SecretKey,
    auth: [u8; 16],
}

/// Random bytes by way of an id.
fn random() -> [u8; 32] {
    let hex = handset::ids::secret().unwrap();
    let mut bytes = [0; 32];
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&hex[2 * place..2 * place + 2], 16).unwrap();
    }
    bytes
}

pub(crate) fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

pub(crate) fn from_base64url(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).unwrap()
}

impl Browser {
    pub(crate) fn new() -> Self {
        // A random number is no key of the curve once in 2^32 times.
        let secret = SecretKey::from_slice(&random()).unwrap();
        Self { secret, auth: random()[..16].try_into().unwrap() }
    }

    pub(crate) fn keys(&self) -> (String, String) {
        let point = self.secret.public_key().to_encoded_point(false);
        (base64url(point.as_bytes()), base64url(&self.auth))
    }

    /// What its `PushSubscription` is as JSON.
    pub(crate) fn subscription(&self, endpoint: &str) -> Value {
        let (p256dh, auth) = self.keys();
        json!({"endpoint": endpoint, "expirationTime": null, "keys": {"p256dh": p256dh, "auth": auth}})
    }

    /// Opens a push as it came.
    pub(crate) fn open(&self, push: &Pushed) -> Value {
        assert_eq!(push.header("content-encoding"), Some("aes128gcm"));
        let opened = decrypt(push.body.clone(), &self.secret, &Auth::clone_from_slice(&self.auth)).unwrap();
        assert!(opened.len() <= 1000, "{} bytes", opened.len());
        let payload = serde_json::from_slice(&opened).unwrap();
        contract::record("push_payload", &payload);
        payload
    }
}

/// The claims that a push's signature bears, checked with the key that it names, which has to be the server's.
pub(crate) fn claims(push: &Pushed, server_key: &str) -> Value {
    let vapid = push.header("authorization").unwrap().strip_prefix("vapid t=").unwrap();
    let (token, key) = vapid.split_once(", k=").unwrap();
    assert_eq!(key, server_key);
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let key = VerifyingKey::from_sec1_bytes(&from_base64url(key)).unwrap();
    key.verify(signed.as_bytes(), &Signature::from_slice(&from_base64url(signature)).unwrap()).unwrap();
    serde_json::from_slice(&from_base64url(signed.split_once('.').unwrap().1)).unwrap()
}
