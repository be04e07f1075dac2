//! The words that the target languages, and a call, keep for themselves.

use std::collections::BTreeSet;

use crate::model::Name;

/// What a name becomes, and so in which forms it must be free.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Use {
    /// A type in every language, and a case of an enum: an action.
    Type,
    /// A member beside `action` and `summary`: a field. One whose values are listed is a [`Use::Type`] as well.
    Field,
    /// A case of an enum: a value of a list.
    Case,
    /// A function: a text, a case.
    Member,
    /// An argument of a text's function, beside the language: a hole.
    Hole,
    /// A field of a struct in Rust, and a key of data in every other language: a constant, a knob.
    Number,
}

const RUST: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

const SCRIPT: &[&str] = &[
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

const KOTLIN: &[&str] = &[
    "as",
    "break",
    "class",
    "continue",
    "do",
    "else",
    "false",
    "for",
    "fun",
    "if",
    "in",
    "interface",
    "is",
    "null",
    "object",
    "package",
    "return",
    "super",
    "this",
    "throw",
    "true",
    "try",
    "typealias",
    "typeof",
    "val",
    "var",
    "when",
    "while",
];

const SWIFT: &[&str] = &[
    "as",
    "associatedtype",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "continue",
    "default",
    "defer",
    "deinit",
    "do",
    "else",
    "enum",
    "extension",
    "fallthrough",
    "false",
    "fileprivate",
    "for",
    "func",
    "guard",
    "if",
    "import",
    "in",
    "init",
    "inout",
    "internal",
    "is",
    "let",
    "nil",
    "operator",
    "precedencegroup",
    "private",
    "protocol",
    "public",
    "repeat",
    "rethrows",
    "return",
    "self",
    "static",
    "struct",
    "subscript",
    "super",
    "switch",
    "throw",
    "throws",
    "true",
    "try",
    "typealias",
    "var",
    "where",
    "while",
];

const PYTHON: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
    "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not",
    "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Types without which a language's generated code cannot be written, and words of the same form.
const TYPES: &[(&str, &[&str])] = &[
    ("Rust", &["Self", "String", "Option", "Some", "None", "Result", "Ok", "Err", "Vec", "Box"]),
    (
        "TypeScript",
        &[
            "Object", "String", "Number", "Boolean", "Array", "Record", "Map", "Promise", "Error", "Date",
            "Symbol",
        ],
    ),
    ("Kotlin", &["Any", "Unit", "Nothing", "String", "Int", "Long", "Double", "Boolean", "List", "Map"]),
    (
        "Swift",
        &[
            "Any",
            "Self",
            "Type",
            "Protocol",
            "String",
            "Int",
            "Double",
            "Bool",
            "Array",
            "Dictionary",
            "Optional",
        ],
    ),
    ("Python", &["None", "True", "False"]),
];

/// Who keeps the name for itself, as the end of a sentence.
pub(super) fn by(name: &Name, used: Use) -> Option<String> {
    if used == Use::Field && ["action", "summary"].contains(&name.as_str()) {
        return Some("it is the call's own key, beside which the fields stand".to_owned());
    }
    if used == Use::Hole && name.as_str() == "language" {
        return Some("it is the argument that chooses a text's wording".to_owned());
    }
    // No language has a word of several words, so a name of several is free as `snake` and as `camel`; of one word, the
    // two are the same.
    let word = name.as_str();
    let members: [(&str, &[&str]); 5] = [
        ("Rust", RUST),
        ("TypeScript and JavaScript", SCRIPT),
        ("Kotlin", KOTLIN),
        ("Swift", SWIFT),
        ("Python", PYTHON),
    ];
    let members = if used == Use::Number { &members[..1] } else { &members[..] };
    if let Some((language, _)) = members.iter().find(|(_, words)| words.binary_search(&word).is_ok()) {
        return Some(format!("`{word}` is a word of {language} itself"));
    }
    if matches!(used, Use::Field | Use::Member | Use::Hole | Use::Number) {
        return None;
    }
    let pascal = name.pascal();
    let types = match used {
        Use::Case if pascal == "Self" => &TYPES[..1],
        Use::Type => TYPES,
        _ => &[],
    };
    let (language, _) = types.iter().find(|(_, words)| words.contains(&pascal.as_str()))?;
    Some(format!("`{pascal}` is a type of {language} itself"))
}

/// A name like it that is free and none of `others`.
pub(super) fn other(name: &Name, used: Use, others: &BTreeSet<&str>) -> String {
    let endings: &[&str] = match used {
        Use::Type => &["action", "it"],
        Use::Field => &["name", "value"],
        Use::Case => &["it", "value"],
        Use::Member | Use::Hole => &["text", "value"],
        Use::Number => &["value", "number"],
    };
    let words = endings.iter().map(|ending| format!("{name}_{ending}"));
    let mut candidates = words.chain((2..).map(|number| format!("{name}_{number}")));
    let free = |other: &String| {
        !others.contains(other.as_str()) && Name::new(other).is_some_and(|other| by(&other, used).is_none())
    };
    // The numbers do not end, and the others do.
    candidates.find(free).unwrap_or_else(|| format!("{name}_2"))
}

#[cfg(test)]
mod tests {
    use super::{BTreeSet, KOTLIN, Name, PYTHON, RUST, SCRIPT, SWIFT, Use, by, other};

    #[test]
    fn lists_are_sorted_for_the_search() {
        for words in [RUST, SCRIPT, KOTLIN, SWIFT, PYTHON] {
            assert!(words.is_sorted());
        }
    }

    #[test]
    fn each_use_has_its_forms() {
        let taken = |name: &str, used| by(&Name::new(name).unwrap(), used).is_some();
        assert!(taken("self", Use::Case) && taken("class", Use::Field) && taken("summary", Use::Field));
        assert!(taken("while", Use::Number) && !taken("from", Use::Number) && taken("from", Use::Hole));
        assert!(taken("string", Use::Type) && !taken("string", Use::Member) && !taken("open_app", Use::Type));
        for name in ["class", "self", "action", "string"] {
            let name = Name::new(name).unwrap();
            let first = other(&name, Use::Field, &BTreeSet::new());
            assert_ne!(other(&name, Use::Field, &BTreeSet::from([&*first])), first);
            assert!(!taken(&other(&name, Use::Field, &BTreeSet::new()), Use::Field));
        }
    }
}
