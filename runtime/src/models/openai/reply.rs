//! The answer: chunks of a stream, or one whole completion.
//!
//! Every field is read on its own, so that one of an unexpected type loses itself alone and not its chunk.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::gateway::model::{Delta, Fault, Fragment};
use crate::models::fault;
use crate::models::lenient::{arguments, index, list, read, text, word};
use crate::models::reply::{Decoder, Stage, unreadable};

/// Reads a completion.
#[derive(Debug, Default)]
pub struct Completion {
    /// Whether anything was said by a delta: a whole message at the end then only repeats it.
    said: bool,
}

type Raw<'a> = Option<&'a RawValue>;

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow, default)]
    choices: Raw<'a>,
    #[serde(borrow, default)]
    error: Raw<'a>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow, default)]
    delta: Raw<'a>,
    #[serde(borrow, default)]
    message: Raw<'a>,
    #[serde(borrow, default)]
    finish_reason: Raw<'a>,
}

/// A message, or a piece of one.
#[derive(Deserialize)]
struct Piece<'a> {
    #[serde(borrow, default)]
    content: Raw<'a>,
    #[serde(borrow, default)]
    refusal: Raw<'a>,
    #[serde(borrow, default)]
    reasoning: Raw<'a>,
    #[serde(borrow, default)]
    reasoning_content: Raw<'a>,
    #[serde(borrow, default)]
    tool_calls: Raw<'a>,
    /// How calls were told before there were several.
    #[serde(borrow, default)]
    function_call: Raw<'a>,
}

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow, default)]
    index: Raw<'a>,
    #[serde(borrow, default)]
    id: Raw<'a>,
    #[serde(borrow, default)]
    function: Raw<'a>,
    // Some servers leave the inner object out.
    #[serde(borrow, default)]
    name: Raw<'a>,
    #[serde(borrow, default)]
    arguments: Raw<'a>,
}

#[derive(Deserialize)]
struct Function<'a> {
    #[serde(borrow, default)]
    name: Raw<'a>,
    #[serde(borrow, default)]
    arguments: Raw<'a>,
}

impl Decoder for Completion {
    fn event(&mut self, json: &str, out: &mut Vec<Delta>) -> Result<Stage, Fault> {
        let chunk: Chunk<'_> =
            serde_json::from_str(json).map_err(|_| unreadable("an event of the answer is not JSON"))?;
        if let Some(error) = chunk.error {
            return Err(fault::told(error, self.said));
        }
        let Some(choice) = list(chunk.choices).first().and_then(|raw| read::<Choice<'_>>(raw)) else {
            return Ok(Stage::Silent);
        };
        let whole = choice.message.filter(|_| choice.delta.is_none() && !self.said);
        let mut alive = false;
        if let Some(piece) = choice.delta.or(whole).and_then(read::<Piece<'_>>) {
            alive = self.piece(&piece, whole.is_some(), out);
        }
        let finished = text(choice.finish_reason).is_some_and(|reason| !reason.is_empty());
        Ok(match (finished, alive) {
            (true, _) => Stage::Finished,
            (false, true) => Stage::Speaking,
            (false, false) => Stage::Silent,
        })
    }

    fn whole(&mut self, json: &str, out: &mut Vec<Delta>) -> Result<(), Fault> {
        let chunk: Chunk<'_> =
            serde_json::from_str(json).map_err(|_| unreadable("the answer is not whole JSON"))?;
        if let Some(error) = chunk.error {
            return Err(fault::told(error, false));
        }
        let choice = list(chunk.choices).first().and_then(|raw| read::<Choice<'_>>(raw));
        let piece = choice.and_then(|choice| choice.message.or(choice.delta));
        let piece = piece.and_then(read::<Piece<'_>>);
        self.piece(&piece.ok_or_else(|| unreadable("the answer holds no choice"))?, true, out);
        Ok(())
    }
}

impl Completion {
    /// Takes a piece; true when it holds anything of a reply. A whole message's calls are told apart by their places.
    fn piece(&mut self, piece: &Piece<'_>, whole: bool, out: &mut Vec<Delta>) -> bool {
        let before = out.len();
        for words in [text(piece.content), text(piece.refusal)].into_iter().flatten() {
            if !words.is_empty() {
                out.push(Delta::Text(words));
            }
        }
        let calls = list(piece.tool_calls);
        // Several in one piece are several calls, also where no index says so.
        let several = whole || calls.len() > 1;
        for (place, raw) in (0u32..).zip(calls) {
            let Some(call) = read::<Call<'_>>(raw) else { continue };
            let function = call.function.and_then(read::<Function<'_>>);
            let (name, given) = match &function {
                Some(function) => (function.name, function.arguments),
                None => (call.name, call.arguments),
            };
            out.push(Delta::Call(Fragment {
                index: index(call.index).or(several.then_some(place)),
                id: word(call.id),
                name: text(name),
                arguments: arguments(given),
            }));
        }
        if let Some(call) = piece.function_call.and_then(read::<Function<'_>>) {
            let fragment = Fragment {
                name: text(call.name),
                arguments: arguments(call.arguments),
                ..Fragment::default()
            };
            out.push(Delta::Call(fragment));
        }
        let said = out.len() > before;
        self.said |= said;
        let thinks = |raw| text(raw).is_some_and(|text| !text.is_empty());
        said || thinks(piece.reasoning) || thinks(piece.reasoning_content)
    }
}
