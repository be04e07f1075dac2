//! One call that is alive: what happens goes to its machine, and what that asks for is done here.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use axum::body::Bytes;
use tokio::sync::{mpsc, oneshot};
use tracing::Instrument as _;

use super::ears::{self, Understood};
use super::socket::Out;
use super::{App, Shared};
use crate::gateway::events::{Kind, News as HubNews, Next};
use crate::gateway::lines::{Heard, Told, What};
use crate::ids::{ChatId, InviteId, PersonId, TurnId};
use crate::metrics::METRICS;
use crate::ringer::Sign as RingerSign;
use crate::ringer::linger::Linger;
use crate::ringer::summary::{Line as Said, Speaker as Who};
use crate::store::{
    Call, CallState, EffectState, EndedBy, Error, InSpeech, Message, NewEffect, NewMessage, Progress, Role,
    TurnState, Voice, mark,
};
use crate::voice::line::frames::{
    By, Fault, HeardTimes, News, Sign, Speaker as SpokenBy, Speech as Spoken, SpokenTimes,
};
use crate::voice::line::reply::{Extent, Reply};
use crate::voice::line::session::{Effect, Event, Session};
use crate::voice::speech::{self, Format, Manner, Speaker};

/// After so many milliseconds without a word a sentence that could be over is taken to be.
const PAUSE_MS: i64 = 700;
/// How many utterances are remembered, for those that are sent again.
const REMEMBERED: usize = 256;
/// How many messages of a call are read for its summary.
const TRANSCRIPT: i64 = 1000;

/// What comes to a line.
#[derive(Debug)]
pub(super) enum Input {
    /// A device is connected.
    Attach(Device),
    /// A device is connected no more.
    Detach(u64),
    /// A device says something.
    Sign(u64, Sign),
    /// A person has said something.
    Recording(u64, Recording),
    /// It was understood.
    Understood(Understood),
    /// The call was ended.
    Ended(Option<Message>),
}

/// A device that is connected.
#[derive(Debug)]
pub(super) struct Device {
    pub(super) number: u64,
    pub(super) name: Option<String>,
    pub(super) out: mpsc::Sender<Out>,
    /// Dropped to end its socket, behind what was sent.
    pub(super) _ends: oneshot::Sender<()>,
}

/// What a person has said.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) client_id: String,
    pub(super) language: Option<String>,
    pub(super) bytes: Vec<u8>,
    /// When its last byte came.
    pub(super) at: Instant,
}

/// A turn that is being spoken.
struct Voiced {
    heard: Arc<Heard>,
    speaker: Option<Speaker>,
    /// Which of its speakers it is: it has another one each time that it speaks again behind a call.
    epoch: u64,
    /// How many pieces and bytes were heard before the first of this speaker.
    offset: (usize, usize),
    sounds: HashMap<usize, Bytes>,
    times: Times,
}

/// When what happened.
#[derive(Clone, Copy, Default)]
struct Times {
    /// The end of what is answered.
    said: Option<Instant>,
    caption_ms: Option<u64>,
    first_delta: Option<Instant>,
    first_piece: Option<Instant>,
    first_audio: Option<Instant>,
}

impl Times {
    fn told(&self) -> SpokenTimes {
        let since = |at: Option<Instant>| Some(ms(at?.saturating_duration_since(self.said?)));
        SpokenTimes {
            caption_ms: self.caption_ms,
            first_delta_ms: since(self.first_delta),
            first_piece_ms: since(self.first_piece),
            first_audio_ms: since(self.first_audio),
        }
    }
}

