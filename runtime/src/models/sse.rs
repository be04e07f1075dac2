//! Server-sent events as providers send them: bytes in, the data of events out.
//!
//! Lines end with LF, CR LF or CR; a line, a character and a line break may be cut anywhere between two pushes. Comments
//! and fields other than `data` are passed over: both wire formats repeat the event's name in their JSON. A byte-order
//! mark at the start is none of the first line, and an event whose blank line never came counts when the stream ends.

/// How long one line may be, in bytes: a whole reply in one event fits many times.
const MAX_LINE: usize = 4 << 20;
/// U+FEFF in UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// A line that is longer than any event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

/// Reads a stream of events.
#[derive(Debug, Default)]
pub struct Reader {
    /// The begun line.
    line: Vec<u8>,
    /// The data lines of the begun event, joined.
    data: String,
    /// Whether the begun event has a data line, be it an empty one.
    any: bool,
    /// Whether the last byte was a CR, so that an LF after it ends no second line.
    after_cr: bool,
    /// Whether the first line, which may bear a byte-order mark, is behind.
    begun: bool,
}

impl Reader {
    /// Takes bytes and gives the data of each event that they complete.
    ///
    /// # Errors
    /// When a line is longer than 4 MiB; what `event` answers with an error ends the reading, too.
    pub fn push<F, E>(&mut self, mut bytes: &[u8], event: &mut F) -> Result<(), E>
    where
        F: FnMut(&str) -> Result<(), E>,
        E: From<TooLong>,
    {
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = memchr::memchr2(b'\n', b'\r', bytes) {
            let (line, rest) = bytes.split_at(end);
            if self.line.is_empty() {
                self.line(line, event)?;
            } else {
                self.hold(line)?;
                let whole = std::mem::take(&mut self.line);
                self.line(&whole, event)?;
                // The room is used again for the next line that is cut.
                self.line = whole;
                self.line.clear();
            }
            bytes = match rest {
                [b'\r', b'\n', rest @ ..] => rest,
                [b'\r'] => {
                    self.after_cr = true;
                    &[]
                }
                [_, rest @ ..] => rest,
                [] => &[],
            };
        }
        self.hold(bytes)
    }

    /// Ends the stream: an event that lacks its blank line, or its line break, counts all the same.
    ///
    /// # Errors
    /// What `event` answers with.
    pub fn finish<F, E>(&mut self, event: &mut F) -> Result<(), E>
    where
        F: FnMut(&str) -> Result<(), E>,
    {
        let last = std::mem::take(&mut self.line);
        if !last.is_empty() {
            self.line(&last, event)?;
        }
        self.line(&[], event)
    }

    fn hold<E: From<TooLong>>(&mut self, bytes: &[u8]) -> Result<(), E> {
        if self.line.len() + bytes.len() > MAX_LINE || self.data.len() > MAX_LINE {
            return Err(TooLong.into());
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn line<F, E>(&mut self, mut line: &[u8], event: &mut F) -> Result<(), E>
    where
        F: FnMut(&str) -> Result<(), E>,
    {
        if !self.begun {
            self.begun = true;
            line = line.strip_prefix(BOM).unwrap_or(line);
        }
        if line.is_empty() {
            if std::mem::take(&mut self.any) {
                let data = std::mem::take(&mut self.data);
                let told = event(&data);
                self.data = data;
                self.data.clear();
                return told;
            }
            return Ok(());
        }
        let Some(value) = line.strip_prefix(b"data") else { return Ok(()) };
        let value = match value {
            [] => value,
            [b':', b' ', value @ ..] | [b':', value @ ..] => value,
            // A field whose name only begins like it.
            _ => return Ok(()),
        };
        if std::mem::replace(&mut self.any, true) {
            self.data.push('\n');
        }
        match std::str::from_utf8(value) {
            Ok(text) => self.data.push_str(text),
            // The plain check is the fast one; this is for what no provider should send.
            Err(_) => self.data.push_str(&String::from_utf8_lossy(value)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&[u8]]) -> Vec<String> {
        let mut reader = Reader::default();
        let mut events = Vec::new();
        let mut take = |data: &str| {
            events.push(data.to_owned());
            Ok::<_, TooLong>(())
        };
        for piece in pieces {
            reader.push(piece, &mut take).unwrap();
        }
        reader.finish(&mut take).unwrap();
        events
    }

    const STREAMS: &[(&[u8], &[&str])] = &[
        (b"data: a\n\ndata: b\n\n", &["a", "b"]),
        (b"data:a\r\n\r\ndata:  b\r\n\r\n", &["a", " b"]),
        (b"data: a\r\rdata: b\r\r", &["a", "b"]),
        (b"data: a\r\ndata: b\r\n\r\n", &["a\nb"]),
        (b"\xef\xbb\xbfdata: a\n\n", &["a"]),
        (": a comment\n\nevent: x\nid: 1\ndata: 早\ndata: 安\n\n".as_bytes(), &["早\n安"]),
        (b"data: no end", &["no end"]),
        (b"data: no blank line\n", &["no blank line"]),
        (b"data\n\ndata:\n\ndatum: x\n\n\n\n", &["", ""]),
        (b"", &[]),
        (b"data: \xff\n\n", &["\u{fffd}"]),
    ];

    /// The same events however the bytes are cut: in two at every place, and into single bytes.
    #[test]
    fn any_cut_is_the_same() {
        for (stream, expected) in STREAMS {
            for cut in 0..=stream.len() {
                let (a, b) = stream.split_at(cut);
                assert_eq!(read(&[a, b]), *expected, "{stream:?} cut at {cut}");
            }
            let bytes: Vec<&[u8]> = stream.chunks(1).collect();
            assert_eq!(read(&bytes), *expected, "{stream:?} byte by byte");
        }
    }

    #[test]
    fn a_line_without_an_end_is_bounded() {
        let mut reader = Reader::default();
        let piece = [b'x'; 1 << 16];
        let mut ignore = |_: &str| Ok::<_, TooLong>(());
        let pushed = (0..=MAX_LINE >> 16).try_for_each(|_| reader.push(&piece, &mut ignore));
        assert_eq!(pushed, Err(TooLong));
    }
}
