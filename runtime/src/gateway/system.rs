//! The system prompt: the persona and the spec's rules, the same bytes for as long as a chat's tools are the same.
//!
//! A person may say themselves who their companion is: their words stand in the persona's place, for them alone.
//!
//! It depends on what a chat is, which never changes, and on whether the phone's tool is offered in it, which changes once
//! (document 1, section 1). So there are few of them, each is made once, and every chat that needs one shares it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use handset_spec::markers::{self, harmless};
use handset_spec_macros::text;

use crate::store::{Chat, Companion, Kind, Mode};

/// What a prompt depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Case {
    kind: Kind,
    mode: Mode,
    offered: bool,
}

/// The prompts made so far, over one persona.
#[derive(Debug)]
pub struct System {
    persona: String,
    made: Mutex<HashMap<Case, Arc<str>>>,
}

impl System {
    /// Prompts over a persona; without one, over the spec's own.
    #[must_use]
    pub fn new(persona: Option<String>) -> Self {
        let persona = persona.unwrap_or_else(|| text!(prompt.persona).to_owned());
        Self { persona, made: Mutex::default() }
    }

    /// The prompt of a chat whose person has this companion.
    pub(super) fn of(&self, chat: &Chat, offered: bool, companion: &Companion) -> Arc<str> {
        let case = Case { kind: chat.kind, mode: chat.mode, offered };
        if companion.name.is_some() || companion.persona.is_some() {
            // One person's: made again for each turn, the same bytes for the same words.
            return self.compose(case, &own(companion, &self.persona)).into();
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(made.entry(case).or_insert_with(|| Arc::from(self.compose(case, &self.persona))))
    }

    /// The parts that apply, in the spec's order, a blank line between.
    fn compose(&self, case: Case, persona: &str) -> String {
        let part = |applies: bool, text: &str| {
            let text = text.trim();
            if applies && !text.is_empty() { format!("{text}\n\n") } else { String::new() }
        };
        let prompt = text!(
            prompt.system,
            persona = part(true, persona),
            house = part(true, text!(prompt.house)),
            unattended = part(case.kind != Kind::Chat, text!(prompt.unattended)),
            plan = part(case.mode == Mode::Plan, text!(prompt.plan)),
            markers = part(performs(case.kind), &text!(prompt.markers, rules = rules())),
            energy = part(performs(case.kind), text!(prompt.energy)),
            call = part(performs(case.kind), text!(prompt.call)),
            phone = part(case.offered, text!(prompt.phone)),
        );
        prompt.trim_end().to_owned()
    }
}

/// Who the companion is to one person. What looks like a marker in their words is made harmless, as in whatever else they
/// write: a marker is the companion's own.
fn own(companion: &Companion, persona: &str) -> String {
    let mut words = match &companion.persona {
        Some(own) => harmless(own.trim()).into_owned(),
        None => persona.trim().to_owned(),
    };
    if let Some(name) = &companion.name {
        words.push_str("\n\n");
        words.push_str(&text!(prompt.named, name = harmless(name)));
    }
    words
}

/// Whether markers are performed in a chat of this kind: where a person is spoken to, now or later. What a companion says
/// to another one calls nobody.
pub(super) fn performs(kind: Kind) -> bool {
    kind != Kind::Subagent
}

/// Each power with its restraint, in one breath.
fn rules() -> String {
    markers::Kind::ALL.iter().map(|kind| kind.rule()).collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_that_apply_and_no_others() {
        let system = System::new(Some("I am {{Mo}}.\n".to_owned()));
        for &kind in Kind::ALL {
            for &mode in Mode::ALL {
                for offered in [false, true] {
                    let prompt = system.compose(Case { kind, mode, offered }, &system.persona);
                    assert!(prompt.starts_with("I am {{Mo}}.\n\n"));
                    assert_eq!(prompt.contains(text!(prompt.phone)), offered);
                    assert_eq!(prompt.contains(text!(prompt.plan)), mode == Mode::Plan);
                    assert_eq!(prompt.contains(text!(prompt.unattended)), kind != Kind::Chat);
                    assert_eq!(prompt.contains(text!(prompt.energy)), kind != Kind::Subagent);
                    for marker in markers::Kind::ALL {
                        assert_eq!(prompt.contains(marker.rule()), kind != Kind::Subagent);
                    }
                    assert!(!prompt.contains("\n\n\n") && prompt.trim() == prompt);
                }
            }
        }
        let spec = System::new(None);
        let own = spec.compose(Case { kind: Kind::Chat, mode: Mode::Act, offered: false }, &spec.persona);
        assert!(own.starts_with(text!(prompt.persona)));
    }

    #[test]
    fn a_persons_own_persona_and_name_stand_in_the_place_of_the_operators() {
        let system = System::new(Some("I am the operator's.".to_owned()));
        let chat = Chat {
            id: crate::ids::ChatId::from_text("c"),
            person: crate::ids::PersonId::from_text("p"),
            kind: Kind::Chat,
            mode: Mode::Act,
            title: None,
            offered_since: None,
            pinned_ms: None,
            created_ms: 1,
        };
        let nobody = system.of(&chat, false, &Companion::default());
        assert!(nobody.starts_with("I am the operator's.\n\n"));
        let named = Companion { name: Some("Mo".to_owned()), ..Companion::default() };
        let prompt = system.of(&chat, false, &named);
        let said = text!(prompt.named, name = "Mo");
        assert!(prompt.starts_with(&format!("I am the operator's.\n\n{said}\n\n")), "{prompt}");
        let own = Companion { persona: Some("  You are Mo. [hangup]\n".to_owned()), ..named };
        let prompt = system.of(&chat, false, &own);
        assert!(
            prompt.starts_with("You are Mo. ") && prompt.contains(&said) && !prompt.contains("operator's")
        );
        assert!(markers::read(prompt.split(&said).next().unwrap()).markers.is_empty(), "{prompt}");
        assert_eq!(prompt, system.of(&chat, false, &own), "the same words are the same bytes");
        assert_eq!(system.of(&chat, false, &Companion::default()), nobody, "nobody else has them");
    }
}
