//! `handset chat`: a chat from a terminal.
//!
//! It declares no capability: a terminal has no phone behind it, so a call of the phone's tool gets `unavailable`
//! (document 1, "The CLI never offers it").

pub(super) mod feed;
pub(super) mod paper;
pub(super) mod sse;

use std::borrow::Cow;
use std::io::{BufRead as _, IsTerminal as _, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use self::feed::Fed;
use self::paper::{End, Paper, Print};
use self::sse::{Event, Reader};
use super::api::{Api, Fault};
use super::house;
use crate::ids::secret;

/// How often a message is sent before it is given up, and the wait between.
const TRIES: u32 = 8;
const PAUSE: Duration = Duration::from_millis(250);

#[derive(Debug, Args)]
pub(super) struct Chat {
    /// The server's address; without it, the one that the data folder says
    #[arg(long, value_name = "URL", env = "HANDSET_ADDRESS")]
    address: Option<String>,
    /// The token; without it, the operator's from the data folder
    #[arg(long, value_name = "TOKEN", env = "HANDSET_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// The data folder of a server on this machine
    #[arg(long, value_name = "DIR", env = "HANDSET_DATA", default_value = "data")]
    data: PathBuf,
    /// Go on with this chat instead of a new one
    #[arg(long, value_name = "ID")]
    chat: Option<String>,
    /// Say this, print the reply, and end
    #[arg(long, value_name = "TEXT")]
    once: Option<String>,
}

/// How the command ends.
pub(super) enum Ended {
    /// Everything was said.
    Well,
    /// A message got no reply, for this reason.
    Failed(String),
    /// The person left in the midst of it (Ctrl-C twice).
    Left,
}

/// Talks until there is nothing more to say.
pub(super) async fn run(args: Chat) -> Result<Ended, String> {
    let address = args.address.map_or_else(|| house::address_of(&args.data), Ok)?;
    let token = args.token.map_or_else(|| house::token_of(&args.data), Ok)?;
    let api = Api::new(&address, Some(token))?;
    let chat = open(&api, args.chat).await?;
    let mut feed = feed::follow(api.clone(), "/api/events".to_owned());
    following(&mut feed).await?;
    let interrupts =
        signal(SignalKind::interrupt()).map_err(|error| format!("Ctrl-C cannot be listened for: {error}"))?;
    let mut talk = Talk { api, chat, feed, interrupts };
    match args.once {
        Some(text) => talk.turn(&text).await,
        None => talk.lines().await,
    }
}

/// Waits until the feed follows: whatever is said from then on is told.
pub(super) async fn following(feed: &mut mpsc::Receiver<Fed>) -> Result<(), String> {
    loop {
        match feed.recv().await {
            Some(Fed::Following) => return Ok(()),
            Some(Fed::Event(_)) => {}
            Some(Fed::Ended(why)) => return Err(why),
            None => return Err("the event stream ended".to_owned()),
        }
    }
}

/// The chat with this id, or a new one: its id.
pub(super) async fn open(api: &Api, chat: Option<String>) -> Result<String, String> {
    let chat = match chat {
        Some(chat) => {
            let path = format!("/api/chats/{chat}");
            api.ask(Method::GET, &path, None).await.map_err(|error| error.to_string())?
        }
        None => {
            let body = json!({ "client_id": fresh()? });
            again(|| api.ask(Method::POST, "/api/chats", Some(&body))).await?
        }
    };
    Ok(chat["id"].as_str().ok_or("the server gave no chat")?.to_owned())
}

/// A chat that goes on.
struct Talk {
    api: Api,
    chat: String,
    feed: mpsc::Receiver<Fed>,
    /// Ctrl-C, taken from before the first word on: one that comes between two questions is not lost.
    interrupts: Signal,
}

impl Talk {
    /// Takes lines from standard input, each a message, until it ends. A message without a reply is told, and the next
    /// one is taken; without a terminal the end tells how many there were.
    async fn lines(&mut self) -> Result<Ended, String> {
        let prompt = std::io::stdin().is_terminal();
        let mut lines = read_lines();
        let mut failed = 0_usize;
        loop {
            if prompt {
                note("> ");
            }
            let line = tokio::select! {
                line = lines.recv() => line,
                // Nothing is under way: leaving is no interruption.
                _ = self.interrupts.recv() => return Ok(Ended::Well),
            };
            let Some(line) = line else {
                return Ok(match failed {
                    0 => Ended::Well,
                    1 => Ended::Failed("one message got no reply".to_owned()),
                    failed => Ended::Failed(format!("{failed} messages got no reply")),
                });
            };
            let line = match line {
                Ok(line) => line,
                Err(error) => return Err(format!("standard input failed: {error}")),
            };
            let text = String::from_utf8_lossy(&line);
            if text.trim().is_empty() {
                continue;
            }
            if matches!(text, Cow::Owned(_)) {
                note("handset: this line is not UTF-8; what is not is sent as \u{fffd}\n");
            }
            match self.turn(&text).await {
                Ok(Ended::Well) => {}
                Ok(Ended::Left) => return Ok(Ended::Left),
                Ok(Ended::Failed(why)) => {
                    failed += usize::from(!prompt);
                    note(&format!("handset: {why}\n"));
                }
                // A person may try again; a program's next line would fare the same.
                Err(why) if prompt => note(&format!("handset: {why}\n")),
                Err(why) => return Err(why),
            }
        }
    }

    /// Says something and prints what comes of it.
    async fn turn(&mut self, text: &str) -> Result<Ended, String> {
        let path = format!("/api/chats/{}/messages", self.chat);
        let body = json!({ "text": text, "client_id": fresh()? });
        // Sent again after a broken connection, it is the same message: it bears an id of its own.
        let taken = again(|| self.api.ask(Method::POST, &path, Some(&body))).await?;
        let turn = taken["turn"].as_str().ok_or("the server did not take the message")?.to_owned();
        let mut paper = Paper::default();
        let mut stopped = false;
        loop {
            let fed = tokio::select! {
                fed = self.feed.recv() => fed,
                _ = self.interrupts.recv() => {
                    if std::mem::replace(&mut stopped, true) {
                        return Ok(Ended::Left);
                    }
                    note("\n(stopping; Ctrl-C again leaves)\n");
                    self.stop();
                    continue;
                }
            };
            let end = match fed {
                Some(Fed::Event(event)) if event.name == "resync" => {
                    // Events were missed that are not kept: the turn itself tells everything again.
                    self.replay(&path, &body, &mut paper).await?
                }
                Some(Fed::Event(event)) if is_of(&turn, &event) => print(&mut paper, &event)?,
                Some(Fed::Event(_) | Fed::Following) => None,
                Some(Fed::Ended(why)) => return Err(why),
                None => return Err("the event stream ended".to_owned()),
            };
            match end {
                None => {}
                Some(End::Reply) => return Ok(Ended::Well),
                Some(End::Failed(_)) if stopped => return Ok(Ended::Well),
                Some(End::Failed(why)) => return Ok(Ended::Failed(why)),
            }
        }
    }

    /// Reads the turn from its own stream, which tells a turn from its beginning.
    async fn replay(&self, path: &str, body: &Value, paper: &mut Paper) -> Result<Option<End>, String> {
        let mut stream = again(|| self.api.stream(path, None, Some(body))).await?;
        let mut reader = Reader::default();
        // Where it breaks off, the feed goes on.
        while let Ok(Some(chunk)) = stream.chunk().await {
            for event in reader.push(&chunk) {
                if let Some(end) = print(paper, &event)? {
                    return Ok(Some(end));
                }
            }
        }
        Ok(None)
    }

    /// Asks the server to stop the turn; whether it can is seen by whether the turn ends.
    fn stop(&self) {
        let (api, path) = (self.api.clone(), format!("/api/chats/{}/stop", self.chat));
        tokio::spawn(async move {
            if let Err(error) = api.ask(Method::POST, &path, None).await {
                tracing::debug!(%error, "the turn was not stopped");
            }
        });
    }
}

pub(super) fn is_of(turn: &str, event: &Event) -> bool {
    serde_json::from_str::<Value>(&event.data).is_ok_and(|data| data["turn"] == turn)
}

pub(super) fn print(paper: &mut Paper, event: &Event) -> Result<Option<End>, String> {
    let (prints, end) = paper.take(event);
    let mut out = std::io::stdout();
    for print in prints {
        match print {
            Print::Words(text) => out
                .write_all(text.as_bytes())
                .and_then(|()| out.flush())
                .map_err(|error| format!("standard output failed: {error}"))?,
            Print::Note(text) => note(&text),
        }
    }
    Ok(end)
}

/// Says something beside the words.
pub(super) fn note(text: &str) {
    let mut out = std::io::stderr();
    // Without standard error there is nobody left to tell.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Asks until it is answered, some seconds at most.
pub(super) async fn again<T, F: Future<Output = Result<T, Fault>>>(ask: impl Fn() -> F) -> Result<T, String> {
    let mut tries = 0;
    loop {
        match ask().await {
            Ok(answer) => return Ok(answer),
            Err(error) if error.may_pass() && tries < TRIES => {
                if tries == 0 {
                    note(&format!("handset: {error}; trying again for some seconds\n"));
                }
                tries += 1;
                tokio::time::sleep(PAUSE * tries).await;
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// Lines of standard input. A thread of its own reads them: a terminal's read cannot be given up.
pub(super) fn read_lines() -> mpsc::Receiver<std::io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel(1);
    std::thread::spawn(move || {
        // Bytes: what is not UTF-8 is no reason to lose the lines behind it.
        for line in std::io::stdin().lock().split(b'\n') {
            let failed = line.is_err();
            if sender.blocking_send(line).is_err() || failed {
                return;
            }
        }
    });
    receiver
}

pub(super) fn fresh() -> Result<String, String> {
    let mut id = secret().map_err(|error| error.to_string())?;
    id.truncate(32);
    Ok(id)
}
