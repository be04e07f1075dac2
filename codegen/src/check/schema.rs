//! The JSON Schema of a tool's calls, as far as the compiler needs it: the properties and their types; and as far as a
//! slip in it would pass unnoticed: keywords that no schema has, values that a keyword does not take, lists that are empty
//! or name a thing twice.

use std::collections::BTreeMap;

use super::known::Known;
use super::page::{Page, Word};
use super::tool::Property;
use crate::model::{Name, Shape};
use crate::nearest::{nearest, proposal};
use crate::read::{Member, Node, Value};
use crate::rules;

const TYPES: [(&str, Shape); 6] = [
    ("string", Shape::String),
    ("integer", Shape::Integer),
    ("number", Shape::Number),
    ("boolean", Shape::Boolean),
    ("array", Shape::Array),
    ("object", Shape::Object),
];

/// What a keyword's value must be.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Takes {
    /// Any JSON value.
    Anything,
    /// One of the six words.
    Type,
    /// A string.
    Text,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A whole number from 0 on.
    Count,
    /// A list of any values.
    List,
    /// A list of values, each once, at least one.
    Values,
    /// A list of strings, each once.
    Names,
    /// An object of such lists.
    NamesByName,
    /// A schema: an object, or `true` for anything and `false` for nothing.
    Schema,
    /// An object of schemas.
    Schemas,
    /// A list of schemas, at least one.
    SchemaList,
}

/// The keywords of JSON Schema 2020-12 that say something of a call. `x-…` is anybody's own.
const KEYWORDS: [(&str, Takes); 44] = [
    ("type", Takes::Type),
    ("description", Takes::Text),
    ("enum", Takes::Values),
    ("properties", Takes::Schemas),
    ("items", Takes::Schema),
    ("required", Takes::Names),
    ("additionalProperties", Takes::Schema),
    ("const", Takes::Anything),
    ("default", Takes::Anything),
    ("examples", Takes::List),
    ("title", Takes::Text),
    ("format", Takes::Text),
    ("pattern", Takes::Text),
    ("minimum", Takes::Number),
    ("maximum", Takes::Number),
    ("exclusiveMinimum", Takes::Number),
    ("exclusiveMaximum", Takes::Number),
    ("multipleOf", Takes::Number),
    ("minLength", Takes::Count),
    ("maxLength", Takes::Count),
    ("minItems", Takes::Count),
    ("maxItems", Takes::Count),
    ("uniqueItems", Takes::Boolean),
    ("minProperties", Takes::Count),
    ("maxProperties", Takes::Count),
    ("prefixItems", Takes::SchemaList),
    ("contains", Takes::Schema),
    ("minContains", Takes::Count),
    ("maxContains", Takes::Count),
    ("patternProperties", Takes::Schemas),
    ("propertyNames", Takes::Schema),
    ("dependentRequired", Takes::NamesByName),
    ("anyOf", Takes::SchemaList),
    ("oneOf", Takes::SchemaList),
    ("allOf", Takes::SchemaList),
    ("not", Takes::Schema),
    ("if", Takes::Schema),
    ("then", Takes::Schema),
    ("else", Takes::Schema),
    ("$comment", Takes::Text),
    ("$ref", Takes::Text),
    ("$defs", Takes::Schemas),
    ("deprecated", Takes::Boolean),
    ("$schema", Takes::Text),
];

fn takes(key: &str) -> Option<Takes> {
    KEYWORDS.iter().find(|(known, _)| *known == key).map(|(_, takes)| *takes)
}

/// The properties of `parameters`.
pub(super) fn parameters<'a>(page: &Page<'a>, node: &'a Node) -> Option<Vec<Property<'a>>> {
    page.map(node, "`parameters`")?;
    keywords(page, node, "`parameters`", &["type", "properties", "required"]);
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
        let names =
            Known::new(members.iter().map(|member| member.key.as_str()), |name| Name::new(name).is_some());
        for word in words.iter().filter(|word| !names.holds(word.text)) {
            page.fault(
                &rules::FIELD_WITHOUT_PROPERTY,
                word.span,
                format!("`required` names `{}`, which is no property", word.text),
            )
            .label("no such property")
            .help(names.proposal(word.text))
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
    keywords(page, node, &what, &["description"]);
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
    let absent = absent(node);
    let slip =
        node.as_object().unwrap_or_default().iter().any(|member| slip(&absent, &member.key) == Some(key));
    if !slip {
        page.fault(&rules::MISSING_KEY, node.head(), format!("{what} lacks the key `{key}`"))
            .label(format!("`{key}` is missing in here"))
            .report();
    }
}

/// The keywords that a schema does not have.
fn absent(node: &Node) -> Vec<&'static str> {
    KEYWORDS.iter().map(|(key, _)| *key).filter(|key| node.get(key).is_none()).collect()
}

