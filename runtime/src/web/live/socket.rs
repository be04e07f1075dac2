//! One connection to a line: frames in, frames out.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::line::{Declared, Device, Input, Recording};
use super::{App, MAX_TEXT};
use crate::ids::PersonId;
use crate::voice::audio::RATE;
use crate::voice::line::finder::{Finder, Found};
use crate::voice::line::frames::{Fault, News, Sign};
use crate::web::extract;
use crate::web::streams::Seat;

/// How many frames a line may be ahead of its socket. A device that is further behind is given up; it may come back.
const AHEAD: usize = 1024;
/// How often a quiet socket is asked whether it is there: proxies close what is silent for a minute (P137).
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How long a socket may say nothing, not even that it is there.
const SILENT: Duration = Duration::from_secs(45);
/// How long the last words of a socket may take.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// What goes out.
#[derive(Debug)]
pub(super) enum Out {
    /// JSON.
    Text(String),
    /// Sound.
    Sound(Bytes),
    /// The end, with its code and why.
    Close(u16, &'static str),
}

/// What comes in, in its order: what binary frames belong to.
enum Expects {
    /// A recording.
    Recording { client_id: String, language: Option<String> },
    /// Sound that flows.
    Sound { finder: Box<Finder>, language: Option<String>, odd: Option<u8> },
    /// Nothing.
    Nothing,
}

/// Serves a socket until it ends.
pub(super) async fn run(
    app: App,
    person: PersonId,
    own: Option<String>,
    line: mpsc::Sender<Input>,
    mut seat: Seat,
    socket: WebSocket,
) {
    let (out, mut outgoing) = mpsc::channel(AHEAD);
    let number = app.live.number();
    let (ends, mut let_go) = oneshot::channel();
    if line.send(Input::Attach(Device { number, out: out.clone(), _ends: ends })).await.is_err() {
        let _ = out.try_send(Out::Close(1000, "the call is over"));
    }
    let (mut sink, mut stream) = socket.split();
    // Written beside what is read: a device that takes its time to hear is heard all the same.
    let writing = tokio::spawn(async move {
        let mut beat = tokio::time::interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
        loop {
            let message = tokio::select! {
                out = outgoing.recv() => match out {
                    Some(Out::Text(text)) => Message::Text(text.into()),
                    Some(Out::Sound(bytes)) => Message::Binary(bytes),
                    Some(Out::Close(code, reason)) => {
                        let frame = CloseFrame { code, reason: reason.into() };
                        let closing = async {
                            let _ = sink.send(Message::Close(Some(frame))).await;
                            let _ = sink.close().await;
                        };
                        let _ = tokio::time::timeout(LAST_WORDS, closing).await;
                        return;
                    }
                    None => return,
                },
                _ = beat.tick() => Message::Ping(Bytes::new()),
            };
            if sink.send(message).await.is_err() {
                return;
            }
        }
    });
    let mut reader = Reader {
        app: &app,
        person,
        line: line.clone(),
        out: out.clone(),
        number,
        expects: Expects::Nothing,
        declared: Declared { device: own.clone(), capabilities: Vec::new() },
        own,
    };
    let mut known = true;
    loop {
        let message = tokio::select! {
            message = tokio::time::timeout(SILENT, stream.next()) => message,
            () = seat.ended() => {
                let _ = out.try_send(Out::Close(1008, "the token is not known any more"));
                known = false;
                break;
            }
            // The line has let go of this socket.
            _ = &mut let_go => break,
            // It cannot be written to.
            () = out.closed() => break,
        };
        let message = match message {
            Ok(Some(Ok(message))) => message,
            Ok(Some(Err(error))) => {
                tracing::debug!(%error, "a frame could not be read");
                let _ = out.try_send(Out::Close(
                    1002,
                    "too large a frame, text that is no UTF-8, or none of a WebSocket",
                ));
                break;
            }
            Ok(None) | Err(_) => break,
        };
        if reader.take(message).await.is_none() {
            break;
        }
    }
    if known {
        // However it ends, what had come of an utterance was said.
        let _ = reader.finish().await;
    }
    let _ = line.send(Input::Detach(number)).await;
    drop((line, reader, out));
    let stop = writing.abort_handle();
    let ending = async {
        let _ = writing.await;
        // Closed with something unread, a socket takes its last words back: what still comes is read and dropped.
        while let Some(Ok(message)) = stream.next().await {
            if matches!(message, Message::Close(_)) {
                break;
            }
        }
    };
    if tokio::time::timeout(LAST_WORDS, ending).await.is_err() {
        stop.abort();
    }
}

struct Reader<'a> {
    app: &'a App,
    person: PersonId,
    line: mpsc::Sender<Input>,
    out: mpsc::Sender<Out>,
    number: u64,
    expects: Expects,
    /// What the device says of itself.
    declared: Declared,
    /// The device that the token was made for: it speaks for it alone.
    own: Option<String>,
}

