//! The file: TOML, walked with the place of each key at hand.

use std::fs;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::fault::Place;
use super::given::{Given, Value};
use super::keys::{ALL, Key, nearest};

/// Reads a file into what is given.
pub(super) fn read(path: &Path, given: &mut Given) {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("the configuration cannot be read: {error}");
            return given.fault(Place::File(path.to_owned()), message);
        }
    };
    let line = |at: usize| text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
    let place = |at: usize| Place::Line(path.to_owned(), line(at));
    let table = match DeTable::parse(&text) {
        Ok(table) => table,
        Err(error) => {
            // Only the message: the line itself may hold a key.
            let at = error.span().map_or(0, |span| span.start);
            return given.fault(place(at), format!("this is not TOML: {}", error.message()));
        }
    };
    walk(given, "", table.get_ref(), &place);
}

/// Reads a table's keys, and those of the tables in it. `before` is the table's own name and a dot.
fn walk(given: &mut Given, before: &str, table: &DeTable<'_>, place: &impl Fn(usize) -> Place) {
    for (name, value) in table {
        let at = name.span().start;
        let name = format!("{before}{}", name.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) if is_table(&name) => walk(given, &format!("{name}."), inner, place),
            value => one(given, &name, value, place(at)),
        }
    }
}

/// Whether keys stand under this name.
fn is_table(name: &str) -> bool {
    ALL.iter().any(|key| key.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// The table in which a key stands; nothing where it stands by itself.
fn table_of(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(table, _)| table)
}

fn one(given: &mut Given, name: &str, value: &DeValue<'_>, place: Place) {
    if let Some(key) = ALL.iter().find(|key| key.name == name) {
        return given.set(key, read_value(value), place);
    }
    if is_table(name) {
        return given
            .fault(place, format!("{name} is a table: write [{name}] and its keys on the lines below"));
    }
    given.fault(place, format!("there is no key {name}; {}", help(name, value)));
}

/// What a name that is not known most likely means.
fn help(name: &str, value: &DeValue<'_>) -> String {
    let tables = || ALL.iter().filter_map(|key| table_of(key.name));
    if matches!(value, DeValue::Table(_)) {
        return match nearest(name, tables()) {
            Some(near) => format!("did you mean [{near}]?"),
            None => format!("the keys are {}", names(|_| true)),
        };
    }
    // A key of a table that was written outside it.
    let inner = ALL.iter().find(|key| key.name.rsplit('.').next() == Some(name));
    if let Some(key) = inner {
        return format!("did you mean {}? It stands under the table's heading", key.name);
    }
    if let Some(near) = nearest(name, ALL.iter().map(|key| key.name)) {
        return format!("did you mean {near}?");
    }
    let table = table_of(name);
    let of_table = |key: &Key| table.is_none() || table_of(key.name) == table;
    format!("the keys are {}", names(of_table))
}

fn names(keep: impl Fn(&Key) -> bool) -> String {
    ALL.iter().filter(|key| keep(key)).map(|key| key.name).collect::<Vec<_>>().join(", ")
}

fn read_value(value: &DeValue<'_>) -> Value {
    let number = |text: &str| {
        text.replace('_', "").parse().map_or(Value::Other("a number that cannot be read"), Value::Number)
    };
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(integer) if integer.radix() == 10 => number(integer.as_str()),
        DeValue::Integer(_) => Value::Other("a number in another base than ten"),
        DeValue::Float(float) => number(float.as_str()),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Datetime(_) => Value::Other("a date or a time"),
        DeValue::Array(items) => {
            let text = |item: &DeValue<'_>| match item {
                DeValue::String(text) => Some(text.to_string()),
                _ => None,
            };
            let texts: Option<Vec<String>> = items.iter().map(|item| text(item.get_ref())).collect();
            texts.map_or(Value::Other("a list that holds more than texts"), Value::List)
        }
        DeValue::Table(_) => Value::Other("a table"),
    }
}
