//! Whether a value is what `phone.check` says it must be (document 1 §2).

use serde_json::Value;

use super::{Decimal, Json, Spec};

/// Whether a cleaned value passes this entry of `phone.check`.
pub(super) fn passes(spec: &Spec, check: &Value, field: &str, value: &Json) -> bool {
    let text = value.as_text();
    let text = text.as_deref();
    match check["is"].as_str().unwrap_or_default() {
        "clock_time" => text.is_some_and(|text| {
            let hours_and_minutes = pattern(text, "00:00");
            hours_and_minutes && &text[..2] <= "23" && &text[3..] <= "59"
        }),
        "weekdays" => all(value, |day| {
            ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
                .contains(&day.as_text().unwrap_or_default().as_str())
        }),
        "integer" => match value {
            Json::Number(written) => Decimal::new(written).integer().is_some_and(|integer| {
                let bound = |key: &str| i128::from(check[key].as_i64().unwrap_or_default());
                bound("min") <= integer && integer <= bound("max")
            }),
            _ => false,
        },
        "date_or_datetime" => {
            text.is_some_and(|text| pattern(text, "0000-00-00") || pattern(text, "0000-00-00T00:00"))
        }
        "non_empty_strings" => all(value, |item| item.as_text().is_some_and(|text| !text.is_empty())),
        "phone_number" => text.is_some_and(|text| {
            let digits = text.chars().filter(char::is_ascii_digit).count() as u64;
            digits >= check["min_digits"].as_u64().unwrap_or_default()
                && text.chars().all(|c| c.is_ascii_digit() || " +()-./#*".contains(c))
        }),
        "place" => place(value),
        "places" => all(value, place),
        "schema_enum" => {
            let values = spec.property(field)["enum"].as_array().map(Vec::as_slice).unwrap_or_default();
            text.is_some_and(|text| values.iter().any(|value| value == text))
        }
        "http_url" => text.is_some_and(|text| {
            let lower = text.to_ascii_lowercase();
            let rest = lower.strip_prefix("http://").or_else(|| lower.strip_prefix("https://"));
            rest.is_some_and(|rest| !rest.is_empty())
        }),
        "boolean" => matches!(value, Json::Bool(_)),
        "string_map" => match value {
            Json::Object(members) => members.iter().all(|(_, value)| matches!(value, Json::String(_))),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a text has digits where the form has `0`, and else the form's own characters.
fn pattern(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text
            .bytes()
            .zip(form.bytes())
            .all(|(byte, form)| if form == b'0' { byte.is_ascii_digit() } else { byte == form })
}

fn all(value: &Json, item: impl Fn(&Json) -> bool) -> bool {
    match value {
        Json::List(items) => items.iter().all(item),
        _ => false,
    }
}

fn place(value: &Json) -> bool {
    let within = |key: &str, most: f64| match value.get(key) {
        Some(Json::Number(written)) => written.parse::<f64>().is_ok_and(|degrees| degrees.abs() <= most),
        _ => false,
    };
    let words = |key: &str| value.get(key).and_then(Json::as_text).is_some_and(|text| !text.is_empty());
    matches!(value, Json::Object(_))
        && (within("lat", 90.0) && within("lon", 180.0) || words("query") || words("name"))
}
