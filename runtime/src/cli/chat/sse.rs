//! Server-sent events, put together from bytes however they are cut.

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct Event {
    /// The last id that was said.
    pub(in crate::cli) id: String,
    /// Its name; `message` where it bears none.
    pub(in crate::cli) name: String,
    /// Its data, the lines joined.
    pub(in crate::cli) data: String,
}

/// What has come so far.
#[derive(Debug, Default)]
pub(in crate::cli) struct Reader {
    line: Vec<u8>,
    after_cr: bool,
    name: String,
    data: Option<String>,
    /// The last id that was said; kept over events, and said by an event without data as well.
    pub(in crate::cli) last_id: String,
}

impl Reader {
    /// One that goes on behind an event.
    pub(in crate::cli) fn after(id: &str) -> Self {
        Self { last_id: id.to_owned(), ..Self::default() }
    }

    /// Takes bytes and gives the events that they complete.
    pub(in crate::cli) fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for &byte in bytes {
            // CR LF is one end of a line, also when they come apart.
            let ends = byte == b'\r' || (byte == b'\n' && !self.after_cr);
            let skipped = byte == b'\n' && self.after_cr;
            self.after_cr = byte == b'\r';
            if ends {
                let line = std::mem::take(&mut self.line);
                events.extend(self.end_line(&String::from_utf8_lossy(&line)));
            } else if !skipped {
                self.line.push(byte);
            }
        }
        events
    }

    fn end_line(&mut self, line: &str) -> Option<Event> {
        if line.is_empty() {
            let name = std::mem::take(&mut self.name);
            let data = self.data.take()?;
            let name = if name.is_empty() { "message".to_owned() } else { name };
            return Some(Event { id: self.last_id.clone(), name, data });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "id" if !value.contains('\0') => value.clone_into(&mut self.last_id),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            // A comment has no field's name; others mean nothing here.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STREAM: &str = ": following\nid: e-0\n\nevent: delta\r\nid: e-1\r\ndata: {\"text\":\"早\"}\r\n\r\n:\n\nid:e-2\ndata:a\ndata\ndata:  b\n\nretry: 5\n\n";

    fn read(pieces: &[&[u8]]) -> (Vec<Event>, String) {
        let mut reader = Reader::default();
        let events = pieces.iter().flat_map(|piece| reader.push(piece)).collect();
        (events, reader.last_id)
    }

    #[test]
    fn events_comments_and_ids() {
        let event = |id: &str, name: &str, data: &str| Event {
            id: id.to_owned(),
            name: name.to_owned(),
            data: data.to_owned(),
        };
        let expected = [event("e-1", "delta", "{\"text\":\"早\"}"), event("e-2", "message", "a\n\n b")];
        assert_eq!(read(&[STREAM.as_bytes()]), (expected.to_vec(), "e-2".to_owned()));
        assert_eq!(read(&[&STREAM.as_bytes()[..24]]).1, "e-0", "an id without data is remembered");
    }

    #[test]
    fn the_same_however_it_is_cut() {
        let bytes = STREAM.as_bytes();
        let whole = read(&[bytes]);
        for cut in 0..=bytes.len() {
            assert_eq!(read(&[&bytes[..cut], &bytes[cut..]]), whole, "cut at {cut}");
        }
        assert_eq!(read(&bytes.chunks(1).collect::<Vec<_>>()), whole);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..200), cut in 0..200_usize) {
            let cut = cut.min(bytes.len());
            prop_assert_eq!(read(&[&bytes]), read(&[&bytes[..cut], &bytes[cut..]]));
        }
    }
}
