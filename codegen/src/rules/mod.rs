//! The rules that a spec is held to: each with its id, why it exists, how to mend a break of it, and an example.

mod files;
mod keys;
mod markers;
mod names;
mod numbers;
mod phone;
mod texts;
mod tone;
mod tools;

pub use files::*;
pub use keys::*;
pub use markers::*;
pub use names::*;
pub use numbers::*;
pub use phone::*;
pub use texts::*;
pub use tone::*;
pub use tools::*;

/// One rule.
#[derive(Debug, Eq, PartialEq)]
pub struct Rule {
    /// Words joined by hyphens: what `error[…]` shows and `cargo spec explain` takes.
    pub id: &'static str,
    /// What it asks, in a line.
    pub summary: &'static str,
    /// Why it is asked.
    pub why: &'static str,
    /// How to mend a break of it.
    pub mend: &'static str,
    /// A piece of a spec that breaks it.
    pub bad: &'static str,
    /// The same piece, mended.
    pub good: &'static str,
}

/// Every rule, file by file in the order of the table.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [FILES, KEYS, MARKERS, NAMES, NUMBERS, PHONE, TEXTS, TONE, TOOLS].into_iter().flatten().copied()
}

/// The rule with this id.
pub fn find(id: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.id == id)
}

/// For the case that cannot be: nothing is wrong with a spec and no model comes of it. It has no example, so it stands
/// outside the table; a property test looks for it.
pub(crate) static COMPILER_FAULT: Rule = Rule {
    id: "compiler-fault",
    summary: "The compiler could not build the spec, and no rule is broken.",
    why: "This is a fault of the compiler, not of the spec.",
    mend: "Undo the last edit, and report it.",
    bad: "",
    good: "",
};

/// Declares rules and the table of them all.
macro_rules! rules {
    ($table:ident; $($name:ident = $id:literal { $summary:literal, why: $why:literal, mend: $mend:literal, bad: $bad:literal, good: $good:literal })+) => {
        $(
            #[doc = $summary]
            pub static $name: super::Rule =
                super::Rule { id: $id, summary: $summary, why: $why, mend: $mend, bad: $bad, good: $good };
        )+
        pub(super) static $table: &[&super::Rule] = &[$(&$name),+];
    };
}
use rules;
