//! The languages that people read.

/// A language in which every text for a person is written.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

impl Language {
    /// All of them.
    pub const ALL: &[Self] = &[Self::En, Self::Zh];

    /// The key in the spec: `en`, `zh`.
    pub fn key(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }

    /// The language with this key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|language| language.key() == key)
    }
}
