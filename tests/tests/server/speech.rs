//! A reply spoken: by an endpoint, by a program, by nobody; what it prints, and what the doctor says of each.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, ExitStatus};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::binary;
use crate::process::{Folder, run, without_settings};

/// A speech service: it keeps what it was sent, and answers each text with its own words as MP3, but for what it refuses.
struct Service {
    address: String,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Service {
    fn new(refuses: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let known = Arc::clone(&asked);
        // It lives as long as the process: tests are short.
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let known = Arc::clone(&known);
                std::thread::spawn(move || serve(socket, &known, refuses));
            }
        });
        Self { address, asked }
    }
}

fn serve(mut socket: TcpStream, known: &Mutex<Vec<Value>>, refuses: &str) -> Option<()> {
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
    let body: Value = serde_json::from_slice(&body).ok()?;
    let text = body["input"].as_str()?.to_owned();
    known.lock().unwrap().push(body);
    let (status, kind, answer) = if text.contains(refuses) {
        (400, "application/json", r#"{"error":{"message":"not this one"}}"#.to_owned())
    } else {
        (200, "audio/mpeg", format!("[{text}]"))
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        answer.len()
    );
    socket.write_all(format!("{head}{answer}").as_bytes()).ok()
}

/// `handset try speech` in a folder with this configuration; what it printed, and its errors.
fn tried(folder: &Folder, config: &str, arguments: &[&str]) -> (ExitStatus, Value, String) {
    fs::create_dir_all(folder.path()).unwrap();
    fs::write(folder.path().join("handset.toml"), config).unwrap();
    let mut command = Command::new(binary::path());
    command.args(["try", "speech"]).args(arguments).current_dir(folder.path());
    without_settings(&mut command);
    let (status, output, errors) = run(command, None);
    let told = if output.is_empty() { Value::Null } else { serde_json::from_str(&output).unwrap() };
    (status, told, errors)
}

fn config(service: &Service) -> String {
    format!(
        "[speech]\nprovider = \"openai\"\nurl = \"http://{}\"\nmodel = \"m\"\nvoice = \"v\"\nkey = \"sk-5\"\n",
        service.address
    )
}

#[test]
fn a_reply_is_spoken_piece_by_piece_and_written_in_order() {
    let service = Service::new("never");
    let data = Folder::new();
    let reply =
        "## Tonight\n**Dr. Vale** comes at 9 a.m. sharp. \u{665a}\u{5b89}\u{3002}Sleep well! \u{1f319}";
    let (status, told, errors) = tried(&data, &config(&service), &[reply, "-o", "night.mp3"]);
    assert!(status.success(), "{errors}");
    let spoken: Vec<_> = told["pieces"].as_array().unwrap().iter().map(|piece| &piece["spoken"]).collect();
    assert_eq!(
        spoken,
        ["Tonight", "Dr. Vale comes at 9 a.m. sharp.", "\u{665a}\u{5b89}\u{3002}", "Sleep well!"]
    );
    let shown: String =
        told["pieces"].as_array().unwrap().iter().map(|piece| piece["shown"].as_str().unwrap()).collect();
    assert_eq!(format!("{shown}{}", told["rest"].as_str().unwrap()), reply);
    for piece in told["pieces"].as_array().unwrap() {
        assert!(piece["took"].as_f64().unwrap() > 0.0 && piece["bytes"].as_u64().unwrap() > 0, "{told}");
    }
    assert_eq!((&told["format"], &told["file"]), (&json!("audio/mpeg"), &json!("night.mp3")));
    let written = fs::read_to_string(data.path().join("night.mp3")).unwrap();
    assert_eq!(written, "[Tonight][Dr. Vale comes at 9 a.m. sharp.][\u{665a}\u{5b89}\u{3002}][Sleep well!]");
    assert_eq!(service.asked.lock().unwrap().len(), 4);
    assert!(!told.to_string().contains("sk-5"));
}

#[test]
fn a_piece_that_fails_is_told_and_the_rest_is_spoken() {
    let service = Service::new("Two");
    let data = Folder::new();
    let (status, told, errors) = tried(&data, &config(&service), &["One. Two. Three."]);
    assert!(!status.success() && errors.contains("a piece has no audio"), "{errors}");
    let error = told["pieces"][1]["error"].as_str().unwrap();
    assert!(error.contains("400: not this one"), "{error}");
    assert!(told["pieces"][2]["bytes"].as_u64().unwrap() > 0, "{told}");
}

#[test]
fn nothing_to_say_is_not_asked_for() {
    let service = Service::new("never");
    let data = Folder::new();
    let (status, told, errors) = tried(&data, &config(&service), &["\u{1f319} ..."]);
    assert!(status.success(), "{errors}");
    assert_eq!((&told["pieces"], &told["rest"]), (&json!([]), &json!("\u{1f319} ...")));
    assert!(service.asked.lock().unwrap().is_empty());
}

#[test]
fn a_program_speaks() {
    let there = Command::new("espeak-ng").arg("--version").output().is_ok();
    assert!(there || std::env::var_os("CI").is_none(), "espeak-ng is missing: apt-get install espeak-ng");
    if !there {
        println!("not run: espeak-ng is missing (Debian: apt-get install espeak-ng)");
        return;
    }
    let data = Folder::new();
    let config = "[speech]\nprovider = \"command\"\ncommand = [\"espeak-ng\", \"--stdin\", \"--stdout\", \"-v\", \"{language}\"]\n";
    let (status, told, errors) = tried(&data, config, &["Good night. Sleep well.", "-o", "night.wav"]);
    assert!(status.success(), "{errors}");
    let seconds: f64 =
        told["pieces"].as_array().unwrap().iter().map(|piece| piece["seconds"].as_f64().unwrap()).sum();
    let wav = fs::read(data.path().join("night.wav")).unwrap();
    // 22,050 samples a second, two bytes each, behind a head.
    let written = (wav.len() - 44) as f64 / 44_100.0;
    assert!(seconds > 1.0 && (written - seconds).abs() < 0.01, "{seconds} s, {written} s: {told}");
    assert_eq!(told["service"], json!("espeak-ng"));
}

#[test]
fn without_a_provider_the_browser_speaks() {
    let data = Folder::new();
    let (status, told, errors) = tried(&data, "", &["One. Two."]);
    assert!(status.success(), "{errors}");
    assert!(told["service"].as_str().unwrap().contains("[speech] in handset.toml"), "{told}");
    assert_eq!((told["pieces"].as_array().unwrap().len(), &told["format"]), (2, &Value::Null));
    let (status, _, errors) = tried(&data, "", &["One.", "-o", "x.mp3"]);
    assert!(!status.success() && errors.contains("no audio to write"), "{errors}");
    let (status, _, errors) = tried(&data, "[speech]\nprovider = \"espeak\"\n", &["One."]);
    assert!(!status.success() && errors.contains("speech.provider is \"espeak\""), "{errors}");
}

#[test]
fn the_doctor_says_what_speaks() {
    let service = Service::new("never");
    let data = Folder::new();
    fs::create_dir_all(data.path()).unwrap();
    let elsewhere = "provider = \"openai\"\nurl = \"http://127.0.0.1:1\"\nmodel = \"m\"\nvoice = \"v\"";
    let command = "provider = \"command\"\ncommand = [\"no-such-program-7\"]";
    for (config, level, said) in [
        (String::new(), "note", "own voice"),
        (config(&service), "ok", "a connection is accepted; what it speaks is not counted"),
        (format!("[speech]\n{elsewhere}"), "problem", "cannot be reached"),
        (format!("[speech]\n{command}"), "problem", "no program \"no-such-program-7\""),
    ] {
        fs::write(data.path().join("handset.toml"), &config).unwrap();
        let mut command = Command::new(binary::path());
        command.args(["doctor", "--json", "--listen", "127.0.0.1:0", "--data"]).arg(data.path());
        without_settings(&mut command);
        let (_, output, errors) = run(command, None);
        let report: Value = serde_json::from_str(&output).unwrap_or_else(|error| panic!("{error}: {errors}"));
        let found =
            report["findings"].as_array().unwrap().iter().find(|finding| finding["check"] == "speech");
        let found = found.unwrap_or_else(|| panic!("{output}"));
        assert_eq!(found["level"], level, "{found}");
        assert!(found["found"].as_str().unwrap().contains(said), "{found}");
        assert!(level == "ok" || found["todo"].as_str().is_some_and(|todo| !todo.is_empty()), "{found}");
        assert!(!output.contains("sk-5"));
    }
}
