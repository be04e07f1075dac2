//! What a person says on a line, understood one recording after another, so that what was said first is answered first.

use handset_spec::Language;
use tokio::sync::mpsc;

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

/// How many recordings may wait to be understood.
const WAITING: usize = 8;

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
pub(super) fn open(app: Shared, person: PersonId, line: mpsc::Sender<Input>) -> mpsc::Sender<Recording> {
    let (ears, mut recordings) = mpsc::channel::<Recording>(WAITING);
    tokio::spawn(async move {
        while let Some(recording) = recordings.recv().await {
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
    ears
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
