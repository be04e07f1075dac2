//! Words to a voice behind an API: ElevenLabs' streams, and `/v1/audio/speech` as OpenAI, Kokoro-FastAPI, speaches, LocalAI and others
//! speak it. JSON goes in, a file of audio comes out.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Response, StatusCode, Url};
use serde::Serialize;
use tokio::time::{sleep, timeout};

use super::{Error, client, fault};
use crate::config::{RemoteSpeech, Secret, SpeechApi};
use crate::voice::speech::{Code, Fault, Format, Speaking, Speech, Utterance};

/// The longest audio that is read, in bytes: some minutes of it, uncompressed.
const LONGEST: usize = 32 << 20;
/// The longest body of an error that is read, in bytes.
const ERROR_BYTES: usize = 64 << 10;
/// How often a request that did not come through is made again, and how long to wait before: a person waits on the line.
const PAUSES: [Duration; 2] = [Duration::from_millis(250), Duration::from_millis(750)];
/// The header of ElevenLabs' keys.
const XI_API_KEY: HeaderName = HeaderName::from_static("xi-api-key");

/// A speech service behind an API.
pub struct Remote {
    name: String,
    settings: RemoteSpeech,
    url: Url,
    headers: HeaderMap,
    client: reqwest::Client,
}

/// What ElevenLabs is sent. The format stands in the address.
#[derive(Serialize)]
struct ToElevenLabs<'a> {
    text: &'a str,
    model_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    language_code: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    previous_text: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    next_text: &'a str,
}

/// What an endpoint of `/v1/audio/speech` is sent.
#[derive(Serialize)]
struct ToOpenAi<'a> {
    model: &'a str,
    input: &'a str,
    voice: &'a str,
    response_format: &'a str,
}

impl Remote {
    /// A service. Nothing is sent anywhere yet.
    ///
    /// # Errors
    /// When it cannot be set up.
    pub fn new(settings: &RemoteSpeech) -> Result<Self, Error> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(key) = &settings.key {
            let (name, value) = match settings.api {
                SpeechApi::ElevenLabs => (XI_API_KEY, key.expose().to_owned()),
                SpeechApi::OpenAi => (AUTHORIZATION, format!("Bearer {}", key.expose())),
            };
            let mut value = HeaderValue::from_str(&value).map_err(|_| Error::Key)?;
            // It is left out wherever a header is printed.
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        let mut url = settings.url.clone();
        if settings.api == SpeechApi::ElevenLabs {
            url.query_pairs_mut().append_pair("output_format", &settings.format_word);
        }
        let origin = settings.url.origin().ascii_serialization();
        Ok(Self {
            name: format!("the voice {} of {} at {origin}", settings.voice, settings.model),
            settings: settings.clone(),
            url,
            headers,
            client: client(&settings.url, settings.connect)?,
        })
    }

    fn body(&self, utterance: &Utterance) -> Result<Vec<u8>, Fault> {
        let RemoteSpeech { model, voice, format_word, .. } = &self.settings;
        let body = match self.settings.api {
            SpeechApi::ElevenLabs => {
                // Its third generation takes no text around, and only the models behind the second take a language.
                let (around, choosing) = (!model.starts_with("eleven_v3"), model.ends_with("_v2_5"));
                let around = |text| if around { text } else { "" };
                serde_json::to_vec(&ToElevenLabs {
                    text: &utterance.text,
                    model_id: model,
                    language_code: utterance.language.as_deref().filter(|_| choosing),
                    previous_text: around(&utterance.before),
                    next_text: around(&utterance.after),
                })
            }
            SpeechApi::OpenAi => serde_json::to_vec(&ToOpenAi {
                model,
                input: &utterance.text,
                voice,
                response_format: format_word,
            }),
        };
        // Texts under fixed keys: there is nothing in it that JSON cannot say.
        body.map_err(|error| Fault::new(Code::Refused, error.to_string()))
    }

    async fn ask(&self, body: Vec<u8>) -> Result<Vec<u8>, Fault> {
        let request = self.client.post(self.url.clone()).headers(self.headers.clone()).body(body);
        let mut response = request.send().await.map_err(lost)?;
        let status = response.status();
        if !status.is_success() {
            let said = fault::of_body(&String::from_utf8_lossy(&whole(&mut response, ERROR_BYTES).await?));
            return Err(Fault::new(code(status), format!("{}: {said}", status.as_u16())));
        }
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default().to_ascii_lowercase();
        let audio = whole(&mut response, LONGEST).await?;
        // Some answer an error with 200, and a website does with a page.
        if kind.starts_with("application/json") || kind.starts_with("text/") {
            let said = fault::of_body(&String::from_utf8_lossy(&audio));
            return Err(Fault::new(Code::Unreadable, format!("it answered {kind}: {said}")));
        }
        if audio.is_empty() {
            return Err(Fault::new(Code::Unreadable, "it answered with no bytes"));
        }
        Ok(audio)
    }

    async fn ask_again(&self, utterance: &Utterance) -> Result<Vec<u8>, Fault> {
        let body = self.body(utterance)?;
        for pause in PAUSES {
            match self.ask(body.clone()).await {
                Err(Fault { code: Code::Unreachable | Code::Busy, .. }) => sleep(pause).await,
                done => return done,
            }
        }
        self.ask(body).await
    }

    /// Without the key and the words, where an answer quotes them.
    fn discreet(&self, mut fault: Fault, utterance: &Utterance) -> Fault {
        if let Some(key) = self.settings.key.as_ref().map(Secret::expose).filter(|key| !key.is_empty()) {
            fault.detail = fault.detail.replace(key, "(the key)");
        }
        if fault::quotes(&fault.detail, &utterance.text) {
            "what it said quotes the words, so it is not repeated here".clone_into(&mut fault.detail);
        }
        fault
    }
}

impl Speech for Remote {
    fn name(&self) -> &str {
        &self.name
    }

    fn limit(&self) -> usize {
        self.settings.max_characters
    }

    fn format(&self) -> Format {
        self.settings.format
    }

    fn metered(&self) -> bool {
        self.settings.metered
    }

    fn speak(&self, utterance: Utterance) -> Speaking<'_> {
        Box::pin(async move {
            let limit = self.settings.answer;
            let asked = timeout(limit, self.ask_again(&utterance)).await.unwrap_or_else(|_| {
                let late = format!("the audio was not there within {} s", limit.as_secs_f64());
                Err(Fault::new(Code::Slow, late))
            });
            asked.map_err(|fault| self.discreet(fault, &utterance))
        })
    }
}

/// A body, bounded.
async fn whole(response: &mut Response, most: usize) -> Result<Vec<u8>, Fault> {
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(lost)? {
        if body.len() + bytes.len() > most {
            return Err(Fault::new(Code::Unreadable, format!("the answer is longer than {most} bytes")));
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body)
}

/// The code of a status that is no success.
fn code(status: StatusCode) -> Code {
    match status.as_u16() {
        // No redirect is followed: the key would go with it. 402 is an account that is used up, as 401 is at ElevenLabs.
        300..=399 | 401..=405 | 410 => Code::Misconfigured,
        408 | 409 | 425 | 429 | 500..=599 => Code::Busy,
        400..=499 => Code::Refused,
        _ => Code::Unreadable,
    }
}

/// A connection that did not come about, or was lost.
fn lost(error: reqwest::Error) -> Fault {
    // Without the address, which may hold what is nobody's business; the innermost cause says what happened.
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    Fault::new(Code::Unreachable, cause.to_string())
}

#[cfg(test)]
mod tests;
