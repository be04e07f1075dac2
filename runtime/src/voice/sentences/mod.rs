//! Sentence by sentence out: a reply, as it comes and without its markers, becomes the pieces that a voice speaks.
//!
//! Two streams, one behind the other: [`spoken`] takes away what nobody says aloud (Markdown's marks, link targets, fenced
//! code, emoji), [`cut`] ends a piece at the earliest place where it is certain that a sentence ended. Both go over each
//! character once, and give the same however the reply is cut on its way (docs/voice.md, "Sentences").

mod abbreviations;
mod cut;
mod glyphs;
mod spoken;

use cut::Cutter;
use spoken::Spoken;

/// What a voice says in one go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The words to speak: at least one letter or digit, no blanks at its ends, at most the splitter's limit of characters.
    pub spoken: String,
    /// How far the reply is heard when this piece is: bytes of the text as shown, from its beginning.
    pub shown_to: usize,
}

/// Takes a reply in pieces of any size and gives those to be spoken.
pub struct Splitter {
    spoken: Spoken,
    cutter: Cutter,
    /// Bytes of the reply so far.
    seen: usize,
}

/// The longest piece where a speech service names no limit of its own: characters.
pub const LIMIT: usize = 800;

impl Default for Splitter {
    fn default() -> Self {
        Self::new(LIMIT)
    }
}

impl Splitter {
    /// A splitter whose pieces have at most `limit` characters; a limit under 2 is taken as 2.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { spoken: Spoken::default(), cutter: Cutter::new(limit.max(2)), seen: 0 }
    }

    /// Takes more of the reply; `pieces` gets what is certain now.
    pub fn push(&mut self, text: &str, mut pieces: impl FnMut(Piece)) {
        for c in text.chars() {
            self.seen += c.len_utf8();
            self.spoken.push(c, self.seen, &mut |heard| self.cutter.take(heard, &mut pieces));
        }
    }

    /// The stream has paused: a piece that could be over is taken to be, and one that could not stays.
    pub fn pause(&mut self, mut pieces: impl FnMut(Piece)) {
        self.spoken.pause(&mut |heard| self.cutter.take(heard, &mut pieces));
        self.cutter.pause(&mut pieces);
    }

    /// The reply is over: what is left is spoken, if it can be.
    pub fn finish(mut self, mut pieces: impl FnMut(Piece)) {
        self.spoken.finish(&mut |heard| self.cutter.take(heard, &mut pieces));
        self.cutter.finish(&mut pieces);
    }
}

/// The pieces of a whole reply.
#[must_use]
pub fn split(reply: &str, limit: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut splitter = Splitter::new(limit);
    splitter.push(reply, |piece| pieces.push(piece));
    splitter.finish(|piece| pieces.push(piece));
    pieces
}

#[cfg(test)]
mod tests;
