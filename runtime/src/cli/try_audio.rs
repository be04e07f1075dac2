//! `handset try audio`: what `/transcribe` would answer for a file, with the time of each stage.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use handset_spec::Language;
use handset_spec::settings::Tone;
use serde::Serialize;

use crate::config;
use crate::ids::PersonId;
use crate::models;
use crate::serve::data::DATABASE;
use crate::store::sqlite::Sqlite;
use crate::store::{self, Tuning as _, Voices as _};
use crate::voice::hearing;
use crate::voice::tone::{Baseline, FEATURES_VERSION, Limits};
use crate::voice::transcript::Transcript;

/// What is tried.
#[derive(Debug, Args)]
pub(super) struct Audio {
    /// The recording; - reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The language that is spoken, as ISO 639 has it, such as en or zh; without it the recogniser finds out
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// Compare the voice with what is kept of this person's, by the id that handset person list prints; nothing is kept of the trial
    #[arg(long, value_name = "ID")]
    person: Option<String>,
    /// The folder whose handset.toml counts where there is none here
    #[arg(long, value_name = "DIR", env = "HANDSET_DATA", default_value = "data")]
    data: PathBuf,
    /// The configuration; without it handset.toml here, else the one in the data folder, if there is one
    #[arg(long, value_name = "FILE", env = "HANDSET_CONFIG")]
    config: Option<PathBuf>,
}

#[derive(Serialize)]
struct Tried {
    #[serde(flatten)]
    transcript: Transcript,
    /// What turned it into words, or why nothing did.
    recogniser: String,
    /// Milliseconds of each stage.
    times: Times,
}

#[derive(Serialize)]
struct Times {
    read: f64,
    decode: f64,
    resample: f64,
    gate: f64,
    /// Null where no recogniser was asked.
    recognise: Option<f64>,
    features: f64,
}

/// Whose voice it is, as far as it is known: without a person it is compared with nothing.
#[derive(Default)]
struct Known {
    usual: Baseline,
    knobs: Tone,
    reads: Language,
}

impl Known {
    /// What is kept of a person's voice, read beside a server that may be working in the folder.
    async fn of(data: &Path, person: &str) -> Result<Self, String> {
        let path = data.join(DATABASE);
        if !path.is_file() {
            return Err(format!("there is no server's data in {}; --data names its folder", data.display()));
        }
        let (store, id) = (Sqlite::open_to_read(&path).await, PersonId::from_text(person));
        let failed = |error: store::Error| format!("{} cannot be read: {error}", path.display());
        let personal = store.settings(id.clone()).await.map_err(failed)?;
        let personal = personal.ok_or_else(|| {
            format!("no person has the id {person}; handset person list --data {} tells them", data.display())
        })?;
        let (knobs, reads) = (personal.settings.tone.clone(), personal.reads());
        let clips = store.voice_clips(id, FEATURES_VERSION, knobs.baseline_keep).await.map_err(failed)?;
        let usual = Baseline::new(clips.into_iter().map(|clip| clip.features));
        Ok(Self { usual, knobs, reads })
    }
}

/// Tries a file and writes JSON to `out`.
///
/// # Errors
/// What is wrong with the file, with the configuration or with the recogniser.
pub(super) async fn run(audio: Audio, out: &mut dyn Write) -> Result<(), String> {
    let voice =
        config::load(audio.config.as_deref(), &audio.data).map_err(|faults| faults.to_string())?.voice;
    let recogniser = models::recogniser(&voice).map_err(|error| error.to_string())?;
    let known = match &audio.person {
        Some(person) => Known::of(&audio.data, person).await?,
        None => Known::default(),
    };
    let begin = Instant::now();
    let bytes = read(&audio.file, voice.limits.bytes())
        .map_err(|error| format!("{} cannot be read: {error}", audio.file.display()))?;
    let read = begin.elapsed();
    let sound = hearing::listen(bytes, voice.limits).map_err(|fault| fault.to_string())?;
    let begin = Instant::now();
    let words = match &recogniser {
        Some(recogniser) => {
            let words = hearing::understand(&**recogniser, &sound, audio.language).await;
            Some(words.map_err(|failure| failure.to_string())?)
        }
        None => None,
    };
    let recognise = begin.elapsed();
    let begin = Instant::now();
    let features = hearing::features(&sound, words.as_ref().map(|words| words.text.as_str()));
    let measured = begin.elapsed();
    let asked = recogniser.is_some() && sound.speech.is_some();
    let told = match &recogniser {
        None => {
            "none is installed or configured, so that there is no text: handset voice install NAME, or name one under \
             [voice.recogniser] in handset.toml"
                .to_owned()
        }
        Some(_) if sound.speech.is_none() => "it was not asked: nobody speaks in the recording".to_owned(),
        Some(recogniser) => recogniser.name().to_owned(),
    };
    let Known { usual, knobs, reads } = known;
    let limits = Limits { min: knobs.baseline_min as usize, most: knobs.max_cues as usize };
    let transcript = Transcript::new(&sound, words, features.as_ref(), &usual, limits, reads);
    let ms = |time: std::time::Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
    let times = Times {
        read: ms(read),
        decode: ms(sound.times.decode),
        resample: ms(sound.times.resample),
        gate: ms(sound.times.gate),
        recognise: asked.then(|| ms(recognise)),
        features: ms(measured),
    };
    let written = serde_json::to_writer_pretty(&mut *out, &Tried { transcript, recogniser: told, times })
        .map_err(io::Error::from)
        .and_then(|()| writeln!(out));
    match written {
        // Whoever read it has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| format!("standard output failed: {error}")),
    }
}

/// At most one byte more than is taken: the one that makes it too much.
fn read(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = most as u64 + 1;
    if path.as_os_str() == "-" {
        io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
