//! What a push says, before it is sealed: enough for a worker to ring with, and small.

use handset_spec::Language;
use handset_spec_macros::text;
use serde::Serialize;

use super::base64url;
use crate::clock::rfc3339;
use crate::ids::InviteId;
use crate::ringer::bell::Ring;

/// How long a payload may be, in bytes. Services take four times as much, one vendor half of that (P093).
pub const MAX_BYTES: usize = 1000;

/// What a push is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The companion calls.
    Call,
    /// A person tries their device out.
    Test,
}

/// A payload as JSON.
#[derive(Debug, Serialize)]
struct Payload<'a> {
    kind: Kind,
    /// The invite.
    id: &'a str,
    /// The ring's number in the burst, from 0.
    sequence: u32,
    /// Until when the invite may be answered.
    expires_at: &'a str,
    expires_at_ms: i64,
    /// Whether no ring follows.
    last: bool,
    title: &'a str,
    body: &'a str,
}

/// Writes a ring's payload, at most [`MAX_BYTES`] long: what does not fit is cut off the body at a character's edge. `name` is
/// what the person calls their companion, if they gave it a name.
#[must_use]
pub fn write(kind: Kind, ring: &Ring, name: Option<&str>) -> Vec<u8> {
    let language = ring.language;
    let title = title(language, name);
    let reason = text!(call.ring_body in language, reason = &ring.reason);
    let last = if ring.last { text!(call.last_ring in language) } else { Default::default() };
    let expires_at = rfc3339(ring.expires_ms);
    let written = |title: &str, body: &str| {
        let payload = Payload {
            kind,
            id: ring.invite.as_str(),
            sequence: ring.sequence,
            expires_at: &expires_at,
            expires_at_ms: ring.expires_ms,
            last: ring.last,
            title,
            body,
        };
        // Strings and numbers under string keys: there is nothing in it that JSON cannot say.
        serde_json::to_vec(&payload).unwrap_or_default()
    };
    let body = |reason: &str| match (reason.is_empty(), last.is_empty()) {
        (_, true) => reason.to_owned(),
        (true, false) => last.to_string(),
        (false, false) => format!("{reason} {last}"),
    };
    let whole = written(&title, &body(&reason));
    if whole.len() <= MAX_BYTES {
        return whole;
    }
    // What JSON writes for a character may be six times as long as the character: the room is counted as it is written.
    let room = MAX_BYTES.saturating_sub(written(&title, &body("…")).len());
    let cut = written(&title, &body(&format!("{}…", cut(&reason, room))));
    if cut.len() <= MAX_BYTES { cut } else { written("", last) }
}

/// Who calls.
fn title(language: Language, name: Option<&str>) -> String {
    text!(call.ring_title in language, name = name.unwrap_or(text!(call.companion in language)))
}

/// The longest beginning of a text that has at most so many bytes when JSON writes it.
fn cut(text: &str, room: usize) -> &str {
    let mut left = room;
    for (at, c) in text.char_indices() {
        let bytes = match c {
            '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
            '\0'..='\u{1f}' => 6,
            c => c.len_utf8(),
        };
        match left.checked_sub(bytes) {
            Some(rest) => left = rest,
            None => return text.get(..at).unwrap_or_default().trim_end(),
        }
    }
    text
}

/// The header `Topic`: 32 letters, since a service that reads it as base64 finds other lengths impossible (P097).
///
/// Each ring has its own. A service replaces what it has not delivered yet by what comes with the same topic, and some count
/// such pushes apart and allow few of them: with one topic a call, the rings of a burst would swallow each other.
#[must_use]
pub fn topic(invite: &InviteId, sequence: u32) -> String {
    use sha2::{Digest as _, Sha256};
    let digest = Sha256::new().chain_update(invite.as_str()).chain_update(sequence.to_be_bytes()).finalize();
    let (short, _) = digest.split_at(24);
    base64url::write(short)
}

