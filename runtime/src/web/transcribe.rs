//! `POST /api/transcribe`, and `/transcribe` as document 2 names it: a voice in, its words, feeling and tone out.

use std::fmt;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderName, StatusCode};
use handset_spec::Language;
use serde::Deserialize;

use super::App;
use super::auth::Who;
use super::error::ApiError;
use super::extract::{Query, once};
use super::form;
use crate::ids::PersonId;
use crate::store::{self, Once};
use crate::voice::audio::{Fault, Limits};
use crate::voice::hearing::{self, Sound};
use crate::voice::recogniser::{Code, Failure, Recogniser};
use crate::voice::tone;
use crate::voice::transcript::Transcript;

/// What a form has around the recording, in bytes, at most.
const AROUND: usize = 64 * 1024;
/// A recording may take this many times as long to come as other bodies: it is larger.
const PATIENCE: u32 = 4;

/// What the server hears with.
#[derive(Clone, Default)]
pub struct Ears {
    /// What turns a voice into words, where something does.
    pub recogniser: Option<Arc<dyn Recogniser>>,
    /// How much is taken of an upload.
    pub limits: Limits,
}

impl fmt::Debug for Ears {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.recogniser.as_ref().map(|recogniser| recogniser.name());
        f.debug_struct("Ears").field("recogniser", &name).field("limits", &self.limits).finish()
    }
}

/// What stands beside a recording: in the query, or in fields of its form.
#[derive(Default, Deserialize)]
pub(super) struct Asked {
    /// The language that is spoken, where the client knows it.
    language: Option<String>,
    /// Whether the figures are kept: not those of a trial.
    remember: Option<String>,
    /// A repetition is kept once.
    client_id: Option<String>,
}

impl Asked {
    /// With what stands in the other, where something does.
    fn or(self, other: Self) -> Self {
        Self {
            language: self.language.or(other.language),
            remember: self.remember.or(other.remember),
            client_id: self.client_id.or(other.client_id),
        }
    }
}

pub(super) async fn transcribe(
    State(app): State<App>,
    who: Who,
    Query(asked): Query<Asked>,
    request: Request,
) -> Result<Json<Transcript>, ApiError> {
    let (recording, fields) = recording(&app, request).await?;
    let asked = fields.or(asked);
    let (language, remember) = (language(asked.language)?, flag("remember", asked.remember, true)?);
    let once = once(&app, asked.client_id)?;
    let (transcript, _) = understood(&app, &who.person, recording, language, remember, once).await?;
    Ok(Json(transcript))
}

/// What a person said in a recording, and how, with the language that they read; and what is usual for their voice counts it.
pub(super) async fn understood(
    app: &App,
    person: &PersonId,
    recording: Vec<u8>,
    language: Option<String>,
    remember: bool,
    once: Option<Once>,
) -> Result<(Transcript, Language), ApiError> {
    let sound = listen(app, recording).await?;
    let Some(recogniser) = &app.ears.recogniser else { return Err(no_recogniser()) };
    let words = hearing::understand(&**recogniser, &sound, language).await?;
    let personal = app.gateway.store.settings(person.clone()).await?;
    let personal = personal.ok_or_else(|| ApiError::not_found("person"))?;
    let (sound, words, features) = measured(sound, words).await?;
    let knobs = &personal.settings.tone;
    let usual = app.gateway.usual_voice(person, knobs).await?;
    // Within the spec's bounds, so that they are small and not negative.
    let limits = tone::Limits { min: knobs.baseline_min as usize, most: knobs.max_cues as usize };
    let (words, features, reads) = (Some(words), features.as_ref(), personal.reads());
    let transcript = Transcript::new(&sound, words, features, &usual, limits, reads);
    if let (true, Some(features)) = (remember, features) {
        let words = transcript.text.as_deref().unwrap_or_default();
        match app.gateway.remember_voice(person, words, features, once).await {
            Ok(_) => {}
            Err(error @ store::Error::Reused) => return Err(error.into()),
            // What was heard is told all the same.
            Err(error) => tracing::warn!(%error, "how it was said is not remembered"),
        }
    }
    Ok((transcript, reads))
}