fn is_known(key: &str) -> bool {
    takes(key).is_some() || key.starts_with("x-")
}

/// The keyword that an unknown one most likely means.
fn slip(absent: &[&'static str], key: &str) -> Option<&'static str> {
    if is_known(key) { None } else { nearest(key, absent.iter().copied()) }
}

/// A schema inside another one.
fn inside(page: &Page<'_>, node: &Node, what: &str) {
    match node.value {
        Value::Object(_) => keywords(page, node, what, &[]),
        Value::Bool(_) => {}
        _ => page.wrong_type(node, what, "a schema"),
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

/// Keywords that no schema has, and values that their keywords do not take; those of `elsewhere` are looked at there.
fn keywords(page: &Page<'_>, node: &Node, what: &str, elsewhere: &[&str]) {
    let absent = absent(node);
    for member in node.as_object().unwrap_or_default() {
        if let Some(takes) = takes(&member.key) {
            if !elsewhere.contains(&&*member.key) {
                value(page, member, takes, what);
            }
        } else if !is_known(&member.key) {
            let help = slip(&absent, &member.key).map_or_else(
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
    }
}

/// The value of a keyword of the schema that is `of`.
fn value(page: &Page<'_>, member: &Member, takes: Takes, of: &str) {
    let node = &member.value;
    let what = format!("`{}` of {of}", member.key);
    match takes {
        Takes::Anything => {}
        Takes::Type => {
            if !node.as_str().is_some_and(|kind| TYPES.iter().any(|(name, _)| *name == kind)) {
                unsupported(page, node, of);
            }
        }
        Takes::Text => drop(page.string(node, &what)),
        Takes::Boolean => {
            if !matches!(node.value, Value::Bool(_)) {
                page.wrong_type(node, &what, "a boolean");
            }
        }
        Takes::Number => {
            if !matches!(node.value, Value::Number(_)) {
                page.wrong_type(node, &what, "a number");
            }
        }
        Takes::Count => {
            if let Some(count) = page.integer(node, &what).filter(|count| *count < 0) {
                page.fault(
                    &rules::WRONG_TYPE,
                    node.span,
                    format!("{what} must be a whole number from 0 on, and this is {count}"),
                )
                .label("less than 0")
                .report();
            }
        }
        Takes::List => drop(page.list(node, &what)),
        Takes::Values => values(page, node, &what),
        Takes::Names => drop(page.words(node, &what)),
        Takes::NamesByName => {
            for member in page.map(node, &what).unwrap_or_default() {
                page.words(&member.value, &format!("`{}` in {what}", member.key));
            }
        }
        Takes::Schema => inside(page, node, &what),
        Takes::Schemas => {
            let within = if member.key == "properties" { of } else { &what };
            for member in page.map(node, &what).unwrap_or_default() {
                inside(page, &member.value, &format!("`{}` in {within}", member.key));
            }
        }
        Takes::SchemaList => {
            page.not_empty(node, &what);
            for schema in page.list(node, &what).unwrap_or_default() {
                inside(page, schema, &format!("an entry of {what}"));
            }
        }
    }
}

/// The list of an `enum`: neither empty nor with a value twice.
fn values(page: &Page<'_>, node: &Node, what: &str) {
    page.not_empty(node, what);
    let mut first = BTreeMap::new();
    for value in page.list(node, what).unwrap_or_default() {
        let text = value.compact();
        match first.get(&text) {
            None => drop(first.insert(text, value.span)),
            Some(&span) => page
                .fault(&rules::REPEATED_ENTRY, value.span, format!("{text} stands twice in {what}"))
                .label("the second")
                .also(span, "the first")
                .help("remove one of the two")
                .report(),
        }
    }
}
