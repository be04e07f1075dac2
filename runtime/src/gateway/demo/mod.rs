//! The demo companion: a model without a model, so that everything else can be tried without a key.
//!
//! It understands plain sentences in English and Chinese for every action, and for any action of the spec, also one
//! that was added a minute ago, the form `NAME FIELD value`. It streams as a model does: words in small pieces, then
//! the call in fragments, and after the result it says what happened. All its words stand in the spec.

mod chinese;
mod english;
mod generic;
mod parse;
mod powers;
mod proposal;
mod speak;

use handset_spec::tools::PHONE_ACTION;
use handset_spec_macros::text;
use tokio::sync::mpsc;

use crate::voice::tone;

use super::model::{AHEAD, Delta, Deltas, Fragment, Model, Prompt, Said};

pub use proposal::Proposal;

/// The demo companion.
#[derive(Debug, Clone, Copy, Default)]
pub struct Demo;

/// What the demo answers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Answer {
    words: String,
    /// The arguments of a call of the phone's tool, where it makes one.
    call: Option<String>,
}

impl Model for Demo {
    fn name(&self) -> &'static str {
        "demo"
    }

    fn is_own(&self) -> bool {
        true
    }

    /// It understands plain sentences for actions, and nothing else.
    fn writes(&self) -> bool {
        false
    }

    fn heeds_time(&self) -> bool {
        false
    }

    fn open(&self, prompt: Prompt) -> Deltas {
        let (sender, deltas) = mpsc::channel(AHEAD);
        tokio::spawn(async move {
            for delta in pieces(answer(&prompt)) {
                if sender.send(Ok(delta)).await.is_err() {
                    return;
                }
            }
        });
        deltas
    }
}

/// Reads the person's sentence in its language.
#[must_use]
pub fn understand(text: &str) -> Option<Proposal> {
    let text = text.trim();
    if parse::forbids(text) {
        return None;
    }
    // A generic form names its fields, so nothing that it says can be meant otherwise.
    generic::named(text)
        .or_else(|| if parse::has_han(text) { chinese::understand(text) } else { english::understand(text) })
        .or_else(|| generic::positional(text))
}

fn answer(prompt: &Prompt) -> Answer {
    let last = prompt.said.iter().rposition(|said| matches!(said, Said::Person { .. }));
    let Some((Said::Person { text, capabilities, .. }, after)) =
        last.and_then(|place| prompt.said[place..].split_first())
    else {
        return Answer { words: String::new(), call: None };
    };
    if &*prompt.system == text!(record.summary_prompt) {
        return Answer { words: speak::summary(text), call: None };
    }
    // How it sounded is beyond the demo.
    let text = tone::unprefixed(text);
    let voice = speak::Voice::of(text);
    let result = after.iter().rev().find_map(|said| match said {
        Said::Result { text, .. } => Some(text),
        _ => None,
    });
    if let Some(result) = result {
        return Answer { words: voice.happened(result), call: None };
    }
    let before = last.map_or(&[][..], |place| &prompt.said[..place]);
    if let Some(words) = powers::answer(text, before, &voice) {
        return Answer { words, call: None };
    }
    let Some(mut proposal) = understand(text) else {
        return Answer { words: voice.lost(text), call: None };
    };
    proposal.recall(&prompt.said);
    let from_phone = capabilities.iter().any(|capability| capability == handset_spec::phone::CAPABILITY);
    // Where no phone is behind the message, the result will say so; words before it would promise a card.
    let words = if from_phone { voice.proposing() } else { String::new() };
    Answer { words, call: Some(proposal.arguments(&voice.summary)) }
}

/// Cuts an answer as a model's stream would come.
fn pieces(answer: Answer) -> Vec<Delta> {
    let mut pieces: Vec<Delta> = cut(&answer.words, 8).map(Delta::Text).collect();
    if let Some(arguments) = answer.call {
        // The turn gives the call an id of its own.
        let name = Some(PHONE_ACTION.name.to_owned());
        pieces.push(Delta::Call(Fragment { index: Some(0), name, ..Fragment::default() }));
        pieces.extend(cut(&arguments, 24).map(|arguments| {
            Delta::Call(Fragment { index: Some(0), arguments: Some(arguments), ..Fragment::default() })
        }));
    }
    pieces
}

/// The text in pieces of at most `chars` characters.
fn cut(text: &str, chars: usize) -> impl Iterator<Item = String> {
    let mut rest = text.chars();
    std::iter::from_fn(move || {
        let piece: String = rest.by_ref().take(chars).collect();
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests;
