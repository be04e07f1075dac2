//! What a line's machine asks for, done.

use std::sync::Arc;

use tracing::Instrument as _;

use super::{Event, Input, Line, standing};
use crate::gateway::events::{Kind, News as HubNews};
use crate::ids::{ChatId, PersonId, TurnId};
use crate::metrics::METRICS;
use crate::ringer::Sign as RingerSign;
use crate::ringer::summary::{Line as Said, Speaker as Who};
use crate::store::{EndedBy, NewEffect, Progress, Role, mark};
use crate::voice::line::frames::{By, News};
use crate::voice::line::reply::Extent;
use crate::voice::line::session::Effect;
use crate::web::App;
use crate::web::live::socket::Out;

/// How many messages of a call are read for its summary.
const TRANSCRIPT: i64 = 1000;

impl Line {
    /// Brings an event to the machine, and does what it asks for.
    pub(super) async fn drive(&mut self, event: Event) {
        self.pending.push_back(event);
        while let Some(event) = self.pending.pop_front() {
            for effect in self.session.on(event, self.app.gateway.clock.now_ms()) {
                // Boxed: what a line waits with stays small.
                Box::pin(self.perform(effect)).await;
            }
        }
    }

    async fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Tell(news) => self.tell(&news),
            Effect::Reply(turn, pieces, message) => {
                let times = self.voiced.get(&turn).map(|voiced| voiced.times.told()).unwrap_or_default();
                self.tell(&News::Reply { turn: turn.to_string(), pieces, message, times });
            }
            Effect::Sound(turn, piece) => {
                let sound = self.voiced.get(&turn).and_then(|voiced| voiced.sounds.get(&piece)).cloned();
                // Announced, it has to come.
                self.send(Out::Sound(sound.unwrap_or_default()));
            }
            Effect::Joined => self.ringer(RingerSign::Joined).await,
            Effect::Spoke => self.ringer(RingerSign::Speech).await,
            Effect::PlayedOut(turn) => self.ringer(RingerSign::Played { turn, heard: None }).await,
            Effect::Stop(turn, extent) => {
                let Some(voiced) = self.voiced.get_mut(&turn) else { return };
                METRICS.interruptions.add_one();
                let hushed = voiced.heard.stop(extent.chars, number(extent.markers));
                // With it go its requests.
                voiced.speaker = None;
                voiced.sounds.clear();
                if !hushed {
                    self.pending.push_back(Event::Silent(turn));
                }
            }
            Effect::Hear(turn, extent, words, markers) => self.hear(turn, extent, words, markers).await,
            Effect::HeardOut(turn, extent, words) => self.heard_out(turn, extent, words).await,
            Effect::Cut(turn, kept, markers) => {
                let now_ms = self.now_ms();
                // A text that was read aloud is read on from what was heard of it.
                let heard = kept.last().map_or(0, |kept| usize::try_from(kept.chars).unwrap_or(usize::MAX));
                if let Err(error) = self.app.gateway.heard_reading(&self.person, &turn, heard).await {
                    tracing::error!(%turn, %error, "a bookmark was not moved to what was heard");
                }
                let cut = self
                    .app
                    .gateway
                    .store
                    .cut(self.person.clone(), turn.clone(), kept, markers, now_ms)
                    .await;
                let last = match cut {
                    Ok(messages) => {
                        for message in
                            messages.iter().filter(|each| each.mark.as_deref() == Some(mark::INTERRUPTED))
                        {
                            self.app
                                .gateway
                                .hub
                                .publish(&self.person, HubNews::message(Kind::Message, message));
                        }
                        messages.into_iter().next_back()
                    }
                    Err(error) => {
                        tracing::error!(%turn, %error, "what was not heard could not be cut off");
                        None
                    }
                };
                self.pending.push_back(Event::Cut(turn, last.map(Box::new)));
            }
            Effect::Forget(turn) => {
                if let Some(voiced) = self.voiced.remove(&turn) {
                    let times = voiced.times.told();
                    tracing::info!(
                        %turn,
                        caption_ms = times.caption_ms,
                        first_delta_ms = times.first_delta_ms,
                        first_piece_ms = times.first_piece_ms,
                        first_audio_ms = times.first_audio_ms,
                        "a reply was spoken; times are from the end of what it answers"
                    );
                }
            }
            Effect::Release(turn) => {
                if let Some(voiced) = self.voiced.remove(&turn) {
                    voiced.heard.release();
                }
                // Nothing of it is to be heard, after a restart neither.
                let nothing = Extent { bytes: 0, chars: 0, markers: 0, pieces: 0 };
                self.heard_out(turn, nothing, String::new()).await;
            }
            Effect::Leave => self.app.gateway.lines.close(&self.chat, &self.call),
            Effect::End(by) => self.end(by),
            Effect::Close => self.close(1000, "the call is over"),
        }
    }

    fn progress(&self, turn: TurnId, extent: Extent, words: String) -> Progress {
        Progress { turn, call: self.call.clone(), pieces: number(extent.pieces), words }
    }

    async fn heard_out(&self, turn: TurnId, extent: Extent, words: String) {
        let (now_ms, progress) = (self.now_ms(), self.progress(turn, extent, words));
        if let Err(error) = self.app.gateway.store.heard_out(self.person.clone(), progress, now_ms).await {
            tracing::error!(%error, "that a reply was heard to its end could not be noted");
        }
    }

    pub(super) async fn hear(
        &mut self,
        turn: TurnId,
        extent: Extent,
        words: String,
        markers: Vec<NewEffect>,
    ) {
        if let Some(voiced) = self.voiced.get(&turn) {
            voiced.heard.note(extent.chars, number(extent.markers));
        }
        let (now_ms, marked) = (self.now_ms(), !markers.is_empty());
        let progress = self.progress(turn.clone(), extent, words);
        let gateway = &self.app.gateway;
        match gateway.store.hear(self.person.clone(), progress, markers, now_ms).await {
            Ok(()) if marked => gateway.perform(&self.person, &turn).await,
            Ok(()) => {}
            Err(error) => tracing::error!(%turn, %error, "how much of a reply was heard could not be noted"),
        }
    }

    /// Tells the ringer what happens on the line, and the machine how the call stands then.
    async fn ringer(&mut self, sign: RingerSign) {
        match self.app.gateway.ringer.sign(&self.person, &self.call, sign).await {
            Ok(Some(moved)) => self.pending.push_back(standing(&moved.call)),
            Ok(None) => {}
            Err(error) => tracing::error!(%error, "what happened on a line could not be noted"),
        }
    }

    /// Ends the call beside the line, which goes on until the record is there.
    fn end(&self, by: By) {
        let (app, person, call, chat) =
            (Arc::clone(&self.app), self.person.clone(), self.call.clone(), self.chat.clone());
        let (began_ms, inbox) = (self.began_ms, self.inbox.clone());
        // Where nobody came back it was as long as somebody was there; and what is waited for at its end is none of it.
        let until_ms = self.session.gone_ms().or(self.session.ending_ms()).unwrap_or_else(|| self.now_ms());
        let ending = async move {
            let transcript = transcript(&app, &person, &chat, began_ms).await;
            let by = if by == By::Server { EndedBy::Server } else { EndedBy::Device };
            let length_ms = until_ms.saturating_sub(began_ms).max(0);
            let ended = app.gateway.ringer.end_by(&person, &call, by, length_ms, transcript, None).await;
            let record = match ended {
                Ok(moved) => moved.and_then(|moved| moved.record),
                Err(error) => {
                    tracing::error!(%call, %error, "a call could not be ended");
                    None
                }
            };
            let _ = inbox.send(Input::Ended(record)).await;
        };
        tokio::spawn(ending.in_current_span());
    }
}

/// A number for the store.
fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// What was said in a call: the words of both, as they are stored.
async fn transcript(app: &App, person: &PersonId, chat: &ChatId, began_ms: i64) -> Vec<Said> {
    let found = app.gateway.store.messages_before(person.clone(), chat.clone(), i64::MAX, TRANSCRIPT).await;
    let messages = found.unwrap_or_else(|error| {
        tracing::warn!(%error, "what was said in a call could not be read; its record has no summary");
        Vec::new()
    });
    let said = messages
        .into_iter()
        .filter(|message| message.created_ms >= began_ms && !message.text.trim().is_empty());
    said.filter_map(|message| {
        let who = match message.role {
            Role::Person => Who::Person,
            Role::Companion => Who::Companion,
            Role::Call | Role::Result => return None,
        };
        Some(Said { who: Some(who), text: message.text })
    })
    .collect()
}
