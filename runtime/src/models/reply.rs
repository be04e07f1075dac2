//! A provider's answer as it comes: bytes in, deltas out, the same however they are cut.
//!
//! What it is shows in its first byte, whatever the headers say: an object is a whole reply that was sent although a
//! stream was asked for, a page is no model's answer, and anything else is a stream of events.

use super::sse::{Reader, TooLong};
use crate::gateway::model::{Code, Delta, Fault};

/// How large an answer may be, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// Where an answer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Nothing of the reply has come.
    Silent,
    /// It is being said.
    Speaking,
    /// The provider has said that it is complete; a straggler may follow.
    Finished,
    /// Nothing more comes.
    Ended,
}

/// One provider's wire format.
pub trait Decoder: Send {
    /// Takes the JSON of one event.
    ///
    /// # Errors
    /// When it tells an error or cannot be read.
    fn event(&mut self, json: &str, out: &mut Vec<Delta>) -> Result<Stage, Fault>;

    /// Takes a whole reply that came without a stream.
    ///
    /// # Errors
    /// When it tells an error or cannot be read.
    fn whole(&mut self, json: &str, out: &mut Vec<Delta>) -> Result<(), Fault>;
}

enum Form {
    /// Nothing but blanks so far.
    Unknown,
    Events(Reader),
    Whole(Vec<u8>),
}

/// An answer under way.
pub struct Reply<D> {
    decoder: D,
    form: Form,
    stage: Stage,
    /// Whether the provider has said that the reply is complete; what comes behind that takes nothing back.
    complete: bool,
    taken: usize,
    /// How many events came that were JSON.
    events: usize,
}

impl<D: Decoder> Reply<D> {
    /// An answer of which nothing has come.
    pub fn new(decoder: D) -> Self {
        Self { decoder, form: Form::Unknown, stage: Stage::Silent, complete: false, taken: 0, events: 0 }
    }

    /// Where it stands.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Whether the provider has said that it is complete.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Takes bytes; true when they brought the reply on: a comment or a ping does not.
    ///
    /// # Errors
    /// When the provider tells an error, or what came cannot be read.
    pub fn push(&mut self, mut bytes: &[u8], out: &mut Vec<Delta>) -> Result<bool, Fault> {
        self.taken = self.taken.saturating_add(bytes.len());
        if self.taken > MAX_BYTES {
            return Err(self.fault("the answer is larger than 16 MiB"));
        }
        if let Form::Unknown = self.form {
            // A byte-order mark is left to the reader of events; no whole reply bears one.
            bytes = bytes.trim_ascii_start();
            match bytes.first() {
                None => return Ok(false),
                Some(b'{') => self.form = Form::Whole(Vec::new()),
                Some(b'<') => return Err(unreadable("a page came instead of an answer")),
                Some(_) => self.form = Form::Events(Reader::default()),
            }
        }
        match &mut self.form {
            Form::Whole(body) => {
                body.extend_from_slice(bytes);
                Ok(true)
            }
            Form::Events(_) => self.events(Some(bytes), out),
            Form::Unknown => Ok(false),
        }
    }

    /// Ends the answer. `delimited` says whether the transport told where it ends: where it did not, and the provider did
    /// not say either that the reply is complete, it was cut off.
    ///
    /// # Errors
    /// When it was cut off, tells an error or cannot be read.
    pub fn finish(&mut self, delimited: bool, out: &mut Vec<Delta>) -> Result<(), Fault> {
        match std::mem::replace(&mut self.form, Form::Unknown) {
            Form::Unknown => Err(Fault::new(Code::Unreachable, "the answer is empty")),
            Form::Whole(body) => {
                let body = String::from_utf8_lossy(&body);
                self.decoder.whole(&body, out)?;
                self.stage = Stage::Ended;
                Ok(())
            }
            Form::Events(reader) => {
                self.form = Form::Events(reader);
                self.events(None, out)?;
                if self.events == 0 && !self.complete {
                    return Err(unreadable("there is no event in the answer"));
                }
                if !self.complete && !delimited {
                    return Err(self.fault("the connection ended before the reply did"));
                }
                self.stage = Stage::Ended;
                Ok(())
            }
        }
    }

    /// Reads events; `None` ends the stream.
    fn events(&mut self, bytes: Option<&[u8]>, out: &mut Vec<Delta>) -> Result<bool, Fault> {
        let Form::Events(reader) = &mut self.form else { return Ok(false) };
        let (decoder, stage, events) = (&mut self.decoder, &mut self.stage, &mut self.events);
        let complete = &mut self.complete;
        let mut moved = false;
        let mut take = |data: &str| -> Result<(), Fault> {
            let data = data.trim();
            if *stage == Stage::Ended {
                return Ok(());
            }
            if data == "[DONE]" {
                *stage = Stage::Ended;
                *complete = true;
                moved = true;
                return Ok(());
            }
            // Some proxies keep a connection alive by data that is no JSON.
            if !data.starts_with('{') {
                return Ok(());
            }
            *events += 1;
            let next = decoder.event(data, out)?;
            moved |= next > Stage::Silent;
            *complete |= next >= Stage::Finished;
            // Some servers say that they have finished and go on.
            let goes_on = next == Stage::Speaking && *stage == Stage::Finished;
            *stage = if goes_on { next } else { (*stage).max(next) };
            Ok(())
        };
        match bytes {
            Some(bytes) => reader.push(bytes, &mut take)?,
            None => reader.finish(&mut take)?,
        }
        Ok(moved)
    }

    fn fault(&self, detail: &str) -> Fault {
        let code = if self.stage == Stage::Silent { Code::Unreachable } else { Code::BrokenOff };
        Fault::new(code, detail)
    }
}

impl From<TooLong> for Fault {
    fn from(_: TooLong) -> Self {
        unreadable("a line of the answer is longer than 4 MiB")
    }
}

/// What came is not what a model's API sends.
pub(super) fn unreadable(detail: &str) -> Fault {
    Fault::new(Code::Unreadable, detail)
}
