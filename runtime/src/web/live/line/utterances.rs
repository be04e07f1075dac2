//! What a person says on a line: understood, taken as their message, and told of, once however often it is sent.

use std::time::Instant;

use handset_spec::phone::CAPABILITY;

use super::voices::{Times, ms};
use super::{Event, Line};
use crate::gateway::language;
use crate::metrics::METRICS;
use crate::store::{Message, NewMessage, Voice};
use crate::voice::line::frames::{Fault, HeardTimes, News};
use crate::web::live::ears::{self, Understood};

/// How many utterances are remembered, for those that are sent again.
const REMEMBERED: usize = 256;

/// What a person has said.
#[derive(Debug)]
pub(in crate::web::live) struct Recording {
    pub(in crate::web::live) client_id: String,
    pub(in crate::web::live) language: Option<String>,
    pub(in crate::web::live) bytes: Vec<u8>,
    /// When its last byte came.
    pub(in crate::web::live) at: Instant,
    /// What it was said to.
    pub(in crate::web::live) from: Declared,
}

/// What a device says of itself: which it is, and what it can do.
#[derive(Debug, Clone, Default)]
pub(in crate::web::live) struct Declared {
    pub(in crate::web::live) device: Option<String>,
    pub(in crate::web::live) capabilities: Vec<String>,
}

impl Line {
    pub(super) async fn recording(&mut self, recording: Recording) {
        let client_id = recording.client_id.clone();
        if let Some((_, outcome)) = self.utterances.iter().find(|(known, _)| *known == client_id) {
            if let Some(outcome) = outcome.clone() {
                self.tell(&outcome);
            }
            return;
        }
        // Understood before a restart, it is as known as any other: it interrupts nothing, its own answer least of all.
        match self.app.gateway.store.message_of(self.person.clone(), client_id.clone()).await {
            Ok(Some(known)) if known.chat == self.chat => return self.outcome(caption(client_id, known, 0)),
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "whether something was said before could not be read"),
        }
        METRICS.utterances.add_one();
        let Some(place) = self.ears.place(recording.bytes.len()) else {
            let error = Fault {
                code: "busy",
                message: "What was said before is still being understood.".to_owned(),
                hint: Some("Say it again in a moment."),
            };
            return self.outcome(News::Fault { client_id: Some(client_id), error });
        };
        self.remember(client_id.clone(), None);
        place.take(recording);
        // Whoever says something is not listening.
        self.drive(Event::Speaking(None)).await;
        self.tell(&News::Understanding { client_id });
        self.drive(Event::Uttered).await;
    }

    /// Whether something that was said is still being understood.
    pub(super) fn hears(&self) -> bool {
        self.utterances.iter().any(|(_, outcome)| outcome.is_none())
    }

    fn remember(&mut self, client_id: String, outcome: Option<News>) {
        self.utterances.retain(|(known, _)| *known != client_id);
        self.utterances.push_back((client_id, outcome));
        if self.utterances.len() > REMEMBERED {
            self.utterances.pop_front();
        }
    }

    /// Tells what became of an utterance, and keeps it for its repetition. One that failed may be tried again.
    fn outcome(&mut self, news: News) {
        self.tell(&news);
        match &news {
            News::Caption { client_id, .. } | News::NothingHeard { client_id } => {
                self.remember(client_id.clone(), Some(news));
            }
            News::Fault { client_id: Some(client_id), .. } => {
                self.utterances.retain(|(known, _)| known != client_id);
            }
            _ => {}
        }
    }

    /// What was said is understood, and stands in the chat, before anything else comes of it.
    pub(super) async fn understood(&mut self, understood: Understood) {
        let news = self.take(understood).await;
        self.outcome(news);
        self.drive(Event::Understood).await;
    }

    /// Takes what was understood as the person's message; gives what became of it.
    async fn take(&mut self, understood: Understood) -> News {
        let Understood { client_id, at, from, language: said_in, heard } = understood;
        let caption_ms = ms(at.elapsed());
        let (transcript, feeling) = match heard {
            Ok(heard) => heard,
            Err(error) => return News::Fault { client_id: Some(client_id), error },
        };
        let text = transcript.text.clone().unwrap_or_default();
        if text.trim().is_empty() {
            return News::NothingHeard { client_id };
        }
        let spoken_in = transcript.language.as_deref().and_then(language::code).or(said_in);
        self.spoken_in = spoken_in.or(self.spoken_in.take());
        let voice = Voice {
            emotion: transcript.emotion,
            tone: transcript.tone.clone(),
            feeling: feeling.clone(),
            soft: transcript.soft,
            prefix: transcript.prefix.clone(),
        };
        let message = NewMessage {
            person: self.person.clone(),
            chat: self.chat.clone(),
            text,
            from_phone: from.capabilities.iter().any(|capability| capability == CAPABILITY),
            capabilities: from.capabilities,
            device: from.device,
            client_id: Some(client_id.clone()),
            voice: Some(voice),
            now_ms: self.now_ms(),
        };
        let taken = match self.app.gateway.take(message).await {
            Ok(Some(taken)) => taken,
            Ok(None) => {
                let error = Fault {
                    code: "not_found",
                    message: "The chat of this call was deleted.".to_owned(),
                    hint: None,
                };
                return News::Fault { client_id: Some(client_id), error };
            }
            Err(error) => {
                tracing::error!(%error, "what was said in a call was not taken");
                let error = ears::fault(error.into());
                return News::Fault { client_id: Some(client_id), error };
            }
        };
        let times = Times::since(at, caption_ms);
        self.asked.insert(taken.begun.turn.id.clone(), times);
        caption(client_id, taken.begun.message, caption_ms)
    }
}

/// How a message that was spoken is told.
fn caption(client_id: String, stored: Message, caption_ms: u64) -> News {
    let voice = stored.voice.map(|voice| *voice);
    News::Caption {
        client_id,
        text: stored.text,
        emotion: voice.as_ref().and_then(|voice| voice.emotion),
        tone: voice.as_ref().and_then(|voice| voice.tone.clone()),
        feeling: voice.and_then(|voice| voice.feeling),
        times: HeardTimes { caption_ms },
    }
}
