//! One reply that is being spoken, and how much of it was heard.

use std::ops::Range;

use crate::store::NewEffect;

/// A part of a reply that is spoken in one go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The words for the voice.
    pub spoken: String,
    /// What of the reply it stands for, in bytes of its words as they are shown.
    pub shown: Range<usize>,
}

/// How much of a reply was heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Bytes of its words.
    pub bytes: usize,
    /// Characters of its words.
    pub chars: u64,
    /// How many of its markers.
    pub markers: usize,
    /// How many of its pieces were heard whole.
    pub pieces: usize,
}

/// A reply that is being spoken.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    words: String,
    pieces: Vec<Piece>,
    /// Its markers, in order; their places are counted over the whole reply.
    markers: Vec<NewEffect>,
    /// Whether no more words come.
    whole: bool,
    /// How many pieces were heard whole.
    played: usize,
    /// Where it was stopped, in bytes.
    stopped: Option<usize>,
    /// How many markers were given out as heard.
    told: usize,
}

impl Reply {
    /// A reply of which `words` were heard in so many pieces before the server stopped.
    #[must_use]
    pub fn resumed(words: &str, played: usize) -> Self {
        let heard = Piece { spoken: String::new(), shown: 0..words.len() };
        let mut pieces = vec![Piece { spoken: String::new(), shown: words.len()..words.len() }; played];
        if let Some(first) = pieces.first_mut() {
            *first = heard;
        }
        Self { words: words.to_owned(), pieces, played, ..Self::default() }
    }

    /// Its words so far.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Its pieces so far.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// How many pieces were heard whole.
    #[must_use]
    pub const fn played(&self) -> usize {
        self.played
    }

    /// Whether it was stopped.
    #[must_use]
    pub const fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Whether it was heard to its end.
    #[must_use]
    pub fn is_heard_out(&self) -> bool {
        self.whole && self.stopped.is_none() && self.played == self.pieces.len()
    }

    /// Takes more words.
    pub fn say(&mut self, words: &str) {
        self.words.push_str(words);
    }

    /// Takes a piece that ends so many bytes into the words; gives its number and what of the words it stands for.
    pub fn cut(&mut self, spoken: &str, to: usize) -> (usize, &str) {
        let from = self.pieces.last().map_or(0, |piece| piece.shown.end);
        let to = floor(&self.words, to).max(from);
        self.pieces.push(Piece { spoken: spoken.to_owned(), shown: from..to });
        (self.pieces.len() - 1, self.words.get(from..to).unwrap_or_default())
    }

    /// Takes a marker.
    pub fn mark(&mut self, marker: NewEffect) {
        self.markers.push(marker);
    }

    /// No more words come.
    pub fn end(&mut self) {
        self.whole = true;
    }

    /// A piece was played to its end, and with it those before. What is said of pieces that there are not counts for nothing.
    pub fn play(&mut self, piece: usize) {
        if self.stopped.is_none() && piece < self.pieces.len() {
            self.played = self.played.max(piece + 1);
        }
    }

    /// Stops it where a piece had been played to a share of its length, the pieces before it whole; without a piece where the
    /// last whole one ended.
    pub fn stop(&mut self, at: Option<(usize, f64)>) {
        if self.stopped.is_some() {
            return;
        }
        let mut place = self.end_of(self.played);
        if let Some((number, share)) = at
            && number < self.pieces.len()
        {
            self.played = self.played.max(number);
            place = self.end_of(self.played);
            if number >= self.played
                && let Some(piece) = self.pieces.get(number)
            {
                let within = self.words.get(piece.shown.clone()).unwrap_or_default();
                place = piece.shown.start + boundary(within, share);
            }
        }
        self.stopped = Some(place);
    }

    /// Where a number of pieces ends, in bytes.
    fn end_of(&self, pieces: usize) -> usize {
        pieces.checked_sub(1).and_then(|last| self.pieces.get(last)).map_or(0, |piece| piece.shown.end)
    }

    /// How much of it was heard.
    #[must_use]
    pub fn heard(&self) -> Extent {
        let bytes = match self.stopped {
            Some(bytes) => bytes,
            // What no voice can say behind the last piece is not missed.
            None if self.is_heard_out() => self.words.len(),
            None => self.end_of(self.played),
        };
        let words = self.words.get(..bytes).unwrap_or_default();
        let chars = u64::try_from(words.chars().count()).unwrap_or(u64::MAX);
        // A marker before the first word was heard with it; one in a reply without words is heard with its end.
        let begun = bytes > 0 || self.is_heard_out();
        let markers = self.markers.iter().take_while(|marker| begun && marker.place <= chars).count();
        Extent { bytes, chars, markers, pieces: self.played }
    }

