//! A voice in, words and figures out: in every container, with every upload that is none, and over a recogniser that is a real
//! endpoint.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::binary;
use crate::http::raw;
use crate::process::{Folder, Server, command, handset, newcomer, run, without_settings};

/// A recogniser's endpoint: it keeps what it was sent, and answers with the status and the body that it was given.
struct Recogniser {
    address: String,
    asked: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Recogniser {
    fn new(status: u16, answer: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (known, answer) = (Arc::clone(&asked), answer.to_owned());
        // It lives as long as the process: tests are short.
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                serve(socket, &known, status, &answer);
            }
        });
        Self { address, asked }
    }

    fn server(&self, data: &Folder, more: &str) -> Server {
        fs::create_dir_all(data.path()).unwrap();
        let config = format!(
            "[voice]\nmax_seconds = 60\nmax_megabytes = 1\n[voice.recogniser]\nkind = \"openai\"\nurl = \"http://{}\"\n\
             model = \"whisper-1\"\n{more}",
            self.address
        );
        fs::write(data.path().join("handset.toml"), config).unwrap();
        Server::start_as(command(data.path()))
    }

    fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

fn serve(mut socket: TcpStream, known: &Mutex<Vec<Vec<u8>>>, status: u16, answer: &str) -> Option<()> {
    let mut reader = BufReader::new(socket.try_clone().ok()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim_end().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    known.lock().unwrap().push(body);
    let head =
        format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", answer.len());
    socket.write_all(format!("{head}{answer}").as_bytes()).ok()
}

const CLIPS: &[(&str, &str, &str)] = &[
    ("recorder.webm", "WebM", "Opus"),
    ("speech.opus.ogg", "Ogg", "Opus"),
    ("speech.vorbis.ogg", "Ogg", "Vorbis"),
    ("index-at-end.m4a", "MP4", "AAC"),
    ("fragmented.mp4", "MP4", "AAC"),
    ("fragmented.opus.mp4", "MP4", "Opus"),
    ("speech.wav", "WAV", "PCM"),
    ("speech.mp3", "MP3", "MP3"),
    ("speech.flac", "FLAC", "FLAC"),
    ("speech.aac", "AAC", "AAC"),
];

fn path(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/audio")).join(name)
}

fn clip(name: &str) -> Vec<u8> {
    fs::read(path(name)).unwrap()
}

/// Sends a recording as a form has it, with a type of the client's own choice.
fn form(server: &Server, to: &str, field: &str, kind: &str, recording: &[u8]) -> (u16, Value) {
    let head = format!(
        "--b\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"r\"\r\nContent-Type: {kind}\r\n\r\n"
    );
    let body = [head.as_bytes(), recording, b"\r\n--b--\r\n"].concat();
    bare(server, to, "multipart/form-data; boundary=b", &body)
}

/// Sends a body as it is.
fn bare(server: &Server, to: &str, kind: &str, body: &[u8]) -> (u16, Value) {
    let head = format!(
        "POST {to} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {}\r\nContent-Type: {kind}\r\n\
         Content-Length: {}\r\n\r\n",
        server.token,
        body.len()
    );
    let response = raw(&server.address, &[head.as_bytes(), body].concat());
    (response.status, response.json())
}

/// A WAV of 16 bits at 16,000 samples a second.
fn wav(samples: &[i16]) -> Vec<u8> {
    let bytes = u32::try_from(samples.len() * 2).unwrap();
    let mut wav = b"RIFF".to_vec();
    wav.extend((36 + bytes).to_le_bytes());
    wav.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    wav.extend(16_000_u32.to_le_bytes());
    wav.extend(32_000_u32.to_le_bytes());
    wav.extend(b"\x02\0\x10\0data");
    wav.extend(bytes.to_le_bytes());
    wav.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    wav
}

/// P117, P119, P121, P131: what a recording is, its bytes say; what it is called means nothing.
#[test]
fn p117_p119_p131_bytes_are_trusted_and_types_are_not() {
    let recogniser = Recogniser::new(200, r#"{"text": " He was not an ill-disposed young man. "}"#);
    let data = Folder::new();
    let server = recogniser.server(&data, "");
    // An iPhone's MP4 that calls itself WebM, an Ogg that calls itself audio/opus, a Safari's either way, and none at all.
    let names = [
        "audio/webm",
        "audio/opus",
        "audio/mp4",
        "audio/webm;codecs=opus",
        "application/x-www-form-urlencoded",
    ];
    for (number, (name, container, codec)) in CLIPS.iter().enumerate() {
        let kind = names[number % names.len()];
        let (status, told) = match number % 3 {
            0 => form(&server, "/api/transcribe", "audio", kind, &clip(name)),
            1 => form(&server, "/transcribe", "file", kind, &clip(name)),
            _ => bare(&server, "/transcribe", kind, &clip(name)),
        };
        assert_eq!(status, 200, "{name}: {told}");
        assert_eq!(told["text"], json!("He was not an ill-disposed young man."), "{name}");
        assert_eq!(told["upload"]["container"], json!(container), "{name}");
        assert_eq!(told["upload"]["codec"], json!(codec), "{name}");
        assert_eq!(
            (&told["emotion"], &told["tone"], &told["soft"]),
            (&Value::Null, &Value::Null, &json!(false))
        );
        assert_eq!(told["prefix"], json!("[voice call]"), "{name}");
        let features = &told["features"];
        assert_eq!(features["dur"], json!(1.6), "{name}: {told}");
        let number = |key: &str| features[key].as_f64().unwrap();
        assert!((65.0..250.0).contains(&number("pitch")), "{name}: {told}");
        assert!((0.01..0.1).contains(&number("energy")) && number("rate") > 5.0, "{name}: {told}");
    }
    // The recogniser is sent a WAV, whatever came, and the speech of it alone.
    let asked = recogniser.asked.lock().unwrap();
    assert_eq!(asked.len(), CLIPS.len());
    for form in &*asked {
        let text = String::from_utf8_lossy(form);
        assert!(text.contains("whisper-1") && text.contains("RIFF") && form.len() < 60_000);
    }
}

/// Every upload that gives no sound, with its status, its code and its sentence.
#[test]
fn p115_p121_p123_p125_every_bad_upload_is_told_what_it_is() {
    let recogniser = Recogniser::new(200, r#"{"text": "never"}"#);
    let data = Folder::new();
    let server = recogniser.server(&data, "");
    let webm = clip("recorder.webm");
    let swapped = [&webm[3_000..], &webm[..3_000]].concat();
    let m4a = clip("index-at-end.m4a");
    let mut damaged = clip("speech.flac");
    for byte in &mut damaged[200..] {
        *byte = byte.wrapping_mul(7).wrapping_add(3);
    }
    let cases: &[(&str, &[u8], u16, &str, &str)] = &[
        ("nothing", b"", 400, "audio_empty", "no bytes"),
        ("a head", &wav(&[]), 422, "audio_header_only", "the head of a WAV and no samples (44 bytes)"),
        ("cut off", &webm[..4_000], 422, "audio_truncated", "The WebM is cut off: 1."),
        ("without its index", &m4a[..m4a.len() / 2], 422, "audio_truncated", "The MP4 is cut off"),
        ("damaged", &damaged, 422, "audio_corrupt", "The FLAC is damaged"),
        ("swapped", &swapped, 422, "audio_wrong_order", "stands at byte 2744"),
        ("a later piece", &webm[3_000..], 415, "audio_unknown_container", "begins with"),
        ("a page", b"<!doctype html><p>502", 415, "audio_unknown_container", "(HTML or XML)"),
        ("another codec", &clip("other-codec.mka"), 415, "audio_unknown_codec", "holds AC-3"),
        ("too long", &compressed_minutes(), 413, "audio_too_long", "longer than the 60 seconds"),
        ("too large", &vec![0; 1_200_000], 413, "audio_too_large", "larger than the 1 MB"),
    ];
    for (what, upload, status, code, sentence) in cases {
        for (found, told) in [
            bare(&server, "/transcribe", "audio/webm", upload),
            form(&server, "/api/transcribe", "audio", "audio/webm", upload),
        ] {
            assert_eq!((found, &told["error"]["code"]), (*status, &json!(code)), "{what}: {told}");
            let message = told["error"]["message"].as_str().unwrap();
            assert!(message.contains(sentence), "{what}: {message}");
        }
        println!("{what}: {status} {code}");
    }
    assert_eq!(recogniser.count(), 0, "no recogniser is asked about what is no sound");
}

/// Two minutes in few bytes: the same second of MP3 again and again.
fn compressed_minutes() -> Vec<u8> {
    let mp3 = clip("speech.mp3");
    // Behind the tag and the frame that tells the length.
    let frames = mp3.windows(2).enumerate().filter(|(_, pair)| pair[0] == 0xff && pair[1] & 0xe0 == 0xe0);
    let second = frames.map(|(at, _)| at).nth(1).unwrap();
    mp3[second..].repeat(75)
}

/// P127: what a recogniser makes up for silence is not said by anybody.
#[test]
fn p127_silence_is_an_empty_text_and_no_recogniser_is_asked() {
    let recogniser = Recogniser::new(200, r#"{"text": "Thanks for watching!"}"#);
    let data = Folder::new();
    let server = recogniser.server(&data, "");
    let mut state = 1_u32;
    let mut hiss = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        i16::try_from(state >> 26).unwrap() - 32
    };
    let hiss: Vec<i16> = (0..48_000).map(|_| hiss()).collect();
    for silence in [vec![0; 48_000], hiss] {
        let (status, told) = form(&server, "/transcribe", "audio", "audio/wav", &wav(&silence));
        assert_eq!((status, &told["text"]), (200, &json!("")), "{told}");
        assert_eq!((&told["features"], &told["speech"]), (&Value::Null, &Value::Null));
    }
    assert_eq!(recogniser.count(), 0);
}

#[test]
fn under_six_tenths_of_a_second_there_are_words_and_no_figures() {
    let recogniser = Recogniser::new(200, r#"{"text": "he", "language": "english"}"#);
    let data = Folder::new();
    let server = recogniser.server(&data, "");
    let speech = clip("speech.wav");
    let samples: Vec<i16> =
        speech[44..].chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
    let loudest = samples
        .chunks(8_000)
        .max_by_key(|part| part.iter().map(|s| i64::from(*s).pow(2)).sum::<i64>())
        .unwrap();
    let (status, told) = form(&server, "/transcribe", "audio", "audio/wav", &wav(loudest));
    assert_eq!((status, &told["text"], &told["features"]), (200, &json!("he"), &Value::Null), "{told}");
    assert_eq!((&told["language"], &told["upload"]["seconds"]), (&json!("english"), &json!(0.5)));
}

#[test]
fn p129_a_recognisers_tags_become_fields() {
    let recogniser = Recogniser::new(200, r#"{"text": "<|en|><|SAD|><|Speech|><|withitn|>I miss you.😔"}"#);
    let data = Folder::new();
    let server = recogniser.server(&data, "");
    let (status, told) = form(&server, "/transcribe", "audio", "audio/webm", &clip("recorder.webm"));
    assert_eq!(
        (status, &told["text"], &told["emotion"]),
        (200, &json!("I miss you."), &json!("sad")),
        "{told}"
    );
    assert_eq!(told["prefix"], json!("[voice call · sad]"));
}

/// The print of a voice: described before it is remembered, told, forgotten alone, and taken along.
#[test]
fn a_voice_is_compared_with_itself_and_is_its_persons_to_forget() {
    let recogniser = Recogniser::new(200, r#"{"text": "He was not an ill-disposed young man."}"#);
    let data = Folder::new();
    let server = recogniser.server(&data, "");
    // Ten times the same: beside them any other clip is unusual in whatever way, so that one cue is told, the first.
    let settings = json!({"settings": {"tone": {"baseline_min": 10, "max_cues": 1}}});
    assert_eq!(server.ask(Some(&server.token), "PATCH", "/api/settings", Some(&settings)).status, 200);
    let print = || server.ask(Some(&server.token), "GET", "/api/voice/print", None).json();
    let hear = |query: &str, recording: &[u8]| {
        let (status, told) = bare(&server, &format!("/transcribe{query}"), "audio/wav", recording);
        assert_eq!(status, 200, "{told}");
        told
    };
    let none = print();
    assert_eq!((&none["samples"], &none["missing"], &none["since"]), (&json!(0), &json!(10), &Value::Null));
    let speech = clip("speech.wav");
    // A trial leaves nothing behind, nor does silence; what a client sends twice is heard once.
    hear("?remember=false", &speech);
    hear("", &wav(&[0; 16_000]));
    assert_eq!(print()["samples"], json!(0));
    for _ in 0..2 {
        hear("?client_id=u1", &speech);
    }
    let one = print();
    assert_eq!((&one["samples"], &one["missing"]), (&json!(1), &json!(9)));
    assert_eq!((&one["since_ms"], one["since_ms"].as_i64().is_some()), (&one["last_ms"], true));
    let (status, told) = bare(&server, "/transcribe?remember=perhaps", "audio/wav", &speech);
    assert_eq!((status, &told["error"]["code"]), (422, &json!("invalid")));
    // The same loudness ten times; then one that is much quieter stands out, and is remembered after that.
    for _ in 0..9 {
        hear("", &speech);
    }
    assert_eq!(print()["missing"], json!(0));
    let samples: Vec<i16> =
        speech[44..].chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]) / 4).collect();
    let quiet = hear("", &wav(&samples));
    assert_eq!((&quiet["tone"], &quiet["soft"]), (&json!("very quiet"), &json!(true)), "{quiet}");
    assert_eq!(quiet["prefix"], json!("[voice call · very quiet]"));
    let usual = hear("?remember=false", &speech);
    assert_eq!(usual["tone"], Value::Null, "{usual}");
    assert_eq!(print()["samples"], json!(11));
    // Tried beside the server that works, and without one: the same is told, and nothing is kept.
    let ann = server.get("/api/people")["you"].as_str().unwrap().to_owned();
    let file = data.path().join("quiet.wav");
    fs::write(&file, wav(&samples)).unwrap();
    let tried = |arguments: &[&str]| {
        let (status, output, errors) =
            handset(&data, &[&["try", "audio", file.to_str().unwrap()], arguments].concat());
        (status.success(), serde_json::from_str::<Value>(&output).unwrap_or_default(), errors)
    };
    let asked = hear("?remember=false", &wav(&samples));
    assert!(asked["tone"].is_string(), "{asked}");
    let (well, beside, errors) = tried(&["--person", &ann]);
    assert!(well, "{errors}");
    for member in ["text", "tone", "soft", "prefix", "features"] {
        assert_eq!(beside[member], asked[member], "{member}");
    }
    assert_eq!(tried(&[]).1["tone"], Value::Null, "nobody's voice");
    let (well, _, errors) = tried(&["--person", "nobody"]);
    assert!(!well && errors.contains("handset person list"), "{errors}");
    assert_eq!(print()["samples"], json!(11));

    let told = server.ask(Some(&server.token), "GET", "/api/export", None).json();
    assert_eq!(told["voice"].as_array().unwrap().len(), 11);
    assert!(told["voice"][0]["energy"].as_f64().unwrap() > 0.01, "{}", told["voice"][0]);
    let (_, bob) = newcomer(&data, &server, "Bob");
    assert_eq!(server.ask(Some(&bob), "GET", "/api/voice/print", None).json()["samples"], json!(0));
    let bobs = server.ask(Some(&bob), "GET", "/api/people", None).json()["you"].as_str().unwrap().to_owned();
    assert_eq!(
        tried(&["--person", &bobs]).1["tone"],
        Value::Null,
        "another's voice is compared with nothing of hers"
    );
    assert_eq!(server.ask(Some(&bob), "DELETE", "/api/voice/print", None).json()["samples"], json!(0));
    assert_eq!(print()["samples"], json!(11));
    for _ in 0..2 {
        let gone = server.ask(Some(&server.token), "DELETE", "/api/voice/print", None);
        assert_eq!((gone.status, &gone.json()["samples"]), (200, &json!(0)));
    }
    assert_eq!(hear("", &wav(&samples))["tone"], Value::Null, "there is nothing to compare it with");
    assert!(server.stop().success());
    let (well, alone, errors) = tried(&["--person", &ann]);
    assert!(well && alone["tone"] == Value::Null && alone["text"].is_string(), "{errors}{alone}");
}

#[test]
fn a_recogniser_that_fails_is_told_and_none_is_told() {
    let voice = clip("recorder.webm");
    for (answered, body, status, code) in [
        (401, r#"{"error": {"message": "no"}}"#, 502, "recogniser_misconfigured"),
        (500, "", 503, "recogniser_busy"),
        (200, "<html>", 502, "recogniser_unreadable"),
    ] {
        let recogniser = Recogniser::new(answered, body);
        let data = Folder::new();
        let server = recogniser.server(&data, "");
        let (found, told) = form(&server, "/transcribe", "audio", "audio/webm", &voice);
        assert_eq!((found, &told["error"]["code"]), (status, &json!(code)), "{told}");
    }
    let data = Folder::new();
    let server = Server::start(&data);
    let (status, told) = form(&server, "/transcribe", "audio", "audio/webm", &voice);
    assert_eq!((status, &told["error"]["code"]), (503, &json!("no_recogniser")));
    assert!(
        told["error"]["message"].as_str().unwrap().contains("[voice.recogniser] in handset.toml"),
        "{told}"
    );
    // What is no form, or has no recording.
    let (status, told) = form(&server, "/transcribe", "note", "audio/webm", &voice);
    assert_eq!(status, 503, "any file of a form is the recording: {told}");
    let other = b"--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n1\r\n--b--\r\n";
    for (kind, body) in [
        ("multipart/form-data; boundary=b", other.as_slice()),
        ("multipart/form-data; boundary=c", other),
        ("multipart/form-data", other),
    ] {
        let (status, told) = bare(&server, "/transcribe", kind, body);
        assert_eq!((status, &told["error"]["code"]), (400, &json!("bad_form")), "{kind}: {told}");
    }
}

#[test]
fn a_file_is_tried_without_a_server() {
    let tried = |arguments: &[&str], input: Option<Vec<u8>>| {
        let folder = Folder::new();
        fs::create_dir_all(folder.path()).unwrap();
        let mut command = Command::new(binary::path());
        command.args(["try", "audio"]).args(arguments).current_dir(folder.path());
        without_settings(&mut command);
        run(command, input)
    };
    let file = path("index-at-end.m4a");
    let (status, output, errors) = tried(&[file.to_str().unwrap()], None);
    assert!(status.success(), "{errors}");
    let told: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((&told["text"], &told["upload"]["container"]), (&Value::Null, &json!("MP4")));
    assert!(told["recogniser"].as_str().unwrap().contains("[voice.recogniser]"), "{told}");
    for stage in ["read", "decode", "resample", "gate", "features"] {
        assert!(told["times"][stage].as_f64().unwrap() > 0.0, "{stage}: {told}");
    }
    assert_eq!(told["times"]["recognise"], Value::Null);
    assert!(told["features"]["pitch"].as_f64().unwrap() > 65.0);
    let (status, output, _) = tried(&["-"], Some(clip("speech.flac")));
    assert!(status.success() && output.contains("FLAC"), "{output}");
    let (status, _, errors) = tried(&["-"], Some(wav(&[])));
    assert!(!status.success() && errors.contains("handset: The upload is the head of a WAV"), "{errors}");
    let (status, _, errors) = tried(&["nowhere.wav"], None);
    assert!(!status.success() && errors.contains("nowhere.wav cannot be read"), "{errors}");
}
