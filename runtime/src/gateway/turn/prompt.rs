//! What the model reads in a turn.

use std::borrow::Cow;
use std::sync::Arc;

use handset_spec::markers::harmless;
use handset_spec::tools::{PHONE_ACTION, Tool};
use handset_spec_macros::text;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::gateway::model::{Prompt, Said};
use crate::store::{Message, Role, Voice};

/// The prompt: the system prompt, everything said, and the tools that are offered. With a zone, each message of the person's
/// bears its time there: what comes later changes nothing of it, so a provider's prompt cache holds.
pub(super) fn compose(
    system: Arc<str>,
    history: Vec<Message>,
    zone: Option<&TimeZone>,
    tools: Vec<&'static Tool>,
) -> Prompt {
    let said = history.into_iter().map(|message| said(message, zone)).collect();
    Prompt { system, said, tools }
}

/// The tools offered to a turn. The phone's is, from the chat's first message with the capability on (document 1,
/// section 1); a message that came later than the one being answered changes nothing for it.
pub(super) fn offered(offered_since: Option<i64>, message_seq: i64) -> Vec<&'static Tool> {
    if offered_since.is_some_and(|since| since <= message_seq) { vec![&PHONE_ACTION] } else { Vec::new() }
}

/// Whether a call of the phone's tool can be put to the person: offered in the chat, the message being answered came with
/// the capability, and somebody attends (document 1, section 1).
#[must_use]
pub fn available(offered: bool, capability: bool, attended: bool) -> bool {
    offered && capability && attended
}

fn said(message: Message, zone: Option<&TimeZone>) -> Said {
    let id = message.call_id.unwrap_or_default();
    match message.role {
        Role::Person => Said::Person {
            sent: zone.and_then(|zone| sent(message.created_ms, zone)).unwrap_or_default(),
            text: spoken(message.voice.as_deref(), foreign(message.text)),
            capabilities: message.capabilities,
        },
        Role::Companion => Said::Companion { text: message.text },
        Role::Call => Said::Call { id, tool: message.tool.unwrap_or_default(), arguments: message.text },
        Role::Result => Said::Result { id, text: foreign(message.text) },
    }
}

/// Words that were spoken, with how before them, as it was worded on that day (document 2: `[voice call · sad]`).
fn spoken(voice: Option<&Voice>, words: String) -> String {
    match voice {
        Some(voice) => text!(prompt.spoken, prefix = &voice.prefix, words = words),
        None => words,
    }
}

/// When a message was sent, by the clock of a zone; nothing for a time beyond the calendar.
fn sent(at_ms: i64, zone: &TimeZone) -> Option<String> {
    let at = Timestamp::from_millisecond(at_ms).ok()?.to_zoned_datetime(zone.clone());
    Some(text!(
        prompt.sent,
        weekday = at.strftime("%A"),
        date = at.strftime("%F"),
        time = at.strftime("%H:%M"),
        zone = zone.iana_name().unwrap_or(crate::zone::DEFAULT),
    ))
}

/// Words that are not the companion's own: what looks like a marker in them is made harmless, so that nobody can have one
/// performed by having it repeated. What is stored stays as it was written.
fn foreign(text: String) -> String {
    match harmless(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(harmless) => harmless,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_tells_when_it_was_sent_where_the_person_lives() {
        let (_, shanghai) = crate::zone::named("Asia/Shanghai").unwrap();
        let expected = text!(
            prompt.sent,
            weekday = "Tuesday",
            date = "2026-12-01",
            time = "00:05",
            zone = "Asia/Shanghai"
        );
        // 2026-11-30, 16:05:59 by UTC.
        assert_eq!(sent(1_796_054_759_000, &shanghai), Some(expected));
        assert!(sent(0, &TimeZone::UTC).unwrap().contains("1970-01-01 00:00, UTC"));
        assert_eq!(sent(i64::MAX, &shanghai), None);
    }

    #[test]
    fn offered_from_the_first_capable_message_on() {
        let count = |since, seq| offered(since, seq).len();
        assert_eq!((count(None, 1), count(Some(3), 2), count(Some(3), 3), count(Some(3), 9)), (0, 0, 1, 1));
    }
}
