//! The answer: the events of a stream, or one whole message.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::gateway::model::{Delta, Fault, Fragment};
use crate::models::fault;
use crate::models::lenient::{arguments, index, list, read, text, word};
use crate::models::reply::{Decoder, Stage, unreadable};

/// Reads a message.
#[derive(Debug, Default)]
pub struct Message {
    said: bool,
}

type Raw<'a> = Option<&'a RawValue>;

/// An event, or a whole message: its fields are few enough to be told apart by what is there.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, default)]
    r#type: Raw<'a>,
    #[serde(borrow, default)]
    index: Raw<'a>,
    #[serde(borrow, default)]
    content_block: Raw<'a>,
    #[serde(borrow, default)]
    delta: Raw<'a>,
    #[serde(borrow, default)]
    content: Raw<'a>,
    #[serde(borrow, default)]
    error: Raw<'a>,
}

/// A block of the reply, or a piece of one.
#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, default)]
    r#type: Raw<'a>,
    #[serde(borrow, default)]
    text: Raw<'a>,
    #[serde(borrow, default)]
    thinking: Raw<'a>,
    #[serde(borrow, default)]
    id: Raw<'a>,
    #[serde(borrow, default)]
    name: Raw<'a>,
    #[serde(borrow, default)]
    input: Raw<'a>,
    #[serde(borrow, default)]
    partial_json: Raw<'a>,
    #[serde(borrow, default)]
    stop_reason: Raw<'a>,
}

impl Decoder for Message {
    fn event(&mut self, json: &str, out: &mut Vec<Delta>) -> Result<Stage, Fault> {
        let event: Event<'_> =
            serde_json::from_str(json).map_err(|_| unreadable("an event of the answer is not JSON"))?;
        if let Some(error) = event.error {
            return Err(fault::told(error, self.said));
        }
        let kind = text(event.r#type).unwrap_or_default();
        let place = index(event.index);
        let block = |raw: Raw<'_>, message: &mut Self, out: &mut Vec<Delta>| {
            let block = raw.and_then(read::<Block<'_>>);
            block.is_some_and(|block| message.block(&block, place, out))
        };
        let alive = match kind.as_str() {
            "content_block_start" => block(event.content_block, self, out),
            "content_block_delta" => block(event.delta, self, out),
            "message_delta" => {
                let reason = event.delta.and_then(read::<Block<'_>>).and_then(|d| text(d.stop_reason));
                return Ok(if reason.is_some() { Stage::Finished } else { Stage::Silent });
            }
            "message_stop" => return Ok(Stage::Ended),
            // A whole message in one event.
            "message" => self.content(event.content, out),
            // A ping, the message's head, a block's end, and what later versions may bring.
            _ => false,
        };
        Ok(if alive { Stage::Speaking } else { Stage::Silent })
    }

    fn whole(&mut self, json: &str, out: &mut Vec<Delta>) -> Result<(), Fault> {
        let event: Event<'_> =
            serde_json::from_str(json).map_err(|_| unreadable("the answer is not whole JSON"))?;
        if let Some(error) = event.error {
            return Err(fault::told(error, false));
        }
        if event.content.is_none() {
            return Err(unreadable("the answer holds no content"));
        }
        self.content(event.content, out);
        Ok(())
    }
}

impl Message {
    fn content(&mut self, content: Raw<'_>, out: &mut Vec<Delta>) -> bool {
        let mut said = false;
        for (place, raw) in (0..).zip(list(content)) {
            if let Some(block) = read::<Block<'_>>(raw) {
                said |= self.block(&block, Some(place), out);
            }
        }
        said
    }

    /// Takes a block or a piece of one; true when it holds anything of a reply.
    fn block(&mut self, block: &Block<'_>, index: Option<u32>, out: &mut Vec<Delta>) -> bool {
        let before = out.len();
        match text(block.r#type).unwrap_or_default().as_str() {
            "text" | "text_delta" => {
                out.extend(text(block.text).filter(|words| !words.is_empty()).map(Delta::Text));
            }
            "tool_use" => out.push(Delta::Call(Fragment {
                index,
                id: word(block.id),
                name: text(block.name),
                // An empty input only says that the pieces follow; some proxies put the whole one here.
                arguments: arguments(block.input).filter(|input| !is_empty(input)),
            })),
            "input_json_delta" => {
                let arguments = arguments(block.partial_json);
                out.push(Delta::Call(Fragment { index, arguments, ..Fragment::default() }));
            }
            _ => {}
        }
        let said = out.len() > before;
        self.said |= said;
        said || text(block.thinking).is_some_and(|text| !text.is_empty())
    }
}

fn is_empty(object: &str) -> bool {
    object.bytes().all(|byte| byte.is_ascii_whitespace() || byte == b'{' || byte == b'}')
}
