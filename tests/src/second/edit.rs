//! Random edits of a spec that leave it a spec: what somebody might do to loop.json, done blindly.

use serde_json::{Value, json};

use super::{Random, Spec};

/// New fields that an edit may bring: property, check and phrase.
const KINDS: &[(&str, &str)] = &[
    ("clock_time", "string"),
    ("weekdays", "array"),
    ("integer", "integer"),
    ("date_or_datetime", "string"),
    ("non_empty_strings", "array"),
    ("phone_number", "string"),
    ("place", "object"),
    ("places", "array"),
    ("schema_enum", "string"),
    ("http_url", "string"),
    ("boolean", "boolean"),
    ("string_map", "object"),
    ("", "string"),
    ("", "integer"),
    ("", "number"),
    ("", "boolean"),
    ("", "array"),
    ("", "object"),
];

impl Spec {
    /// Edits the spec: new actions with new fields, other required entries, other orders, bounds, values and wordings.
    pub fn edit(&mut self, random: &mut Random) {
        // Names that code made from a spec might use for itself.
        for name in ["call", "request", "text", "slot"] {
            self.add_action(name, random);
        }
        for action in self.actions().into_iter().map(str::to_owned).collect::<Vec<_>>() {
            if random.once_in(3) {
                let fields: Vec<String> = self.fields(&action).into_iter().map(str::to_owned).collect();
                self.root["phone"]["required"][&action] = entries(&fields, random);
            }
        }
        shuffle(&mut self.root["phone"]["check"], random);
        shuffle(&mut self.root["phone"]["actions"], random);
        for check in self.root["phone"]["check"].as_array_mut().into_iter().flatten() {
            match check["is"].as_str() {
                Some("integer") => {
                    let min = i64::try_from(random.below(2000)).unwrap_or(0) - 1000;
                    check["min"] = min.into();
                    check["max"] = (min + i64::try_from(random.below(100)).unwrap_or(0)).into();
                }
                Some("phone_number") => check["min_digits"] = (1 + random.below(12)).into(),
                _ => {}
            }
        }
        for (key, wordings) in [
            (
                "bad",
                [
                    "\u{2068}{{what}}\u{2069} {{field}}\r",
                    "{{action}}: {{field}} {is} {{what}}{{what}}",
                    "«{{field}}» \\ \"{{what}}\"\n%s {0}",
                ],
            ),
            ("missing", ["{{fields}}", "{{fields}}? {{action}}!", "{}{{action}}{{fields}}"]),
            ("unknown_action", ["{{actions}}", "{actions} {{actions}}", "没有。{{actions}}。"]),
        ] {
            self.root["phone"]["texts"][key] = random.pick(&wordings).into();
        }
        self.tool["parameters"]["properties"]["action"]["enum"] = self.root["phone"]["actions"].clone();
    }

    fn add_action(&mut self, name: &str, random: &mut Random) {
        let mut fields: Vec<String> = Vec::new();
        let known: Vec<String> = self.checks().into_iter().map(|(field, _)| field.to_owned()).collect();
        for _ in 0..random.below(4) {
            let field = &known[random.below(known.len())];
            if !fields.contains(field) {
                fields.push(field.clone());
            }
        }
        for number in 0..1 + random.below(5) {
            let own = ["fields", "out", "missing", "check"][(number + name.len()) % 4];
            let field =
                if self.property(own).is_null() { own.to_owned() } else { format!("{name}_{own}{number}") };
            let (kind, shape) = KINDS[random.below(KINDS.len())];
            let mut property = json!({"type": shape, "description": "A field that was not there before."});
            if kind == "schema_enum" {
                property["enum"] = json!(["one", "two", "three"]);
            }
            self.tool["parameters"]["properties"][&field] = property;
            if !kind.is_empty() {
                let mut check = json!({"field": field, "is": kind});
                match kind {
                    "integer" => check.as_object_mut().into_iter().for_each(|check| {
                        check.insert("min".to_owned(), json!(0));
                        check.insert("max".to_owned(), json!(1));
                    }),
                    "phone_number" => check["min_digits"] = json!(1),
                    _ => {}
                }
                self.root["phone"]["check"]
                    .as_array_mut()
                    .into_iter()
                    .for_each(|checks| checks.push(check.clone()));
                self.root["phone"]["what"][&field] = format!("a {{good}} \"{field}\"").into();
            }
            fields.push(field);
        }
        self.root["phone"]["actions"]
            .as_array_mut()
            .into_iter()
            .for_each(|actions| actions.push(name.into()));
        self.root["phone"]["required"][name] = entries(&fields, random);
        self.root["phone"]["fields"][name] = fields.into();
    }
}

/// Required entries over these fields, each field in at most one.
fn entries(fields: &[String], random: &mut Random) -> Value {
    let mut entries: Vec<Value> = Vec::new();
    let mut rest = fields.to_vec();
    while !rest.is_empty() && !random.once_in(3) {
        let field = rest.remove(random.below(rest.len()));
        if random.once_in(3) && !rest.is_empty() {
            let other = rest.remove(random.below(rest.len()));
            entries.push(json!([field, other]));
        } else {
            entries.push(json!(field));
        }
    }
    entries.into()
}

fn shuffle(list: &mut Value, random: &mut Random) {
    let items = list.as_array_mut().map(Vec::as_mut_slice).unwrap_or_default();
    for at in (1..items.len()).rev() {
        items.swap(at, random.below(at + 1));
    }
}
