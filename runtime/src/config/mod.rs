//! The configuration: a file, `handset.toml`, and the environment, which wins.
//!
//! Every key stands in one table ([`keys`]), from which the file, the environment and the errors are read. All faults are
//! told at once, each with its place, what is allowed and the nearest name. No secret is ever part of one.

mod fault;
mod file;
mod given;
mod keys;
mod model;
mod persona;
mod push;
mod secret;
mod speech;
mod voice;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use fault::{Fault, Faults};
pub use model::{Format, Limits, Model, RemoteModel};
pub use push::{Push, is_reachable as is_push_subject};
pub use secret::Secret;
pub use speech::{CommandSpeech, RemoteSpeech, Speech, SpeechApi};
pub use voice::{Recogniser, Transcriber, Voice};

use given::Given;
pub(crate) use keys::nearest;
pub(crate) use model::is_here;

/// The file's name where none is given.
pub const FILE: &str = "handset.toml";

/// Everything that is configured.
#[derive(Debug, Clone)]
pub struct Config {
    /// The file that was read, if there is one.
    pub file: Option<PathBuf>,
    /// Who speaks.
    pub model: Model,
    /// Who the companion is, in the operator's words; without it, the spec's own persona speaks.
    pub persona: Option<String>,
    /// How phones are rung.
    pub push: Push,
    /// How a voice is heard.
    pub voice: Voice,
    /// What replies are spoken with.
    pub speech: Speech,
}

/// Reads the configuration: `given` (from `--config`), else `handset.toml` here, else the one in the data folder, and over
/// it the environment.
///
/// # Errors
/// Everything that is wrong, at once.
pub fn load(given: Option<&Path>, data: &Path) -> Result<Config, Faults> {
    // A variable whose name is no text is none of ours; one whose value is none cannot be what is meant.
    let variable = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.to_string_lossy().into_owned()))
    };
    let environment = std::env::vars_os().filter_map(variable).collect();
    read(given, Path::new("."), data, &environment)
}

fn read(
    given: Option<&Path>,
    here: &Path,
    data: &Path,
    environment: &BTreeMap<String, String>,
) -> Result<Config, Faults> {
    let file = match given {
        Some(path) => Some(path.to_owned()),
        None => [here.join(FILE), data.join(FILE)].into_iter().find(|path| path.exists()),
    };
    let mut values = Given::default();
    if let Some(path) = &file {
        file::read(path, &mut values);
    }
    values.environment(environment);
    // Paths in the file are meant from where it stands.
    let folder = file.as_deref().and_then(Path::parent).unwrap_or(here).to_owned();
    let model = model::read(&mut values, &folder, environment);
    let persona = persona::read(&mut values, &folder, data);
    let push = push::read(&mut values);
    let voice = voice::read(&mut values, &folder, environment);
    let speech = speech::read(&mut values, &folder, environment);
    match (model, values.faults.is_empty()) {
        (Some(model), true) => Ok(Config { file, model, persona, push, voice, speech }),
        _ => Err(Faults(values.faults)),
    }
}

#[cfg(test)]
mod tests;
