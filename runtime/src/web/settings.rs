//! `/api/settings`: what each person sets for themselves, within the spec's bounds; and how a page may show it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use handset_spec::Language;
use handset_spec::settings::{Fault, FaultKind, Settings};
use handset_spec_macros::text;
use serde_json::{Map, Value, json};

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::extract::{Body, once};
use crate::config::nearest;
use crate::gateway::settings::SettingsView;
use crate::store::Tune;
use crate::zone;

/// The keys of a change.
const KEYS: [&str; 5] = ["settings", "language", "zone", "dnd", "client_id"];
/// How many faults of a change are told.
const MOST_TOLD: usize = 5;

pub(super) async fn show(State(app): State<App>, who: Who) -> Result<Json<SettingsView>, ApiError> {
    let personal = app.gateway.store.settings(who.person).await?;
    let personal = personal.ok_or_else(|| ApiError::not_found("person"))?;
    Ok(Json(SettingsView::new(&personal, Vec::new())))
}

/// Changes what is named, and nothing else. In `settings`, null puts back the spec's default; a language that is null is
/// that of the person's words; a zone that is null is UTC.
pub(super) async fn change(
    State(app): State<App>,
    who: Who,
    Body(change): Body<Map<String, Value>>,
) -> Result<Json<SettingsView>, ApiError> {
    if let Some(unknown) = change.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(unknown_setting(unknown, &KEYS[..4]));
    }
    let text = |key: &str| match change.get(key) {
        None => Ok(None),
        Some(Value::Null) => Ok(Some(None)),
        Some(Value::String(text)) => Ok(Some(Some(text.clone()))),
        Some(_) => Err(ApiError::invalid(format!("{key} must be a string or null."))),
    };
    let once = once(&app, text("client_id")?.flatten())?;
    let dnd = match change.get("dnd") {
        None => None,
        Some(Value::Bool(on)) => Some(*on),
        Some(_) => return Err(ApiError::invalid("dnd must be true or false.")),
    };
    let tune = Tune {
        settings: change.get("settings").cloned(),
        language: text("language")?.map(language).transpose()?,
        zone: text("zone")?.map(zone_name).transpose()?,
        dnd,
    };
    match app.gateway.tune(&who.person, tune, once).await? {
        None => Err(ApiError::not_found("person")),
        Some(Err(faults)) => Err(refused(&faults)),
        Some(Ok(tuned)) => Ok(Json(SettingsView::new(&tuned.personal, tuned.clamped))),
    }
}

fn language(key: Option<String>) -> Result<Option<Language>, ApiError> {
    let Some(key) = key else { return Ok(None) };
    let language = Language::from_key(&key);
    language.map(Some).ok_or_else(|| {
        let known = Language::ALL.iter().map(|language| language.key()).collect::<Vec<_>>().join(", ");
        ApiError::invalid(format!("language is none of {known}, and not null."))
    })
}

fn zone_name(name: Option<String>) -> Result<String, ApiError> {
    let Some(name) = name else { return Ok(zone::DEFAULT.to_owned()) };
    if let Some((name, _)) = zone::named(&name) {
        return Ok(name);
    }
    let meant = zone::nearest(&name).map_or_else(
        || "Write a name of the IANA time zone database, such as Europe/Berlin.".to_owned(),
        |name| format!("Did you mean {name}?"),
    );
    Err(ApiError::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "unknown_zone",
        format!("zone names no time zone. {meant}"),
    ))
}

fn unknown_setting(path: &str, known: &[&str]) -> ApiError {
    let message = unknown(path, known);
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unknown_setting", message)
}

fn unknown(path: &str, known: &[&str]) -> String {
    let (owner, key) = path.rsplit_once('.').map_or(("", path), |(owner, key)| (owner, key));
    let shown: String = path.chars().take(64).collect();
    match nearest(key, known.iter().copied()) {
        Some(meant) if owner.is_empty() => format!("There is no setting {shown}: did you mean {meant}?"),
        Some(meant) => format!("There is no setting {shown}: did you mean {owner}.{meant}?"),
        None => format!("There is no setting {shown}; there are {}.", known.join(", ")),
    }
}

/// Everything that is wrong, in one message; nothing was changed.
fn refused(faults: &[Fault]) -> ApiError {
    let told = faults.iter().take(MOST_TOLD).map(|fault| {
        let path =
            if fault.path.is_empty() { "settings".to_owned() } else { format!("settings.{}", fault.path) };
        match &fault.kind {
            FaultKind::Unknown(known) => unknown(&path, known),
            FaultKind::Expected(expected) => format!("{path} must be {expected}."),
        }
    });
    let message = told.collect::<Vec<_>>().join(" ");
    let all_unknown = faults.iter().all(|fault| matches!(fault.kind, FaultKind::Unknown(_)));
    let code = if all_unknown { "unknown_setting" } else { "invalid" };
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
        .hint("Nothing was changed. GET /api/settings/form tells every setting with its type and bounds.")
}

/// What a settings page needs to show and change everything, in every language.
pub(super) async fn form(_who: Who) -> Json<Value> {
    let languages: Vec<_> = Language::ALL.iter().map(|language| language.key()).collect();
    let by = |text: fn(Language) -> &'static str| json!({"en": text(Language::En), "zh": text(Language::Zh)});
    Json(json!({
        "person": [
            {"key": "language", "values": languages, "default": null,
             "label": by(|language| text!(settings.language in language)),
             "help": by(|language| text!(settings.language_help in language))},
            {"key": "zone", "default": zone::DEFAULT,
             "label": by(|language| text!(settings.zone in language)),
             "help": by(|language| text!(settings.zone_help in language))},
            {"key": "dnd", "default": false,
             "label": by(|language| text!(settings.dnd in language)),
             "help": by(|language| text!(settings.dnd_help in language))},
        ],
        "units": {
            "seconds": by(|language| text!(settings.seconds in language)),
            "minutes": by(|language| text!(settings.minutes in language)),
            "hours": by(|language| text!(settings.hours in language)),
            "count": by(|language| text!(settings.count in language)),
            "factor": by(|language| text!(settings.factor in language)),
        },
        "sections": Settings::form(),
    }))
}
