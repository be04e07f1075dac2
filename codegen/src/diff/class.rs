//! What a change does to those who depend on the spec, and which number it asks for.

/// What a change does. The first is the worst.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Class {
    /// A client that was built before no longer compiles, is refused, or cannot read what it is sent.
    Client,
    /// What a person's settings hold no longer means what it did.
    Stored,
    /// A model reads other words, and a provider's prompt cache begins anew where they stand in the prompt.
    Reads,
    /// Nobody has to do anything.
    Free,
}

impl Class {
    /// All of them, the worst first.
    pub const ALL: [Self; 4] = [Self::Client, Self::Stored, Self::Reads, Self::Free];

    /// The word for programs.
    pub fn key(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Stored => "stored",
            Self::Reads => "reads",
            Self::Free => "free",
        }
    }

    /// The words for people, as a heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Client => "breaks a client",
            Self::Stored => "breaks stored data",
            Self::Reads => "changes what the model reads",
            Self::Free => "free",
        }
    }

    /// Whether somebody is worse off who does nothing.
    pub fn breaks(self) -> bool {
        matches!(self, Self::Client | Self::Stored)
    }

    /// Several changes of the class, as a sentence counts them.
    pub(super) fn counted(self, count: usize) -> String {
        let one = count == 1;
        let verb = match (self, one) {
            (Self::Client, true) => "breaks a client",
            (Self::Client, false) => "break a client",
            (Self::Stored, true) => "breaks stored data",
            (Self::Stored, false) => "break stored data",
            (Self::Reads, true) => "changes what the model reads",
            (Self::Reads, false) => "change what the model reads",
            (Self::Free, true) => "is free",
            (Self::Free, false) => "are free",
        };
        format!("{count} {verb}")
    }
}

/// Which number of the version a change asks for. The last asks for most.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Bump {
    /// None.
    None,
    /// PATCH: worth a number.
    Patch,
    /// MINOR: no change of a spec alone asks for it, but a version may have it raised.
    Minor,
    /// MAJOR: a client must change.
    Major,
}

impl Bump {
    /// The word for programs.
    pub fn key(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }

    /// Its number, as the documents write it.
    pub(super) fn shown(self) -> &'static str {
        match self {
            Self::None => "no number",
            Self::Patch => "PATCH",
            Self::Minor => "MINOR",
            Self::Major => "MAJOR",
        }
    }
}
