//! `tools/NAME.json`: a tool as a model's API takes it, and the gate before it (document 1 §1).

use super::Name;

/// One tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name, which is also its file's.
    pub name: Name,
    /// What the model reads of it.
    pub description: String,
    /// The JSON Schema of its arguments, with null allowed where nothing is required: compact JSON text, the keys in the
    /// file's order.
    pub parameters: String,
    /// Who offers it.
    pub scope: Scope,
    /// In which sessions.
    pub sessions: Session,
    /// What a session must have shown before it is offered.
    pub requires: Requirement,
    /// When the person is asked.
    pub confirm: Confirm,
    /// What it puts at stake.
    pub risk: Risk,
    /// The result of a call that cannot reach anybody, word for word.
    pub unavailable: String,
}

/// An enum of the tool gate: its values as the spec writes them, each with its meaning, listed in this one place.
macro_rules! gate {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $key:literal, $meaning:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum $name {
            $(#[doc = $meaning] $variant,)+
        }

        impl $name {
            /// Every value: itself, its name in the spec, its identifier, its meaning.
            pub const ALL: &[(Self, &str, &str, &str)] =
                &[$((Self::$variant, $key, stringify!($variant), $meaning),)+];

            /// Its name in the spec.
            pub fn key(self) -> &'static str {
                match self {
                    $(Self::$variant => $key,)+
                }
            }
        }
    };
}

gate! {
    /// `scope`: who offers a tool.
    Scope { Llembas = "llembas", "The server alone."; }
}

gate! {
    /// `sessions`: where a tool is offered.
    Session { Chat = "chat", "In a chat."; }
}

gate! {
    /// `requires`: what a session must have shown before a tool is offered in it.
    Requirement { Phone = "phone", "A message that came with the capability."; }
}

gate! {
    /// `confirm`: when the person is asked.
    Confirm { Always = "always", "Every call, in every mode; no answer is remembered."; }
}

gate! {
    /// `risk`: what a call puts at stake.
    Risk { Interact = "interact", "Nothing on disk changes and the person decides: no mode refuses it."; }
}
