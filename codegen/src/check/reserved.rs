//! The words that the target languages, and a call, keep for themselves.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::model::{Name, wire};

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

pub(crate) const KOTLIN: &[&str] = &[
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

pub(crate) const SWIFT: &[&str] = &[
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

pub(crate) const PYTHON: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
    "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not",
    "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

const GO: &[&str] = &[
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "interface",
    "map",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "type",
    "var",
];

/// Names that a language's own members have, once they are in its style: not words, but taken all the same.
const MEMBERS: &[(&str, &str, &str)] = &[
    ("all_cases", "allCases", "an enum of Swift"),
    ("constructor", "constructor", "every object of JavaScript"),
    ("equals", "equals", "every object of Kotlin"),
    ("get_class", "getClass", "every object of Kotlin"),
    ("has_own_property", "hasOwnProperty", "every object of JavaScript"),
    ("hash_code", "hashCode", "every object of Kotlin"),
    ("hash_value", "hashValue", "a hashable value of Swift"),
    ("is_prototype_of", "isPrototypeOf", "every object of JavaScript"),
    ("property_is_enumerable", "propertyIsEnumerable", "every object of JavaScript"),
    ("prototype", "prototype", "every function of JavaScript"),
    ("raw_value", "rawValue", "an enum of Swift"),
    ("to_locale_string", "toLocaleString", "every object of JavaScript"),
    ("to_string", "toString", "every object of JavaScript and Kotlin"),
    ("value_of", "valueOf", "every object of JavaScript"),
];

/// The types that clients make of the wire's words, records and events.
static OF_WIRE: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let names = wire::words().map(|words| words.name).chain(wire::records().map(|record| record.name));
    let events = wire::events().map(|event| format!("{}_event", event.name));
    let types = names.map(str::to_owned).chain(events);
    types.filter_map(|name| Some(Name::new(&name)?.pascal())).collect()
});

/// Types that clients have beside those, whatever the spec says: what reads, what asks.
const CLIENTS: &[&str] = &[
    "Action",
    "ActionName",
    "ActionRule",
    "ApiError",
    "Arguments",
    "ByLanguage",
    "Call",
    "Calls",
    "Check",
    "Checked",
    "ClockTime",
    "Connection",
    "Constants",
    "DateOrDatetime",
    "Delimiter",
    "Event",
    "EventStream",
    "Exact",
    "Field",
    "Filling",
    "Handset",
    "Json",
    "JsonBuilder",
    "JsonElement",
    "JsonObject",
    "JsonReader",
    "JsonValue",
    "Knob",
    "KnobPatches",
    "Knobs",
    "Known",
    "KnownEvent",
    "Marker",
    "MarkerCandidate",
    "MarkerFence",
    "MarkerKind",
    "MarkerNames",
    "MarkerScanner",
    "NotJson",
    "NotRead",
    "OpenWord",
    "Place",
    "ReadAnswer",
    "ReadSettings",
    "Reading",
    "Refusal",
    "Request",
    "Result",
    "Rule",
    "Rules",
    "Scanned",
    "SectionPatches",
    "Setting",
    "Settings",
    "SettingsFault",
    "SettingsPatch",
    "SettingsSection",
    "Spec",
    "Status",
    "Stopped",
    "TextLanguage",
    "Texts",
    "Unit",
    "Unknown",
    "UnknownCall",
    "UnknownEvent",
    "Verdict",
    "Version",
    "Weekday",
    "Word",
    "Words",
];

/// Types of Swift's libraries that its client uses: one of the same name would stand in their place.
const SWIFT_LIBRARIES: &[&str] = &[
    "ArraySlice",
    "CaseIterable",
    "CharacterSet",
    "ClosedRange",
    "Codable",
    "CodingKey",
    "Collection",
    "Data",
    "Decoder",
    "Encoder",
    "Equatable",
    "Foundation",
    "Hashable",
    "Hasher",
    "LocalizedError",
    "OperationQueue",
    "RawRepresentable",
    "Sendable",
    "Sequence",
    "Set",
    "Task",
    "TimeInterval",
    "Unicode",
    "Void",
];

/// What a client puts behind an action's name for its type.
pub(super) const CALL: &str = "Call";

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
    ("Go", &["String", "Error"]),
];

/// Who keeps the name of a field's type, whose values are listed, for itself: a type of its name stands beside all others
/// of a client.
pub(super) fn by_type_of_values(name: &Name) -> Option<String> {
    let pascal = name.pascal();
    let in_swift = || {
        SWIFT_LIBRARIES
            .contains(&pascal.as_str())
            .then(|| format!("`{pascal}` is a type of Swift's libraries, which its client uses"))
    };
    by(name, Use::Type).or_else(|| of_clients(&pascal)).or_else(in_swift)
}

/// Members that Swift's client has of its own, beside what is made of a name.
fn swift_members(used: Use) -> &'static [&'static str] {
    match used {
        Use::Type => &["action", "description", "is_known", "json", "known", "raw_value", "summary"],
        Use::Case => &["description", "is_known", "json", "known"],
        Use::Field => &["json"],
        Use::Member | Use::Hole | Use::Number => &[],
    }
}

