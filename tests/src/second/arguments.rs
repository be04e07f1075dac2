//! Arguments before they are a call (spec-format, "phone"): what is read as an object, and what is none.

use super::{Decimal, Json};

/// Why arguments are no call; the key of the text below `tools.texts`.
pub type Fault = &'static str;

/// The objects that stand in arguments, each with its own verdict.
pub fn objects(text: &str) -> Vec<Result<Json, Fault>> {
    read(text, 3).unwrap_or_else(|fault| vec![Err(fault)])
}

fn read(text: &str, layers: u32) -> Result<Vec<Result<Json, Fault>>, Fault> {
    if text.trim().is_empty() {
        return Ok(vec![Ok(Json::Object(Vec::new()))]);
    }
    let values = Json::parse_all(text).ok_or("not_json")?;
    match &*values {
        [Json::Null] => Ok(vec![Ok(Json::Object(Vec::new()))]),
        [string @ Json::String(_)] => match string.as_text() {
            None => Err("lone_surrogate"),
            Some(_) if layers == 0 => Err("not_an_object"),
            Some(held) => read(&held, layers - 1)
                .map_err(|fault| if fault == "not_json" { "not_an_object" } else { fault }),
        },
        [Json::Object(_), ..] => {
            // Only objects may stand one after another.
            if values.iter().all(|value| matches!(value, Json::Object(_))) {
                Ok(values.into_iter().map(fit).collect())
            } else {
                Err("not_json")
            }
        }
        [_] => Err("not_an_object"),
        _ => Err("not_json"),
    }
}

/// An object that a call can be read from.
fn fit(object: Json) -> Result<Json, Fault> {
    let lone = |units: &[u16]| String::from_utf16(units).is_err();
    let large = |written: &str| !Decimal::is_finite(written);
    match (object.any(&lone, &|_| false), object.any(&|_| false, &large)) {
        (false, false) => Ok(object.once()),
        (true, false) => Err("lone_surrogate"),
        (false, true) => Err("number_too_large"),
        // Whichever comes first in the text: not told apart here.
        (true, true) => Err("lone_surrogate or number_too_large"),
    }
}
