//! `handset phone`: the app's side in a terminal, as a process against the server as a process.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use handset_spec::Language;
use handset_spec_macros::text;
use serde_json::{Value, json};

use crate::binary;
use crate::process::{Folder, Server, handset, newcomer, run, wait_for, without_settings};

fn phone(data: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary::path());
    command.arg("phone").args(arguments).arg("--data").arg(data.path());
    without_settings(&mut command);
    command
}

fn start(data: &Folder, arguments: &[&str]) -> Child {
    let mut command = phone(data, arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn objects(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// One command shows the whole way: a message with the capability, its card, the answer, the reply.
#[test]
fn one_command_shows_the_whole_way() {
    let data = Folder::new();
    let server = Server::start(&data);
    let say = "set an alarm for 7:30 on weekdays";
    let (status, out, errors) = handset(
        &data,
        &["phone", "--say", say, "--answer", "done", "--message", "Alarm set for 07:30", "--device", "pixel"],
    );
    assert!(status.success(), "{errors}");
    let expected = [
        "card: set an alarm for 7:30 on weekdays (alarm, ",
        "  time: 07:30\n  days: mon, tue, wed, thu, fri\n  answered: done\n",
        text!(demo.done_says in Language::En, summary = say, message = "Alarm set for 07:30").as_str(),
    ]
    .map(str::to_owned);
    for part in expected {
        assert!(out.contains(&part), "{part:?} in {out}");
    }
    let chat = server.get("/api/chats")["chats"][0]["id"].as_str().unwrap().to_owned();
    let said = &server.get(&format!("/api/chats/{chat}/messages"))["messages"][0];
    assert_eq!((&said["capabilities"], &said["device"]), (&json!(["phone_actions"]), &json!("pixel")));
    // Another one in the same chat, told as JSON, with another ending.
    for (answer, words) in [
        ("declined", text!(demo.declined in Language::En, summary = "torch on")),
        ("failed", text!(demo.failed in Language::En, summary = "torch on", reason = "no light")),
    ] {
        let options = ["phone", "--say", "torch on", "--chat", &chat, "--json", "--answer", answer];
        let (status, out, errors) = handset(&data, &[&options[..], &["--message", "no light"]].concat());
        assert!(status.success(), "{errors}");
        let told = objects(&out);
        let events: Vec<_> = told.iter().map(|event| event["event"].as_str().unwrap()).collect();
        assert_eq!(events.first(), Some(&"card"));
        assert_eq!(events.last(), Some(&"reply"));
        assert!(events.contains(&"closed"), "{events:?}");
        let answered = told.iter().find(|event| event["event"] == "answered").unwrap();
        assert_eq!((&answered["status"], &answered["refused"]), (&json!(answer), &Value::Null));
        assert_eq!(told[0]["card"]["device"], "terminal");
        let reply = told.last().unwrap()["text"].as_str().unwrap();
        assert_eq!(reply, words);
    }
}

/// It shows the cards of what is said elsewhere, asks for each, and takes lines as answers.
#[test]
fn it_asks_for_each_card() {
    let data = Folder::new();
    let server = Server::start(&data);
    let (_, token) = newcomer(&data, &server, "Ann");
    let address = format!("http://{}", server.address);
    // A card waits already.
    let chat = server.ask(Some(&token), "POST", "/api/chats", None).json()["id"].as_str().unwrap().to_owned();
    let path = format!("/api/chats/{chat}/messages");
    let say = |text: &str| {
        let body = json!({"text": text, "capabilities": ["phone_actions"]});
        assert_eq!(server.ask(Some(&token), "POST", &path, Some(&body)).status, 202);
    };
    say("torch on");
    wait_for(|| {
        let cards = server.ask(Some(&token), "GET", "/api/cards", None).json();
        (cards["cards"].as_array().unwrap().len() == 1).then_some(())
    });
    let mut child = start(&data, &["--address", &address, "--token", &token]);
    let mut input = child.stdin.take().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut until = |wanted: &str| {
        let mut seen = String::new();
        loop {
            let line = out.next().unwrap_or_else(|| panic!("{wanted:?} did not come: {seen}")).unwrap();
            seen += &format!("{line}\n");
            if line.contains(wanted) {
                return;
            }
        }
    };
    until("card: ");
    writeln!(input, "perhaps").unwrap();
    writeln!(input, "y As bright as day").unwrap();
    until("answered: done");
    let results = || {
        let told = server.ask(Some(&token), "GET", &path, None).json();
        let all = told["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "result");
        all.map(|message| message["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(wait_for(|| results().pop()).contains("As bright as day"));
    say("torch off");
    until("card: ");
    writeln!(input, "n").unwrap();
    until("answered: declined");
    // Told to end, it ends well; so it does where nobody answers any more.
    let told = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(told.success() && child.wait().unwrap().success());
    say("torch on");
    let (status, out, errors) =
        run(phone(&data, &["--address", &address, "--token", &token]), Some(Vec::new()));
    assert!(status.success() && out.contains("card: "), "{out}{errors}");
    let still = server.ask(Some(&token), "GET", "/api/cards", None).json();
    assert_eq!(still["cards"].as_array().unwrap().len(), 1, "a card that nobody answered waits on");
}

/// It shows a card and says nothing to it: the card is another device's to answer, or runs out.
#[test]
fn it_may_stay_silent() {
    let data = Folder::new();
    let server = Server::start(&data);
    let mut child = start(&data, &["--say", "torch on", "--answer", "none", "--json"]);
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    let first: Value = serde_json::from_str(&out.next().unwrap().unwrap()).unwrap();
    assert_eq!(first["event"], "card");
    let card = first["card"]["id"].as_str().unwrap();
    assert_eq!(server.get(&format!("/api/cards/{card}"))["state"], "pending");
    let body = json!({"status": "done", "device": "terminal"});
    assert_eq!(server.answer(card, &body).0, 200);
    let rest: Vec<Value> = out.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    let events: Vec<_> = rest.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["closed", "reply"]);
    assert!(child.wait().unwrap().success());
}

#[test]
fn what_is_wrong_is_said() {
    let data = Folder::new();
    let server = Server::start(&data);
    let address = format!("http://{}", server.address);
    let wrong = phone(&data, &["--address", &address, "--token", "wrong", "--say", "x"]);
    let (status, _, errors) = run(wrong, None);
    assert!(status.code() == Some(1) && errors.contains("token"), "{errors}");
    let (status, _, errors) = handset(&data, &["phone", "--answer", "perhaps"]);
    assert!(!status.success() && errors.contains("ask, done, declined, failed, none"), "{errors}");
    let (status, _, errors) = handset(&Folder::new(), &["phone", "--say", "x"]);
    assert!(status.code() == Some(1) && errors.contains("is it running?"), "{errors}");
}
