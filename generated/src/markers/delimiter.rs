//! Delimiters and the names of characters that matter in a marker.

/// What a character is to a marker.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Delimiter {
    /// It opens the pair of this number.
    Open(u8),
    /// It closes the pair of this number.
    Close(u8),
    /// No delimiter.
    None,
}

/// The character by which names are compared: its simple lower case, and one colon for the two.
#[inline]
pub(super) fn folded(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    if character == '：' {
        return ':';
    }
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) => lower,
        // What becomes two characters is compared as it is.
        _ => character,
    }
}

/// A space or a tab: what may stand round a marker's parts.
#[inline]
pub(super) fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}
