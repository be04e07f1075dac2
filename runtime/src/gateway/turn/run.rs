//! The loop: prompt, stream, calls, results, until the companion has only words.

use std::collections::HashSet;
use std::sync::Arc;

use handset_spec::phone::CAPABILITY;
use handset_spec::tools::{PHONE_ACTION, Tool};
use handset_spec_macros::text;
use jiff::tz::TimeZone;

use super::hearing::{Hearing, Said};
use super::{Fault, MAX_CALLS, MAX_ROUNDS, prompt};
use crate::gateway::Gateway;
use crate::gateway::calls::{Assembled, Assembler, canonical};
use crate::gateway::events::{Kind, News};
use crate::gateway::lines::Tap;
use crate::gateway::model::{Code, Delta, Fault as ModelFault};
use crate::gateway::speech::Speech;
use crate::gateway::system::performs;
use crate::ids::call_id;
use crate::store::{Ending, Error, Kind as ChatKind, Message, NewEntry, Role, Turn, mark};
use crate::zone;

/// How many characters of an unknown tool's name are repeated to the model.
const MAX_NAME: usize = 64;

/// A turn under way.
pub(super) struct Run<'a> {
    pub(super) gateway: &'a Gateway,
    pub(super) turn: &'a Turn,
    /// Whether a call may be put on a phone: the message being answered came from one, and somebody attends.
    pub(super) available: bool,
    /// The device that the message came from.
    pub(super) device: Option<String>,
    pub(super) speech: &'a Speech,
    /// The line that it is spoken on, in a call.
    tap: Option<Arc<Tap>>,
    /// Whether its markers are performed; they are erased in any case.
    performs: bool,
    system: Arc<str>,
    tools: Vec<&'static Tool>,
    /// Where the person lives, if the model is told when they wrote.
    zone: Option<TimeZone>,
    /// How many calls were read so far.
    pub(super) made: usize,
    /// Calls that were refused in this turn, as name and arguments.
    refused: HashSet<(String, String)>,
}

/// A call with an id of its own.
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
}

/// What one opening of the model's stream brought.
struct Heard {
    said: Said,
    calls: Vec<Assembled>,
    end: End,
}

/// How the stream ended.
enum End {
    Whole,
    /// The companion was told to stop.
    Hushed,
    Broken(ModelFault),
}

/// Runs a turn to its stored reply.
///
/// Turns wait for cards by the ten thousand. What is not under way then stands in boxes of its own, which go when it is
/// done; inline, each step would make every waiting turn as large as the largest of them.
pub(super) async fn run(
    gateway: &Gateway,
    turn: &Turn,
    speech: &Speech,
    tap: Option<Arc<Tap>>,
) -> Result<(), Fault> {
    let (mut run, mut history) = Box::pin(Run::begin(gateway, turn, speech, tap)).await?;
    for _ in 0..MAX_ROUNDS {
        let Some(mut calls) = Box::pin(run.round(history.take())).await? else { return Ok(()) };
        for call in &mut calls {
            run.answer(call).await?;
        }
    }
    Err(Fault::TooManyRounds)
}

impl<'a> Run<'a> {
    /// Reads what the turn is about, and with it what the first round reads.
    async fn begin(
        gateway: &'a Gateway,
        turn: &'a Turn,
        speech: &'a Speech,
        tap: Option<Arc<Tap>>,
    ) -> Result<(Box<Self>, Option<Vec<Message>>), Fault> {
        let store = &gateway.store;
        let personal = async {
            if gateway.model.heeds_time() { store.settings(turn.person.clone()).await } else { Ok(None) }
        };
        let (chat, history, companion, personal) = tokio::try_join!(
            store.chat(turn.person.clone(), turn.chat.clone()),
            store.history(turn.person.clone(), turn.id.clone()),
            store.companion(turn.person.clone()),
            personal,
        )?;
        let chat = chat.ok_or(Error::Gone)?;
        let mut messages = history.iter().filter(|message| message.turn == turn.id);
        let answered = messages.next().ok_or(Error::Gone)?;
        let tools = prompt::offered(chat.offered_since, turn.message_seq);
        let from_phone = answered.capabilities.iter().any(|capability| capability == CAPABILITY);
        let attended = chat.kind == ChatKind::Chat;
        if let Some(tap) = &tap {
            // A turn that a restart cut off may have had some.
            let known = if turn.starts > 1 {
                store.effects(turn.person.clone(), turn.id.clone()).await?.len()
            } else {
                0
            };
            let soft = answered.voice.as_ref().is_some_and(|voice| voice.soft);
            tap.begin(soft, i64::try_from(known).unwrap_or(0));
        }
        let run = Self {
            gateway,
            turn,
            available: prompt::available(!tools.is_empty(), from_phone, attended),
            device: answered.device.clone(),
            speech,
            tap,
            performs: performs(chat.kind),
            system: gateway.system.of(&chat, !tools.is_empty(), &companion),
            tools,
            zone: personal.map(|personal| zone::or_utc(&personal.zone)),
            made: messages.filter(|message| message.role == Role::Call).count(),
            refused: HashSet::new(),
        };
        Ok((Box::new(run), Some(history)))
    }