fn ms(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Begins a call's line.
pub(super) fn begin(app: &App, call: &Call, inbox: mpsc::Sender<Input>, received: mpsc::Receiver<Input>) {
    let (app, person, id) = (Arc::new(app.clone()), call.person.clone(), call.id.clone());
    let span = super::named(&person, &id);
    let began_ms = call.line.began_ms;
    tokio::spawn(
        async move {
            let live = Arc::clone(&app.live);
            if let Err(error) = Line::run(app, person, id.clone(), began_ms, inbox, received).await {
                tracing::error!(%error, "a line ended by itself");
            }
            live.forget(&id);
        }
        .instrument(span),
    );
}

struct Line {
    app: Shared,
    person: PersonId,
    call: InviteId,
    chat: ChatId,
    began_ms: i64,
    session: Session,
    device: Option<Device>,
    inbox: mpsc::Sender<Input>,
    ears: mpsc::Sender<Recording>,
    voiced: BTreeMap<TurnId, Voiced>,
    /// What speakers tell.
    spoken: mpsc::UnboundedSender<(TurnId, u64, speech::Event)>,
    epoch: u64,
    /// What became of utterances, the oldest first; nothing while one is being understood.
    utterances: VecDeque<(String, Option<News>)>,
    /// The ends of what turns answer.
    asked: HashMap<TurnId, Times>,
    /// What has come of effects.
    pending: VecDeque<Event>,
    /// When a sentence that could be over is taken to be.
    pause_ms: Option<i64>,
}

impl Line {
    async fn run(
        app: Shared,
        person: PersonId,
        call: InviteId,
        began_ms: i64,
        inbox: mpsc::Sender<Input>,
        mut received: mpsc::Receiver<Input>,
    ) -> Result<(), Error> {
        let store = &app.gateway.store;
        let now_ms = app.gateway.clock.now_ms();
        let chat = store.open_line(person.clone(), call.clone(), now_ms).await?.ok_or(Error::Gone)?;
        let window_ms = app.gateway.ringer.ways(&person).await?.linger.max_ms;
        let mut told = app.gateway.lines.open(chat.clone(), call.clone());
        let mut follower = app.gateway.hub.follow(&person);
        let (spoken, mut from_speakers) = mpsc::unbounded_channel();
        let ears = ears::open(Arc::clone(&app), person.clone(), inbox.clone());
        let mut stopping = app.stopping.clone();
        let clock = Arc::clone(&app.gateway.clock);
        let _counted = METRICS.lines.hold();
        let mut line = Self {
            session: Session::new(window_ms, now_ms),
            app,
            person,
            call,
            chat,
            began_ms,
            device: None,
            inbox,
            ears,
            voiced: BTreeMap::new(),
            spoken,
            epoch: 0,
            utterances: VecDeque::new(),
            asked: HashMap::new(),
            pending: VecDeque::new(),
            pause_ms: None,
        };
        line.take_up().await?;
        line.look().await;
        while !line.session.is_over() {
            let wakes_ms = line.wakes_ms();
            tokio::select! {
                biased;
                // What a device says goes before everything: it may be that somebody speaks.
                Some(input) = received.recv() => line.input(input).await,
                Some(told) = told.recv() => line.told(told).await,
                Some((turn, epoch, event)) = from_speakers.recv() => line.voice(turn, epoch, event).await,
                next = follower.next() => {
                    let looks = match next {
                        Next::Event(event) => event.kind == Kind::Invite,
                        Next::Resync(_) => true,
                    };
                    if looks {
                        line.look().await;
                    }
                }
                () = async {
                    match wakes_ms {
                        Some(wakes_ms) => clock.sleep_until(wakes_ms).await,
                        None => std::future::pending().await,
                    }
                } => line.tick().await,
                () = async { drop(stopping.wait_for(|stopping| *stopping).await) } => {
                    // It stands in the store; the next start takes it up.
                    line.close(1012, "the server stops");
                    return Ok(());
                }
            }
        }
        line.app.gateway.lines.close(&line.chat, &line.call);
        Ok(())
    }

    fn now_ms(&self) -> i64 {
        self.app.gateway.clock.now_ms()
    }

    fn wakes_ms(&self) -> Option<i64> {
        [self.session.wakes_ms(), self.pause_ms].into_iter().flatten().min()
    }

    async fn tick(&mut self) {
        if self.pause_ms.is_some_and(|pause_ms| self.now_ms() >= pause_ms) {
            self.pause_ms = None;
            for voiced in self.voiced.values() {
                if let Some(speaker) = &voiced.speaker {
                    speaker.pause();
                }
            }
        }
        self.drive(Event::Tick).await;
    }

    /// Takes up what was being spoken when the server stopped.
    async fn take_up(&mut self) -> Result<(), Error> {
        let store = Arc::clone(&self.app.gateway.store);
        for spoken in store.spoken_turns(self.person.clone(), self.call.clone()).await? {
            if spoken.turn.state == TurnState::Running {
                // It goes on, and tells so itself.
                continue;
            }
            let turn = spoken.turn.id;
            let messages = store.turn_messages(self.person.clone(), turn.clone()).await?;
            let said: Vec<_> =
                messages.into_iter().filter(|message| message.role == Role::Companion).collect();
            let (words, pieces) =
                (spoken.progress.words, usize::try_from(spoken.progress.pieces).unwrap_or(0));
            let Some(last) = said.last().cloned() else { continue };
            let text: String = said.iter().map(|message| message.text.as_str()).collect();
            let before = text.chars().count().saturating_sub(last.text.chars().count());
            let mut reply = Reply::resumed(&words, if words.is_empty() { 0 } else { pieces.max(1) });
            let rest = text.strip_prefix(words.as_str()).unwrap_or_default().to_owned();
            reply.say(&rest);
            let effects = store.effects(self.person.clone(), turn.clone()).await?;
            for (number, effect) in (0..).zip(effects) {
                if effect.state == EffectState::Unheard {
                    let place = if said.len() > 1 { u64::MAX } else { effect.place };
                    let spoken = Some(InSpeech { number, heard: true });
                    reply.mark(NewEffect { kind: effect.kind, argument: effect.argument, place, spoken });
                }
            }
            let offset = (reply.played(), words.len());
            self.session.resume(turn.clone(), reply, last, u64::try_from(before).unwrap_or(u64::MAX));
            self.speak(&turn, Arc::default(), false, offset);
            if let Some(speaker) = self.voiced.get(&turn).and_then(|voiced| voiced.speaker.as_ref()) {
                speaker.push(&rest);
                speaker.finish();
            }
        }
        Ok(())
    }

    /// Looks how the call stands.
    async fn look(&mut self) {
        match self.app.gateway.store.call(self.person.clone(), self.call.clone()).await {
            Ok(Some(call)) => self.stands(&call).await,
            Ok(None) => self.drive(Event::Line { state: CallState::Ended, until_ms: None }).await,
            Err(error) => tracing::warn!(%error, "how a call stands could not be read"),
        }
    }

    async fn stands(&mut self, call: &Call) {
        self.drive(standing(call)).await;
    }

    async fn input(&mut self, input: Input) {
        match input {
            Input::Attach(device) => self.attach(device).await,
            Input::Detach(number) => {
                if self.device.as_ref().is_some_and(|device| device.number == number) {
                    self.device = None;
                    self.drive(Event::Detached).await;
                }
            }
            // What an older connection still says is not this one's.
            Input::Sign(number, _) | Input::Recording(number, _)
                if self.device.as_ref().is_none_or(|device| device.number != number) => {}
            Input::Sign(_, sign) => self.sign(sign).await,
            Input::Recording(_, recording) => self.recording(recording).await,
            Input::Understood(understood) => self.understood(understood).await,
            Input::Ended(record) => self.drive(Event::Ended(record.map(Box::new))).await,
        }
    }

    async fn attach(&mut self, device: Device) {
        if let Some(older) = self.device.replace(device) {
            let _ = older.out.try_send(Out::Close(4001, "another device took the call"));
        }
        let store = &self.app.gateway.store;
        let call = store.call(self.person.clone(), self.call.clone()).await;
        let personal = store.settings(self.person.clone()).await;
        let (Ok(Some(call)), Ok(Some(personal))) = (call, personal) else {
            tracing::warn!("a call could not be read, and its socket is closed");
            self.close(1011, "the server could not read the call");
            return;
        };
        let hears = self.app.ears.recogniser.is_some();
        let speech = match self.app.mouth.format() {
            Some(format) => Spoken { by: SpokenBy::Server, format: Some(format.mime()) },
            None => Spoken { by: SpokenBy::Browser, format: None },
        };
        let soft_gain = personal.settings.voice.soft_volume;
        self.tell(&News::Ready { call: Box::new(call.clone()), hears, speech, soft_gain });
        self.drive(Event::Attached).await;
        self.stands(&call).await;
    }

    async fn sign(&mut self, sign: Sign) {
        match sign {
            Sign::Speaking { turn, piece, share } => {
                let at = turn
                    .zip(piece)
                    .map(|(turn, piece)| (TurnId::from_text(turn), piece, share.unwrap_or(0.0)));
                let began = Instant::now();
                self.drive(Event::Speaking(at)).await;
                tracing::debug!(took_us = began.elapsed().as_micros(), "the person speaks, and it is quiet");
            }
            Sign::Played { turn, piece } => {
                let turn = TurnId::from_text(turn);
                if let Some(voiced) = self.voiced.get_mut(&turn) {
                    voiced.sounds.retain(|number, _| *number > piece);
                    if let (Some(speaker), Some(number)) =
                        (&voiced.speaker, piece.checked_sub(voiced.offset.0))
                    {
                        speaker.played(number);
                    }
                }
                self.drive(Event::Played(turn, piece)).await;
            }
            Sign::Hangup => self.drive(Event::HangUp).await,
            // The socket's own.
            Sign::Utterance { .. } | Sign::Frames { .. } | Sign::FramesEnd => {}
        }
    }

    async fn recording(&mut self, recording: Recording) {
        let client_id = recording.client_id.clone();
        if let Some((_, outcome)) = self.utterances.iter().find(|(known, _)| *known == client_id) {
            if let Some(outcome) = outcome.clone() {
                self.tell(&outcome);
            }
            return;
        }
        METRICS.utterances.add_one();
        // Whoever says something is not listening.
        self.drive(Event::Speaking(None)).await;
        self.remember(client_id.clone(), None);
        self.tell(&News::Understanding { client_id: client_id.clone() });
        if self.ears.try_send(recording).is_err() {
            let error = Fault {
                code: "busy",
                message: "What was said before is still being understood.".to_owned(),
                hint: Some("Say it again in a moment."),
            };
            self.outcome(News::Fault { client_id: Some(client_id), error });
        }
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

    async fn understood(&mut self, understood: Understood) {
        let Understood { client_id, at, heard } = understood;
        let caption_ms = ms(at.elapsed());
        let (transcript, feeling) = match heard {
            Ok(heard) => heard,
            Err(error) => return self.outcome(News::Fault { client_id: Some(client_id), error }),
        };
        let text = transcript.text.clone().unwrap_or_default();
        if text.trim().is_empty() {
            return self.outcome(News::NothingHeard { client_id });
        }
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
            capabilities: Vec::new(),
            from_phone: false,
            device: self.device.as_ref().and_then(|device| device.name.clone()),
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
                return self.outcome(News::Fault { client_id: Some(client_id), error });
            }
            Err(error) => {
                tracing::error!(%error, "what was said in a call was not taken");
                let error = ears::fault(error.into());
                return self.outcome(News::Fault { client_id: Some(client_id), error });
            }
        };
        let times = Times { said: Some(at), caption_ms: Some(caption_ms), ..Times::default() };
        self.asked.insert(taken.begun.turn.id.clone(), times);
        let stored = taken.begun.message;
        let voice = stored.voice.map(|voice| *voice);
        self.outcome(News::Caption {
            client_id,
            text: stored.text,
            emotion: voice.as_ref().and_then(|voice| voice.emotion),
            tone: voice.as_ref().and_then(|voice| voice.tone.clone()),
            feeling: voice.and_then(|voice| voice.feeling),
            times: HeardTimes { caption_ms },
        });
    }

    /// A turn tells something.
    async fn told(&mut self, told: Told) {
        let turn = told.turn.id;
        match told.what {
            What::Began { soft, markers, heard } => {
                self.drive(Event::Began { turn: turn.clone(), soft, markers }).await;
                self.speak(&turn, heard, soft, (0, 0));
                // Known to be spoken from here on, so that a restart finds it where nothing of it is heard.
                let nothing = Extent { bytes: 0, chars: 0, markers: 0, pieces: 0 };
                self.hear(turn, nothing, String::new(), Vec::new()).await;
            }
            What::Again { chars, markers } => {
                self.drive(Event::Again { turn: turn.clone(), chars, markers }).await;
                // Where it was stopped, its speaker is gone.
                if let Some(voiced) = self.voiced.get(&turn)
                    && voiced.speaker.is_none()
                {
                    let heard = Arc::clone(&voiced.heard);
                    self.speak(&turn, heard, false, (0, 0));
                }
            }
            What::Words(words) => {
                self.drive(Event::Words(turn.clone(), words.clone())).await;
                if let Some(voiced) = self.voiced.get_mut(&turn) {
                    voiced.times.first_delta.get_or_insert_with(Instant::now);
                    if let Some(speaker) = &voiced.speaker {
                        speaker.push(&words);
                    }
                }
                self.pause_ms = Some(self.now_ms().saturating_add(PAUSE_MS));
            }
            What::Marker(marker) => self.drive(Event::Marker(turn, marker)).await,
            What::Said(message) => {
                if let Some(speaker) = self.voiced.get(&turn).and_then(|voiced| voiced.speaker.as_ref()) {
                    speaker.pause();
                }
                self.drive(Event::Said(turn, Box::new(message))).await;
            }
            What::Over(message) => {
                let mut times = SpokenTimes::default();
                if let Some(voiced) = self.voiced.get(&turn) {
                    times = voiced.times.told();
                    if let Some(speaker) = &voiced.speaker {
                        speaker.finish();
                    }
                }
                self.drive(Event::Over(turn, message.map(Box::new), times)).await;
            }
        }
    }

    /// Gives a turn its voice.
    fn speak(&mut self, turn: &TurnId, heard: Arc<Heard>, soft: bool, offset: (usize, usize)) {
        self.epoch += 1;
        let epoch = self.epoch;
        let manner = Manner { language: None, soft, paced: true };
        let (speaker, mut events) = self.app.mouth.speaker(&self.person, manner);
        let times = self.asked.remove(turn).or_else(|| self.voiced.get(turn).map(|voiced| voiced.times));
        let voiced = Voiced {
            heard,
            speaker: Some(speaker),
            epoch,
            offset,
            sounds: HashMap::new(),
            times: times.unwrap_or_default(),
        };
        self.voiced.insert(turn.clone(), voiced);
        let (spoken, turn) = (self.spoken.clone(), turn.clone());
        tokio::spawn(async move {
            while let Some(event) = events.recv().await {
                if spoken.send((turn.clone(), epoch, event)).is_err() {
                    return;
                }
            }
        });
    }

    /// A speaker tells something.
    async fn voice(&mut self, turn: TurnId, epoch: u64, event: speech::Event) {
        let Some(voiced) = self.voiced.get_mut(&turn).filter(|voiced| voiced.epoch == epoch) else { return };
        let (pieces, bytes) = voiced.offset;
        match event {
            speech::Event::Piece(piece) => {
                voiced.times.first_piece.get_or_insert_with(Instant::now);
                self.drive(Event::Piece(turn, piece.spoken, piece.to + bytes)).await;
            }
            speech::Event::Audio { number, audio } => {
                let number = number + pieces;
                let sound = match audio {
                    Ok(audio) => {
                        voiced.times.first_audio.get_or_insert_with(Instant::now);
                        voiced.sounds.insert(number, audio.into());
                        Ok(self.app.mouth.format().map_or("audio/wav", Format::mime))
                    }
                    Err(fault) => {
                        tracing::warn!(code = fault.code.word(), detail = %fault.detail, "a piece has no sound");
                        Err(Fault {
                            code: fault.code.word(),
                            message: fault.code.sentence().to_owned(),
                            hint: None,
                        })
                    }
                };
                self.drive(Event::Audio(turn, number, sound)).await;
            }
            speech::Event::Whole { .. } => self.drive(Event::Whole(turn)).await,
        }
    }

    /// Brings an event to the machine, and does what it asks for.
    async fn drive(&mut self, event: Event) {
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
            Effect::Tell(mut news) => {
                if let News::Reply { turn, times, .. } = &mut news
                    && let Some(voiced) =
                        self.voiced.iter().find(|(id, _)| id.as_str() == turn).map(|(_, voiced)| voiced)
                {
                    // As they stand now: the reply may be over before its first piece has been told.
                    *times = voiced.times.told();
                }
                self.tell(&news);
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
            Effect::HeardOut(turn, extent, words) => {
                let now_ms = self.now_ms();
                let progress = self.progress(turn, extent, words);
                if let Err(error) =
                    self.app.gateway.store.heard_out(self.person.clone(), progress, now_ms).await
                {
                    tracing::error!(%error, "that a reply was heard to its end could not be noted");
                }
            }
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
            Effect::End(by) => self.end(by),
            Effect::Close => self.close(1000, "the call is over"),
        }
    }

    fn progress(&self, turn: TurnId, extent: Extent, words: String) -> Progress {
        Progress { turn, call: self.call.clone(), pieces: number(extent.pieces), words }
    }

    async fn hear(&mut self, turn: TurnId, extent: Extent, words: String, markers: Vec<NewEffect>) {
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
        // Where nobody came back it was as long as somebody was there.
        let until_ms = self.session.gone_ms().unwrap_or_else(|| self.now_ms());
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

    fn tell(&mut self, news: &News) {
        match serde_json::to_string(news) {
            Ok(text) => self.send(Out::Text(text)),
            Err(error) => tracing::error!(%error, "a frame could not be written"),
        }
    }

    fn send(&mut self, out: Out) {
        if let Some(device) = &self.device
            && device.out.try_send(out).is_err()
        {
            tracing::info!("a device is too far behind; it may come back");
            // Its socket ends with it.
            self.device = None;
            self.pending.push_back(Event::Detached);
        }
    }

    fn close(&mut self, code: u16, reason: &'static str) {
        self.send(Out::Close(code, reason));
        self.device = None;
    }
}

/// A number for the store.
fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// How a call stands, for the machine.
fn standing(call: &Call) -> Event {
    let until_ms = match call.line.linger {
        Linger::Lingering { until_ms } => Some(until_ms),
        Linger::Open | Linger::Marked { .. } => None,
    };
    Event::Line { state: call.line.state, until_ms }
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
