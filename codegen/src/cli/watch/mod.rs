//! `cargo spec watch`: the spec checked on every save.
//!
//! It looks, and is not told: a handful of files are looked at every few milliseconds, which costs next to nothing, and
//! nothing that an editor, a mount or a container does can make it miss a save or stop.

mod build;
mod glance;
mod server;

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime};

use super::Surroundings;
use super::arguments::Watching;
use super::places::Places;
use crate::check;
use crate::diagnostic::{Diagnostic, Diagnostics, Format};
use crate::emit::{Files, emit};
use crate::model::Spec;
use crate::specs::Specs;
use crate::sync::{Mode, sync};
use glance::Glance;
use server::Server;

/// From one look to the next.
const BETWEEN: Duration = Duration::from_millis(20);
/// A save is whole once the files have been the same for so long.
const STILL: Duration = Duration::from_millis(8);
/// Files that went are waited for so long: an editor may put the new one in place of the old one by two renames.
const GONE: Duration = Duration::from_millis(40);
/// Files that do not come to rest are read as they are after so long.
const RESTLESS: Duration = Duration::from_millis(60);
/// So long after a save the files are compared by what they hold: two saves may bear the same time, as some file systems
/// count in steps of two seconds.
const SAME_TIME: Duration = Duration::from_millis(2100);

/// Watches until the process ends, or nobody reads any more what it says.
pub(super) fn run(
    options: &Watching,
    format: Format,
    places: &Places,
    around: &mut Surroundings<'_>,
) -> io::Result<u8> {
    let mut watch =
        Watch { format, places, around, told: String::new(), good: BTreeMap::new(), emitted: None };
    watch.say(&format!("watching {} (Ctrl-C ends it)", places.specs_shown))?;
    let mut server = options.run.then(|| Server::new(places, options));
    let mut seen: Option<Glance> = None;
    let mut held: Option<Specs> = None;
    let mut compared_until = Instant::now();
    loop {
        let mut now = Glance::take(&places.specs);
        let saved = seen.as_ref() != Some(&now);
        let unlike = || held != Specs::load(&places.specs).ok();
        if saved || Instant::now() < compared_until && unlike() {
            now = at_rest(places, now, seen.as_ref());
            let newest = now.newest(seen.as_ref());
            held = watch.round(newest)?;
            seen = Some(now);
            compared_until = Instant::now() + SAME_TIME;
        }
        watch.bring(server.as_mut())?;
        if let Some(server) = &mut server {
            for line in server.tick() {
                watch.say(&line)?;
            }
        }
        std::thread::sleep(BETWEEN);
    }
}

/// Waits until the files are the same twice.
fn at_rest(places: &Places, mut now: Glance, before: Option<&Glance>) -> Glance {
    let start = Instant::now();
    loop {
        std::thread::sleep(STILL);
        let again = Glance::take(&places.specs);
        let gone = before.is_some_and(|before| again.lacks_of(before)) && start.elapsed() < GONE;
        if again == now && !gone || start.elapsed() > RESTLESS {
            return again;
        }
        now = again;
    }
}

struct Watch<'w, 'a> {
    format: Format,
    places: &'w Places,
    around: &'w mut Surroundings<'a>,
    /// The last thing that could not be read, so that it is said once.
    told: String,
    /// The files of cases that were without a fault when all was, by their texts.
    good: BTreeMap<String, String>,
    /// What comes of the last save that was without a fault, once it is made.
    emitted: Option<Receiver<Files>>,
}

impl Watch<'_, '_> {
    /// A line for a person; programs get the faults alone.
    fn say(&mut self, line: &str) -> io::Result<()> {
        if self.format != Format::Human {
            return Ok(());
        }
        writeln!(self.around.out, "{line}")?;
        self.around.out.flush()
    }

    /// Checks, tells, and has made what is generated: beside the watching, so that the next save is checked at once.
    /// Gives what was read.
    fn round(&mut self, saved: Option<SystemTime>) -> io::Result<Option<Specs>> {
        let start = Instant::now();
        // What was being made is not what the specs say any more.
        self.emitted = None;
        let specs = match Specs::load(&self.places.specs) {
            Ok(specs) => specs,
            Err(error) => {
                let told = format!("waiting: {error}");
                if told != self.told {
                    self.say(&told)?;
                    self.told = told;
                }
                return Ok(None);
            }
        };
        self.told.clear();
        let checked = self.check(&specs);
        let took = start.elapsed().as_secs_f64() * 1000.0;
        let since = saved.and_then(|saved| saved.elapsed().ok()).filter(|since| *since < SAME_TIME);
        let since =
            since.map_or_else(String::new, |since| format!(", {} ms after the save", since.as_millis()));
        match checked {
            Ok(spec) => {
                let count = specs.files.len();
                self.say(&format!("{count} spec files without a fault ({took:.1} ms{since})"))?;
                let (send, emitted) = channel();
                // Whoever does not wait for it any more does not need it.
                std::thread::spawn(move || drop(send.send(emit(&spec))));
                self.emitted = Some(emitted);
            }
            Err(faults) => {
                let count = faults.list.len();
                let text =
                    faults.shown_below(&*self.places.specs_shown).render(self.format, self.around.colour);
                let writer =
                    if self.format == Format::Human { &mut *self.around.err } else { &mut *self.around.out };
                write!(writer, "{text}")?;
                writer.flush()?;
                let faults = if count == 1 { "fault" } else { "faults" };
                self.say(&format!("{count} {faults} ({took:.1} ms{since}); nothing is written"))?;
            }
        }
        Ok(Some(specs))
    }

    /// Checks, and passes over cases that were right before: they are most of what there is to read, and an edit of
    /// something else makes none of them wrong, but for one of the markers' kinds.
    fn check(&mut self, specs: &Specs) -> Result<Spec, Diagnostics> {
        let mut rest = specs.clone();
        rest.files.retain(|file, text| self.good.get(file) != Some(text));
        let mut checked = check(&rest);
        let of_markers = |fault: &Diagnostic| fault.pointer.starts_with("/markers");
        if checked.as_ref().is_err_and(|faults| faults.list.iter().any(of_markers)) {
            checked = check(specs);
        }
        if checked.is_ok() {
            let cases = specs.files.iter().filter(|(file, _)| file.starts_with("conformance/"));
            self.good = cases.map(|(file, text)| (file.clone(), text.clone())).collect();
        }
        checked
    }

    /// Brings what is generated up to date, where it is made.
    fn bring(&mut self, server: Option<&mut Server>) -> io::Result<()> {
        let Some(files) = self.emitted.as_ref().and_then(|emitted| emitted.try_recv().ok()) else {
            return Ok(());
        };
        self.emitted = None;
        let report = match sync(&self.places.generated, &files, Mode::Write) {
            Ok(report) => report,
            Err(error) => {
                writeln!(self.around.err, "error: {error}")?;
                return self.around.err.flush();
            }
        };
        for (did, files) in [("wrote", &report.written), ("removed", &report.removed)] {
            for file in files {
                self.say(&format!("{did} {}/{file}", self.places.shown))?;
            }
        }
        for line in server.map(|server| server.changed(!report.is_fresh())).unwrap_or_default() {
            self.say(&line)?;
        }
        Ok(())
    }
}
