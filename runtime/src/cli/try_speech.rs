//! `handset try speech`: a text spoken as a reply would be, with the time of each stage.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use crate::config;
use crate::gateway::language;
use crate::models;
use crate::voice::audio;
use crate::voice::speech::{self, Event, Format, Free, Manner, Piece, Speaker, Speaking, Utterance, wav};

/// What is tried.
#[derive(Debug, Args)]
pub(super) struct Speech {
    /// The reply, as it is shown
    #[arg(value_name = "TEXT")]
    text: String,
    /// Write the audio of all pieces into this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The language of the text, as ISO 639 has it, such as en or zh; without it that of its characters
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// The folder whose handset.toml counts where there is none here
    #[arg(long, value_name = "DIR", env = "HANDSET_DATA", default_value = "data")]
    data: PathBuf,
    /// The configuration; without it handset.toml here, else the one in the data folder, if there is one
    #[arg(long, value_name = "FILE", env = "HANDSET_CONFIG")]
    config: Option<PathBuf>,
}

#[derive(Serialize)]
struct Tried {
    /// What spoke.
    service: String,
    /// Its audio's media type.
    format: Option<&'static str>,
    pieces: Vec<Spoken>,
    /// What is shown behind the last piece, and not spoken.
    rest: String,
    /// Milliseconds for everything.
    took: f64,
    /// The file that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
}

#[derive(Serialize)]
struct Spoken {
    piece: usize,
    spoken: String,
    shown: String,
    /// Milliseconds from the beginning until the service was asked, and how long it took; null where it was not asked.
    asked: Option<f64>,
    took: Option<f64>,
    /// What came: bytes, and seconds to hear where they can be decoded here.
    bytes: Option<usize>,
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A service with a watch beside it. Pieces are asked for in order, so that the first request is the first piece's.
struct Timed {
    service: Arc<dyn speech::Speech>,
    begin: Instant,
    /// Of each request: when it began, and how long it took.
    times: Mutex<Vec<(f64, Option<f64>)>>,
}

impl speech::Speech for Timed {
    fn name(&self) -> &str {
        self.service.name()
    }

    fn limit(&self) -> usize {
        self.service.limit()
    }

    fn format(&self) -> Format {
        self.service.format()
    }

    fn speak(&self, utterance: Utterance) -> Speaking<'_> {
        Box::pin(async move {
            let asked = Instant::now();
            let lock = || self.times.lock().unwrap_or_else(PoisonError::into_inner);
            let place = {
                let mut times = lock();
                times.push((ms(asked - self.begin), None));
                times.len() - 1
            };
            let audio = self.service.speak(utterance).await;
            if let Some((_, took)) = lock().get_mut(place) {
                *took = Some(ms(asked.elapsed()));
            }
            audio
        })
    }
}

/// Speaks a text and writes JSON to `out`.
///
/// # Errors
/// What is wrong with the configuration, with the file or with a piece.
pub(super) async fn run(asked: Speech, out: &mut dyn Write) -> Result<(), String> {
    let config = config::load(asked.config.as_deref(), &asked.data).map_err(|faults| faults.to_string())?;
    let service = models::voice(&config.speech).map_err(|error| error.to_string())?;
    let begin = Instant::now();
    let timed = service.map(|service| Arc::new(Timed { service, begin, times: Mutex::default() }));
    let language = asked.language.clone();
    let language = language.unwrap_or_else(|| language::of(&asked.text).key().to_owned());
    let manner = Manner { language: Some(language), ..Manner::default() };
    let service = timed.clone().map(|timed| timed as Arc<dyn speech::Speech>);
    let (speaker, mut events) = Speaker::new(service, Arc::new(Free), manner);
    speaker.push(&asked.text);
    speaker.finish();
    let (mut pieces, mut audio, mut rest) = (Vec::new(), Vec::new(), String::new());
    while let Some(event) = events.recv().await {
        match event {
            Event::Piece(Piece { number, spoken, shown, .. }) => pieces.push(Spoken {
                piece: number,
                spoken,
                shown,
                asked: None,
                took: None,
                bytes: None,
                seconds: None,
                error: None,
            }),
            Event::Audio { number, audio: found } => {
                let Some(piece) = pieces.get_mut(number) else { continue };
                match found {
                    Ok(bytes) => {
                        piece.bytes = Some(bytes.len());
                        piece.seconds = seconds(&bytes);
                        audio.push(bytes);
                    }
                    Err(fault) => piece.error = Some(fault.to_string()),
                }
            }
            Event::Whole { rest: behind, .. } => rest = behind,
        }
    }
    let took = ms(begin.elapsed());
    if let Some(timed) = &timed {
        let times = timed.times.lock().unwrap_or_else(PoisonError::into_inner);
        for (piece, (asked, took)) in pieces.iter_mut().zip(times.iter()) {
            (piece.asked, piece.took) = (Some(*asked), *took);
        }
    }
    let format = timed.as_ref().map(|timed| timed.service.format());
    let file = match (asked.output, format) {
        (Some(file), Some(format)) if !audio.is_empty() => {
            let whole = joined(format, audio)?;
            fs::write(&file, whole)
                .map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
            Some(file)
        }
        (Some(_), None) => {
            return Err(
                "the browser's own voice speaks, so that there is no audio to write: name a provider under \
                        [speech] in handset.toml"
                    .to_owned(),
            );
        }
        _ => None,
    };
    let failed = pieces.iter().filter(|piece| piece.error.is_some()).count();
    let browser = "the browser's own voice: no provider is named under [speech] in handset.toml";
    let service = timed.map_or_else(|| browser.to_owned(), |timed| timed.service.name().to_owned());
    let tried = Tried { service, format: format.map(Format::mime), pieces, rest, took, file };
    let written =
        serde_json::to_writer_pretty(&mut *out, &tried).map_err(io::Error::from).and_then(|()| writeln!(out));
    match written {
        // Whoever read it has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        written => written.map_err(|error| format!("standard output failed: {error}"))?,
    }
    match failed {
        0 => Ok(()),
        1 => Err("a piece has no audio; its error says why".to_owned()),
        failed => Err(format!("{failed} pieces have no audio; their errors say why")),
    }
}

/// Thousandths of milliseconds are enough.
fn ms(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// How long an audio is to hear.
fn seconds(bytes: &[u8]) -> Option<f64> {
    let sound = audio::decode(bytes.to_vec(), audio::Limits::default()).ok()?;
    let seconds = sound.samples.len() as f64 / f64::from(sound.rate);
    Some((seconds * 1e3).round() / 1e3)
}

/// All pieces as one file.
fn joined(format: Format, mut pieces: Vec<Vec<u8>>) -> Result<Vec<u8>, String> {
    if pieces.len() == 1 {
        return Ok(pieces.swap_remove(0));
    }
    match format {
        // Frames, or whole streams, that follow each other are a file.
        Format::Mp3 | Format::Aac | Format::Opus => Ok(pieces.concat()),
        Format::Wav => wav::join(&pieces)
            .ok_or_else(|| "the pieces are no WAVs of one format, so that they cannot be joined".to_owned()),
        Format::Flac => {
            Err("pieces of FLAC cannot be joined: take another speech.format, or one sentence".to_owned())
        }
    }
}
