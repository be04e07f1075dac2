//! What the model says, on its way to the person: its markers are taken out and kept.

use handset_spec::markers::{Event, Scanner};

use crate::store::NewEffect;

/// One speech of the model's, being heard.
#[derive(Debug, Default)]
pub(super) struct Hearing {
    scanner: Scanner,
    said: Said,
}

/// What was heard so far.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// The words, without a marker.
    pub(super) words: String,
    /// The markers that stood in them.
    pub(super) effects: Vec<NewEffect>,
    /// How many characters the words have.
    pub(super) chars: u64,
}

impl Said {
    /// Whether neither a word nor a marker was heard.
    pub(super) fn is_silence(&self) -> bool {
        self.is_wordless() && self.effects.is_empty()
    }

    /// Whether no word was heard.
    pub(super) fn is_wordless(&self) -> bool {
        self.words.trim().is_empty()
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) => {
                self.words.push_str(text);
                self.chars += u64::try_from(text.chars().count()).unwrap_or_default();
            }
            Event::Marker { kind, argument } => {
                let argument = argument.map(str::to_owned);
                self.effects.push(NewEffect { kind, argument, place: self.chars, spoken: None });
            }
        }
    }
}

impl Hearing {
    /// Takes a piece; gives what of the words can be told by it.
    pub(super) fn push(&mut self, piece: &str) -> &str {
        let before = self.said.words.len();
        self.scanner.push(piece, &mut |event| self.said.take(event));
        &self.said.words[before..]
    }

    /// The speech is over, or was cut off: gives what of the words can be told by that.
    pub(super) fn finish(&mut self) -> &str {
        let before = self.said.words.len();
        std::mem::take(&mut self.scanner).finish(&mut |event| self.said.take(event));
        &self.said.words[before..]
    }

    /// The markers so far.
    pub(super) fn effects(&self) -> &[NewEffect] {
        &self.said.effects
    }

    /// What was told of it, and no more: words as they are saved, trimmed at their end, and the markers before it.
    pub(super) fn said(self) -> Said {
        let Said { mut words, effects, chars } = self.said;
        words.truncate(words.trim_end().len());
        Said { words, effects, chars }
    }
}
