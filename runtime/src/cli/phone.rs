//! `handset phone`: the app's side of document 1 in a terminal. It shows each card and answers it; it carries nothing out.

use std::collections::VecDeque;
use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use handset_spec::phone::{Action, CAPABILITY, Status};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::api::{Api, Fault};
use super::chat::feed::{self, Fed};
use super::chat::paper::{End, Paper, clean};
use super::chat::sse::{Event, Reader};
use super::chat::{Ended, again, following, fresh, is_of, note, open, print, read_lines};
use super::house;
use crate::clock::{Clock as _, SystemClock};

/// What each card is answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Answer {
    /// Ask here, a line a card
    Ask,
    /// The phone did it
    Done,
    /// The person said no
    Declined,
    /// The phone could not do it
    Failed,
    /// Nothing: the card's time runs out
    None,
}

#[derive(Debug, Args)]
pub(super) struct Phone {
    /// The server's address; without it, the one that the data folder says
    #[arg(long, value_name = "URL", env = "HANDSET_ADDRESS")]
    address: Option<String>,
    /// The token; without it, the operator's from the data folder
    #[arg(long, value_name = "TOKEN", env = "HANDSET_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// The data folder of a server on this machine
    #[arg(long, value_name = "DIR", env = "HANDSET_DATA", default_value = "data")]
    data: PathBuf,
    /// The device's name; a token that was made for a device has its own
    #[arg(long, value_name = "NAME", default_value = "terminal")]
    device: String,
    /// What each card is answered with
    #[arg(long, value_enum, default_value = "ask")]
    answer: Answer,
    /// What the phone says with its answers
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
    /// Say this as the app does, show its cards, print the reply, and end
    #[arg(long, value_name = "TEXT")]
    say: Option<String>,
    /// Say it in this chat instead of a new one
    #[arg(long, value_name = "ID", requires = "say")]
    chat: Option<String>,
    /// Write JSON, an object a line: {"event": "card"|"answered"|"closed"|"reply"|"failed", ...}
    #[arg(long)]
    json: bool,
}

/// A turn that was begun here.
struct Said {
    path: String,
    body: Value,
    turn: String,
}

/// The phone, with the cards that it has shown and not answered.
struct Held {
    api: Api,
    device: String,
    answer: Answer,
    message: Option<String>,
    json: bool,
    /// How far the server's clock is ahead, in milliseconds.
    ahead_ms: i64,
    /// Shown, and to be asked about, oldest first.
    waiting: VecDeque<Value>,
    /// The cards that were shown.
    shown: Vec<String>,
}

/// Plays the phone until its message has its reply, or until it is told to end.
pub(super) async fn run(args: Phone) -> Result<Ended, String> {
    let address = args.address.map_or_else(|| house::address_of(&args.data), Ok)?;
    let token = args.token.map_or_else(|| house::token_of(&args.data), Ok)?;
    let api = Api::new(&address, Some(token))?;
    let failed = |error| format!("signals cannot be listened for: {error}");
    // Taken before the first request: one that comes early is not lost.
    let mut interrupts = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut terminates = signal(SignalKind::terminate()).map_err(failed)?;
    let path = format!("/api/events?device={}", in_query(&args.device));
    let mut feed = feed::follow(api.clone(), path);
    following(&mut feed).await?;
    let mut phone = Held {
        api,
        device: args.device,
        answer: args.answer,
        message: args.message,
        json: args.json,
        ahead_ms: 0,
        waiting: VecDeque::new(),
        shown: Vec::new(),
    };
    phone.look().await?;
    let said = match &args.say {
        Some(text) => Some(phone.say(text, args.chat).await?),
        None => None,
    };
    let mut paper = Paper::default();
    let mut lines: Option<mpsc::Receiver<std::io::Result<Vec<u8>>>> = None;
    let mut closed = false;
    loop {
        let asks = phone.answer == Answer::Ask && !phone.waiting.is_empty() && !closed;
        if asks && lines.is_none() {
            lines = Some(read_lines());
        }
        let fed = tokio::select! {
            fed = feed.recv() => fed,
            line = next(&mut lines), if asks => {
                match line {
                    Some(Ok(line)) => phone.told(&String::from_utf8_lossy(&line)).await?,
                    Some(Err(error)) => return Err(format!("standard input failed: {error}")),
                    // Nobody answers any more: cards run out, and without a message of one's own there is nothing left.
                    None if said.is_none() => return Ok(Ended::Well),
                    None => closed = true,
                }
                continue;
            }
            _ = interrupts.recv() => return Ok(Ended::Left),
            _ = terminates.recv() => return Ok(Ended::Left),
        };
        let event = match fed {
            Some(Fed::Event(event)) => event,
            Some(Fed::Following) => continue,
            Some(Fed::Ended(why)) => return Err(why),
            None => return Err("the event stream ended".to_owned()),
        };
        phone.take(&event).await?;
        let Some(said) = &said else { continue };
        let end = if event.name == "resync" {
            phone.replay(said, &mut paper).await?
        } else if is_of(&said.turn, &event) {
            phone.heard(&mut paper, &event)?
        } else {
            None
        };
        match end {
            None => {}
            Some(End::Reply) => return Ok(Ended::Well),
            Some(End::Failed(why)) => return Ok(Ended::Failed(why)),
        }
    }
}

