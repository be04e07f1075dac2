//! `/api/readings`: texts that a person put in to be read to, each with its bookmark.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use handset_spec::Language;
use handset_spec::settings::reading::{MOST_KILOBYTES, MOST_TEXTS};
use serde::{Deserialize, Serialize};

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::extract::{Body, Id, LargeText, Query, once};
use crate::clock::rfc3339;
use crate::gateway::language;
use crate::ids::ReadingId;
use crate::store::{NewReading, Reading, ReadingChange};

/// How long a title may be, in characters.
const MAX_TITLE: usize = 120;
/// How many characters of a text's first line are its title where it was given none.
const FIRST_LINE: usize = 60;
/// How large a text may be, in bytes.
pub(super) const MAX_TEXT: usize = MOST_KILOBYTES * 1_000;

/// A text, as JSON, without its words.
#[derive(Debug, Serialize)]
pub(super) struct ReadingView {
    id: String,
    title: String,
    language: &'static str,
    /// How many characters it has.
    chars: i64,
    /// Behind how many of them it is read on.
    bookmark: i64,
    /// How it goes on there; empty where it was read to its end.
    next: String,
    created_at: String,
    created_at_ms: i64,
    /// When it was read from last; null where it was not yet.
    read_at: Option<String>,
    read_at_ms: Option<i64>,
}

impl From<Reading> for ReadingView {
    fn from(reading: Reading) -> Self {
        Self {
            id: reading.id.to_string(),
            title: reading.title,
            language: reading.language.key(),
            chars: reading.chars,
            bookmark: reading.bookmark,
            next: reading.next.split_whitespace().collect::<Vec<_>>().join(" "),
            created_at: rfc3339(reading.created_ms),
            created_at_ms: reading.created_ms,
            read_at: reading.read_ms.map(rfc3339),
            read_at_ms: reading.read_ms,
        }
    }
}

/// A person's texts, and how much they may be.
#[derive(Debug, Serialize)]
pub(super) struct Readings {
    readings: Vec<ReadingView>,
    limits: Limits,
}

#[derive(Debug, Serialize)]
struct Limits {
    texts: usize,
    text_bytes: usize,
    title_chars: usize,
}

pub(super) async fn list(State(app): State<App>, who: Who) -> Result<Json<Readings>, ApiError> {
    let readings = app.gateway.store.readings(who.person).await?;
    let limits = Limits { texts: MOST_TEXTS, text_bytes: MAX_TEXT, title_chars: MAX_TITLE };
    Ok(Json(Readings { readings: readings.into_iter().map(ReadingView::from).collect(), limits }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Add {
    text: String,
    title: Option<String>,
    language: Option<String>,
    client_id: Option<String>,
}

/// Takes a text in.
pub(super) async fn add(
    State(app): State<App>,
    who: Who,
    LargeText(add): LargeText<Add>,
) -> Result<(StatusCode, Json<ReadingView>), ApiError> {
    let once = once(&app, add.client_id)?;
    if add.text.len() > MAX_TEXT {
        let found = add.text.len();
        let message = format!("The text has {found} bytes; it may have {MAX_TEXT}.");
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
            .hint("Put it in as several texts, a chapter each."));
    }
    let text = plain(&add.text);
    if !text.chars().any(char::is_alphanumeric) {
        return Err(ApiError::invalid("text has no word in it."));
    }
    let first = text.lines().find(|line| line.chars().any(char::is_alphanumeric)).unwrap_or_default();
    let title = title(add.title)?.unwrap_or_else(|| first.trim().chars().take(FIRST_LINE).collect());
    let language = match add.language.as_deref().map(str::trim).filter(|key| !key.is_empty()) {
        None => language::of(&text),
        Some(key) => Language::from_key(key)
            .ok_or_else(|| ApiError::invalid("language must be en or zh; left out, it is found out."))?,
    };
    let reading =
        NewReading { person: who.person, title, language, text, now_ms: app.gateway.clock.now_ms() };
    let added = app.gateway.store.add_reading(reading, MOST_TEXTS, once).await?;
    let added = added.ok_or_else(|| {
        let message = format!("There are {MOST_TEXTS} texts already, as many as may be.");
        ApiError::new(StatusCode::CONFLICT, "too_many_readings", message)
            .hint("Delete one that is read to its end.")
    })?;
    Ok((StatusCode::CREATED, Json(added.into())))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Change {
    title: Option<String>,
    bookmark: Option<i64>,
    client_id: Option<String>,
}

/// Changes a text's title, moves its bookmark.
pub(super) async fn change(
    State(app): State<App>,
    who: Who,
    Id(reading): Id,
    Body(change): Body<Change>,
) -> Result<Json<ReadingView>, ApiError> {
    let once = once(&app, change.client_id)?;
    if change.bookmark.is_some_and(|bookmark| bookmark < 0) {
        return Err(ApiError::invalid(
            "bookmark must be 0 or more: behind how many characters it is read on.",
        ));
    }
    let change = ReadingChange { title: title(change.title)?, bookmark: change.bookmark };
    let reading = ReadingId::from_text(reading);
    let changed = app.gateway.store.change_reading(who.person, reading, change, once).await?;
    Ok(Json(changed.ok_or_else(|| ApiError::not_found("reading"))?.into()))
}

/// A write without a body says its client id in the query.
#[derive(Deserialize)]
pub(super) struct Repeat {
    client_id: Option<String>,
}

pub(super) async fn delete(
    State(app): State<App>,
    who: Who,
    Id(reading): Id,
    Query(repeat): Query<Repeat>,
) -> Result<StatusCode, ApiError> {
    let once = once(&app, repeat.client_id)?;
    let gone = app.gateway.store.delete_reading(who.person, ReadingId::from_text(reading), once).await?;
    if gone { Ok(StatusCode::NO_CONTENT) } else { Err(ApiError::not_found("reading")) }
}

/// A text as it is kept: line breaks LF, no other control character but tabs, no blanks at its ends.
fn plain(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let kept = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let kept: String = text.chars().filter(kept).collect();
    kept.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').to_owned()
}

/// A title in one line; a blank one is none.
fn title(given: Option<String>) -> Result<Option<String>, ApiError> {
    let Some(given) = given else { return Ok(None) };
    let title = given.trim();
    if title.chars().count() > MAX_TITLE || title.chars().any(char::is_control) {
        return Err(ApiError::invalid(format!(
            "title may have {MAX_TITLE} characters, none a control character."
        )));
    }
    Ok((!title.is_empty()).then(|| title.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_kept_plain() {
        assert_eq!(plain("\u{feff}One.\r\n\r\nTwo.\u{0}\u{7}\tThree.\r \n"), "One.\n\nTwo.\tThree.");
        assert_eq!(title(Some("  ".to_owned())).unwrap(), None);
        assert!(title(Some("x".repeat(MAX_TITLE + 1))).is_err() && title(Some("a\nb".to_owned())).is_err());
    }
}
