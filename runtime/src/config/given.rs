//! Values as they were given, each with its place, and their reading.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::fault::{Fault, Place};
use super::keys::{ALL, Key, SECRETS, Shape, TABLES_VARIABLES, UNTOLD, nearest};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(f64),
    Flag(bool),
    List(Vec<String>),
    /// Anything else, by its name.
    Other(&'static str),
}

/// What was given, and what was wrong with it.
#[derive(Debug, Default)]
pub(super) struct Given {
    values: BTreeMap<&'static str, (Value, Place)>,
    pub(super) faults: Vec<Fault>,
}

impl Given {
    pub(super) fn fault(&mut self, place: Place, message: impl Into<String>) {
        self.faults.push(Fault { place, message: message.into() });
    }

    /// Keeps a value; one that was given before is overruled.
    pub(super) fn set(&mut self, key: &'static Key, value: Value, place: Place) {
        self.values.insert(key.name, (value, place));
    }

    /// Takes what the environment says.
    pub(super) fn environment(&mut self, environment: &BTreeMap<String, String>) {
        // A key that the environment gives in one form overrules one that the file gives in another.
        for keys in SECRETS {
            if keys.iter().any(|key| environment.contains_key(key.variable)) {
                for key in keys {
                    self.values.remove(key.name);
                }
            }
        }
        for (name, text) in environment {
            let place = Place::Variable(name.clone());
            let Some(key) = ALL.iter().find(|key| key.variable == name) else {
                if TABLES_VARIABLES.iter().any(|table| name.starts_with(table)) {
                    let known = || ALL.iter().map(|key| key.variable);
                    let help = match nearest(name, known()) {
                        Some(near) => format!("did you mean {near}?"),
                        None => format!("the variables are {}", known().collect::<Vec<_>>().join(", ")),
                    };
                    self.fault(place, format!("there is no such setting; {help}"));
                }
                continue;
            };
            let value = match key.shape {
                Shape::Number => text.trim().parse().ok().map(Value::Number),
                Shape::Flag => text.trim().parse().ok().map(Value::Flag),
                Shape::Text => None,
                Shape::List => {
                    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                    Some(Value::List(items.map(str::to_owned).collect()))
                }
            };
            let value = value.unwrap_or_else(|| Value::Text(text.clone()));
            self.set(key, value, place);
        }
    }

    pub(super) fn place(&self, key: &Key) -> Place {
        self.values.get(key.name).map_or(Place::Nowhere, |(_, place)| place.clone())
    }

    /// A text that is not blank.
    pub(super) fn text(&mut self, key: &'static Key) -> Option<String> {
        match self.values.get(key.name)? {
            (Value::Text(text), _) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            _ => {
                self.wrong(key);
                None
            }
        }
    }

    /// A path: one in the file is meant from where the file stands, one in the environment from here.
    pub(super) fn path(&self, key: &Key, text: &str, folder: &Path) -> PathBuf {
        match self.place(key) {
            Place::Variable(_) => PathBuf::from(text),
            _ => folder.join(text),
        }
    }

    /// A number that passes a test.
    pub(super) fn number(&mut self, key: &'static Key, fits: impl Fn(f64) -> bool) -> Option<f64> {
        match self.values.get(key.name)? {
            (Value::Number(number), _) if number.is_finite() && fits(*number) => Some(*number),
            _ => {
                self.wrong(key);
                None
            }
        }
    }

    /// Yes or no.
    pub(super) fn flag(&mut self, key: &'static Key) -> Option<bool> {
        match self.values.get(key.name)? {
            (Value::Flag(flag), _) => Some(*flag),
            _ => {
                self.wrong(key);
                None
            }
        }
    }

    /// A list whose every item can be read.
    pub(super) fn list(&mut self, key: &'static Key, read: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let items = match self.values.get(key.name) {
            None => return Vec::new(),
            Some((Value::List(items), _)) => items.clone(),
            Some(_) => {
                self.wrong(key);
                return Vec::new();
            }
        };
        let mut kept = Vec::with_capacity(items.len());
        for item in items {
            match read(&item) {
                Some(item) => kept.push(item),
                None => {
                    let message = format!("{} holds {item:?}; it must be {}", key.name, key.allowed);
                    self.fault(self.place(key), message);
                }
            }
        }
        kept
    }

    /// Tells that a value is not what it must be. What could be a secret is not repeated.
    pub(super) fn wrong(&mut self, key: &'static Key) {
        let Some((value, place)) = self.values.get(key.name) else { return };
        let (place, name, allowed) = (place.clone(), key.name, key.allowed);
        let message = match value {
            Value::Text(text) if text.trim().is_empty() => format!("{name} is blank; it must be {allowed}"),
            Value::Text(_) if UNTOLD.iter().any(|key| key.name == name) => {
                format!("{name} is not what it must be: {allowed}")
            }
            Value::Text(text) => format!("{name} is {text:?}; it must be {allowed}"),
            Value::Number(number) => format!("{name} is {number}; it must be {allowed}"),
            Value::Flag(_) => format!("{name} is true or false; it must be {allowed}"),
            Value::List(_) => format!("{name} is a list; it must be {allowed}"),
            Value::Other(what) => format!("{name} is {what}; it must be {allowed}"),
        };
        self.fault(place, message);
    }
}
