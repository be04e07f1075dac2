//! Cleaning and cutting text (spec-format, "Primitives" and reading order 3).

use std::borrow::Cow;

/// Text that is borrowed from the arguments wherever they hold it as it is.
pub type Text<'a> = Cow<'a, str>;

/// Without control characters below U+0020 other than tab and line breaks, and then trimmed of White_Space at both
/// ends (so U+0085 and U+00A0 go, U+FEFF stays).
#[inline]
pub fn clean(text: &str) -> Text<'_> {
    if holds_dropped(text.as_bytes()) {
        Cow::Owned(clean_string(text.chars().filter(|&c| !is_dropped_char(c)).collect()))
    } else {
        Cow::Borrowed(trim(text))
    }
}

/// Trimmed, with a short way for the text that needs none.
#[inline]
pub(crate) fn trim(text: &str) -> &str {
    match text.as_bytes() {
        [b'!'..=b'~'] | [b'!'..=b'~', .., b'!'..=b'~'] => text,
        _ => text.trim(),
    }
}

/// Whether anything is left of a text once it is cleaned.
#[inline]
pub(crate) fn is_visible(text: &str) -> bool {
    text.chars().any(|c| !c.is_whitespace() && !is_dropped_char(c))
}

/// As [`clean`], keeping what is owned.
pub(crate) fn clean_cow(text: Text<'_>) -> Text<'_> {
    match text {
        Cow::Borrowed(text) => clean(text),
        Cow::Owned(mut text) => {
            text.retain(|c| !is_dropped_char(c));
            Cow::Owned(clean_string(text))
        }
    }
}

fn clean_string(text: String) -> String {
    let trimmed = text.trim();
    if trimmed.len() == text.len() { text } else { trimmed.to_owned() }
}

/// Whether anything has to go from inside a text. Hardly any text has a control character: eight bytes at a time are
/// asked for one, and which it is matters only then.
#[inline]
fn holds_dropped(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let control = words.iter().any(|word| has_control(u64::from_le_bytes(*word)))
        || rest.iter().any(|byte| *byte < 0x20);
    control && bytes.iter().any(|byte| is_dropped(*byte))
}

/// Whether any of the eight bytes is below 0x20: such a byte borrows, and has no high bit of its own.
#[inline]
fn has_control(word: u64) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    word.wrapping_sub(ONES * 0x20) & !word & (ONES << 7) != 0
}

#[inline]
fn is_dropped(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r')
}

fn is_dropped_char(c: char) -> bool {
    u8::try_from(c).is_ok_and(is_dropped)
}

/// The first `count` characters (Unicode scalar values) of a text.
pub fn first_chars(text: &str, count: usize) -> &str {
    match text.char_indices().nth(count) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{clean, clean_cow, first_chars};
    use std::borrow::Cow;

    #[test]
    fn white_space_goes_and_the_byte_order_mark_stays() {
        for (given, cleaned) in [
            ("\u{a0}a\u{85}", "a"),
            ("\u{3000}a\u{2003}", "a"),
            ("\u{feff}a", "\u{feff}a"),
            ("\u{200b}a", "\u{200b}a"),
            ("\u{1c}a\u{1f}", "a"),
            ("\u{0} a\tb\r\n", "a\tb"),
            ("a\u{0}b\u{7f}", "ab\u{7f}"),
        ] {
            assert_eq!(clean(given), cleaned, "{given:?}");
            assert_eq!(clean_cow(Cow::Owned(given.to_owned())), cleaned, "{given:?}");
        }
    }

    #[test]
    fn characters_are_scalar_values() {
        assert_eq!(first_chars("a👩\u{200d}👧b", 3), "a👩\u{200d}");
        assert_eq!(first_chars("ab", 3), "ab");
        assert_eq!(first_chars("ab", 0), "");
    }
}