impl Reader<'_> {
    /// Takes a frame; nothing where the socket is to end.
    async fn take(&mut self, message: Message) -> Option<()> {
        match message {
            Message::Text(text) if text.len() > MAX_TEXT => {
                self.bad("frame_too_large", format!("A text frame may have {MAX_TEXT} bytes."), None);
            }
            Message::Text(text) => match serde_json::from_str::<Sign>(&text) {
                Ok(sign) => self.sign(sign).await?,
                Err(error) => self.bad(
                    "bad_frame",
                    format!("This frame cannot be read: {error}."),
                    Some("docs/voice.md says which frames there are."),
                ),
            },
            Message::Binary(bytes) => self.sound(bytes).await?,
            Message::Close(_) => return None,
            Message::Ping(_) | Message::Pong(_) => {}
        }
        Some(())
    }

    async fn sign(&mut self, sign: Sign) -> Option<()> {
        match sign {
            Sign::Device { capabilities, device } => {
                let declared = extract::capabilities(capabilities)
                    .and_then(|capabilities| Ok((capabilities, extract::word("device", device)?)));
                match declared {
                    Ok((capabilities, device)) => {
                        self.declared = Declared { device: self.own.clone().or(device), capabilities };
                    }
                    Err(error) => self.bad("bad_frame", error.body.message, error.body.hint),
                }
            }
            Sign::Utterance { client_id, language } => {
                if client_id.trim().is_empty() || client_id.chars().count() > 128 {
                    self.bad("bad_frame", "client_id has from 1 to 128 characters.".to_owned(), None);
                    return Some(());
                }
                self.finish().await?;
                self.expects = Expects::Recording { client_id, language };
            }
            Sign::Frames { rate, language } if rate == RATE => {
                self.finish().await?;
                self.expects = Expects::Sound { finder: Box::default(), language, odd: None };
            }
            Sign::Frames { rate, .. } => {
                let message = format!("Sound comes with {RATE} samples a second, and not with {rate}.");
                self.bad("bad_rate", message, None);
            }
            Sign::FramesEnd => self.finish().await?,
            Sign::Hangup => {
                // What is being said counts.
                self.finish().await?;
                self.line.send(Input::Sign(self.number, Sign::Hangup)).await.ok()?;
            }
            sign => self.line.send(Input::Sign(self.number, sign)).await.ok()?,
        }
        Some(())
    }

    /// No more sound flows: an utterance that had begun is what was said.
    async fn finish(&mut self) -> Option<()> {
        if let Expects::Sound { finder, language, .. } =
            std::mem::replace(&mut self.expects, Expects::Nothing)
        {
            let mut found = Vec::new();
            finder.finish(|each| found.push(each));
            self.found(found, language).await?;
        }
        Some(())
    }

    async fn sound(&mut self, bytes: Bytes) -> Option<()> {
        match std::mem::replace(&mut self.expects, Expects::Nothing) {
            Expects::Recording { client_id, language } => {
                self.recording(client_id, language, bytes.into()).await?;
            }
            Expects::Sound { mut finder, language, odd } => {
                let mut found = Vec::new();
                let all: Vec<u8> = odd.into_iter().chain(bytes).collect();
                let pairs = all.chunks_exact(2);
                let odd = pairs.remainder().first().copied();
                finder
                    .push(pairs.map(|pair| i16::from_le_bytes([pair[0], pair[1]])), |each| found.push(each));
                self.expects = Expects::Sound { finder, language: language.clone(), odd };
                self.found(found, language).await?;
            }
            Expects::Nothing => self.bad(
                "unexpected_sound",
                "A binary frame follows one that announces it.".to_owned(),
                Some("Send {\"type\":\"utterance\"} or {\"type\":\"frames\"} first."),
            ),
        }
        Some(())
    }

    async fn found(&mut self, found: Vec<Found>, language: Option<String>) -> Option<()> {
        for found in found {
            match found {
                Found::Onset => {
                    let speaking = Sign::Speaking { turn: None, piece: None, share: None };
                    self.line.send(Input::Sign(self.number, speaking)).await.ok()?;
                }
                Found::Utterance(samples) => {
                    let client_id = crate::ids::secret().ok()?;
                    self.recording(client_id, language.clone(), wav(&samples)).await?;
                }
            }
        }
        Some(())
    }

    async fn recording(&self, client_id: String, language: Option<String>, bytes: Vec<u8>) -> Option<()> {
        let now_ms = self.app.gateway.clock.now_ms();
        if let Err(error) = self.app.guard.utterance(&self.person, now_ms) {
            let error = Fault { code: error.body.code, message: error.body.message, hint: error.body.hint };
            self.tell(&News::Fault { client_id: Some(client_id), error });
            return Some(());
        }
        let (at, from) = (std::time::Instant::now(), self.declared.clone());
        let recording = Recording { client_id, language, bytes, at, from };
        self.line.send(Input::Recording(recording)).await.ok()
    }

    fn bad(&self, code: &'static str, message: String, hint: Option<&'static str>) {
        self.tell(&News::Bad { error: Fault { code, message, hint } });
    }

    fn tell(&self, news: &News) {
        if let Ok(text) = serde_json::to_string(news) {
            // One that is this far behind will be given up.
            let _ = self.out.try_send(Out::Text(text));
        }
    }
}

/// Samples as a recording.
fn wav(samples: &[i16]) -> Vec<u8> {
    let bytes = u32::try_from(samples.len() * 2).unwrap_or(u32::MAX);
    let mut wav = Vec::with_capacity(44 + samples.len() * 2);
    wav.extend(b"RIFF");
    wav.extend(bytes.saturating_add(36).to_le_bytes());
    wav.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    wav.extend(RATE.to_le_bytes());
    wav.extend((RATE * 2).to_le_bytes());
    wav.extend(b"\x02\0\x10\0data");
    wav.extend(bytes.to_le_bytes());
    wav.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    wav
}
