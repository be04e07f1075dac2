//! A call read against loop.json, step by step as spec-format's reading order counts them.

use super::{Decimal, Json, Spec, Verdict, arguments, checks};

impl Spec {
    /// What becomes of the arguments of a tool call: a verdict a call in them.
    pub fn read(&self, text: &str) -> Vec<Verdict> {
        let objects = arguments::objects(text);
        objects
            .into_iter()
            .map(|object| {
                object.map_or_else(|fault| Verdict::Refused(fault.to_owned()), |object| self.call(&object))
            })
            .collect()
    }

    /// What becomes of one call.
    pub fn call(&self, call: &Json) -> Verdict {
        // (2) the action, exactly
        let named = call.get("action").and_then(Json::as_text);
        let Some(action) = self.actions().into_iter().find(|action| named.as_deref() == Some(*action)) else {
            let actions = self.actions().join(", ");
            return Verdict::Refused(self.text("phone", "unknown_action", &[("actions", &actions)]));
        };
        // (3) what is there, cleaned
        let mut fields: Vec<(&str, Json)> = Vec::new();
        for field in self.fields(action) {
            if let Some(value) = call.get(field).map(clean).filter(present) {
                fields.push((field, value));
            }
        }
        let value = |field: &str| fields.iter().find(|(name, _)| *name == field).map(|(_, value)| value);
        // (4) what is missing
        let missing: Vec<_> = self
            .required(action)
            .into_iter()
            .filter(|entry| entry.iter().all(|field| value(field).is_none()))
            .map(|entry| entry.join(" or "))
            .collect();
        if !missing.is_empty() {
            let fields = missing.join(" and ");
            return Verdict::Refused(self.text(
                "phone",
                "missing",
                &[("action", action), ("fields", &fields)],
            ));
        }
        // (5) what is not what it should be
        for (field, check) in self.checks() {
            if value(field).is_some_and(|value| !checks::passes(self, check, field, value)) {
                let what = self.root["phone"]["what"][field].as_str().unwrap_or_default();
                let holes = [("action", action), ("field", field), ("what", what)];
                return Verdict::Refused(self.text("phone", "bad", &holes));
            }
        }
        // (6) it passes
        let summary = call.get("summary").map(clean).and_then(|summary| summary.as_text());
        let summary = summary.filter(|summary| !summary.is_empty()).unwrap_or_else(|| action.to_owned());
        let own = [("action", Json::text(action)), ("summary", Json::text(&summary))];
        let members = own.into_iter().chain(fields.iter().map(|(field, value)| (*field, value.clone())));
        Verdict::Ok(Json::Object(members.map(|(key, value)| (key.encode_utf16().collect(), value)).collect()))
    }
}

/// Reading order 3, at any depth.
fn clean(value: &Json) -> Json {
    match value {
        Json::String(_) => match value.as_text() {
            Some(text) => {
                let kept: String = text.chars().filter(|c| *c >= ' ' || "\t\n\r".contains(*c)).collect();
                Json::text(kept.trim())
            }
            None => value.clone(),
        },
        Json::Number(written) => match Decimal::new(written).integer() {
            Some(integer) => Json::Number(integer.to_string()),
            None => value.clone(),
        },
        Json::List(items) => Json::List(items.iter().map(clean).collect()),
        Json::Object(members) => {
            Json::Object(members.iter().map(|(key, value)| (key.clone(), clean(value))).collect())
        }
        other => other.clone(),
    }
}

/// Presence, of a cleaned value.
fn present(value: &Json) -> bool {
    match value {
        Json::Null => false,
        Json::String(units) => !units.is_empty(),
        Json::List(items) => !items.is_empty(),
        Json::Object(members) => !members.is_empty(),
        _ => true,
    }
}
