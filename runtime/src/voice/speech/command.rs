//! A program of this machine's that speaks: words by standard input, a WAV by standard output (espeak-ng, piper).
//!
//! It is started anew for each piece, killed when nobody waits for it any more, and at most as many run at once as the machine has
//! cores. A script that starts another program should `exec` it, so that what is killed is what speaks.

use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::service::{Code, Fault, Format, Speaking, Speech, Utterance};
use super::wav;
use crate::config::CommandSpeech;
use crate::gateway::language;

/// The longest audio that is taken, in bytes: some minutes of it.
const LONGEST: usize = 32 << 20;
/// How much is kept of what it says went wrong, in bytes.
const COMPLAINT: usize = 8 << 10;
/// How much of its last line is told, in characters.
const LINE: usize = 200;

/// A program that speaks.
pub struct Command {
    name: String,
    settings: CommandSpeech,
    places: Semaphore,
}

impl Command {
    /// A program. It is not started yet.
    #[must_use]
    pub fn new(settings: &CommandSpeech) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let name = Path::new(&settings.program).file_name().map(|name| name.to_string_lossy().into_owned());
        Self {
            name: name.unwrap_or_else(|| settings.program.clone()),
            settings: settings.clone(),
            places: Semaphore::new(cores),
        }
    }

    async fn run(&self, utterance: &Utterance) -> Result<Vec<u8>, Fault> {
        let language = utterance.language.clone();
        let language = language.unwrap_or_else(|| language::of(&utterance.text).key().to_owned());
        let voice = self.settings.voice.as_deref().unwrap_or_default();
        let arguments = self.settings.arguments.iter().map(|argument| filled(argument, &language, voice));
        let mut child = process::Command::new(&self.settings.program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| self.not_started(&error))?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let words = format!("{}\n", utterance.text);
        let say = async move {
            if let Some(mut stdin) = stdin {
                // A program that has heard enough closes it.
                let _ = stdin.write_all(words.as_bytes()).await;
            }
        };
        let ((), audio, complaint, status) =
            tokio::join!(say, bounded(stdout, LONGEST), tail(stderr), child.wait());
        let failed = |error: io::Error| Fault::new(Code::Unreadable, format!("{}: {error}", self.name));
        let status = status.map_err(failed)?;
        if !status.success() {
            return Err(Fault::new(Code::Refused, self.complaint(status, &complaint, &utterance.text)));
        }
        let mut audio = audio.map_err(failed)?;
        if !wav::mend(&mut audio) {
            let found = if audio.is_empty() { "nothing" } else { "something that is no WAV" };
            let detail = format!("{} wrote {found} to its standard output", self.name);
            return Err(Fault::new(Code::Unreadable, detail));
        }
        Ok(audio)
    }

    fn not_started(&self, error: &io::Error) -> Fault {
        let program = &self.settings.program;
        Fault::new(Code::Misconfigured, format!("{program} cannot be started: {error}"))
    }

    /// How it ended, with the last line that it wrote of it.
    fn complaint(&self, status: ExitStatus, complaint: &[u8], text: &str) -> String {
        let complaint = String::from_utf8_lossy(complaint);
        let line = complaint.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
        let line: String = line.chars().take(LINE).collect();
        match line.as_str() {
            "" => format!("{} ended with {status} and said nothing of it", self.name),
            // Some repeat what they were given.
            _ if line.contains(text) => format!("{} ended with {status}", self.name),
            line => format!("{} ended with {status}: {line}", self.name),
        }
    }
}

impl Speech for Command {
    fn name(&self) -> &str {
        &self.name
    }

    fn limit(&self) -> usize {
        self.settings.max_characters
    }

    fn format(&self) -> Format {
        Format::Wav
    }

    fn metered(&self) -> bool {
        self.settings.metered
    }

    fn speak(&self, utterance: Utterance) -> Speaking<'_> {
        Box::pin(async move {
            // It is never closed.
            let _place = self.places.acquire().await;
            let limit = self.settings.answer;
            timeout(limit, self.run(&utterance)).await.unwrap_or_else(|_| {
                let late = format!("{} was not done within {} s", self.name, limit.as_secs_f64());
                Err(Fault::new(Code::Slow, late))
            })
        })
    }
}

/// An argument with what it has holes for.
fn filled(argument: &str, language: &str, voice: &str) -> String {
    argument.replace("{language}", language).replace("{voice}", voice)
}

/// All that comes, up to so many bytes; more is an error.
async fn bounded(from: Option<impl AsyncRead + Unpin>, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let Some(from) = from else { return Ok(bytes) };
    from.take(most as u64 + 1).read_to_end(&mut bytes).await?;
    if bytes.len() > most {
        return Err(io::Error::other(format!("it wrote more than {most} bytes")));
    }
    Ok(bytes)
}

/// The end of all that comes, as far as it comes.
async fn tail(from: Option<impl AsyncRead + Unpin>) -> Vec<u8> {
    let mut kept = Vec::new();
    let Some(mut from) = from else { return kept };
    let mut piece = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut piece).await {
        kept.extend_from_slice(&piece[..count]);
        kept.drain(..kept.len().saturating_sub(COMPLAINT));
    }
    kept
}

#[cfg(test)]
mod tests;