impl Held {
    /// Shows the cards that wait already, and learns the server's time.
    async fn look(&mut self) -> Result<(), String> {
        let path = format!("/api/cards?device={}", in_query(&self.device));
        let told = again(|| self.api.ask(Method::GET, &path, None)).await?;
        if let Some(now_ms) = told["now_ms"].as_i64() {
            self.ahead_ms = now_ms - SystemClock.now_ms();
        }
        for card in told["cards"].as_array().into_iter().flatten() {
            self.show(card).await?;
        }
        Ok(())
    }

    /// Says something as the app does: with the capability, from this device.
    async fn say(&self, text: &str, chat: Option<String>) -> Result<Said, String> {
        let chat = open(&self.api, chat).await?;
        let path = format!("/api/chats/{chat}/messages");
        let body = json!({
            "text": text,
            "capabilities": [CAPABILITY],
            "device": self.device,
            "client_id": fresh()?,
        });
        let taken = again(|| self.api.ask(Method::POST, &path, Some(&body))).await?;
        let turn = taken["turn"].as_str().ok_or("the server did not take the message")?.to_owned();
        Ok(Said { path, body, turn })
    }

    /// Takes what happened of cards.
    async fn take(&mut self, event: &Event) -> Result<(), String> {
        let data: Value = serde_json::from_str(&event.data).unwrap_or_default();
        let card = &data["card"];
        match event.name.as_str() {
            "card" => self.show(card).await,
            "card_closed" => {
                let id = card["id"].as_str().unwrap_or_default();
                let before = self.waiting.len();
                self.waiting.retain(|waiting| waiting["id"] != id);
                if self.json {
                    self.write(&json!({"event": "closed", "card": card}))
                } else if self.waiting.len() < before || self.answer == Answer::None {
                    let state = clean(card["state"].as_str().unwrap_or_default()).replace('_', " ");
                    self.line(&format!("  the card is closed: {state}"))
                } else {
                    Ok(())
                }
            }
            // Cards may have come and gone unseen.
            "resync" => self.look().await,
            _ => Ok(()),
        }
    }

    /// Shows a card, once, and answers it where nobody is asked.
    async fn show(&mut self, card: &Value) -> Result<(), String> {
        let id = card["id"].as_str().unwrap_or_default().to_owned();
        if card["state"] != "pending" || self.shown.contains(&id) {
            return Ok(());
        }
        self.shown.push(id);
        if self.json {
            self.write(&json!({"event": "card", "card": card}))?;
        } else {
            let left =
                card["deadline_ms"].as_i64().unwrap_or_default() - SystemClock.now_ms() - self.ahead_ms;
            for line in lines_of(card, left) {
                self.line(&line)?;
            }
        }
        let status = match self.answer {
            Answer::Ask => {
                self.waiting.push_back(card.clone());
                if self.waiting.len() == 1 {
                    self.ask();
                }
                return Ok(());
            }
            Answer::None => return Ok(()),
            Answer::Done => Status::Done,
            Answer::Declined => Status::Declined,
            Answer::Failed => Status::Failed,
        };
        self.give(card, status, self.message.clone()).await
    }

    fn ask(&self) {
        if !self.json {
            note("  y: done, n: declined, f: failed; words behind it are the phone's message > ");
        }
    }

    /// Takes a line as the answer to the card that was shown first.
    async fn told(&mut self, line: &str) -> Result<(), String> {
        let Some((status, message)) = read(line) else {
            note("handset: begin the line with y, n or f\n");
            self.ask();
            return Ok(());
        };
        if let Some(card) = self.waiting.pop_front() {
            self.give(&card, status, message.or_else(|| self.message.clone())).await?;
        }
        if !self.waiting.is_empty() {
            self.ask();
        }
        Ok(())
    }

    /// Answers a card; an answer that does not count is told, and ends nothing.
    async fn give(&self, card: &Value, status: Status, message: Option<String>) -> Result<(), String> {
        let id = card["id"].as_str().unwrap_or_default();
        let path = format!("/api/cards/{id}/answer");
        let body = json!({
            "status": status.name(),
            "message": message,
            "device": self.device,
            // Stamped, so that it counts though the way be long.
            "answered_at": SystemClock.now_ms() + self.ahead_ms,
            "client_id": fresh()?,
        });
        let mut refused = None;
        let given = again(|| async {
            match self.api.ask(Method::POST, &path, Some(&body)).await {
                Err(Fault::Refused { status: StatusCode::CONFLICT, message }) => Ok(Err(message)),
                other => other.map(Ok),
            }
        });
        if let Err(why) = given.await? {
            refused = Some(why);
        }
        if self.json {
            return self.write(&json!({
                "event": "answered",
                "card": id,
                "status": status.name(),
                "message": message,
                "refused": refused,
            }));
        }
        match refused {
            Some(why) => self.line(&format!("  not counted: {}", clean(&why))),
            None => self.line(&format!("  answered: {}", status.name())),
        }
    }

