//! `handset chat`: a terminal, with no phone behind it.

use std::process::{Command, Stdio};
use std::time::Duration;

use handset_spec::Language;
use handset_spec::tools::PHONE_ACTION;
use handset_spec_macros::text;
use serde_json::json;

use crate::binary;
use crate::process::{Folder, Server, handset, newcomer, run, wait_for, without_settings};

fn chat(arguments: &[&str], input: &str) -> (std::process::ExitStatus, String, String) {
    let mut command = Command::new(binary::path());
    command.arg("chat").args(arguments);
    without_settings(&mut command);
    run(command, Some(input.as_bytes().to_vec()))
}

/// It declares no capability, so that a call gets `unavailable`, word for word, and no phone sees anything.
#[test]
fn a_terminal_has_no_phone() {
    let data = Folder::new();
    let server = Server::start(&data);
    // The chat has the tool, as it was begun on a phone.
    let begun = server.chat();
    let mut turn = server.say(&begun, "torch on");
    server.answer(&crate::process::card_id(&turn.until("card").data), &json!({"status": "done"}));
    turn.until("reply");
    let (status, out, errors) = handset(&data, &["chat", "--chat", &begun, "--once", "torch on"]);
    assert!(status.success(), "{errors}");
    assert_eq!(out.trim_end(), text!(demo.unavailable in Language::En));
    assert!(errors.contains("· phone_action {"), "{errors}");
    assert!(errors.contains(&format!("→ {}", PHONE_ACTION.unavailable)), "{errors}");
    assert_eq!(server.results(&begun).last().map(String::as_str), Some(PHONE_ACTION.unavailable));
    assert_eq!(server.get("/api/cards")["cards"], json!([]));
    let said = server.get(&format!("/api/chats/{begun}/messages"));
    let mine =
        said["messages"].as_array().unwrap().iter().rfind(|message| message["role"] == "person").unwrap();
    assert_eq!(mine.get("capabilities"), None, "nothing is declared");
}

#[test]
fn lines_are_messages_of_one_chat() {
    let data = Folder::new();
    let server = Server::start(&data);
    let (_, token) = newcomer(&data, &server, "Ann");
    let address = format!("http://{}", server.address);
    let (status, out, errors) = chat(&["--address", &address, "--token", &token], "hello\n\n你好\n");
    assert!(status.success(), "{errors}");
    let expected = format!("{}\n{}\n", text!(demo.hello in Language::En), text!(demo.hello in Language::Zh));
    assert_eq!((out.as_str(), errors.as_str()), (expected.as_str(), ""));
    let chats = server.ask(Some(&token), "GET", "/api/chats", None).json();
    assert_eq!(chats["chats"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_wrong_is_said() {
    let data = Folder::new();
    let server = Server::start(&data);
    let address = format!("http://{}", server.address);
    let (status, _, errors) = chat(&["--address", &address, "--token", "wrong", "--once", "x"], "");
    assert!(status.code() == Some(1) && errors.contains("token"), "{errors}");
    let (status, _, errors) = handset(&data, &["chat", "--chat", "nope", "--once", "x"]);
    assert!(status.code() == Some(1) && errors.contains("no such chat"), "{errors}");
    let (status, _, errors) = handset(&Folder::new(), &["chat", "--once", "x"]);
    assert!(status.code() == Some(1) && errors.contains("is it running?"), "{errors}");
}

/// Ctrl-C asks the server to stop the turn, a second one leaves; the chat stands, and the turn's card as well where the
/// server goes on.
#[test]
fn ctrl_c_stops_and_then_leaves() {
    let data = Folder::new();
    let server = Server::start(&data);
    let begun = server.chat();
    // A card that waits on the phone holds up the chat's next turn: there is something to interrupt.
    let mut turn = server.say(&begun, "torch on");
    turn.until("card");
    let mut command = Command::new(binary::path());
    command.args(["chat", "--chat", &begun, "--once", "hello", "--data"]).arg(data.path());
    without_settings(&mut command);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(|| server.said(&begun).iter().any(|(_, text)| text == "hello").then_some(()));
    let interrupt = |child: &std::process::Child| {
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    };
    interrupt(&child);
    let mut told = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("stopping") {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut told, &mut line).unwrap() > 0);
    }
    // Where the server stops the turn, the command is over; where it does not, the second one ends it.
    for _ in 0..50 {
        if child.try_wait().unwrap().is_some() {
            break;
        }
        interrupt(&child);
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(child.wait().unwrap().code().is_some_and(|code| code == 130 || code == 0));
}

/// The server is killed in the midst of a turn and started again at the same address: the terminal sees the turn through.
#[test]
fn p133_a_turn_is_seen_through_a_restart() {
    let data = Folder::new();
    let server = Server::start(&data);
    let address = server.address.clone();
    let begun = server.chat();
    let mut turn = server.say(&begun, "torch on");
    turn.until("card");
    let mut command = Command::new(binary::path());
    command.args(["chat", "--chat", &begun, "--once", "hello", "--data"]).arg(data.path());
    without_settings(&mut command);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(|| server.said(&begun).iter().any(|(_, text)| text == "hello").then_some(()));
    server.kill();
    let _server = Server::start_with(&data, &["--listen", &address]);
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), text!(demo.hello in Language::En));
}

/// Lines that come from a program: one that is not UTF-8 is sent as far as it is, and one without a reply is told and does
/// not take the rest with it.
#[test]
fn lines_behind_a_bad_one_are_said() {
    let data = Folder::new();
    let server = Server::start(&data);
    let begun = server.chat();
    let mut command = Command::new(binary::path());
    command.args(["chat", "--chat", &begun, "--data"]).arg(data.path());
    without_settings(&mut command);
    let (status, out, errors) = run(command, Some(b"hello\n\xff\xfe\nhello".to_vec()));
    assert!(status.success(), "{errors}");
    assert!(errors.contains("not UTF-8"), "{errors}");
    let hello = text!(demo.hello in Language::En);
    assert!(out.starts_with(hello) && out.trim_end().ends_with(hello), "{out}");
    let said: Vec<_> = server.said(&begun).into_iter().filter(|(role, _)| role == "person").collect();
    assert_eq!(said[1].1, "\u{fffd}\u{fffd}");
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let (status, _, errors) = chat(&["--address", "http://127.0.0.1:9", "--token", "x", "--once", "x"], "");
    assert_eq!(status.code(), Some(1));
    assert!(errors.contains("127.0.0.1:9") && errors.contains("trying again"), "{errors}");
    assert!(!errors.contains("error sending request"), "{errors}");
}
