//! The kinds of changes: each with its id, its class, why it matters and what to do.

mod checks;
mod markers;
mod numbers;
mod phone;
mod texts;
mod tone;
mod tools;
mod version;

pub use checks::*;
pub use markers::*;
pub use numbers::*;
pub use phone::*;
pub use texts::*;
pub use tone::*;
pub use tools::*;
pub use version::*;

use super::{Bump, Class};

/// One kind of change.
#[derive(Debug, Eq, PartialEq)]
pub struct ChangeRule {
    /// Words joined by hyphens: what a change is shown with and `cargo spec explain` takes.
    pub id: &'static str,
    /// What it does.
    pub class: Class,
    /// Which number it asks for.
    pub bump: Bump,
    /// What changed, in a line.
    pub summary: &'static str,
    /// Why it is of its class.
    pub why: &'static str,
    /// What to do.
    pub todo: &'static str,
    /// A piece of a spec before.
    pub before: &'static str,
    /// The same piece behind.
    pub after: &'static str,
}

/// Every kind, file by file in the order of the table.
pub fn all() -> impl Iterator<Item = &'static ChangeRule> {
    [PHONE, CHECKS, TOOLS, TEXTS, MARKERS, TONE, NUMBERS, VERSION].into_iter().flatten().copied()
}

/// The kind with this id.
pub fn find(id: &str) -> Option<&'static ChangeRule> {
    all().find(|rule| rule.id == id)
}

/// Declares kinds and the table of them all.
macro_rules! changes {
    ($table:ident; $($name:ident = $id:literal, $class:ident, $bump:ident { $summary:literal, why: $why:literal, todo: $todo:literal, before: $before:literal, after: $after:literal })+) => {
        $(
            #[doc = $summary]
            pub static $name: super::ChangeRule = super::ChangeRule {
                id: $id,
                class: super::Class::$class,
                bump: super::Bump::$bump,
                summary: $summary,
                why: $why,
                todo: $todo,
                before: $before,
                after: $after,
            };
        )+
        pub(super) static $table: &[&super::ChangeRule] = &[$(&$name),+];
    };
}
use changes;