    /// Takes what the turn says.
    fn heard(&self, paper: &mut Paper, event: &Event) -> Result<Option<End>, String> {
        if !self.json {
            return print(paper, event);
        }
        let (_, end) = paper.take(event);
        match &end {
            None => {}
            Some(End::Reply) => {
                let data: Value = serde_json::from_str(&event.data).unwrap_or_default();
                self.write(&json!({"event": "reply", "text": data["message"]["text"]}))?;
            }
            Some(End::Failed(why)) => self.write(&json!({"event": "failed", "message": why}))?,
        }
        Ok(end)
    }

    /// Reads the turn from its own stream, where events were missed.
    async fn replay(&mut self, said: &Said, paper: &mut Paper) -> Result<Option<End>, String> {
        let mut stream = again(|| self.api.stream(&said.path, None, Some(&said.body))).await?;
        let mut reader = Reader::default();
        while let Ok(Some(chunk)) = stream.chunk().await {
            for event in reader.push(&chunk) {
                self.take(&event).await?;
                if let Some(end) = self.heard(paper, &event)? {
                    return Ok(Some(end));
                }
            }
        }
        Ok(None)
    }

    fn write(&self, what: &Value) -> Result<(), String> {
        self.line(&what.to_string())
    }

    fn line(&self, line: &str) -> Result<(), String> {
        let mut out = std::io::stdout();
        let written = writeln!(out, "{line}").and_then(|()| out.flush());
        written.map_err(|error| format!("standard output failed: {error}"))
    }
}

async fn next(
    lines: &mut Option<mpsc::Receiver<std::io::Result<Vec<u8>>>>,
) -> Option<std::io::Result<Vec<u8>>> {
    match lines {
        Some(lines) => lines.recv().await,
        None => std::future::pending().await,
    }
}

/// An answer, and the phone's message, out of a line.
fn read(line: &str) -> Option<(Status, Option<String>)> {
    let line = line.trim();
    let (word, message) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let status = match word.to_lowercase().as_str() {
        "y" | "yes" | "done" => Status::Done,
        "n" | "no" | "declined" => Status::Declined,
        "f" | "failed" => Status::Failed,
        _ => return None,
    };
    let message = message.trim();
    Some((status, (!message.is_empty()).then(|| message.to_owned())))
}

/// A card as a terminal shows it: its line, then a field a line. `left_ms` is how long it waits still.
fn lines_of(card: &Value, left_ms: i64) -> Vec<String> {
    let call = &card["call"];
    let word = |value: &Value| clean(value.as_str().unwrap_or_default()).replace('\n', " ");
    let seconds = (left_ms.max(0) + 500) / 1000;
    let mut lines =
        vec![format!("card: {} ({}, {seconds} s)", word(&card["summary"]), word(&call["action"]))];
    // In the spec's order; a newer server's further fields behind them.
    let known = call["action"].as_str().and_then(Action::from_name).map(Action::fields).unwrap_or_default();
    let place = |name: &str| known.iter().position(|field| field.name() == name).unwrap_or(known.len());
    let mut fields: Vec<_> = call.as_object().into_iter().flatten().collect();
    fields.retain(|(name, _)| !["action", "summary"].contains(&name.as_str()));
    fields.sort_by_key(|(name, _)| place(name));
    for (name, value) in fields {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Array(values) if values.iter().all(Value::is_string) => {
                values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
            }
            other => other.to_string(),
        };
        lines.push(format!("  {}: {}", clean(name), clean(&value).replace('\n', "\n    ")));
    }
    lines
}

/// A word as it stands in a query.
fn in_query(word: &str) -> String {
    let escaped = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    word.bytes().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_answer() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(read(" y\n"), Some((Status::Done, None)));
        assert_eq!(read("Y  Alarm set \n"), Some((Status::Done, some("Alarm set"))));
        assert_eq!(read("no"), Some((Status::Declined, None)));
        assert_eq!(read("f no such app"), Some((Status::Failed, some("no such app"))));
        assert_eq!((read(""), read("maybe")), (None, None));
    }

    #[test]
    fn a_card_is_shown_whole_and_moves_no_cursor() {
        let card = json!({
            "summary": "a\u{1b}[2Jb",
            "call": {"action": "alarm", "summary": "x", "time": "07:30", "days": ["mon", "tue"], "on": true, "stop": {"lat": 1}},
        });
        assert_eq!(
            lines_of(&card, 119_600),
            [
                "card: a[2Jb (alarm, 120 s)",
                "  time: 07:30",
                "  days: mon, tue",
                "  on: true",
                "  stop: {\"lat\":1}",
            ]
        );
        assert_eq!(in_query("my phone/é"), "my%20phone%2F%C3%A9");
    }
}
