//! `handset voice`: the models that turn a voice into words, which there are and which are here; and fetching one.

use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};

use crate::config;
use crate::voice::catalogue::{self, Entry};
use crate::voice::install::source::Source;
use crate::voice::install::{self, Patience, Watch};

/// What is done.
#[derive(Debug, Subcommand)]
pub(super) enum Voice {
    /// Fetch a model and put it where the server finds it
    ///
    /// A fetch that was cut off goes on from there. Each file is held against its SHA-256: that of the catalogue, or else of
    /// the list SHA256SUMS beside the files; where neither says one, against its size alone, and this is told.
    #[command(
        after_help = "Example:\n  handset voice install whisper-base --from https://example.org/models/whisper-base"
    )]
    Install(Install),
    /// The models that can be installed, and whether they are
    List(Where),
}

/// Where models are.
#[derive(Debug, Args)]
pub(super) struct Where {
    /// The folder of models; without it, models in the data folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The data folder
    #[arg(long, value_name = "DIR", env = "HANDSET_DATA", default_value = "data")]
    data: PathBuf,
    /// The configuration; without it handset.toml here, else the one in the data folder, if there is one
    #[arg(long, value_name = "FILE", env = "HANDSET_CONFIG")]
    config: Option<PathBuf>,
}

/// What is fetched.
#[derive(Debug, Args)]
pub(super) struct Install {
    /// The model's name, as the list has it
    #[arg(value_name = "NAME")]
    name: String,
    /// The folder with its files: an address (http://, https://, file://) or a path; without it, the folder of its name below
    /// voice.models, or else where the catalogue has it
    #[arg(long, value_name = "FROM")]
    from: Option<String>,
    #[command(flatten)]
    place: Where,
}

impl Where {
    fn read(&self) -> Result<config::Voice, String> {
        let voice =
            config::load(self.config.as_deref(), &self.data).map_err(|faults| faults.to_string())?.voice;
        Ok(match &self.dir {
            Some(models) => config::Voice { models: models.clone(), ..voice },
            None => voice,
        })
    }
}

/// Runs it.
///
/// # Errors
/// What is wrong and what to do.
pub(super) async fn run(voice: Voice, out: &mut dyn Write) -> Result<(), String> {
    let told = match voice {
        Voice::Install(given) => install(given).await?,
        Voice::List(place) => list(&place.read()?),
    };
    match out.write_all(told.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output failed: {error}"))
        }
        _ => Ok(()),
    }
}

async fn install(given: Install) -> Result<String, String> {
    let voice = given.place.read()?;
    let name = given.name;
    let entry = catalogue::find(&name).ok_or_else(|| {
        let known = || catalogue::ALL.iter().map(|entry| entry.name);
        let meant =
            config::nearest(&name, known()).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        format!("there is no model {name}{meant} There are: {}", known().collect::<Vec<_>>().join(", "))
    })?;
    let source = match (&given.from, &voice.source, entry.address) {
        (Some(from), ..) => Source::read(from)?,
        (None, Some(base), _) => Source::read(base)?.below(entry.name)?,
        (None, None, Some(address)) => Source::read(address)?,
        (None, None, None) => return Err(unserved(entry)),
    };
    let mut bar = Bar::new(entry.name);
    let installed = install::install(entry, &source, &voice.models, Patience::default(), &mut bar).await;
    bar.end();
    let installed = installed?;
    let folder = installed.folder.display();
    if installed.already {
        return Ok(format!(
            "{name} is in {folder} already, as it was installed.\nLicence: {}\n",
            entry.licence
        ));
    }
    let mut told = format!("{name} is in {folder}, from {}.\nLicence: {}\n", source.shown(), entry.licence);
    if !installed.unknown.is_empty() {
        told.push_str(&format!(
            "No SHA-256 is known for {}, and none stood beside: only the size was looked at. What came is written down in \
             SHA256SUMS there.\n",
            installed.unknown.join(" and ")
        ));
    }
    // As a server would read it at its next start.
    told.push_str(&match given.place.read()?.recogniser {
        Some(config::Recogniser::Here(_, used)) if used == installed.folder => {
            "The server uses it from its next start on.\n".to_owned()
        }
        _ => format!(
            "It is not used yet: name it in handset.toml under [voice.recogniser], kind = \"{}\" and path = \"{folder}\".\n",
            entry.engine.kind()
        ),
    });
    Ok(told)
}

/// Where nobody is known to serve a model.
fn unserved(entry: &Entry) -> String {
    let name = entry.name;
    format!(
        "nobody is known to serve {name} in the form that is read here. Make it from the published weights with \
         tests/voice/convert.py (docs/hearing.md says how), or find who serves it; then: handset voice install {name} --from \
         FOLDER-OR-ADDRESS (or set voice.models in handset.toml)"
    )
}

