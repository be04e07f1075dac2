use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;

use super::*;
use crate::voice::speech::{Format, Free, Speaking};

const ENOUGH: Duration = Duration::from_secs(60);

/// A service that is let speak piece by piece.
#[derive(Default)]
struct Held {
    /// What was asked, in order.
    asked: Mutex<Vec<String>>,
    asks: Notify,
    /// Each piece's leave to be answered.
    leave: Mutex<BTreeMap<String, Arc<Semaphore>>>,
    /// Requests that were let go before their answer.
    dropped: Arc<AtomicUsize>,
}

struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Held {
    fn leave(&self, text: &str) -> Arc<Semaphore> {
        let mut leave = self.leave.lock().unwrap();
        Arc::clone(leave.entry(text.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(0))))
    }

    fn answer(&self, text: &str) {
        self.leave(text).add_permits(1);
    }

    async fn asked(&self, count: usize) -> Vec<String> {
        loop {
            let next = self.asks.notified();
            let asked = self.asked.lock().unwrap().clone();
            if asked.len() >= count {
                return asked;
            }
            timeout(ENOUGH, next).await.expect("it was not asked");
        }
    }
}

impl Speech for Held {
    fn name(&self) -> &str {
        "held"
    }

    fn limit(&self) -> usize {
        800
    }

    fn format(&self) -> Format {
        Format::Wav
    }

    fn speak(&self, utterance: Utterance) -> Speaking<'_> {
        Box::pin(async move {
            let dropped = Dropped(Arc::clone(&self.dropped));
            self.asked.lock().unwrap().push(utterance.text.clone());
            self.asks.notify_waiters();
            let leave = self.leave(&utterance.text);
            leave.acquire().await.unwrap().forget();
            assert_ne!(utterance.text, "Panic!");
            std::mem::forget(dropped);
            Ok(utterance.text.into_bytes())
        })
    }
}

fn speaker(manner: Manner) -> (Arc<Held>, Speaker, Events) {
    let held = Arc::new(Held::default());
    let service: Arc<dyn Speech> = held.clone();
    let (speaker, events) = Speaker::new(Some(service), Arc::new(Free), manner);
    (held, speaker, events)
}

async fn next(events: &mut Events) -> Option<Event> {
    timeout(ENOUGH, events.recv()).await.expect("nothing came")
}

async fn audio(events: &mut Events) -> (usize, Result<String, Code>) {
    loop {
        if let Event::Audio { number, audio } = next(events).await.expect("it is over") {
            let audio = audio.map(|bytes| String::from_utf8(bytes).unwrap()).map_err(|fault| fault.code);
            return (number, audio);
        }
    }
}

#[tokio::test]
async fn audio_comes_in_order_whatever_is_answered_first() {
    let (held, speaker, mut events) = speaker(Manner::default());
    speaker.push("One. Two. Three.");
    speaker.finish();
    assert_eq!(held.asked(2).await, ["One.", "Two."]);
    held.answer("Two.");
    assert_eq!(held.asked(3).await.len(), 3);
    held.answer("Three.");
    held.answer("One.");
    let expected = [(0, Ok("One.".to_owned())), (1, Ok("Two.".to_owned())), (2, Ok("Three.".to_owned()))];
    for expected in expected {
        assert_eq!(audio(&mut events).await, expected);
    }
    assert_eq!(next(&mut events).await, None);
}

#[tokio::test]
async fn an_interruption_lets_go_of_every_request_at_once() {
    for by_drop in [false, true] {
        let (held, speaker, mut events) = speaker(Manner::default());
        speaker.push("One. Two. Three. Four.");
        held.asked(2).await;
        if by_drop {
            drop(speaker);
        } else {
            speaker.cancel();
            speaker.push(" Five. Six.");
            speaker.finish();
        }
        let begin = Instant::now();
        while held.dropped.load(Ordering::SeqCst) < 2 {
            assert!(begin.elapsed() < ENOUGH);
            tokio::task::yield_now().await;
        }
        held.answer("One.");
        let mut told = Vec::new();
        while let Some(event) = next(&mut events).await {
            told.push(event);
        }
        assert!(told.iter().all(|event| matches!(event, Event::Piece(_))), "{told:?}");
        assert_eq!(held.asked(0).await.len(), 2);
    }
}

#[tokio::test]
async fn who_does_not_listen_is_not_spoken_to() {
    let (held, speaker, events) = speaker(Manner::default());
    drop(events);
    speaker.push("One. Two. ");
    speaker.finish();
    assert!(held.asked(0).await.is_empty());
}

#[tokio::test]
async fn a_request_that_breaks_is_a_failed_piece() {
    let (held, speaker, mut events) = speaker(Manner::default());
    speaker.push("Panic! One.");
    speaker.finish();
    held.answer("Panic!");
    held.answer("One.");
    assert_eq!(audio(&mut events).await, (0, Err(Code::Unreadable)));
    assert_eq!(audio(&mut events).await, (1, Ok("One.".to_owned())));
}

#[tokio::test]
async fn a_speaker_outlives_the_runtime_that_it_speaks_in() {
    let spoken = std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (held, speaker, events) = runtime.block_on(async { speaker(Manner::default()) });
        drop(runtime);
        // What is asked for now is dropped at once, and looks into the queue that asks.
        speaker.push("One. Two. Three. Four.");
        speaker.finish();
        drop((held, speaker, events));
    });
    spoken.join().unwrap();
}

#[tokio::test]
async fn without_a_service_the_browser_speaks() {
    let (speaker, mut events) = Speaker::new(None, Arc::new(Free), Manner::default());
    speaker.push("**One.** Two \u{1f600}");
    speaker.finish();
    let mut told = Vec::new();
    while let Some(event) = next(&mut events).await {
        told.push(event);
    }
    let piece = |number, spoken: &str, shown: &str, from, to| {
        Event::Piece(Piece {
            number,
            spoken: spoken.to_owned(),
            language: None,
            shown: shown.to_owned(),
            from,
            to,
        })
    };
    let expected = [
        piece(0, "One.", "**One.**", 0, 8),
        piece(1, "Two", " Two \u{1f600}", 8, 17),
        Event::Whole { pieces: 2, rest: String::new() },
    ];
    assert_eq!(told, expected);
}
