//! loop.json and the tool, looked up at run time.

use std::path::Path;

use serde_json::Value;

/// What the interpreter reads of the spec.
#[derive(Clone, Debug)]
pub struct Spec {
    /// loop.json.
    pub root: Value,
    /// tools/phone_action.json.
    pub tool: Value,
}

impl Spec {
    /// Reads a folder of specs.
    ///
    /// # Errors
    /// With what could not be read, or is not JSON.
    pub fn load(specs: &Path) -> Result<Self, String> {
        let read = |name: &str| {
            let path = specs.join(name);
            let text =
                std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
        };
        Ok(Self { root: read("loop.json")?, tool: read("tools/phone_action.json")? })
    }

    /// The specs of this repository.
    ///
    /// # Errors
    /// As [`Spec::load`].
    pub fn own() -> Result<Self, String> {
        Self::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs"))
    }

    /// `phone.actions`.
    pub fn actions(&self) -> Vec<&str> {
        names(&self.root["phone"]["actions"])
    }

    /// The fields that an action reads.
    pub fn fields(&self, action: &str) -> Vec<&str> {
        names(&self.root["phone"]["fields"][action])
    }

    /// The required entries of an action.
    pub fn required(&self, action: &str) -> Vec<Vec<&str>> {
        let entries =
            self.root["phone"]["required"][action].as_array().map(Vec::as_slice).unwrap_or_default();
        entries.iter().map(|entry| entry.as_str().map_or_else(|| names(entry), |field| vec![field])).collect()
    }

    /// `phone.check`, in its order: the field and the whole entry.
    pub fn checks(&self) -> Vec<(&str, &Value)> {
        let checks = self.root["phone"]["check"].as_array().map(Vec::as_slice).unwrap_or_default();
        checks.iter().filter_map(|check| Some((check["field"].as_str()?, check))).collect()
    }

    /// The property of a field in the tool's schema.
    pub fn property(&self, field: &str) -> &Value {
        &self.tool["parameters"]["properties"][field]
    }

    /// Whether a sentence is this text with something in its one hole, if it has one.
    pub fn could_be(&self, section: &str, key: &str, sentence: &str) -> bool {
        let Some(template) = self.root[section]["texts"][key].as_str() else { return false };
        match template.split_once("{{") {
            None => template == sentence,
            Some((before, hole)) => {
                let after = hole.split_once("}}").map_or("", |(_, after)| after);
                sentence.starts_with(before) && sentence.ends_with(after)
            }
        }
    }

    /// A text with its holes filled; `holes` are name and value in turn.
    pub fn text(&self, section: &str, key: &str, holes: &[(&str, &str)]) -> String {
        let template = self.root[section]["texts"][key].as_str().unwrap_or_default();
        // Hole by hole from the left, so that what fills one is not read for another.
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, hole)) = rest.split_once("{{") {
            let (name, after) = hole.split_once("}}").unwrap_or((hole, ""));
            let value = holes.iter().find(|(hole, _)| *hole == name).map_or("", |(_, value)| value);
            text.push_str(before);
            text.push_str(value);
            rest = after;
        }
        text + rest
    }
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().map(Vec::as_slice).unwrap_or_default().iter().filter_map(Value::as_str).collect()
}