fn list(voice: &config::Voice) -> String {
    let mut told = String::new();
    for entry in catalogue::ALL {
        let folder = voice.models.join(entry.name);
        let here = match entry.engine.missing(&folder) {
            None => format!("installed in {}", folder.display()),
            Some(_) if entry.address.is_some() || voice.source.is_some() => "not installed".to_owned(),
            Some(_) => "not installed; --from is needed".to_owned(),
        };
        let bytes: u64 = entry.files.iter().map(|file| file.bytes).sum();
        told.push_str(&format!(
            "{:<17} {:>4} MB  {here}\n{:<26} hears {}\n{:<26} licence: {}\n",
            entry.name,
            bytes.div_ceil(1_000_000),
            "",
            entry.hears,
            "",
            entry.licence
        ));
    }
    let used = match &voice.recogniser {
        None => "none; POST /transcribe answers 503".to_owned(),
        Some(config::Recogniser::Remote(remote)) => format!("{} at {}", remote.model, remote.url),
        Some(config::Recogniser::Here(engine, folder)) => {
            format!("{} in {}", engine.kind(), folder.display())
        }
    };
    told.push_str(&format!("In use: {used}\n"));
    told
}

/// How often the bar is drawn anew.
const DRAWN: Duration = Duration::from_millis(100);
const WIDTH: usize = 28;

/// A bar on a terminal; elsewhere a line for each file.
struct Bar {
    model: &'static str,
    terminal: bool,
    /// Since when which file is fetched, and when it was last told of.
    file: Option<(String, Instant)>,
    drawn: Option<Instant>,
}

impl Bar {
    fn new(model: &'static str) -> Self {
        Self { model, terminal: io::stderr().is_terminal(), file: None, drawn: None }
    }

    fn end(&mut self) {
        if self.terminal && self.drawn.take().is_some() {
            let _ = writeln!(io::stderr());
        }
    }
}

impl Watch for Bar {
    fn at(&mut self, file: &str, done: u64, from: u64, total: Option<u64>) {
        let now = Instant::now();
        let new = self.file.as_ref().is_none_or(|(known, _)| known != file);
        if new {
            self.end();
            self.file = Some((file.to_owned(), now));
        }
        if !self.terminal {
            if new {
                let resumed = if from > 0 { format!(", going on from {from} bytes") } else { String::new() };
                let size = total.map(|total| format!(", {total} bytes")).unwrap_or_default();
                let _ = writeln!(io::stderr(), "{}: {file}{size}{resumed}", self.model);
            }
            return;
        }
        let last = total == Some(done);
        if !last && self.drawn.is_some_and(|drawn| now.duration_since(drawn) < DRAWN) {
            return;
        }
        self.drawn = Some(now);
        let begun = self.file.as_ref().map_or(now, |(_, begun)| *begun);
        let _ = write!(io::stderr(), "\r{}\x1b[K", bar(file, done, from, total, now.duration_since(begun)));
        let _ = io::stderr().flush();
    }

    fn note(&mut self, what: &str) {
        self.end();
        self.file = None;
        let _ = writeln!(io::stderr(), "{}: {what}", self.model);
    }
}

/// A line that says how far a file is.
fn bar(file: &str, done: u64, from: u64, total: Option<u64>, took: Duration) -> String {
    let mb = |bytes: u64| bytes as f64 / 1e6;
    let Some(total) = total.filter(|total| *total > 0) else { return format!("{file} {:.1} MB", mb(done)) };
    let full = usize::try_from(done * WIDTH as u64 / total).unwrap_or(WIDTH).min(WIDTH);
    let speed = mb(done - from) / took.as_secs_f64().max(0.001);
    format!(
        "{file} [{}{}] {:>3} %  {:.1} of {:.1} MB  {speed:.1} MB/s",
        "#".repeat(full),
        ".".repeat(WIDTH - full),
        done * 100 / total,
        mb(done),
        mb(total)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_says_how_far_a_file_is() {
        let line = bar("a.onnx", 30_000_000, 10_000_000, Some(40_000_000), Duration::from_secs(2));
        assert_eq!(line, "a.onnx [#####################.......]  75 %  30.0 of 40.0 MB  10.0 MB/s");
        assert_eq!(bar("a", 1_000_000, 0, None, Duration::ZERO), "a 1.0 MB");
        assert!(bar("a", 5, 0, Some(5), Duration::ZERO).contains("100 %"));
    }
}
