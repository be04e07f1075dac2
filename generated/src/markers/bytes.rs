//! A reply in pieces of bytes, which may be cut within a character, or be no text at all.

use super::{Event, Scanner};

/// A [`Scanner`] that takes bytes: what is no UTF-8 reads as U+FFFD, as [`String::from_utf8_lossy`] has it, however it is
/// cut.
#[derive(Clone, Debug, Default)]
pub struct ByteScanner {
    scanner: Scanner,
    /// The beginning of a character that is not whole yet.
    begun: [u8; 4],
    count: usize,
}

const REPLACED: &str = "\u{fffd}";

impl ByteScanner {
    /// A scanner at the beginning of a reply.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a piece and hands out what is decided by it.
    pub fn push(&mut self, piece: &[u8], each: &mut impl FnMut(Event<'_>)) {
        let mut rest = piece;
        while self.count > 0 {
            let Some((&byte, behind)) = rest.split_first() else { return };
            self.begun[self.count] = byte;
            match std::str::from_utf8(&self.begun[..=self.count]) {
                Ok(character) => {
                    self.scanner.push(character, each);
                    self.count = 0;
                    rest = behind;
                }
                Err(error) if error.error_len().is_none() => {
                    self.count += 1;
                    rest = behind;
                }
                // What was begun does not go on: the byte is read anew.
                Err(_) => {
                    self.count = 0;
                    self.scanner.push(REPLACED, each);
                }
            }
        }
        while !rest.is_empty() {
            match std::str::from_utf8(rest) {
                Ok(text) => return self.scanner.push(text, each),
                Err(error) => {
                    let (valid, behind) = rest.split_at(error.valid_up_to());
                    if !valid.is_empty() {
                        // It is valid up to there.
                        self.scanner.push(std::str::from_utf8(valid).unwrap_or_default(), each);
                    }
                    let Some(invalid) = error.error_len() else {
                        self.begun[..behind.len()].copy_from_slice(behind);
                        self.count = behind.len();
                        return;
                    };
                    self.scanner.push(REPLACED, each);
                    rest = &behind[invalid..];
                }
            }
        }
    }

    /// Ends the reply.
    pub fn finish(mut self, each: &mut impl FnMut(Event<'_>)) {
        if self.count > 0 {
            self.scanner.push(REPLACED, each);
        }
        self.scanner.finish(each);
    }
}
