//! The JSON Schema of a tool's calls, as far as the compiler needs it: the properties and their types; and as far as a
//! slip in it would pass unnoticed: keywords that no schema has, lists that are empty or name a thing twice.

use std::collections::BTreeMap;

use super::page::{Page, Word};
use super::tool::Property;
use crate::model::Shape;
use crate::nearest::{nearest, proposal};
use crate::read::{Member, Node};
use crate::rules;

const TYPES: [(&str, Shape); 6] = [
    ("string", Shape::String),
    ("integer", Shape::Integer),
    ("number", Shape::Number),
    ("boolean", Shape::Boolean),
    ("array", Shape::Array),
    ("object", Shape::Object),
];

/// The keywords of JSON Schema 2020-12 that say something of a call. `x-…` is anybody's own.
const KEYWORDS: [&str; 44] = [
    "type",
    "description",
    "enum",
    "properties",
    "items",
    "required",
    "additionalProperties",
    "const",
    "default",
    "examples",
    "title",
    "format",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "prefixItems",
    "contains",
    "minContains",
    "maxContains",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "$comment",
    "$ref",
    "$defs",
    "deprecated",
    "$schema",
];

/// The properties of `parameters`.
pub(super) fn parameters<'a>(page: &Page<'a>, node: &'a Node) -> Option<Vec<Property<'a>>> {
    page.map(node, "`parameters`")?;
    keywords(page, node, "`parameters`");
    match node.get("type") {
        Some(kind) if kind.as_str() == Some("object") => {}
        Some(kind) => page
            .fault(
                &rules::UNSUPPORTED_TYPE,
                kind.head(),
                "the type of `parameters` must be \"object\", as a call's arguments are one",
            )
            .label("not \"object\"")
            .help("write \"object\"")
            .report(),
        None => missing(page, node, "`parameters`", "type"),
    }
    let Some(properties) = node.get("properties") else {
        missing(page, node, "`parameters`", "properties");
        return None;
    };
    let members = page.map(properties, "`properties`")?;
    let properties: Vec<_> = members.iter().map(|member| property(page, member)).collect();
    if let Some(required) = node.get("required")
        && let Some(words) = page.words(required, "`required`")
    {
        let names: Vec<&str> = members.iter().map(|member| member.key.as_str()).collect();
        for word in words.iter().filter(|word| !names.contains(&word.text)) {
            page.fault(
                &rules::FIELD_WITHOUT_PROPERTY,
                word.span,
                format!("`required` names `{}`, which is no property", word.text),
            )
            .label("no such property")
            .help(proposal(word.text, &names))
            .report();
        }
    }
    Some(properties)
}

fn property<'a>(page: &Page<'a>, member: &'a Member) -> Property<'a> {
    let node = &member.value;
    let what = format!("the property `{}`", member.key);
    let mut property =
        Property { name: Word::from(member), node, description: None, shape: None, values: None };
    if page.map(node, &what).is_none() {
        return property;
    }
    inside(page, node, &what);
    property.description = match node.get("description") {
        Some(text) => page.text(text, &format!("the description of `{}`", member.key)).map(|word| word.text),
        None => {
            missing(page, node, &what, "description");
            None
        }
    };
    property.shape = match node.get("type") {
        Some(kind) => kind
            .as_str()
            .and_then(|kind| TYPES.iter().find(|(name, _)| *name == kind))
            .map(|(_, shape)| *shape),
        None => {
            missing(page, node, &what, "type");
            None
        }
    };
    if property.shape.is_none()
        && let Some(kind) = node.get("type").filter(|kind| kind.as_str().is_none())
    {
        unsupported(page, kind, &what);
    }
    if let Some(values) = node.get("enum").and_then(Node::as_array) {
        property.values =
            values.iter().map(|node| Some(Word { text: node.as_str()?, span: node.span })).collect();
        if property.values.is_none() && property.shape == Some(Shape::String) {
            for value in values {
                page.string(value, &format!("an entry of `enum` of {what}"));
            }
        }
    }
    property
}

fn missing(page: &Page<'_>, node: &Node, what: &str, key: &str) {
    // A misspelt keyword is told as unknown, with this one proposed.
    let slip = node.as_object().unwrap_or_default().iter().any(|member| slip(node, &member.key) == Some(key));
    if !slip {
        page.fault(&rules::MISSING_KEY, node.head(), format!("{what} lacks the key `{key}`"))
            .label(format!("`{key}` is missing in here"))
            .report();
    }
}

/// The keyword that an unknown one most likely means.
fn slip(node: &Node, key: &str) -> Option<&'static str> {
    if KEYWORDS.contains(&key) || key.starts_with("x-") {
        return None;
    }
    nearest(key, KEYWORDS.into_iter().filter(|known| node.get(known).is_none()))
}

/// A schema inside another one.
fn inside(page: &Page<'_>, node: &Node, what: &str) {
    if node.as_object().is_none() {
        return;
    }
    keywords(page, node, what);
    if let Some(kind) = node
        .get("type")
        .filter(|kind| kind.as_str().is_some_and(|kind| !TYPES.iter().any(|(name, _)| *name == kind)))
    {
        unsupported(page, kind, what);
    }
    for key in ["items", "additionalProperties", "contains", "propertyNames", "not"] {
        if let Some(schema) = node.get(key) {
            inside(page, schema, &format!("`{key}` of {what}"));
        }
    }
    for member in node.get("properties").and_then(Node::as_object).unwrap_or_default() {
        inside(page, &member.value, &format!("`{}` in {what}", member.key));
    }
}

fn unsupported(page: &Page<'_>, kind: &Node, what: &str) {
    let names: Vec<&str> = TYPES.iter().map(|(name, _)| *name).collect();
    let shown = kind.as_str().map_or_else(|| kind.kind().to_owned(), |kind| format!("`{kind}`"));
    page.fault(
        &rules::UNSUPPORTED_TYPE,
        kind.head(),
        format!("the type of {what} must be one of six words, and this is {shown}"),
    )
    .label("not supported")
    .help(proposal(kind.as_str().unwrap_or(""), &names))
    .report();
}

/// Keywords that no schema has, and lists of values that are empty or name one twice.
fn keywords(page: &Page<'_>, node: &Node, what: &str) {
    for member in node.as_object().unwrap_or_default() {
        if KEYWORDS.contains(&&*member.key) || member.key.starts_with("x-") {
            continue;
        }
        let help = slip(node, &member.key).map_or_else(
            || "remove it; a keyword of one's own begins with `x-`".to_owned(),
            |key| format!("did you mean `{key}`?"),
        );
        page.fault(
            &rules::UNKNOWN_KEY,
            member.key_span,
            format!("{what} has the key `{}`, which no JSON Schema has", member.key),
        )
        .label("unknown key")
        .help(help)
        .report();
    }
    let Some(values) = node.get("enum") else { return };
    let list = format!("`enum` of {what}");
    page.not_empty(values, &list);
    let mut first = BTreeMap::new();
    for value in page.list(values, &list).unwrap_or_default() {
        let text = value.compact();
        match first.get(&text) {
            None => drop(first.insert(text, value.span)),
            Some(&span) => page
                .fault(&rules::REPEATED_ENTRY, value.span, format!("{text} stands twice in {list}"))
                .label("the second")
                .also(span, "the first")
                .help("remove one of the two")
                .report(),
        }
    }
}