    /// Lets the model speak once: its calls, stored, or nothing where the turn has ended with its words.
    async fn round(&self, history: Option<Vec<Message>>) -> Result<Option<Vec<Call>>, Fault> {
        let history = match history {
            Some(history) => history,
            None => self.gateway.store.history(self.turn.person.clone(), self.turn.id.clone()).await?,
        };
        // Ids are compared with every one in the chat: some models number their calls anew in each reply.
        let used = history.iter().filter_map(|message| message.call_id.clone()).collect();
        let Heard { said, calls, end } = self.listen(history).await;
        match end {
            End::Whole => {}
            End::Hushed => return self.stop(said).await.map(|()| None),
            End::Broken(fault) => return self.broken(said, fault).await.map(|()| None),
        }
        if calls.is_empty() {
            // Behind a result silence is an answer, since the person has seen the result; before one it is none. A marker is
            // no silence: the reply is then empty, and stored as such, so that the turn has its end.
            if said.is_silence() && self.made == 0 {
                return Err(Fault::Model(ModelFault::new(Code::Silent, "neither words nor a call")));
            }
            if self.tap.as_ref().is_some_and(|tap| tap.stopped()) {
                // Whole, but not heard to its end.
                return self.stop(said).await.map(|()| None);
            }
            return self.reply(said).await.map(|()| None);
        }
        let calls = self.identified(calls, used)?;
        self.record(said, &calls).await?;
        Ok(Some(calls))
    }

    /// Reads the model's stream to its end: the words, sent on as they come, and the calls.
    ///
    /// P027: a stream that breaks off, or is told to stop, drops its calls; nothing of them reaches a phone.
    async fn listen(&self, history: Vec<Message>) -> Heard {
        let prompt =
            prompt::compose(Arc::clone(&self.system), history, self.zone.as_ref(), self.tools.clone());
        if let Some(tap) = &self.tap {
            tap.speaks();
        }
        let mut deltas = self.gateway.model.open(prompt);
        let mut hearing = Hearing::default();
        let mut assembler = Assembler::default();
        // How many of its markers the line knows.
        let mut marked = 0;
        let end = loop {
            // A sign to stop goes before what else has come.
            let delta = tokio::select! {
                biased;
                () = self.speech.hushed() => break End::Hushed,
                delta = deltas.recv() => delta,
            };
            match delta {
                None => {
                    self.tell(hearing.finish());
                    self.tell_markers(&hearing, &mut marked);
                    return Heard { said: self.heard(hearing), calls: assembler.finish(), end: End::Whole };
                }
                Some(Err(fault)) => {
                    // What was held back for a marker's sake was said all the same.
                    self.tell(hearing.finish());
                    self.tell_markers(&hearing, &mut marked);
                    break End::Broken(fault);
                }
                Some(Ok(Delta::Text(text))) => {
                    self.tell(hearing.push(&text));
                    self.tell_markers(&hearing, &mut marked);
                }
                Some(Ok(Delta::Call(piece))) => assembler.push(piece),
            }
        };
        if let (Some(tap), End::Hushed) = (&self.tap, &end) {
            tap.hushed();
        }
        // Told to stop, it has said what was told, and nothing that was held back.
        Heard { said: self.heard(hearing), calls: Vec::new(), end }
    }

    /// Tells a piece of the words to whoever listens.
    fn tell(&self, text: &str) {
        if !text.is_empty() {
            let news = News::delta(&self.turn.chat, &self.turn.id, text);
            self.gateway.hub.publish(&self.turn.person, news);
            if let Some(tap) = &self.tap {
                tap.words(text);
            }
        }
    }

    /// Tells the line the markers that have come.
    fn tell_markers(&self, hearing: &Hearing, marked: &mut usize) {
        if let Some(tap) = &self.tap {
            tap.marked(hearing.effects(), *marked);
            *marked = hearing.effects().len();
        }
    }

    /// What was said, with the markers that are to be performed.
    fn heard(&self, hearing: Hearing) -> Said {
        let mut said = hearing.said();
        if !self.performs {
            said.effects.clear();
        }
        if let Some(tap) = &self.tap {
            let Said { words, effects, chars } = &mut said;
            tap.settle(words, effects, *chars);
        }
        said
    }

    /// The person has stopped the companion: what was said so far is its message, and marked so.
    async fn stop(&self, said: Said) -> Result<(), Fault> {
        if said.is_silence() {
            return Err(Fault::Stopped);
        }
        self.end(Ending::interrupted(Some(said.words)).with(said.effects)).await
    }

    /// The stream broke off: what was said so far is kept, and the turn fails.
    async fn broken(&self, said: Said, fault: ModelFault) -> Result<(), Fault> {
        let mut entries = Vec::with_capacity(1 + said.effects.len());
        if !said.is_wordless() {
            entries.push(NewEntry::Unfinished { text: said.words, mark: mark::INTERRUPTED.to_owned() });
        }
        entries.extend(said.effects.into_iter().map(NewEntry::Effect));
        self.append(entries).await?;
        Err(Fault::Model(fault))
    }

