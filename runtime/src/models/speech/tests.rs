use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::*;

/// What a service was asked: the request's first line with its headers, in small letters but for the line, and its body.
struct Asked {
    line: String,
    headers: String,
    body: Value,
}

/// A service that answers each request with the next of these, the last one again and again: a status, a type and a body.
async fn service(
    answers: Vec<(u16, &'static str, &'static [u8])>,
) -> (String, Arc<AtomicUsize>, mpsc::Receiver<Asked>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, asked) = mpsc::channel(8);
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let number = counted.fetch_add(1, Ordering::Relaxed);
            let mut request = Vec::new();
            let mut buffer = [0; 65_536];
            let body = loop {
                let read = stream.read(&mut buffer).await.unwrap();
                request.extend_from_slice(&buffer[..read]);
                let Some(at) = memchr::memmem::find(&request, b"\r\n\r\n") else { continue };
                if let Ok(body) = serde_json::from_slice(&request[at + 4..]) {
                    break body;
                }
                assert!(read > 0, "the body is no JSON");
            };
            let head = String::from_utf8_lossy(&request).into_owned();
            let (line, headers) = head.split_once("\r\n").unwrap();
            let headers = headers.split("\r\n\r\n").next().unwrap().to_lowercase();
            let _ = sender.try_send(Asked { line: line.to_owned(), headers, body });
            let (status, kind, body) = answers[number.min(answers.len() - 1)];
            if status == 0 {
                // It never answers; the connection stays.
                tokio::spawn(async move {
                    let _ = stream.read(&mut [0]).await;
                });
                continue;
            }
            let head = format!(
                "HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            stream.write_all(head.as_bytes()).await.unwrap();
            stream.write_all(body).await.unwrap();
        }
    });
    (url, count, asked)
}

fn elevenlabs(url: &str, model: &str) -> RemoteSpeech {
    RemoteSpeech {
        api: SpeechApi::ElevenLabs,
        url: Url::parse(&format!("{url}/v1/text-to-speech/voice7/stream")).unwrap(),
        voice: "voice7".to_owned(),
        model: model.to_owned(),
        key: Some(Secret::new("xi-7".to_owned())),
        format: Format::Mp3,
        format_word: "mp3_22050_32".to_owned(),
        max_characters: 800,
        metered: true,
        connect: Duration::from_secs(5),
        answer: Duration::from_secs(30),
    }
}

fn openai(url: &str) -> RemoteSpeech {
    RemoteSpeech {
        api: SpeechApi::OpenAi,
        url: Url::parse(&format!("{url}/v1/audio/speech")).unwrap(),
        voice: "alloy".to_owned(),
        format_word: "mp3".to_owned(),
        ..elevenlabs(url, "tts-1")
    }
}

fn utterance() -> Utterance {
    Utterance {
        text: "Good night.".to_owned(),
        language: Some("en".to_owned()),
        soft: true,
        before: "It is late.".to_owned(),
        after: "Sleep well.".to_owned(),
    }
}

const SOUND: (u16, &str, &[u8]) = (200, "audio/mpeg", b"ID3 sound");

#[tokio::test]
async fn elevenlabs_is_asked_for_a_piece_between_its_neighbours() {
    let (url, _, mut asked) = service(vec![SOUND]).await;
    let remote = Remote::new(&elevenlabs(&url, "eleven_flash_v2_5")).unwrap();
    assert_eq!(remote.speak(utterance()).await.unwrap(), b"ID3 sound");
    let Asked { line, headers, body } = asked.recv().await.unwrap();
    assert_eq!(line, "POST /v1/text-to-speech/voice7/stream?output_format=mp3_22050_32 HTTP/1.1");
    assert!(headers.contains("xi-api-key: xi-7"), "{headers}");
    assert!(!headers.contains("authorization"), "{headers}");
    let expected = serde_json::json!({
        "text": "Good night.", "model_id": "eleven_flash_v2_5", "language_code": "en",
        "previous_text": "It is late.", "next_text": "Sleep well.",
    });
    assert_eq!(body, expected);
    // A model that takes no language, and one that takes nothing around.
    for (model, members) in [
        ("eleven_multilingual_v2", vec!["model_id", "next_text", "previous_text", "text"]),
        ("eleven_v3", vec!["model_id", "text"]),
    ] {
        Remote::new(&elevenlabs(&url, model)).unwrap().speak(utterance()).await.unwrap();
        let Asked { body, .. } = asked.recv().await.unwrap();
        let mut found: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
        found.sort_unstable();
        assert_eq!(found, members, "{model}");
    }
}

