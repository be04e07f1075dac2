//! Puts tool calls together from the pieces that providers send.
//!
//! Pieces in, whole calls out at the end of the stream: the same calls however the arguments were cut. Nothing is done
//! with a call before the stream has ended, so that no repeated or late piece can do it twice; whether its arguments are
//! complete is for the strict reader to say, not for the finish reason.

mod objects;

use super::model::Fragment;

pub use objects::{canonical, is_object};

/// A call that the stream held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assembled {
    /// The provider's id, where it gave one.
    pub id: Option<String>,
    /// The tool's name; empty when none came.
    pub name: String,
    /// The arguments exactly as sent, but for objects that were sent again.
    pub arguments: String,
}

#[derive(Debug)]
struct Open {
    id: Option<String>,
    index: Option<u32>,
    name: String,
    arguments: String,
}

/// Collects the pieces of one reply.
#[derive(Debug, Default)]
pub struct Assembler {
    calls: Vec<Open>,
}

impl Assembler {
    /// Takes a piece.
    pub fn push(&mut self, piece: Fragment) {
        let id = piece.id.filter(|id| !id.trim().is_empty());
        let name = piece.name.filter(|name| !name.trim().is_empty());
        let arguments = piece.arguments.unwrap_or_default();
        let Some(place) = self.place(id.as_deref(), piece.index, name.as_deref()) else {
            // P017: a piece that says nothing opens no call.
            if id.is_some() || name.is_some() || !arguments.trim().is_empty() {
                self.calls.push(Open { id, index: piece.index, name: name.unwrap_or_default(), arguments });
            }
            return;
        };
        let call = &mut self.calls[place];
        if call.id.is_none() {
            call.id = id;
        }
        if let Some(name) = name
            && call.name.is_empty()
        {
            call.name = name;
        }
        call.arguments.push_str(&arguments);
    }

    /// The whole calls, in the order in which they began.
    #[must_use]
    pub fn finish(self) -> Vec<Assembled> {
        let whole = |call: Open| {
            let arguments = objects::without_repeats(call.arguments);
            Assembled { id: call.id, name: call.name, arguments }
        };
        self.calls.into_iter().map(whole).collect()
    }

    /// Which open call a piece belongs to; none when it opens one.
    ///
    /// By id where there is one (P015: parallel calls may share an index), by index only among calls that the id leaves
    /// open, and with neither to the call that was opened last, unless a name says that another begins.
    fn place(&self, id: Option<&str>, index: Option<u32>, name: Option<&str>) -> Option<usize> {
        let last = |test: &dyn Fn(&Open) -> bool| self.calls.iter().rposition(test);
        let goes_on = |call: &Open| name.is_none_or(|name| continues(call, name));
        if let Some(id) = id {
            if let Some(place) = last(&|call| call.id.as_deref() == Some(id)) {
                // The same id for another tool is another call; the turn gives it an id of its own.
                let call = &self.calls[place];
                let same = name.is_none_or(|name| call.name.is_empty() || call.name == name);
                return same.then_some(place);
            }
            // The id may come after the first piece.
            let place = last(&|call| call.id.is_none() && call.index == index)?;
            return goes_on(&self.calls[place]).then_some(place);
        }
        let place = match index {
            Some(_) => last(&|call| call.index == index)?,
            None => self.calls.len().checked_sub(1)?,
        };
        goes_on(&self.calls[place]).then_some(place)
    }
}

/// Whether a piece that bears a name but no id goes on with a call: providers repeat the name in each piece, and others
/// send several whole calls without ids under one index.
fn continues(call: &Open, name: &str) -> bool {
    call.name.is_empty() || (call.name == name && !is_object(&call.arguments))
}

#[cfg(test)]
mod tests;
