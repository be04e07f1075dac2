//! The line that says what a call was about, written by a model that is the person's own. (Document 2: voice stays home.)

use std::fmt::Write as _;
use std::sync::Arc;

use handset_spec::markers;
use handset_spec_macros::text;

use super::record::{MAX_SUMMARY, one_line};
use crate::gateway::model::{Delta, Model, Prompt, Said};

/// How many bytes of a model's answer are read: a model that was asked for a line and writes a book is not waited for.
const MAX_ANSWER: usize = 8 << 10;

/// Who said a line of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The person.
    Person,
    /// The companion.
    Companion,
}

/// One line of what was on the screen during a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Who said it, where that is known.
    pub who: Option<Speaker>,
    /// The words.
    pub text: String,
}

/// What a model makes of a transcript; nothing where it fails or has no words. Whoever waits for it bounds the time.
pub(super) async fn of(model: &dyn Model, transcript: &[Line]) -> Option<String> {
    let prompt = Prompt {
        system: Arc::from(text!(record.summary_prompt)),
        // What was said is no marker of the model's own.
        said: vec![Said::Person {
            sent: String::new(),
            text: markers::harmless(&written(transcript)).into_owned(),
            capabilities: Vec::new(),
        }],
        tools: Vec::new(),
    };
    let mut deltas = model.open(prompt);
    let mut words = String::new();
    while let Some(delta) = deltas.recv().await {
        match delta {
            Ok(Delta::Text(text)) => words.push_str(&text),
            // It was offered no tool.
            Ok(Delta::Call(_)) => {}
            Err(fault) => {
                tracing::info!(%fault, "a call's record has no summary");
                return None;
            }
        }
        if words.len() > MAX_ANSWER {
            break;
        }
    }
    // A marker in it would be shown and performed by nobody.
    one_line(&markers::read(&words).text, MAX_SUMMARY)
}

/// A transcript as the model reads it, a line each.
fn written(transcript: &[Line]) -> String {
    let mut out = String::new();
    for line in transcript {
        // Writing to a String cannot fail, here and below.
        let _ = match line.who {
            Some(Speaker::Person) => out.write_str("person: "),
            Some(Speaker::Companion) => out.write_str("companion: "),
            None => Ok(()),
        };
        let _ = writeln!(out, "{}", line.text.trim());
    }
    out
}
