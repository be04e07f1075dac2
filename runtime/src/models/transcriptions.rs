//! `/v1/audio/transcriptions`, as OpenAI, speaches, LocalAI, vLLM, llama.cpp's and whisper.cpp's servers and others speak it:
//! a WAV in a form goes in, JSON with the text comes out.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Response, StatusCode};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::timeout;

use super::lenient::{text, word};
use super::{Error, client, fault};
use crate::config::{Secret, Transcriber as Settings};
use crate::voice::recogniser::{Code, Failure, Recogniser, Recognising, Utterance, Words};
use crate::voice::{audio, tags};

/// The longest answer that is read, in bytes: an hour of talk is a tenth of it.
const LONGEST: usize = 1 << 20;
/// How often a request that did not come through is made again, and how long to wait before.
const PAUSES: [Duration; 1] = [Duration::from_millis(250)];
/// What stands between the fields of the form; a recording that holds it would have to be made for it.
const BOUNDARY: &str = "handset-7d1f6c0b9a3e4528b4c6";

/// A recogniser behind an endpoint.
pub struct Transcriptions {
    name: String,
    settings: Settings,
    headers: HeaderMap,
    client: reqwest::Client,
}

impl Transcriptions {
    /// A recogniser. Nothing is sent anywhere yet.
    ///
    /// # Errors
    /// When it cannot be set up.
    pub fn new(settings: &Settings) -> Result<Self, Error> {
        let mut headers = HeaderMap::new();
        let form = format!("multipart/form-data; boundary={BOUNDARY}");
        headers.insert(CONTENT_TYPE, HeaderValue::from_str(&form).map_err(|_| Error::Key)?);
        if let Some(key) = &settings.key {
            let mut value =
                HeaderValue::from_str(&format!("Bearer {}", key.expose())).map_err(|_| Error::Key)?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        Ok(Self {
            name: format!("{} at {}", settings.model, settings.url.origin().ascii_serialization()),
            settings: settings.clone(),
            headers,
            client: client(&settings.url, settings.connect)?,
        })
    }

    async fn ask(&self, body: Vec<u8>) -> Result<Words, Failure> {
        let request = self.client.post(self.settings.url.clone()).headers(self.headers.clone()).body(body);
        let mut response = request.send().await.map_err(lost)?;
        let status = response.status();
        let answer = whole(&mut response).await?;
        if !status.is_success() {
            let said = fault::of_body(&String::from_utf8_lossy(&answer));
            return Err(self.discreet(Failure::new(code(status), format!("{}: {said}", status.as_u16()))));
        }
        read(&answer)
    }

    /// Without the key, where an answer quotes it.
    fn discreet(&self, mut failure: Failure) -> Failure {
        if let Some(key) = self.settings.key.as_ref().map(Secret::expose).filter(|key| !key.is_empty()) {
            failure.detail = failure.detail.replace(key, "(the key)");
        }
        failure
    }
}

impl Recogniser for Transcriptions {
    fn name(&self) -> &str {
        &self.name
    }

    fn recognise(&self, utterance: Utterance) -> Recognising<'_> {
        Box::pin(async move {
            let body = form(&self.settings.model, utterance.language.as_deref(), &utterance.samples);
            let limit = self.settings.answer;
            let asking = async {
                for pause in PAUSES {
                    match self.ask(body.clone()).await {
                        Err(Failure { code: Code::Unreachable | Code::Busy, .. }) => {
                            tokio::time::sleep(pause).await
                        }
                        done => return done,
                    }
                }
                self.ask(body).await
            };
            timeout(limit, asking).await.unwrap_or_else(|_| {
                Err(Failure::new(Code::Slow, format!("no answer came within {} s", limit.as_secs_f64())))
            })
        })
    }
}

