//! What a person says on a line, understood one recording after another, so that what was said first is answered first.

use std::sync::Arc;

use handset_spec::Language;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::Shared;
use super::line::{Declared, Input, Recording};
use crate::gateway::language;
use crate::ids::PersonId;
use crate::store::Once;
use crate::voice::line::frames::Fault;
use crate::voice::tone;
use crate::voice::transcript::Transcript;
use crate::web::error::ApiError;
use crate::web::transcribe;

/// How many recordings may wait to be understood: as many as may be said at once.
const WAITING: usize = 64;
/// How many of the largest they may hold together.
const LARGEST: usize = 2;

/// The ears of a line.
#[derive(Debug)]
pub(super) struct Ears {
    recordings: mpsc::Sender<(Recording, OwnedSemaphorePermit)>,
    /// The bytes that may still wait.
    room: Arc<Semaphore>,
}

impl Ears {
    /// Room for a recording of so many bytes; none where too much waits.
    pub(super) fn place(&self, bytes: usize) -> Option<Place> {
        let queue = self.recordings.clone().try_reserve_owned().ok()?;
        let bytes = u32::try_from(bytes).ok()?;
        let room = Arc::clone(&self.room).try_acquire_many_owned(bytes).ok()?;
        Some(Place { queue, room })
    }
}

/// Room for a recording.
#[derive(Debug)]
pub(super) struct Place {
    queue: mpsc::OwnedPermit<(Recording, OwnedSemaphorePermit)>,
    room: OwnedSemaphorePermit,
}

impl Place {
    /// Takes it.
    pub(super) fn take(self, recording: Recording) {
        drop(self.queue.send((recording, self.room)));
    }
}

/// What became of a recording.
#[derive(Debug)]
pub(super) struct Understood {
    pub(super) client_id: String,
    pub(super) at: std::time::Instant,
    pub(super) from: Declared,
    /// The language that is spoken, where the client knows it.
    pub(super) language: Option<String>,
    pub(super) heard: Result<(Transcript, Option<String>), Fault>,
}

/// Ears of a line: what is put in comes out in its order, as [`Input::Understood`].
pub(super) fn open(app: Shared, person: PersonId, line: mpsc::Sender<Input>) -> Ears {
    let (ears, mut recordings) = mpsc::channel::<(Recording, OwnedSemaphorePermit)>(WAITING);
    let room = app.ears.limits.bytes().saturating_mul(LARGEST).min(Semaphore::MAX_PERMITS);
    let room = Arc::new(Semaphore::new(room));
    tokio::spawn(async move {
        while let Some((recording, _room)) = recordings.recv().await {
            let Recording { client_id, language, bytes, at, from } = recording;
            let heard = understand(&app, &person, bytes, language.clone(), &client_id).await.map_err(fault);
            let language = language.as_deref().and_then(language::code);
            if line
                .send(Input::Understood(Understood { client_id, at, from, language, heard }))
                .await
                .is_err()
            {
                return;
            }
        }
    });
    Ears { recordings: ears, room }
}

async fn understand(
    app: &Shared,
    person: &PersonId,
    bytes: Vec<u8>,
    language: Option<String>,
    client_id: &str,
) -> Result<(Transcript, Option<String>), ApiError> {
    let language = transcribe::language(language)?;
    // Sent again after a restart, it counts once.
    let once = Once { client_id: format!("voice-{client_id}"), now_ms: app.gateway.clock.now_ms() };
    let (transcript, reads): (Transcript, Language) =
        transcribe::understood(app, person, bytes, language, true, Some(once)).await?;
    let feeling = tone::feeling(transcript.emotion, transcript.tone.as_deref(), reads);
    Ok((transcript, feeling))
}

pub(super) fn fault(error: ApiError) -> Fault {
    Fault { code: error.body.code, message: error.body.message, hint: error.body.hint }
}