/// Whether every client has a type of this name, as the end of a sentence.
fn of_clients(ty: &str) -> Option<String> {
    (CLIENTS.contains(&ty) || OF_WIRE.contains(ty)).then(|| format!("`{ty}` is a type of every client"))
}

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
    let members: [(&str, &[&str]); 6] = [
        ("Rust", RUST),
        ("TypeScript and JavaScript", SCRIPT),
        ("Kotlin", KOTLIN),
        ("Swift", SWIFT),
        ("Python", PYTHON),
        ("Go", GO),
    ];
    let members = if used == Use::Number { &members[..1] } else { &members[..] };
    if let Some((language, _)) = members.iter().find(|(_, words)| words.binary_search(&word).is_ok()) {
        return Some(format!("`{word}` is a word of {language} itself"));
    }
    if let Some((_, member, owner)) = MEMBERS.iter().find(|(taken, _, _)| *taken == word)
        && used != Use::Type
    {
        return Some(format!("it is `{member}` in some languages, which {owner} has"));
    }
    if used == Use::Case && word == "unknown" {
        return Some("it is the case of a value that a client does not know".to_owned());
    }
    if swift_members(used).contains(&word) {
        return Some(format!("`{}` is a member that the client in Swift has of its own", name.camel()));
    }
    if matches!(used, Use::Field | Use::Member | Use::Hole | Use::Number) {
        return None;
    }
    let pascal = name.pascal();
    if used == Use::Type
        && let Some(taken) = of_clients(&format!("{pascal}{CALL}"))
    {
        return Some(taken);
    }
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
    use super::{
        BTreeSet, CLIENTS, GO, KOTLIN, MEMBERS, Name, OF_WIRE, PYTHON, RUST, SCRIPT, SWIFT, SWIFT_LIBRARIES,
        Use, by, by_type_of_values, of_clients, other,
    };

    #[test]
    fn lists_are_sorted_for_the_search() {
        for words in [RUST, SCRIPT, KOTLIN, SWIFT, PYTHON, GO, CLIENTS, SWIFT_LIBRARIES] {
            assert!(words.is_sorted());
        }
        assert!(MEMBERS.is_sorted());
    }

    #[test]
    fn every_type_of_the_wire_is_a_name_that_clients_keep() {
        for kept in ["Chat", "DeviceRing", "InviteState", "RangCall", "CardClosedEvent"] {
            assert!(OF_WIRE.contains(kept), "{kept}");
        }
        // An action `rang` would be `RangCall` in clients.
        assert!(by(&Name::new("rang").unwrap(), Use::Type).is_some());
    }

    #[test]
    fn no_type_of_the_wire_has_a_name_of_a_clients_own() {
        for own in CLIENTS {
            assert!(!OF_WIRE.contains(*own), "{own} is a type of the wire and one of every client's own");
        }
    }

    #[test]
    fn each_use_has_its_forms() {
        let taken = |name: &str, used| by(&Name::new(name).unwrap(), used).is_some();
        assert!(taken("self", Use::Case) && taken("class", Use::Field) && taken("summary", Use::Field));
        assert!(taken("while", Use::Number) && !taken("from", Use::Number) && taken("from", Use::Hole));
        assert!(taken("string", Use::Type) && !taken("string", Use::Member) && !taken("open_app", Use::Type));
        assert!(taken("range", Use::Hole) && taken("chan", Use::Field) && !taken("chan", Use::Number));
        assert!(
            taken("to_string", Use::Field)
                && taken("constructor", Use::Member)
                && taken("equals", Use::Member)
        );
        assert!(taken("unknown", Use::Case) && !taken("unknown", Use::Field));
        assert!(taken("json", Use::Field) && taken("known", Use::Case) && taken("summary", Use::Type));
        assert!(!taken("json", Use::Member) && !taken("data", Use::Type));
        // An action's type is `VoiceCall` in clients, a field's with listed values `Card`.
        assert!(taken("voice", Use::Type) && !taken("card", Use::Type) && !taken("card", Use::Field));
        let values = |name: &str| by_type_of_values(&Name::new(name).unwrap()).is_some();
        assert!(values("card") && values("string") && values("data") && !values("mode"));
        for name in ["class", "self", "action", "string"] {
            let name = Name::new(name).unwrap();
            let first = other(&name, Use::Field, &BTreeSet::new());
            assert_ne!(other(&name, Use::Field, &BTreeSet::from([&*first])), first);
            assert!(!taken(&other(&name, Use::Field, &BTreeSet::new()), Use::Field));
        }
    }
    /// What a client in Swift declares stands beside the types that are made of names.
    #[test]
    fn no_name_becomes_a_type_of_swifts_client() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/templates/clients/swift/Sources/HandsetClient");
        let mut count = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            for line in text.lines() {
                let line = line.trim_start_matches("public ").trim_start_matches("final ");
                let declared = ["struct ", "enum ", "class ", "protocol "]
                    .iter()
                    .find_map(|word| line.strip_prefix(word));
                let Some(rest) = declared.filter(|rest| !rest.starts_with("{{")) else { continue };
                let name = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap();
                assert!(of_clients(name).is_some(), "{name} is missing in CLIENTS");
                count += 1;
            }
        }
        assert!(count > 30, "{count}");
    }
}