/// The form: the model's name, the language where it is known, and the recording.
fn form(model: &str, language: Option<&str>, samples: &[f32]) -> Vec<u8> {
    let wav = audio::wav(samples);
    let mut body = Vec::with_capacity(wav.len() + 1_024);
    let mut field = |name: &str, value: &str| {
        let head =
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        body.extend_from_slice(head.as_bytes());
    };
    field("model", model);
    field("response_format", "json");
    if let Some(language) = language {
        field("language", language);
    }
    let head =
        "Content-Disposition: form-data; name=\"file\"; filename=\"speech.wav\"\r\nContent-Type: audio/wav";
    body.extend_from_slice(format!("--{BOUNDARY}\r\n{head}\r\n\r\n").as_bytes());
    body.extend_from_slice(&wav);
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    body
}

/// The answer's body, bounded.
async fn whole(response: &mut Response) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(lost)? {
        if body.len() + bytes.len() > LONGEST {
            return Err(Failure::new(Code::Unreadable, format!("the answer is longer than {LONGEST} bytes")));
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body)
}

/// What a transcription says; servers add to it as they like.
#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow, default)]
    text: Option<&'a RawValue>,
    #[serde(borrow, default)]
    language: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

fn read(body: &[u8]) -> Result<Words, Failure> {
    let unreadable = |what: &str| Failure::new(Code::Unreadable, what);
    let answer: Answer<'_> =
        serde_json::from_slice(body).map_err(|_| unreadable("the answer is no JSON object"))?;
    // Some answer an error with 200.
    if let Some(error) = answer.error.filter(|error| error.get() != "null") {
        let body = format!("{{\"error\":{}}}", error.get());
        return Err(Failure::new(Code::Refused, fault::of_body(&body)));
    }
    let words = text(answer.text).ok_or_else(|| unreadable("the answer has no text"))?;
    // Where SenseVoice is behind the endpoint, its tags may come through.
    let words = tags::read(&words);
    Ok(Words { language: words.language.or(word(answer.language)), ..words })
}

/// The code of a status that is no success.
fn code(status: StatusCode) -> Code {
    match status.as_u16() {
        300..=399 | 401..=405 | 410 => Code::Misconfigured,
        408 | 409 | 425 | 429 | 500..=599 => Code::Busy,
        400..=499 => Code::Refused,
        _ => Code::Unreadable,
    }
}

