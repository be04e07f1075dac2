//! One reply being spoken.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::meter::Meter;
use super::queue::{Queue, Step};
use super::service::{Code, Fault, Speech, Utterance};
use crate::metrics::METRICS;

/// How a reply is spoken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// The language that is likely, as ISO 639-1 has it, where one is known: what a piece's letters tell goes before it.
    pub language: Option<String>,
    /// Softly.
    pub soft: bool,
    /// Whoever plays it tells what was played ([`Speaker::played`]), and no more is asked for than the piece behind the one that
    /// plays: an interruption then costs little. Without it, pieces are asked for as fast as the service answers.
    pub paced: bool,
}

/// What a voice says in one go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its place in the reply, from 0.
    pub number: usize,
    /// The words for the voice.
    pub spoken: String,
    /// Their language, as ISO 639-1 has it, where it is known.
    pub language: Option<String>,
    /// The part of the reply as shown that it stands for. Those of all pieces and [`Event::Whole`]'s rest, joined, are the reply.
    pub shown: String,
    /// Where `shown` begins in the reply: bytes.
    pub from: usize,
    /// Where `shown` ends: what is heard of the reply when this piece is. Bytes.
    pub to: usize,
}

/// What comes of a reply. Pieces come in order, [`Event::Audio`] once for each and in order, behind its piece; the browser's own voice
/// has no audio. After [`Event::Whole`] no piece comes, but audio may; then the stream ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A sentence is whole.
    Piece(Piece),
    /// The audio of a piece, a file in [`Speech::format`], or why there is none: the browser's voice speaks this one then.
    Audio {
        /// The piece's.
        number: usize,
        /// The audio.
        audio: Result<Vec<u8>, Fault>,
    },
    /// The reply is whole.
    Whole {
        /// How many pieces it has; 0 where nothing of it can be spoken.
        pieces: usize,
        /// What is shown behind the last piece, and not spoken.
        rest: String,
    },
}

/// The events of one reply. The stream ends when everything was told, or the speaker was cancelled or dropped.
pub type Events = mpsc::UnboundedReceiver<Event>;

/// One reply being spoken. Dropping it stops it at once, with its requests.
pub struct Speaker {
    shared: Arc<Shared>,
}

struct Shared {
    inner: Mutex<Inner>,
    service: Option<Arc<dyn Speech>>,
    meter: Arc<dyn Meter>,
    runtime: Handle,
}

struct Inner {
    queue: Queue,
    /// Nothing once it is over.
    events: Option<mpsc::UnboundedSender<Event>>,
    /// Requests under way, and some that are over.
    asking: Vec<AbortHandle>,
    /// Ends when the newest of them has taken its characters.
    taking: Option<oneshot::Receiver<()>>,
}

impl Speaker {
    /// A speaker, and what comes of it. Without a service the browser's own voice speaks. Must be called within a runtime.
    #[must_use]
    pub fn new(service: Option<Arc<dyn Speech>>, meter: Arc<dyn Meter>, manner: Manner) -> (Self, Events) {
        let (sender, events) = mpsc::unbounded_channel();
        let queue = Queue::new(service.as_ref().map(|service| service.limit()), manner);
        let inner = Mutex::new(Inner { queue, events: Some(sender), asking: Vec::new(), taking: None });
        (Self { shared: Arc::new(Shared { inner, service, meter, runtime: Handle::current() }) }, events)
    }

    /// More of the reply, without its markers, cut anywhere.
    pub fn push(&self, text: &str) {
        self.shared.with(|queue, out| queue.push(text, out));
    }

    /// Nothing came for a while: a sentence that could be over is taken to be.
    pub fn pause(&self) {
        self.shared.with(|queue, out| queue.pause(out));
    }

    /// The reply is whole; keep the speaker until its events end. A second time does nothing.
    pub fn finish(&self) {
        self.shared.with(|queue, out| queue.finish(out));
    }

    /// The pieces up to this one were played.
    pub fn played(&self, number: usize) {
        self.shared.with(|queue, out| queue.played(number, out));
    }

    /// Stops: requests under way are let go, and nothing more comes.
    pub fn cancel(&self) {
        self.shared.lock().stop();
    }
}

impl Drop for Speaker {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        // What is inside is whole between any two steps.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the queue do something, and does what comes of it.
    fn with(self: &Arc<Self>, act: impl FnOnce(&mut Queue, &mut dyn FnMut(Step))) {
        let mut asks = Vec::new();
        {
            let mut inner = self.lock();
            let Inner { queue, events, .. } = &mut *inner;
            let Some(sender) = events else { return };
            act(queue, &mut |step| match step {
                // Whoever listened may have gone.
                Step::Tell(event) => drop(sender.send(event)),
                Step::Ask(number, utterance) => asks.push((number, utterance)),
            });
            if sender.is_closed() {
                return inner.stop();
            }
            if queue.is_over() {
                *events = None;
            }
        }
        // A runtime that ends drops what it is given at once, and that looks into the queue again.
        for (number, utterance) in asks {
            let task = self.ask(number, utterance);
            let mut inner = self.lock();
            if inner.events.is_none() {
                task.abort();
            }
            inner.asking.retain(|task| !task.is_finished());
            inner.asking.push(task);
        }
    }

    fn ask(self: &Arc<Self>, number: usize, utterance: Utterance) -> AbortHandle {
        let mut answer = Answer { shared: Arc::clone(self), number, audio: None };
        // Two are asked for at once, and the earlier one is the first to take from the day's characters.
        let (took, next) = oneshot::channel::<()>();
        let before = self.lock().taking.replace(next);
        let task = self.runtime.spawn(async move {
            let shared = Arc::clone(&answer.shared);
            let Some(service) = &shared.service else { return };
            let characters = utterance.text.chars().count();
            if let Some(before) = before {
                // It ends by being dropped.
                let _ = before.await;
            }
            let taken = shared.meter.take(characters).await;
            drop(took);
            let audio = match taken {
                Ok(()) => {
                    METRICS.speech_characters.add(characters as u64);
                    let begin = Instant::now();
                    let audio = service.speak(utterance).await;
                    METRICS.speech_took.observe(begin.elapsed().as_secs_f64());
                    audio
                }
                Err(fault) => Err(fault),
            };
            METRICS.spoken(audio.as_ref().err().map(|fault| fault.code));
            if let Err(fault) = &audio
                && fault.code != Code::OverQuota
            {
                tracing::warn!(service = service.name(), piece = number, %fault, "a sentence has no audio");
            }
            answer.is(audio);
        });
        task.abort_handle()
    }
}

impl Inner {
    fn stop(&mut self) {
        self.events = None;
        for task in self.asking.drain(..) {
            task.abort();
        }
    }
}

/// Every request has an answer, also where its task breaks.
struct Answer {
    shared: Arc<Shared>,
    number: usize,
    audio: Option<Result<Vec<u8>, Fault>>,
}

impl Answer {
    fn is(&mut self, audio: Result<Vec<u8>, Fault>) {
        self.audio = Some(audio);
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        let audio = self.audio.take();
        let audio = audio.unwrap_or_else(|| Err(Fault::new(Code::Unreadable, "the request broke off")));
        let number = self.number;
        self.shared.with(|queue, out| queue.answer(number, audio, out));
    }
}

#[cfg(test)]
mod tests;