#[tokio::test]
async fn any_endpoint_of_audio_speech_is_asked() {
    let (url, _, mut asked) = service(vec![SOUND]).await;
    let remote = Remote::new(&openai(&url)).unwrap();
    assert_eq!(remote.speak(utterance()).await.unwrap(), b"ID3 sound");
    let Asked { line, headers, body } = asked.recv().await.unwrap();
    assert_eq!(line, "POST /v1/audio/speech HTTP/1.1");
    assert!(headers.contains("authorization: bearer xi-7"), "{headers}");
    let expected = serde_json::json!({
        "model": "tts-1", "input": "Good night.", "voice": "alloy", "response_format": "mp3",
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn what_goes_wrong_has_a_code_and_neither_key_nor_words() {
    let json = "application/json";
    for (status, kind, body, code, said) in [
        (
            401,
            json,
            r#"{"detail":{"status":"quota_exceeded","message":"This request exceeds your quota. xi-7"}}"#,
            Code::Misconfigured,
            "(the key)",
        ),
        (404, json, r#"{"detail":"voice_not_found"}"#, Code::Misconfigured, "voice_not_found"),
        (307, "text/html", "", Code::Misconfigured, "307"),
        (400, json, r#"{"error":{"message":"bad: Good night. It was a long day"}}"#, Code::Refused, "quotes"),
        (422, json, r#"{"detail":[{"msg":"too long"}]}"#, Code::Refused, "422"),
        (429, json, r#"{"detail":{"status":"too_many_concurrent_requests"}}"#, Code::Busy, "429"),
        (503, "text/html", "<html>", Code::Busy, "page"),
        (200, json, r#"{"error":{"message":"no such voice"}}"#, Code::Unreadable, "no such voice"),
        (200, "text/html; charset=utf-8", "<html>", Code::Unreadable, "page"),
        (200, "audio/mpeg", "", Code::Unreadable, "no bytes"),
    ] {
        let (url, ..) = service(vec![(status, kind, body.as_bytes())]).await;
        let remote = Remote::new(&elevenlabs(&url, "m")).unwrap();
        let text = "Good night. It was a long day, was it not?".to_owned();
        let fault = remote.speak(Utterance { text, ..utterance() }).await.unwrap_err();
        assert_eq!(fault.code, code, "{status} {body}: {fault}");
        assert!(fault.detail.contains(said), "{fault}");
        let told = fault.to_string();
        assert!(!told.contains("xi-7") && !told.contains("long day"), "{told}");
    }
    // Nobody listens there.
    let remote = Remote::new(&openai("http://127.0.0.1:1")).unwrap();
    assert_eq!(remote.speak(utterance()).await.unwrap_err().code, Code::Unreachable);
    assert!(!format!("{:?}", openai("http://h")).contains("xi-7"));
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_what_was_refused_is_not() {
    let busy = (503, "text/plain", &b"later"[..]);
    let (url, count, _) = service(vec![busy, SOUND]).await;
    Remote::new(&openai(&url)).unwrap().speak(utterance()).await.unwrap();
    assert_eq!(count.load(Ordering::Relaxed), 2);
    let (url, count, _) = service(vec![busy]).await;
    assert_eq!(Remote::new(&openai(&url)).unwrap().speak(utterance()).await.unwrap_err().code, Code::Busy);
    assert_eq!(count.load(Ordering::Relaxed), 1 + PAUSES.len());
    let (url, count, _) = service(vec![(400, "text/plain", b"no")]).await;
    Remote::new(&openai(&url)).unwrap().speak(utterance()).await.unwrap_err();
    assert_eq!(count.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_service_that_never_answers_is_given_up() {
    let (url, ..) = service(vec![(0, "", b"")]).await;
    let settings = RemoteSpeech { answer: Duration::from_millis(300), ..openai(&url) };
    let fault = Remote::new(&settings).unwrap().speak(utterance()).await.unwrap_err();
    assert_eq!(fault.code, Code::Slow);
    assert!(fault.to_string().contains("within 0.3 s"), "{fault}");
}
