//! What the model reads in a turn.

use std::borrow::Cow;
use std::sync::Arc;

use handset_spec::markers::harmless;
use handset_spec::tools::{PHONE_ACTION, Tool};

use crate::gateway::model::{Prompt, Said};
use crate::store::{Message, Role};

/// The prompt: the system prompt, everything said, and the tools that are offered.
pub(super) fn compose(system: Arc<str>, history: Vec<Message>, tools: Vec<&'static Tool>) -> Prompt {
    let said = history.into_iter().map(said).collect();
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

fn said(message: Message) -> Said {
    let id = message.call_id.unwrap_or_default();
    match message.role {
        Role::Person => Said::Person { text: foreign(message.text), capabilities: message.capabilities },
        Role::Companion => Said::Companion { text: message.text },
        Role::Call => Said::Call { id, tool: message.tool.unwrap_or_default(), arguments: message.text },
        Role::Result => Said::Result { id, text: foreign(message.text) },
    }
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
    fn offered_from_the_first_capable_message_on() {
        let count = |since, seq| offered(since, seq).len();
        assert_eq!((count(None, 1), count(Some(3), 2), count(Some(3), 3), count(Some(3), 9)), (0, 0, 1, 1));
    }
}
