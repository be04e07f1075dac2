//! One call that is alive: what happens goes to its machine.
//!
//! | file | what |
//! |---|---|
//! | `utterances` | what the person says |
//! | `voices` | what the companion says |
//! | `effects` | what the machine asks for, done |

mod effects;
mod utterances;
mod voices;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use handset_spec::Language;
use tokio::sync::{mpsc, oneshot};
use tracing::Instrument as _;

pub(super) use self::utterances::{Declared, Recording};
use self::voices::{Times, Voiced};
use super::ears::{self, Understood};
use super::socket::Out;
use super::{App, Shared};
use crate::gateway::events::{Kind, Next};
use crate::ids::{ChatId, InviteId, PersonId, TurnId};
use crate::metrics::METRICS;
use crate::ringer::linger::Linger;
use crate::store::{
    Call, CallState, EffectState, Error, InSpeech, Message, NewEffect, Personal, Role, TurnState,
};
use crate::voice::line::frames::{News, Sign, Speaker as SpokenBy, Speech as Spoken};
use crate::voice::line::reply::Reply;
use crate::voice::line::session::{Event, Session};
use crate::voice::speech;

/// How long a socket that was told to end may take to say its last, in real time.
const LAST_WORDS: Duration = Duration::from_secs(5);

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
    Recording(Recording),
    /// It was understood.
    Understood(Understood),
    /// The call was ended.
    Ended(Option<Message>),
}

/// A device that is connected.
#[derive(Debug)]
pub(super) struct Device {
    pub(super) number: u64,
    pub(super) out: mpsc::Sender<Out>,
    /// Dropped to end its socket, behind what was sent.
    pub(super) _ends: oneshot::Sender<()>,
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
    ears: ears::Ears,
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
    /// Whether the person was told on this line that their characters of the day are used up.
    quota_told: bool,
    /// The connection that was told that it is over, until it is.
    leaves: Option<u64>,
    /// The language that was spoken last on this line.
    spoken_in: Option<String>,
    /// The one that the person has chosen, or else plainly writes.
    likely: Option<String>,
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
        let likely = store.settings(person.clone()).await?.and_then(|personal| likely(&personal));
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
            quota_told: false,
            spoken_in: None,
            likely,
            leaves: None,
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
        line.afterwards(&mut received).await;
        Ok(())
    }

    /// The call is over. What was said in it and is not understood yet, or comes from a socket that ends, is taken all the same: it
    /// stands in the chat, behind the record, and is answered there.
    async fn afterwards(&mut self, received: &mut mpsc::Receiver<Input>) {
        let ends = tokio::time::sleep(LAST_WORDS);
        tokio::pin!(ends);
        while self.hears() || self.leaves.is_some() {
            let input = tokio::select! {
                biased;
                input = received.recv() => input,
                () = &mut ends, if self.leaves.is_some() => {
                    self.leaves = None;
                    continue;
                }
            };
            match input {
                Some(Input::Attach(device)) => {
                    let _ = device.out.try_send(Out::Close(1000, "the call is over"));
                }
                Some(Input::Detach(number)) => {
                    self.leaves = self.leaves.filter(|leaves| *leaves != number);
                }
                Some(Input::Recording(recording)) => self.recording(recording).await,
                Some(Input::Understood(understood)) => self.understood(understood).await,
                Some(Input::Sign(..) | Input::Ended(_)) => {}
                None => return,
            }
        }
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
            Input::Sign(number, _) if self.device.as_ref().is_none_or(|device| device.number != number) => {}
            Input::Sign(_, sign) => self.sign(sign).await,
            // The person's words are theirs, whichever connection they came by.
            Input::Recording(recording) => self.recording(recording).await,
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
        self.likely = likely(&personal);
        let hears = self.app.ears.recogniser.is_some();
        let speech = match self.app.mouth.format() {
            Some(format) => Spoken { by: SpokenBy::Server, format: Some(format.mime()) },
            None => Spoken { by: SpokenBy::Browser, format: None },
        };
        let soft_gain = personal.settings.voice.soft_volume;
        let chat = self.chat.to_string();
        self.tell(&News::Ready { call: Box::new(call.clone()), chat, hears, speech, soft_gain });
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
            Sign::Device { .. } | Sign::Utterance { .. } | Sign::Frames { .. } | Sign::FramesEnd => {}
        }
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
        self.leaves = self.device.take().map(|device| device.number);
    }
}

/// The language that a person is likely to be answered in. Letters that many languages share tell none.
fn likely(personal: &Personal) -> Option<String> {
    let written = personal.spoken.filter(|spoken| *spoken == Language::Zh);
    personal.language.or(written).map(|language| language.key().to_owned())
}

/// How a call stands, for the machine.
fn standing(call: &Call) -> Event {
    let until_ms = match call.line.linger {
        Linger::Lingering { until_ms } => Some(until_ms),
        Linger::Open | Linger::Marked { .. } => None,
    };
    Event::Line { state: call.line.state, until_ms }
}
