//! Whisper in this process, on one pure-Rust engine. Nothing is loaded before the first utterance.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;

use super::greedy::{self, Never, Said, Wanted};
use super::mel::Mel;
use super::network::{FILES, Network};
use super::pieces::Pieces;
use crate::voice::audio::RATE;
use crate::voice::gate;
use crate::voice::recogniser::{Code, Failure, Recogniser, Recognising, Utterance, Words};
use crate::voice::segments::{WHISPER, segments};

/// The pieces of text.
const TOKENS: &str = "tokens.txt";
/// The network's whole window, in samples.
const WINDOW: usize = 30 * RATE as usize;
/// So much silence behind what was said is enough for it to know that it ended, and a quarter of the work of the whole window.
const PAD: usize = 7 * RATE as usize;

/// A folder with Whisper's files: both halves of the network as ONNX, and its pieces of text.
pub struct Whisper {
    name: String,
    folder: PathBuf,
    loaded: Arc<Mutex<Option<Arc<Loaded>>>>,
    /// One utterance at a time; the others wait for their turn.
    turns: Arc<Semaphore>,
}

impl Whisper {
    /// The model in a folder; it is looked at when it is first needed.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        let name = format!("Whisper in {}", folder.display());
        Self { name, folder, loaded: Arc::default(), turns: Arc::new(Semaphore::new(1)) }
    }
}

/// Tells the thread that nobody waits any more.
struct Left(Arc<AtomicBool>);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Recogniser for Whisper {
    fn name(&self) -> &str {
        &self.name
    }

    fn recognise(&self, utterance: Utterance) -> Recognising<'_> {
        let (folder, loaded, turns) =
            (self.folder.clone(), Arc::clone(&self.loaded), Arc::clone(&self.turns));
        Box::pin(async move {
            // It is never closed.
            let turn = turns.acquire_owned().await;
            let left = Left(Arc::default());
            let gone = Arc::clone(&left.0);
            let work = tokio::task::spawn_blocking(move || {
                // The turn lasts as long as the work, even where nobody waits for it.
                let _turn = turn;
                let loaded = {
                    // One that could not be loaded is tried again.
                    let mut place = loaded.lock().unwrap_or_else(PoisonError::into_inner);
                    match &*place {
                        Some(loaded) => Arc::clone(loaded),
                        None => Arc::clone(place.insert(Arc::new(Loaded::read(&folder)?))),
                    }
                };
                loaded.hear(&utterance, &gone)
            });
            let words = work.await;
            drop(left);
            words.unwrap_or_else(|_| Err(Failure::new(Code::Unreadable, "the engine gave up on this model")))
        })
    }
}

/// The files of a folder: both halves of the network.
fn halves(folder: &Path) -> Option<[PathBuf; 2]> {
    let paths = FILES.map(|names| names.map(|name| folder.join(name)));
    paths.into_iter().find(|paths| paths.iter().all(|path| path.exists()))
}

/// What a folder lacks, if anything.
#[must_use]
pub fn missing(folder: &Path) -> Option<String> {
    let Some(_) = halves(folder) else {
        let [[encoder, decoder], [other, another]] = FILES;
        return Some(format!("{encoder} with {decoder}, nor {other} with {another}"));
    };
    (!folder.join(TOKENS).exists()).then(|| TOKENS.to_owned())
}

/// A model in memory.
struct Loaded {
    network: Network,
    pieces: Pieces,
    never: Never,
    mel: Mel,
}

/// What is the operator's to see to.
fn unfit(what: impl Into<String>) -> Failure {
    Failure::new(Code::Misconfigured, what)
}

impl Loaded {
    fn read(folder: &Path) -> Result<Self, Failure> {
        let shown = folder.display();
        let Some([encoder, decoder]) = halves(folder) else {
            let missing = missing(folder).unwrap_or_default();
            return Err(unfit(format!("{shown} holds neither {missing}")));
        };
        let path = folder.join(TOKENS);
        let text = fs::read_to_string(&path);
        let text = text.map_err(|error| unfit(format!("{} cannot be read: {error}", path.display())))?;
        let threads = std::thread::available_parallelism().map_or(1, Into::into);
        let network = Network::read(&encoder, &decoder, threads).map_err(unfit)?;
        let fault = |what: String| unfit(format!("{shown}: {what}"));
        let pieces = Pieces::read(&text, network.told("multilingual") == Some("1")).map_err(fault)?;
        let never = Never::read(network.told("never"), network.told("never_first")).map_err(fault)?;
        Ok(Self { network, pieces, never, mel: Mel::default() })
    }

    fn hear(&self, utterance: &Utterance, gone: &AtomicBool) -> Result<Words, Failure> {
        let samples = &utterance.samples;
        let parts = segments(samples, WHISPER);
        let alone = parts.len() == 1;
        let mut words = Words { language: utterance.language.clone(), ..Words::default() };
        for part in parts {
            let part = &samples[part];
            // What was cut may begin or end with a long silence, or be nothing else.
            let speech = if alone { Some(0..part.len()) } else { gate::speech(part) };
            let Some(speech) = speech else { continue };
            let said = self.part(&part[speech], words.language.as_deref(), gone)?;
            words.text.push_str(&self.pieces.text(&said.pieces));
            words.language = said.language.or(words.language);
        }
        words.text = words.text.trim().to_owned();
        Ok(words)
    }

    /// What is said in a part: in a short window first, and where that made it say the same again and again, in the whole one.
    fn part(&self, samples: &[f32], language: Option<&str>, gone: &AtomicBool) -> Result<Said, Failure> {
        let short = (samples.len() + PAD).min(WINDOW);
        let said = self.window(samples, short, language, 1, gone)?;
        if !said.looped || short == WINDOW {
            return Ok(said);
        }
        self.window(samples, WINDOW, language, 2, gone)
    }

    fn window(
        &self,
        samples: &[f32],
        length: usize,
        language: Option<&str>,
        patience: usize,
        gone: &AtomicBool,
    ) -> Result<Said, Failure> {
        let failed = |what: String| Failure::new(Code::Unreadable, what);
        let mut window = self.network.hear(self.mel.figures(samples, length)).map_err(failed)?;
        let wanted = Wanted { language, seconds: samples.len() as f64 / f64::from(RATE), patience };
        greedy::hear(&self.pieces, &self.never, wanted, |tokens| {
            if gone.load(Ordering::Relaxed) {
                return Err(Failure::new(Code::Slow, "nobody waits for it any more"));
            }
            let scores = window.next(tokens).map_err(failed)?;
            if scores.len() != self.pieces.len() {
                let (found, known) = (scores.len(), self.pieces.len());
                return Err(unfit(format!("the network scores {found} pieces, and {TOKENS} has {known}")));
            }
            Ok(scores)
        })
    }
}

#[cfg(test)]
mod tests;