/// The recording in a request, and what its form says beside it: the field `audio` or `file` of a form, or else the whole
/// body, whatever it calls itself.
async fn recording(app: &App, request: Request) -> Result<(Vec<u8>, Asked), ApiError> {
    let limits = app.ears.limits;
    let length = header(&request, CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    let boundary = header(&request, CONTENT_TYPE).and_then(form::boundary);
    let boundary = boundary.map(|boundary| boundary.map(str::to_owned));
    let most = limits.bytes().saturating_add(AROUND);
    if length.is_some_and(|length| length > most) {
        return Err(Fault::TooLarge { megabytes: limits.megabytes }.into());
    }
    let reading = whole(request.into_body(), most, limits);
    let body = tokio::time::timeout(app.body_within * PATIENCE, reading)
        .await
        .map_err(|_| ApiError::too_slow())??;
    let Some(boundary) = boundary else { return Ok((body, Asked::default())) };
    let bad_form = |message: &str| ApiError::new(StatusCode::BAD_REQUEST, "bad_form", message);
    let Some(boundary) = boundary else {
        return Err(bad_form("The form's Content-Type names no boundary.")
            .hint("Leave the header to what makes the form: a browser's FormData, curl's -F."));
    };
    let Some(fields) = form::fields(&body, &boundary) else {
        return Err(bad_form(
            "The form is cut off, or it is not of the boundary that its Content-Type names.",
        )
        .hint("Send it again, whole; leave the header to what makes the form."));
    };
    let named = |name: &str| fields.iter().find(|field| field.name == name);
    let file = || fields.iter().find(|field| field.is_file);
    let Some(audio) = named("audio").or_else(|| named("file")).or_else(file) else {
        let names: Vec<_> = fields.iter().map(|field| field.name).collect();
        let found =
            if names.is_empty() { "no fields".to_owned() } else { format!("only {}", names.join(", ")) };
        return Err(bad_form(&format!("The form has no field audio; it has {found}."))
            .hint("Put the recording into a field named audio."));
    };
    let text = |name: &str| named(name).map(|field| String::from_utf8_lossy(field.value).into_owned());
    let beside =
        Asked { language: text("language"), remember: text("remember"), client_id: text("client_id") };
    Ok((audio.value.to_vec(), beside))
}

fn header(request: &Request, name: HeaderName) -> Option<&str> {
    request.headers().get(name).and_then(|value| value.to_str().ok())
}

/// The whole body, bounded.
async fn whole(body: Body, most: usize, limits: Limits) -> Result<Vec<u8>, ApiError> {
    match to_bytes(body, most).await {
        Ok(bytes) => Ok(bytes.into()),
        Err(error) => {
            let mut inner: &dyn std::error::Error = &error;
            while let Some(source) = inner.source() {
                inner = source;
            }
            Err(if inner.to_string().contains("limit") {
                Fault::TooLarge { megabytes: limits.megabytes }.into()
            } else {
                ApiError::new(StatusCode::BAD_REQUEST, "cut_off", "The request ended before its body did.")
                    .hint("Send it again.")
            })
        }
    }
}

/// A language as recognisers take it: a word of ISO 639, without what may follow it. A blank one is none.
pub(super) fn language(given: Option<String>) -> Result<Option<String>, ApiError> {
    let Some(given) = given else { return Ok(None) };
    let word = given.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    if word.is_empty() || word == "auto" {
        return Ok(None);
    }
    if !(2..=3).contains(&word.len()) || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Err(ApiError::invalid(
            "language must be a code such as en or zh; leave it out where it is not known.",
        ));
    }
    Ok(Some(word))
}

/// Something that is so or not; a blank one is as if it were not there.
fn flag(name: &str, given: Option<String>, otherwise: bool) -> Result<bool, ApiError> {
    match given.as_deref().map(str::trim) {
        None | Some("") => Ok(otherwise),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(_) => Err(ApiError::invalid(format!("{name} must be true or false."))),
    }
}

/// Listens beside the threads that serve, and to few recordings at once.
async fn listen(app: &App, recording: Vec<u8>) -> Result<Sound, ApiError> {
    let limits = app.ears.limits;
    // It is never closed.
    let _turn = app.listening.acquire().await;
    let listening = tokio::task::spawn_blocking(move || hearing::listen(recording, limits));
    Ok(listening.await.map_err(|_| internal())??)
}

/// How it was said, counted beside the threads that serve.
async fn measured(
    sound: Sound,
    words: crate::voice::recogniser::Words,
) -> Result<(Sound, crate::voice::recogniser::Words, Option<tone::Features>), ApiError> {
    let measuring = tokio::task::spawn_blocking(move || {
        let features = hearing::features(&sound, Some(&words.text));
        (sound, words, features)
    });
    measuring.await.map_err(|_| internal())
}

fn internal() -> ApiError {
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "A fault of the program ended this request.")
        .hint("The server's log says where.")
}

fn no_recogniser() -> ApiError {
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "no_recogniser",
        "This server has nothing that turns a voice into words: the operator names it under [voice.recogniser] in \
         handset.toml.",
    )
    .hint("kind = \"openai\", url and model of any endpoint of /v1/audio/transcriptions; then start the server again.")
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        let status = match &fault {
            Fault::Empty => StatusCode::BAD_REQUEST,
            Fault::UnknownContainer { .. } | Fault::UnknownCodec { .. } => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Fault::TooLong { .. } | Fault::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Fault::HeaderOnly { .. }
            | Fault::Truncated { .. }
            | Fault::Corrupt { .. }
            | Fault::NoAudio { .. }
            | Fault::WrongOrder { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::new(status, fault.code(), fault.to_string())
    }
}

impl From<Failure> for ApiError {
    fn from(failure: Failure) -> Self {
        tracing::warn!(code = failure.code.word(), detail = %failure.detail, "the recogniser gave nothing");
        let status = match failure.code {
            Code::Slow => StatusCode::GATEWAY_TIMEOUT,
            Code::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Code::Unreachable | Code::Misconfigured | Code::Refused | Code::Unreadable => {
                StatusCode::BAD_GATEWAY
            }
        };
        let told = Self::new(status, failure.code.word(), failure.code.sentence());
        if failure.code == Code::Busy { told.retry_after(2) } else { told }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_codes() {
        let read = |given: &str| language(Some(given.to_owned()));
        for (given, expected) in
            [("en", Some("en")), ("zh-CN", Some("zh")), (" EN_us ", Some("en")), ("", None), ("auto", None)]
        {
            assert_eq!(read(given).unwrap().as_deref(), expected, "{given}");
        }
        for given in ["english", "e", "1\r\n"] {
            assert!(read(given).is_err(), "{given}");
        }
    }
}
