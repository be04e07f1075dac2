//! Which language the person writes in.

use handset_spec::Language;

/// The language of a text: Chinese when it holds Han characters, else English.
#[must_use]
pub fn of(text: &str) -> Language {
    if text.chars().any(is_han) { Language::Zh } else { Language::En }
}

/// Whether a character is a Han character.
#[must_use]
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{323af}')
}