/// A connection that did not come about, or was lost.
fn lost(error: reqwest::Error) -> Failure {
    // Without the address, which may hold what is nobody's business; the innermost cause says what happened.
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    Failure::new(Code::Unreachable, cause.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;
    use crate::config::Secret;

    /// An endpoint that answers each request with the next of these, the last one again and again; it gives what it was asked.
    async fn endpoint(
        answers: Vec<&'static str>,
    ) -> (reqwest::Url, Arc<AtomicUsize>, tokio::sync::mpsc::Receiver<Vec<u8>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1/audio/transcriptions", listener.local_addr().unwrap());
        let (sender, asked) = tokio::sync::mpsc::channel(8);
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let number = counted.fetch_add(1, Ordering::Relaxed);
                let mut request = Vec::new();
                let end = format!("--{BOUNDARY}--\r\n");
                let mut buffer = [0; 65_536];
                while !request.ends_with(end.as_bytes()) {
                    let read = stream.read(&mut buffer).await.unwrap();
                    if read == 0 {
                        break;
                    }
                    request.extend_from_slice(&buffer[..read]);
                }
                let _ = sender.try_send(request);
                let answer = answers[number.min(answers.len() - 1)];
                if answer.is_empty() {
                    // It never answers; the connection stays.
                    tokio::spawn(async move {
                        let _ = stream.read(&mut [0]).await;
                    });
                    continue;
                }
                let (status, body) = answer.split_once(' ').unwrap();
                let head = format!(
                    "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                    body.len()
                );
                stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
            }
        });
        (reqwest::Url::parse(&url).unwrap(), count, asked)
    }

    async fn recognised(url: reqwest::Url, answer: Duration) -> Result<Words, Failure> {
        let key = Some(Secret::new("sk-7".to_owned()));
        let settings =
            Settings { url, model: "whisper-1".to_owned(), key, connect: Duration::from_secs(5), answer };
        let utterance = Utterance { samples: vec![0.5; 1_600].into(), language: Some("zh".to_owned()) };
        Transcriptions::new(&settings).unwrap().recognise(utterance).await
    }

    const ENOUGH: Duration = Duration::from_secs(30);

    #[tokio::test]
    async fn a_recording_goes_as_a_form_and_comes_back_as_words() {
        let (url, _, mut asked) =
            endpoint(vec![r#"200 {"text":" 晚安。","language":"zh","duration":0.1}"#]).await;
        let words = recognised(url, ENOUGH).await.unwrap();
        assert_eq!((words.text.as_str(), words.language.as_deref()), ("晚安。", Some("zh")));
        let request = asked.recv().await.unwrap();
        let (head, body) = request.split_at(memchr::memmem::find(&request, b"\r\n\r\n").unwrap() + 4);
        let head = String::from_utf8(head.to_vec()).unwrap().to_lowercase();
        assert!(head.starts_with("post /v1/audio/transcriptions http/1.1"), "{head}");
        assert!(head.contains("authorization: bearer sk-7"), "{head}");
        let text = String::from_utf8_lossy(body);
        for field in [
            "name=\"model\"\r\n\r\nwhisper-1\r\n",
            "name=\"language\"\r\n\r\nzh\r\n",
            "filename=\"speech.wav\"",
        ] {
            assert!(text.contains(field), "{field}");
        }
        let wav = memchr::memmem::find(body, b"RIFF").unwrap();
        let wav = &body[wav..body.len() - format!("\r\n--{BOUNDARY}--\r\n").len()];
        let sound = audio::decode(wav.to_vec(), audio::Limits::default()).unwrap();
        assert_eq!((sound.samples.len(), sound.rate), (1_600, 16_000));
    }

    #[tokio::test]
    async fn what_goes_wrong_has_a_code_and_no_key() {
        for (answer, code) in [
            (r#"401 {"error":{"message":"bad key sk-7"}}"#, Code::Misconfigured),
            (r#"404 {"error":"no such model"}"#, Code::Misconfigured),
            (r#"400 {"error":{"message":"too short"}}"#, Code::Refused),
            (r#"429 {"error":{"message":"slow down"}}"#, Code::Busy),
            (r#"200 {"error":{"message":"no"}}"#, Code::Refused),
            ("200 <html>", Code::Unreadable),
            ("200 {}", Code::Unreadable),
        ] {
            let (url, ..) = endpoint(vec![answer]).await;
            let failure = recognised(url, ENOUGH).await.unwrap_err();
            assert_eq!(failure.code, code, "{answer}: {failure}");
            assert!(!failure.to_string().contains("sk-7"), "{failure}");
        }
        // Nobody listens there.
        let url = reqwest::Url::parse("http://127.0.0.1:1/v1/audio/transcriptions").unwrap();
        assert_eq!(recognised(url, ENOUGH).await.unwrap_err().code, Code::Unreachable);
    }

    #[tokio::test]
    async fn what_may_pass_is_tried_once_more() {
        let (url, count, _) = endpoint(vec!["503 {}", r#"200 {"text":"hello"}"#]).await;
        assert_eq!(recognised(url, ENOUGH).await.unwrap().text, "hello");
        assert_eq!(count.load(Ordering::Relaxed), 2);
        let (url, count, _) = endpoint(vec!["400 {}"]).await;
        recognised(url, ENOUGH).await.unwrap_err();
        assert_eq!(count.load(Ordering::Relaxed), 1, "what was refused is refused again");
    }

    #[tokio::test]
    async fn one_that_never_answers_is_given_up() {
        let (url, ..) = endpoint(vec![""]).await;
        let failure = recognised(url, Duration::from_millis(300)).await.unwrap_err();
        assert_eq!(failure.code, Code::Slow);
        assert!(failure.to_string().contains("within 0.3 s"), "{failure}");
    }
}
