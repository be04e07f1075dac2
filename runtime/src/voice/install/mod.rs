//! Fetching a model: from an address or a folder, on from where it was cut off, into its place once every file is whole.
//!
//! | file | what |
//! |---|---|
//! | [`source`] | where the files are |
//! | [`sums`] | what they must hash to |
//! | [`fetch`] | one file, over any number of cut connections |
//!
//! What was fetched lies in a folder beside the model's place until all of it is right; then that folder takes the place.

pub mod fetch;
pub mod source;
pub mod sums;

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use self::fetch::{Fetched, Job};
use self::source::Source;
use self::sums::Sums;
use super::catalogue::Entry;

/// How a fetch is doing.
pub trait Watch {
    /// So much of a file is there, of so much where that is known. `from` is what an earlier attempt left.
    fn at(&mut self, file: &str, done: u64, from: u64, total: Option<u64>);
    /// Something that whoever waits should know.
    fn note(&mut self, what: &str);
}

/// What was installed.
#[derive(Debug)]
pub struct Installed {
    /// Where it is.
    pub folder: PathBuf,
    /// Whether it was there already, and nothing was fetched.
    pub already: bool,
    /// The files that no hash was known for, so that only their size was looked at.
    pub unknown: Vec<&'static str>,
}

/// How often a cut connection is made again without anything coming of it, and how long to wait before.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Attempts in a row that brought nothing.
    pub attempts: u32,
    /// Before the first of them; the next wait is twice as long.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { attempts: 5, pause: Duration::from_secs(1) }
    }
}

/// Installs a model into a folder of models.
///
/// # Errors
/// What is wrong and what to do, in a sentence. What was fetched until then stays for the next attempt.
pub async fn install(
    entry: &'static Entry,
    source: &Source,
    models: &Path,
    patience: Patience,
    watch: &mut dyn Watch,
) -> Result<Installed, String> {
    let place = models.join(entry.name);
    let known = |sums: &Sums, name: &str| {
        let own = entry.files.iter().find(|file| file.name == name).and_then(|file| file.sha256);
        own.map(str::to_owned).or_else(|| sums.get(name).map(str::to_owned))
    };
    if is_whole(entry, &place) {
        return Ok(Installed { folder: place, already: true, unknown: Vec::new() });
    }
    let beside = models.join(format!(".{}.part", entry.name));
    // The data folder may be made here, and it will hold what people said.
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&beside);
    made.map_err(|error| unwritable(&beside, &error))?;
    let client = source.client()?;
    let sums = source.sums(client.as_ref(), entry.name).await?;
    let mut unknown = Vec::new();
    let mut written = String::new();
    for file in entry.files {
        let sum = known(&sums, file.name);
        let job = Job { file, sum: sum.as_deref(), source, folder: &beside, patience };
        let Fetched { sum: found } = job.run(client.as_ref(), watch).await?;
        if sum.is_none() {
            unknown.push(file.name);
        }
        written.push_str(&format!("{found}  {}\n", file.name));
    }
    let path = beside.join(sums::FILE);
    fs::write(&path, written).map_err(|error| unwritable(&path, &error))?;
    exchange(&beside, &place, &models.join(format!(".{}.old", entry.name)))
        .map_err(|error| unwritable(&place, &error))?;
    Ok(Installed { folder: place, already: false, unknown })
}

/// Whether a model is there and as it was when it was installed.
fn is_whole(entry: &Entry, place: &Path) -> bool {
    let listed = fs::read_to_string(place.join(sums::FILE)).ok().and_then(|listed| Sums::read(&listed).ok());
    listed.is_some_and(|sums| {
        entry.files.iter().all(|file| {
            let found = sums::of_file(&place.join(file.name)).ok();
            found.is_some() && found.as_deref() == sums.get(file.name)
        })
    })
}

/// Puts what was fetched into its place, and what was there away.
fn exchange(new: &Path, place: &Path, old: &Path) -> io::Result<()> {
    let _ = fs::remove_dir_all(old);
    match fs::rename(place, old) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    fs::rename(new, place)?;
    let _ = fs::remove_dir_all(old);
    Ok(())
}

fn unwritable(path: &Path, error: &io::Error) -> String {
    format!("{} cannot be written: {error}", path.display())
}

#[cfg(test)]
mod tests;
