//! `markers` of loop.json: what a companion writes into its reply for the gateway to do (document 2; spec-format,
//! "markers").

use super::Name;

/// The section `markers`.
#[derive(Clone, Debug)]
pub struct Markers {
    /// Openers and their closers, in the spec's order; no character is two of them.
    pub delimiters: Vec<(char, char)>,
    /// The most characters (Unicode scalar values) of a whole marker, both delimiters too. Every name fits.
    pub max_chars: u64,
    /// In the spec's order.
    pub kinds: Vec<MarkerKind>,
}

/// One kind of marker.
#[derive(Clone, Debug)]
pub struct MarkerKind {
    /// Its name in the spec.
    pub name: Name,
    /// What a companion writes for it, as the spec has it. Folded, no two of all kinds are the same, and none is another
    /// one with a colon behind.
    pub names: Vec<String>,
    /// What its argument is, where it takes one.
    pub argument: Option<Name>,
    /// How often in a conversation it is performed; none for as often as it comes.
    pub per_conversation: Option<u64>,
    /// The sentence that the system prompt teaches with the power.
    pub rule: String,
}

/// The character by which names are compared: its simple lower case, and one colon for the two.
pub fn folded(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (character, lower.next(), lower.next()) {
        ('：', ..) => ':',
        // What becomes two characters is compared as it is.
        (_, Some(lower), None) => lower,
        _ => character,
    }
}