/// What a test ring says for a reason.
#[must_use]
pub fn test_reason(language: Language) -> String {
    text!(call.test_ring in language).to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::ids::PersonId;
    use crate::ringer::bell::Live;

    fn ring(reason: &str, language: Language, last: bool) -> Ring {
        Ring {
            person: PersonId::from_text("p"),
            invite: InviteId::new(1).unwrap(),
            sequence: 3,
            last,
            reason: reason.to_owned(),
            language,
            due_ms: 1_804_154_400_000,
            expires_ms: 1_804_154_430_000,
            live: Live::new(),
        }
    }

    #[test]
    fn a_ring_says_whose_it_is_and_until_when() {
        let ring = ring("I miss you.", Language::En, false);
        let said: Value = serde_json::from_slice(&write(Kind::Call, &ring, None)).unwrap();
        let expected = json!({
            "kind": "call",
            "id": ring.invite,
            "sequence": 3,
            "expires_at": "2027-03-04T10:00:30.000Z",
            "expires_at_ms": 1_804_154_430_000_i64,
            "last": false,
            "title": title(Language::En, None),
            "body": "I miss you.",
        });
        assert_eq!(said, expected);
    }

    #[test]
    fn a_ring_bears_the_name_that_the_person_gave() {
        for &language in Language::ALL {
            let payload = write(Kind::Call, &ring("", language, false), Some("Mo"));
            let said: Value = serde_json::from_slice(&payload).unwrap();
            assert_eq!(said["title"], title(language, Some("Mo")));
            assert!(said["title"].as_str().unwrap().contains("Mo"));
            assert!(title(language, None).contains(text!(call.companion in language)));
        }
    }

    #[test]
    fn the_last_ring_says_that_it_is_the_last() {
        for (reason, language) in [("想你了", Language::Zh), ("", Language::En)] {
            let said: Value =
                serde_json::from_slice(&write(Kind::Call, &ring(reason, language, true), None)).unwrap();
            let last = text!(call.last_ring in language).to_string();
            assert_eq!(said["last"], true);
            assert_eq!(said["body"], [reason, &last].join(" ").trim_start());
        }
    }

    /// P097: 32 letters of base64url, another for each ring.
    #[test]
    fn p097_a_topic_is_base64_for_everybody() {
        let invite = InviteId::from_text("a");
        let topics: Vec<String> = (0..11).map(|sequence| topic(&invite, sequence)).collect();
        for (place, topic) in topics.iter().enumerate() {
            assert!(topic.len() <= 32 && topic.len() % 4 != 1, "{topic}");
            assert!(
                topic.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)),
                "{topic}"
            );
            assert!(!topics[..place].contains(topic));
        }
        assert_eq!(topic(&invite, 0), topics[0]);
    }

    proptest! {
        /// P093: however long the reason, and whatever is in it, a payload stays small and whole.
        #[test]
        fn p093_a_payload_is_small(reason in "(\\PC|[\"\\\\\n\t\u{1}😀爱é]){0,1200}", last: bool, zh: bool) {
            let language = if zh { Language::Zh } else { Language::En };
            let ring = ring(&reason, language, last);
            let payload = write(Kind::Call, &ring, None);
            prop_assert!(payload.len() <= MAX_BYTES);
            let said: Value = serde_json::from_slice(&payload).unwrap();
            let mark = if last { text!(call.last_ring in language).to_string() } else { String::new() };
            let body = said["body"].as_str().unwrap().strip_suffix(&mark).unwrap();
            let body = if last { body.strip_suffix(' ').unwrap_or(body) } else { body };
            if let Some(begin) = body.strip_suffix('…').filter(|begin| begin.len() < reason.len()) {
                prop_assert!(reason.starts_with(begin));
                prop_assert!(payload.len() > MAX_BYTES - 32, "{} bytes", payload.len());
            } else {
                prop_assert_eq!(body, &reason);
            }
        }
    }
}
