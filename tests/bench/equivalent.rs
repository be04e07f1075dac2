//! The checks of the spec as a JSON Schema, as somebody would write it who had no compiler: a branch an action, null
//! allowed where a field may be absent. It takes the easy road where the spec is subtle (blanks, empty values), which
//! makes it quicker, not slower.

use handset_tests::second::Spec;
use serde_json::{Value, json};

/// The schema of a call.
pub(crate) fn schema(spec: &Spec) -> Value {
    let branches: Vec<Value> = spec
        .actions()
        .into_iter()
        .map(|action| {
            let required = spec.required(action);
            let single: Vec<_> = required.iter().filter(|entry| entry.len() == 1).map(|entry| entry[0]).collect();
            let groups: Vec<Value> = required
                .iter()
                .filter(|entry| entry.len() > 1)
                .map(|entry| json!({"anyOf": entry.iter().map(|field| json!({"required": [field]})).collect::<Vec<_>>()}))
                .collect();
            let properties: serde_json::Map<String, Value> = spec
                .checks()
                .into_iter()
                .filter(|(field, _)| spec.fields(action).contains(field))
                .map(|(field, check)| {
                    let schema = check_schema(spec, field, check);
                    let schema = if single.contains(&field) { schema } else { json!({"anyOf": [{"type": "null"}, schema]}) };
                    (field.to_owned(), schema)
                })
                .collect();
            let mut then = json!({"required": single, "properties": properties});
            if !groups.is_empty() {
                then["allOf"] = Value::Array(groups);
            }
            json!({"if": {"properties": {"action": {"const": action}}}, "then": then})
        })
        .collect();
    json!({"type": "object", "required": ["action"], "properties": {"action": {"enum": spec.actions()}}, "allOf": branches})
}

fn check_schema(spec: &Spec, field: &str, check: &Value) -> Value {
    let place = json!({
        "type": "object",
        "anyOf": [
            {
                "required": ["lat", "lon"],
                "properties": {
                    "lat": {"type": "number", "minimum": -90, "maximum": 90},
                    "lon": {"type": "number", "minimum": -180, "maximum": 180}
                }
            },
            {"required": ["query"], "properties": {"query": {"type": "string", "minLength": 1}}},
            {"required": ["name"], "properties": {"name": {"type": "string", "minLength": 1}}}
        ]
    });
    match check["is"].as_str().unwrap_or_default() {
        "clock_time" => json!({"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}),
        "weekdays" => {
            json!({"type": "array", "items": {"enum": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]}})
        }
        "integer" => json!({"type": "integer", "minimum": check["min"], "maximum": check["max"]}),
        "date_or_datetime" => {
            json!({"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2})?$"})
        }
        "non_empty_strings" => json!({"type": "array", "items": {"type": "string", "minLength": 1}}),
        "phone_number" => json!({"type": "string", "pattern": "^[^0-9]*([0-9][^0-9]*){3,}$"}),
        "place" => place,
        "places" => json!({"type": "array", "items": place}),
        "schema_enum" => json!({"enum": spec.property(field)["enum"]}),
        "http_url" => json!({"type": "string", "pattern": "^[hH][tT][tT][pP][sS]?://."}),
        "boolean" => json!({"type": "boolean"}),
        _ => json!({"type": "object", "additionalProperties": {"type": "string"}}),
    }
}