    /// Stores what the companion adds to its turn, does what its markers ask for, and tells it.
    async fn append(&self, entries: Vec<NewEntry>) -> Result<(), Fault> {
        if entries.is_empty() {
            return Ok(());
        }
        let marked = entries.iter().any(|entry| matches!(entry, NewEntry::Effect(_)));
        let (person, id) = (self.turn.person.clone(), self.turn.id.clone());
        let stored = self.gateway.store.append(person, id, entries, self.gateway.clock.now_ms()).await?;
        if marked {
            self.gateway.perform(&self.turn.person, &self.turn.id).await;
        }
        for message in stored {
            if let (Some(tap), Role::Companion) = (&self.tap, message.role) {
                tap.said(&message);
            }
            let kind = if message.role == Role::Call { Kind::Call } else { Kind::Message };
            self.gateway.hub.publish(&self.turn.person, News::message(kind, &message));
        }
        Ok(())
    }

    /// Gives each call an id that no other call of the chat has.
    fn identified(&self, calls: Vec<Assembled>, mut used: HashSet<String>) -> Result<Vec<Call>, Fault> {
        let mut identified = Vec::with_capacity(calls.len());
        for call in calls {
            let id = match call.id {
                Some(id) if !used.contains(&id) => id,
                _ => call_id(&used).map_err(Error::from)?,
            };
            used.insert(id.clone());
            identified.push(Call { id, name: call.name, arguments: call.arguments });
        }
        Ok(identified)
    }

    /// Stores what was said and called, before anything is done about it.
    async fn record(&self, said: Said, calls: &[Call]) -> Result<(), Fault> {
        let mut entries = Vec::with_capacity(calls.len() + 1 + said.effects.len());
        if !said.is_wordless() {
            entries.push(NewEntry::Words(said.words));
        }
        entries.extend(calls.iter().map(|call| NewEntry::Call {
            call_id: call.id.clone(),
            tool: call.name.clone(),
            arguments: canonical(&call.arguments),
        }));
        entries.extend(said.effects.into_iter().map(NewEntry::Effect));
        self.append(entries).await
    }

    /// Brings a call to its one result.
    async fn answer(&mut self, call: &mut Call) -> Result<(), Fault> {
        if self.made >= MAX_CALLS {
            return Box::pin(self.result(call, text!(tools.too_many).to_owned())).await;
        }
        if call.name == PHONE_ACTION.name {
            return self.phone(call).await;
        }
        self.made += 1;
        let text = self.unknown_tool(call);
        Box::pin(self.result(call, text)).await
    }

    fn unknown_tool(&mut self, call: &Call) -> String {
        let offered = self.tools.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ");
        let name: String = call.name.chars().take(MAX_NAME).collect();
        let refusal = text!(tools.unknown_tool, name = name, tools = offered);
        self.refusal(call, &call.arguments, refusal)
    }

    /// A refusal's text; one that this turn has already heard for the same call is answered as repeated.
    pub(super) fn refusal(&mut self, call: &Call, arguments: &str, text: String) -> String {
        let fresh = self.refused.insert((call.name.clone(), arguments.to_owned()));
        if fresh { text } else { text!(tools.repeated).to_owned() }
    }

    /// Stores a result that no card brings.
    pub(super) async fn result(&self, call: &Call, text: String) -> Result<(), Fault> {
        let (person, id) = (self.turn.person.clone(), self.turn.id.clone());
        let now_ms = self.gateway.clock.now_ms();
        let result = self.gateway.store.record_result(person, id, call.id.clone(), text, now_ms).await?;
        if let Some(result) = result {
            self.gateway.hub.publish(&self.turn.person, News::message(Kind::Result, &result));
        }
        Ok(())
    }

    /// Ends the turn with the companion's whole reply, and behind it with what its words ask to be read.
    async fn reply(&self, said: Said) -> Result<(), Fault> {
        let Said { mut words, effects, .. } = said;
        let added = self.gateway.read_on(&self.turn.person, &effects, words.chars().count()).await?;
        let passage = added.and_then(|added| {
            self.tell(&added.words);
            words.push_str(&added.words);
            added.passage
        });
        self.end(Ending::finished(words).with(effects).reading(passage)).await
    }

    /// Ends the turn with its reply.
    async fn end(&self, ending: Ending) -> Result<(), Fault> {
        let (person, id) = (self.turn.person.clone(), self.turn.id.clone());
        let now_ms = self.gateway.clock.now_ms();
        let marked = !ending.effects.is_empty();
        let stored = self.gateway.store.finish_turn(person, id, ending, now_ms).await?;
        let reply = stored.ok_or(Error::Gone)?;
        if marked {
            self.gateway.perform(&self.turn.person, &self.turn.id).await;
        }
        if let Some(tap) = &self.tap {
            tap.over(Some(&reply));
        }
        self.gateway.hub.publish(&self.turn.person, News::message(Kind::Reply, &reply));
        Ok(())
    }
}