    /// The markers that were heard and not given out yet.
    pub fn newly_heard(&mut self) -> Vec<NewEffect> {
        let heard = self.heard().markers.max(self.told);
        let new = self.markers.get(self.told..heard).unwrap_or_default().to_vec();
        self.told = heard;
        new
    }
}

/// The last boundary of a character at or before a place.
fn floor(text: &str, place: usize) -> usize {
    (0..=place.min(text.len())).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0)
}

/// How much of a piece was heard that was played to a share of its length, in bytes: down to the end of a word, or, in
/// scripts that do not part words, to a character.
#[must_use]
pub fn boundary(text: &str, share: f64) -> usize {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    // From 0 to the number of characters.
    let mut place = (share * chars.len() as f64) as usize;
    if place >= chars.len() {
        return text.len();
    }
    let inside = |place: usize| {
        let (Some((_, before)), Some((_, after))) =
            (place.checked_sub(1).and_then(|before| chars.get(before)), chars.get(place))
        else {
            return false;
        };
        joins(*after) || *before == '\u{200d}' || (in_word(*before) && in_word(*after))
    };
    while inside(place) {
        place -= 1;
    }
    // No blank at its end.
    while place > 0 && chars.get(place - 1).is_some_and(|(_, c)| c.is_whitespace()) {
        place -= 1;
    }
    chars.get(place).map_or(text.len(), |(at, _)| *at)
}

/// Whether a character is part of a word that blanks part from the next.
fn in_word(c: char) -> bool {
    let alone =
        matches!(u32::from(c), 0x2e80..=0x9fff | 0xf900..=0xfaff | 0xff66..=0xff9f | 0x20000..=0x3ffff);
    !alone && (c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '_'))
}

/// Whether a character belongs to the one before it: accents, variation selectors, joiners, skin tones.
fn joins(c: char) -> bool {
    matches!(
        u32::from(c),
        0x300..=0x36f | 0x483..=0x489 | 0x591..=0x5bd | 0x610..=0x61a | 0x64b..=0x65f | 0x93c | 0x941..=0x94d | 0xe31
            | 0xe34..=0xe3a | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x200d | 0x20d0..=0x20ff | 0xfe00..=0xfe0f
            | 0xfe20..=0xfe2f | 0x1f3fb..=0x1f3ff | 0xe0020..=0xe007f
    )
}

#[cfg(test)]
mod tests {
    use handset_spec::markers::Kind;
    use proptest::prelude::*;

    use super::*;

    fn marker(place: u64) -> NewEffect {
        NewEffect { kind: Kind::Hangup, argument: None, place, spoken: None }
    }

    /// A reply of these pieces, whole.
    fn reply(pieces: &[&str]) -> Reply {
        let mut reply = Reply::default();
        for piece in pieces {
            reply.say(piece);
            reply.cut(piece.trim(), reply.words().len());
        }
        reply.end();
        reply
    }

    #[test]
    fn what_was_heard_ends_with_a_word_or_a_character() {
        for (text, share, heard) in [
            ("Hello there, friend.", 0.5, "Hello"),
            ("Hello there, friend.", 0.56, "Hello there"),
            ("Hello there, friend.", 0.63, "Hello there,"),
            ("Hello there, friend.", 0.04, ""),
            ("Hello there, friend.", 1.0, "Hello there, friend."),
            ("Hello there, friend.", 7.0, "Hello there, friend."),
            ("Hello there, friend.", -1.0, ""),
            ("Hello there, friend.", f64::NAN, ""),
            ("It's o'clock now", 0.4, "It's"),
            ("今天天气很好", 0.5, "今天天"),
            ("我用 Rust 写的", 0.5, "我用"),
            ("可愛い猫です", 0.34, "可愛"),
            ("Привет, мир", 0.3, ""),
            ("👩‍👩‍👧 hi", 0.3, ""),
            ("e\u{301}e\u{301} ok", 0.6, "e\u{301}e\u{301}"),
            ("", 0.5, ""),
        ] {
            assert_eq!(&text[..boundary(text, share)], heard, "{text} to {share}");
        }
    }

