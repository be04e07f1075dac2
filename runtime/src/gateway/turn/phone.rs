//! A call of the phone's tool: `unavailable`, a refusal, or a card for each object that it holds.

use handset_spec::phone;
use handset_spec::tools::PHONE_ACTION;
use handset_spec_macros::text;

use super::run::{Call, Run};
use super::{Fault, MAX_CALLS};
use crate::gateway::desk::slip::WAIT_MS;
use crate::ids::CardId;
use crate::store::{Error, NewCard, join_results};

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
        let mut parts = self.parts(call);
        // What was read need not lie about while the person thinks.
        (call.arguments, call.name) = (String::new(), String::new());
        let cards = parts.iter().filter(|part| matches!(part, Part::Passes { .. })).count();
        let mut results: Vec<String> = Vec::new();
        let mut asked = 0;
        for number in 0..parts.len() {
            match std::mem::replace(&mut parts[number], Part::Refused(String::new())) {
                Part::Refused(text) => results.push(text),
                Part::Passes { json, summary } => {
                    asked += 1;
                    let last = asked == cards;
                    // The last card's answer completes the call, in the transaction that closes the card.
                    let after = last.then(|| refusals(&parts[number + 1..]));
                    let before = join_results(results.iter().map(String::as_str));
                    if last {
                        // Nothing of these is needed any more.
                        (parts, results) = (Vec::new(), Vec::new());
                    }
                    let card = self.card(call, number, json, summary, before, after)?;
                    self.speech.at_desk();
                    let closed = self.gateway.desk.ask(&self.turn.person, card).await;
                    self.speech.speaks();
                    let closed = closed?;
                    if last {
                        return Ok(());
                    }
                    results.push(closed.result.unwrap_or_default());
                }
            }
        }
        Box::pin(self.result(call, join_results(results.iter().map(String::as_str)))).await
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

    fn card(
        &self,
        call: &Call,
        part: usize,
        json: String,
        summary: String,
        before: String,
        after: Option<String>,
    ) -> Result<NewCard, Fault> {
        let now_ms = self.gateway.clock.now_ms();
        Ok(NewCard {
            id: CardId::new(now_ms).map_err(Error::from)?,
            person: self.turn.person.clone(),
            chat: self.turn.chat.clone(),
            turn: self.turn.id.clone(),
            call_id: call.id.clone(),
            part: i64::try_from(part).unwrap_or(i64::MAX),
            device: self.device.clone(),
            tool: PHONE_ACTION.name.to_owned(),
            call: json,
            summary,
            created_ms: now_ms,
            deadline_ms: now_ms + WAIT_MS,
            before,
            after,
        })
    }
}

/// The refusals behind the last card, joined.
fn refusals(parts: &[Part]) -> String {
    let text = |part: &'_ Part| match part {
        Part::Refused(text) => Some(text.clone()),
        Part::Passes { .. } => None,
    };
    let texts: Vec<String> = parts.iter().filter_map(text).collect();
    join_results(texts.iter().map(String::as_str))
}
