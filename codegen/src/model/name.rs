//! Names of the spec as identifiers of a language.
//!
//! One rule: a name is words of lower-case ASCII letters and digits, the first beginning with a letter, joined by
//! single underscores. `snake` is the name itself, `Pascal` and `camel` capitalise the words.

/// A name of the spec that is fit to become an identifier.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Name(String);

impl Name {
    /// The name, if it follows the rule above.
    pub fn new(text: &str) -> Option<Self> {
        let word = |word: &str| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        let fits = text.starts_with(|first: char| first.is_ascii_lowercase()) && text.split('_').all(word);
        fits.then(|| Self(text.to_owned()))
    }

    /// As the spec writes it: `calendar_event`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As a Rust, Kotlin or TypeScript type: `CalendarEvent`.
    pub fn pascal(&self) -> String {
        self.0.split('_').map(capitalised).collect()
    }

    /// As a constant: `CALENDAR_EVENT`.
    pub fn screaming(&self) -> String {
        self.0.to_ascii_uppercase()
    }

    /// As a Kotlin, Swift or TypeScript member: `calendarEvent`.
    pub fn camel(&self) -> String {
        let mut words = self.0.split('_');
        let first = words.next().unwrap_or_default().to_owned();
        words.fold(first, |name, word| name + &capitalised(word))
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn words_become_identifiers() {
        let name = Name::new("sms_draft2").unwrap();
        assert_eq!(
            [name.as_str(), &*name.pascal(), &*name.camel(), &*name.screaming()],
            ["sms_draft2", "SmsDraft2", "smsDraft2", "SMS_DRAFT2"]
        );
    }

    #[test]
    fn what_is_no_identifier_is_no_name() {
        for text in ["", "_a", "a_", "a__b", "A", "2a", "a-b", "a b", "é", "type!"] {
            assert_eq!(Name::new(text), None, "{text:?}");
        }
    }
}