    #[test]
    fn pieces_that_were_played_and_a_share_of_the_next() {
        let mut it = reply(&["One two. ", "Three four five."]);
        it.play(0);
        assert_eq!(it.heard().bytes, 9);
        it.stop(Some((1, 0.7)));
        let heard = it.heard();
        assert_eq!((&it.words()[..heard.bytes], heard.pieces), ("One two. Three four", 1));
        it.play(1);
        it.stop(None);
        assert_eq!(it.heard(), heard, "stopped once, it stays so");
        let mut early = reply(&["One two. ", "Three."]);
        // That a piece is being played tells that those before it were.
        early.stop(Some((1, 0.0)));
        assert_eq!(&early.words()[..early.heard().bytes], "One two.".to_owned() + " ");
        let mut late = reply(&["One two."]);
        late.play(0);
        late.stop(Some((0, 0.2)));
        assert_eq!(late.heard().bytes, 8, "what was played whole was heard whole");
    }

    #[test]
    fn a_marker_is_heard_with_the_words_before_it() {
        let mut it = reply(&["On it. ", "Bye."]);
        it.mark(marker(0));
        it.mark(marker(6));
        it.mark(marker(11));
        assert_eq!(it.newly_heard().len(), 0, "one before the first word is not heard before it");
        it.play(0);
        assert_eq!(it.newly_heard(), [marker(0), marker(6)]);
        assert_eq!(it.newly_heard(), []);
        it.play(1);
        assert_eq!(it.newly_heard(), [marker(11)]);
        let mut wordless = Reply::default();
        wordless.mark(marker(0));
        wordless.end();
        assert_eq!(wordless.newly_heard(), [marker(0)], "a goodbye without a word");
    }

    /// What no voice can say behind the last piece is heard with it.
    #[test]
    fn an_emoji_at_the_end_is_not_missed() {
        let mut it = Reply::default();
        it.say("Bye. 😊");
        it.cut("Bye.", 4);
        it.mark(marker(6));
        it.end();
        it.play(0);
        assert_eq!((it.heard().bytes, it.newly_heard().len()), ("Bye. 😊".len(), 1));
    }

    #[test]
    fn a_reply_that_a_restart_cut_goes_on_where_it_was() {
        let mut it = Reply::resumed("One. Two. ", 2);
        it.say("Three.");
        let (number, shown) = it.cut("Three.", it.words().len());
        assert_eq!((number, shown.to_owned(), it.heard().bytes), (2, "Three.".to_owned(), 10));
        it.end();
        it.play(2);
        assert!(it.is_heard_out());
    }

    proptest! {
        #[test]
        fn a_boundary_is_one(text in "[a-zé '今天好。😊\u{301}\u{200d}🏽-]{0,24}", share in 0.0..1.2_f64, more in 0.0..0.5_f64) {
            let place = boundary(&text, share);
            prop_assert!(text.is_char_boundary(place));
            let kept = text[..place].chars().count() as f64;
            prop_assert!(share >= 1.0 || kept <= share * text.chars().count() as f64 + 1e-9);
            prop_assert!(boundary(&text, share + more) >= place, "more played is not less heard");
            if let (Some(before), Some(after)) = (text[..place].chars().next_back(), text[place..].chars().next()) {
                prop_assert!(!(joins(after) || in_word(before) && in_word(after)));
            }
        }

        /// What is heard only grows, and never beyond what there is; markers come in order, each once.
        #[test]
        fn what_is_heard_grows(
            pieces in prop::collection::vec("[a-z]{1,5}[.!] ", 1..6),
            places in prop::collection::vec(0..30_u64, 0..4),
            steps in prop::collection::vec((0..8_usize, prop::option::of(0.0..1.0_f64)), 0..12),
        ) {
            let mut it = reply(&pieces.iter().map(String::as_str).collect::<Vec<_>>());
            let mut places = places;
            places.sort_unstable();
            for place in &places {
                it.mark(marker(*place));
            }
            let (mut before, mut given) = (it.heard(), Vec::new());
            for (piece, share) in steps {
                match share {
                    None => it.play(piece),
                    Some(share) => it.stop(Some((piece, share))),
                }
                let heard = it.heard();
                prop_assert!(heard.bytes >= before.bytes && heard.bytes <= it.words().len());
                prop_assert!(it.words().is_char_boundary(heard.bytes));
                given.extend(it.newly_heard().into_iter().map(|marker| marker.place));
                prop_assert!(given.iter().all(|place| *place <= heard.chars || it.is_heard_out()));
                prop_assert_eq!(given.len(), heard.markers);
                before = heard;
            }
            prop_assert_eq!(&given[..], &places[..given.len()]);
        }
    }
}
