//! A call of the phone's tool: `unavailable`, a refusal, or a card for each object that it holds.

use std::future::Future;
use std::pin::Pin;

use handset_spec::phone;
use handset_spec::tools::PHONE_ACTION;
use handset_spec_macros::text;

use super::run::{Call, Run};
use super::{Fault, MAX_CALLS};
use crate::gateway::desk::slip::WAIT_MS;
use crate::ids::CardId;
use crate::store::{Card, Error, NewCard, join_results};

/// A card that waits for its answer.
type Asking<'a> = Pin<Box<dyn Future<Output = Result<Box<Card>, Error>> + Send + 'a>>;

/// The objects of one call, of which those that pass are put to the person one after another.
struct Glued {
    parts: Vec<Part>,
    /// The results of those that came before, in order.
    results: Vec<String>,
    /// Which object comes next.
    number: usize,
}

/// What the next card is made of.
struct Next {
    /// The object's place in the call.
    number: usize,
    json: String,
    summary: String,
    /// The results before its own, joined.
    before: String,
    /// With the last card: the results behind its own.
    after: Option<String>,
}

impl Glued {
    fn new(parts: Vec<Part>) -> Self {
        Self { parts, results: Vec::new(), number: 0 }
    }

    /// The next object that passes; the refusals before it are taken as results.
    fn next(&mut self) -> Option<Next> {
        while let Some(part) = self.parts.get_mut(self.number) {
            let number = self.number;
            self.number += 1;
            match std::mem::replace(part, Part::Refused(String::new())) {
                Part::Refused(text) => self.results.push(text),
                Part::Passes { json, summary } => {
                    let before = self.joined();
                    let behind = &self.parts[self.number..];
                    let last = behind.iter().all(|part| matches!(part, Part::Refused(_)));
                    let after = last.then(|| refusals(behind));
                    if last {
                        // Nothing of these is needed any more.
                        *self = Self::new(Vec::new());
                    }
                    return Some(Next { number, json, summary, before, after });
                }
            }
        }
        None
    }

    /// Whether the last card was given out.
    fn done(&self) -> bool {
        self.parts.is_empty()
    }

    /// The results so far as one.
    fn joined(&self) -> String {
        join_results(self.results.iter().map(String::as_str))
    }
}

/// The texts of refusals, joined.
fn refusals(parts: &[Part]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Refused(text) => Some(text.as_str()),
        Part::Passes { .. } => None,
    });
    join_results(texts)
}

/// One object of a call's arguments, as the spec's reader judged it.
enum Part {
    /// What the phone receives, JSON, and the line that it shows.
    Passes { json: String, summary: String },
    /// Why it goes nowhere.
    Refused(String),
}

impl Run<'_> {
    /// Brings a call of the phone's tool to its one result.
    ///
    /// Objects glued together in one call are put to the person one after another; the call's result joins theirs.
    pub(super) async fn phone(&mut self, call: &mut Call) -> Result<(), Fault> {
        if !self.available {
            self.made += 1;
            return Box::pin(self.result(call, PHONE_ACTION.unavailable.to_owned())).await;
        }
        let mut glued = Glued::new(self.parts(call));
        // What was read need not lie about while the person thinks.
        (call.arguments, call.name) = (String::new(), String::new());
        while let Some(asking) = self.put(call, &mut glued)? {
            self.speech.at_desk();
            let closed = asking.await;
            self.speech.speaks();
            let closed = closed?;
            if glued.done() {
                // The last card's answer has completed the call, in the transaction that closed the card.
                return Ok(());
            }
            glued.results.push(closed.result.unwrap_or_default());
        }
        Box::pin(self.result(call, glued.joined())).await
    }

    /// Puts the next card to the person. What it is made of is gone once it lies on the desk: a turn that waits holds
    /// nothing but its ticket.
    fn put<'a>(&'a self, call: &Call, glued: &mut Glued) -> Result<Option<Asking<'a>>, Fault> {
        let Some(next) = glued.next() else { return Ok(None) };
        let card = self.card(call, next)?;
        Ok(Some(Box::pin(self.gateway.desk.ask(&self.turn.person, card))))
    }

    /// Reads the arguments; each object counts as a call.
    fn parts(&mut self, call: &Call) -> Vec<Part> {
        let mut read = Vec::new();
        phone::read(call.arguments.as_bytes(), |part| {
            read.push(part.map(|call| (call.to_json(), call.summary.clone().into_owned())));
        });
        let glued = read.len() > 1;
        let mut parts = Vec::with_capacity(read.len());
        for (number, part) in read.into_iter().enumerate() {
            if self.made >= MAX_CALLS {
                parts.push(Part::Refused(text!(tools.too_many).to_owned()));
                break;
            }
            self.made += 1;
            parts.push(match part {
                Ok((json, summary)) => Part::Passes { json, summary },
                Err(refusal) => {
                    // Within glued arguments the place tells the objects apart.
                    let key =
                        if glued { format!("{number}:{}", call.arguments) } else { call.arguments.clone() };
                    Part::Refused(self.refusal(call, &key, refusal.text().into_owned()))
                }
            });
        }
        parts
    }

    fn card(&self, call: &Call, next: Next) -> Result<NewCard, Fault> {
        let now_ms = self.gateway.clock.now_ms();
        Ok(NewCard {
            id: CardId::new(now_ms).map_err(Error::from)?,
            person: self.turn.person.clone(),
            chat: self.turn.chat.clone(),
            turn: self.turn.id.clone(),
            call_id: call.id.clone(),
            part: i64::try_from(next.number).unwrap_or(i64::MAX),
            device: self.device.clone(),
            tool: PHONE_ACTION.name.to_owned(),
            call: next.json,
            summary: next.summary,
            created_ms: now_ms,
            deadline_ms: now_ms + WAIT_MS,
            before: next.before,
            after: next.after,
        })
    }
}
