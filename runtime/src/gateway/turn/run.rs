//! The loop: prompt, stream, calls, results, until the companion has only words.

use std::collections::HashSet;
use std::sync::Arc;

use handset_spec::phone::CAPABILITY;
use handset_spec::tools::{PHONE_ACTION, Tool};
use handset_spec_macros::text;

use super::{Fault, MAX_CALLS, MAX_ROUNDS, prompt};
use crate::gateway::Gateway;
use crate::gateway::calls::{Assembled, Assembler, canonical};
use crate::gateway::events::{Kind, News};
use crate::gateway::model::{Code, Delta, Fault as ModelFault};
use crate::gateway::speech::Speech;
use crate::ids::call_id;
use crate::store::{Ending, Error, Kind as ChatKind, Message, NewEntry, Role, Turn, mark};

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
    system: Arc<str>,
    tools: Vec<&'static Tool>,
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
    words: String,
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
pub(super) async fn run(gateway: &Gateway, turn: &Turn, speech: &Speech) -> Result<(), Fault> {
    let (mut run, mut history) = Box::pin(Run::begin(gateway, turn, speech)).await?;
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
    ) -> Result<(Box<Self>, Option<Vec<Message>>), Fault> {
        let store = &gateway.store;
        let (chat, history) = tokio::try_join!(
            store.chat(turn.person.clone(), turn.chat.clone()),
            store.history(turn.person.clone(), turn.id.clone()),
        )?;
        let chat = chat.ok_or(Error::Gone)?;
        let mut messages = history.iter().filter(|message| message.turn == turn.id);
        let answered = messages.next().ok_or(Error::Gone)?;
        let tools = prompt::offered(chat.offered_since, turn.message_seq);
        let from_phone = answered.capabilities.iter().any(|capability| capability == CAPABILITY);
        let attended = chat.kind == ChatKind::Chat;
        let run = Self {
            gateway,
            turn,
            available: prompt::available(!tools.is_empty(), from_phone, attended),
            device: answered.device.clone(),
            speech,
            system: gateway.system.of(&chat, !tools.is_empty()),
            tools,
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
        let Heard { words, calls, end } = self.listen(history).await;
        match end {
            End::Whole => {}
            End::Hushed => return self.stop(words).await.map(|()| None),
            End::Broken(fault) => return self.broken(words, fault).await.map(|()| None),
        }
        if calls.is_empty() {
            // Behind a result silence is an answer, since the person has seen the result; before one it is none.
            if words.trim().is_empty() && self.made == 0 {
                return Err(Fault::Model(ModelFault::new(Code::Silent, "neither words nor a call")));
            }
            return self.reply(words).await.map(|()| None);
        }
        let calls = self.identified(calls, used)?;
        self.record(words, &calls).await?;
        Ok(Some(calls))
    }

    /// Reads the model's stream to its end: the words, sent on as they come, and the calls.
    ///
    /// P027: a stream that breaks off, or is told to stop, drops its calls; nothing of them reaches a phone.
    async fn listen(&self, history: Vec<Message>) -> Heard {
        let prompt = prompt::compose(Arc::clone(&self.system), history, self.tools.clone());
        let mut deltas = self.gateway.model.open(prompt);
        let mut words = String::new();
        let mut assembler = Assembler::default();
        let end = loop {
            // A sign to stop goes before what else has come.
            let delta = tokio::select! {
                biased;
                () = self.speech.hushed() => break End::Hushed,
                delta = deltas.recv() => delta,
            };
            match delta {
                None => return Heard { words, calls: assembler.finish(), end: End::Whole },
                Some(Err(fault)) => break End::Broken(fault),
                Some(Ok(Delta::Text(text))) => {
                    let news = News::delta(&self.turn.chat, &self.turn.id, &text);
                    self.gateway.hub.publish(&self.turn.person, news);
                    words.push_str(&text);
                }
                Some(Ok(Delta::Call(piece))) => assembler.push(piece),
            }
        };
        Heard { words, calls: Vec::new(), end }
    }

    /// The person has stopped the companion: what was said so far is its message, and marked so.
    async fn stop(&self, words: String) -> Result<(), Fault> {
        let words = (!words.trim().is_empty()).then_some(words);
        if words.is_none() {
            return Err(Fault::Stopped);
        }
        self.end(Ending::interrupted(words)).await
    }

    /// The stream broke off: what was said so far is kept, and the turn fails.
    async fn broken(&self, words: String, fault: ModelFault) -> Result<(), Fault> {
        if !words.trim().is_empty() {
            let entry = NewEntry::Unfinished { text: words, mark: mark::INTERRUPTED.to_owned() };
            let (person, id) = (self.turn.person.clone(), self.turn.id.clone());
            let now_ms = self.gateway.clock.now_ms();
            for message in self.gateway.store.append(person, id, vec![entry], now_ms).await? {
                self.gateway.hub.publish(&self.turn.person, News::message(Kind::Message, &message));
            }
        }
        Err(Fault::Model(fault))
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
    async fn record(&self, words: String, calls: &[Call]) -> Result<(), Fault> {
        let mut entries = Vec::with_capacity(calls.len() + 1);
        if !words.trim().is_empty() {
            entries.push(NewEntry::Words(words));
        }
        entries.extend(calls.iter().map(|call| NewEntry::Call {
            call_id: call.id.clone(),
            tool: call.name.clone(),
            arguments: canonical(&call.arguments),
        }));
        let (person, id) = (self.turn.person.clone(), self.turn.id.clone());
        for message in self.gateway.store.append(person, id, entries, self.gateway.clock.now_ms()).await? {
            let kind = if message.role == Role::Call { Kind::Call } else { Kind::Message };
            self.gateway.hub.publish(&self.turn.person, News::message(kind, &message));
        }
        Ok(())
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

    async fn reply(&self, words: String) -> Result<(), Fault> {
        self.end(Ending::finished(words)).await
    }

    /// Ends the turn with its reply.
    async fn end(&self, ending: Ending) -> Result<(), Fault> {
        let (person, id) = (self.turn.person.clone(), self.turn.id.clone());
        let now_ms = self.gateway.clock.now_ms();
        let stored = self.gateway.store.finish_turn(person, id, ending, now_ms).await?;
        let reply = stored.ok_or(Error::Gone)?;
        self.gateway.hub.publish(&self.turn.person, News::message(Kind::Reply, &reply));
        Ok(())
    }
}
