//! The parser: recursive descent, as deep as [`MAX_DEPTH`] and no deeper.

use super::{MAX_DEPTH, Member, Node, Span, SyntaxError, Value};

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: usize,
}

type Read<T> = Result<T, SyntaxError>;

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    pub(super) fn document(mut self) -> Read<Node> {
        if self.text.starts_with('\u{feff}') {
            let message = "the file begins with a byte order mark, which JSON does not have";
            return Err(SyntaxError::new(Span::new(0, 3), message, "byte order mark")
                .help("save the file as UTF-8 without it"));
        }
        self.blanks()?;
        let node = self.value("a value")?;
        self.blanks()?;
        if self.at < self.text.len() {
            let message = format!("{} stands behind the end of the value", self.found());
            let also = (node.head(), "the value begins here");
            return Err(
                SyntaxError::new(self.here(), message, "expected the end of the file").also(also.0, also.1)
            );
        }
        Ok(node)
    }

    /// The next byte, or 0 at the end (a NUL in the text fits nowhere either).
    pub(super) fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Skips blanks; a comment is a fault.
    fn blanks(&mut self) -> Read<()> {
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() && matches!(bytes[self.at], b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
        if self.at < bytes.len() && !matches!(bytes[self.at], b'/' | b'#') {
            return Ok(());
        }
        let rest = &self.text[self.at..];
        let comment = match rest.as_bytes() {
            [b'/', b'/', ..] | [b'#', ..] => rest.find('\n').unwrap_or(rest.len()),
            [b'/', b'*', ..] => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ => return Ok(()),
        };
        let span = Span::new(self.at, self.at + rest[..comment].trim_end().len());
        Err(SyntaxError::new(span, "found a comment, and JSON has none", "comment")
            .help("remove it; reasons go into specs/harness/"))
    }

    fn value(&mut self, expected: &str) -> Read<Node> {
        let start = self.at;
        let value = match self.peek() {
            b'{' => return self.nested(Self::object),
            b'[' => return self.nested(Self::array),
            b'"' => Value::String(self.string()?),
            b'-' | b'0'..=b'9' => Value::Number(self.number()?),
            _ => self.word(expected)?,
        };
        Ok(Node { span: Span::new(start, self.at), value })
    }

    fn word(&mut self, expected: &str) -> Read<Value> {
        let start = self.at;
        let length = self.text[start..]
            .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
            .unwrap_or(self.text.len() - start);
        let word = &self.text[start..start + length];
        let value = match word {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => return Err(self.no_value(word, expected)),
        };
        self.at += length;
        Ok(value)
    }

    fn no_value(&self, word: &str, expected: &str) -> SyntaxError {
        if self.peek() == b'\'' {
            return self.single_quote();
        }
        if matches!(self.peek(), b'+' | b'.') {
            let message = format!("found {}, and a number begins with a digit or a minus sign", self.found());
            return SyntaxError::new(self.here(), message, "not the beginning of a number");
        }
        if word.is_empty() {
            let message = format!("found {}, expected {expected}", self.found());
            return SyntaxError::new(self.here(), message, format!("expected {expected}"));
        }
        let span = Span::new(self.at, self.at + word.len());
        let error = SyntaxError::new(
            span,
            format!("found `{}`, which is no JSON value", shortened(word)),
            format!("expected {expected}"),
        );
        match word.to_ascii_lowercase().as_str() {
            "none" | "nil" | "undefined" | "null" => error.help("write `null`"),
            "true" | "yes" => error.help("write `true`"),
            "false" | "no" => error.help("write `false`"),
            "nan" | "infinity" => error.help("JSON has numbers with digits only"),
            _ => error.help("a string stands in double quotes"),
        }
    }

    fn single_quote(&self) -> SyntaxError {
        let line = &self.text[self.at + 1..];
        let end = line
            .find(['\'', '\n'])
            .filter(|&end| line.as_bytes()[end] == b'\'')
            .map_or(self.at + 1, |end| self.at + end + 2);
        let message = "found a single quote, and a JSON string stands in double quotes";
        SyntaxError::new(Span::new(self.at, end), message, "expected a double quote")
            .help("write \" in place of '")
    }

    /// A list or an object, one level deeper.
    fn nested(&mut self, read: fn(&mut Self) -> Read<Value>) -> Read<Node> {
        let start = self.at;
        if self.depth == MAX_DEPTH {
            let message = format!("lists and objects stand more than {MAX_DEPTH} deep inside one another");
            return Err(SyntaxError::new(self.here(), message, "one too many")
                .help("no spec needs that: look for a bracket that is not closed"));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(Node { span: Span::new(start, self.at), value })
    }

    fn array(&mut self) -> Read<Value> {
        let open = Span::new(self.at - 1, self.at);
        let mut items = Vec::new();
        self.blanks()?;
        while self.peek() != b']' {
            self.before_end(open, "list")?;
            items.push(self.value("a value or `]`")?);
            self.separator(open, b']', "list")?;
        }
        self.at += 1;
        Ok(Value::Array(items))
    }

    fn object(&mut self) -> Read<Value> {
        let open = Span::new(self.at - 1, self.at);
        let mut members = Vec::new();
        self.blanks()?;
        while self.peek() != b'}' {
            self.before_end(open, "object")?;
            let start = self.at;
            let key = self.key()?;
            let key_span = Span::new(start, self.at);
            self.colon(key_span)?;
            let value = self.value("a value")?;
            members.push(Member { key, key_span, value });
            self.separator(open, b'}', "object")?;
        }
        self.at += 1;
        Ok(Value::Object(members))
    }

    fn key(&mut self) -> Read<String> {
        match self.peek() {
            b'"' => self.string(),
            b'\'' => Err(self.single_quote()),
            _ => {
                let length = self.text[self.at..]
                    .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
                    .unwrap_or(0);
                if length == 0 {
                    let message = format!("found {}, expected a key in double quotes or `}}`", self.found());
                    return Err(SyntaxError::new(self.here(), message, "expected a key"));
                }
                let word = shortened(&self.text[self.at..self.at + length]);
                let span = Span::new(self.at, self.at + length);
                let message = format!("found `{word}`, and a key stands in double quotes");
                Err(SyntaxError::new(span, message, "expected a double quote")
                    .help(format!("write \"{word}\"")))
            }
        }
    }

    fn colon(&mut self, key: Span) -> Read<()> {
        self.blanks()?;
        if self.peek() != b':' {
            let message = format!("found {}, expected a colon behind the key", self.found());
            return Err(SyntaxError::new(self.here(), message, "expected `:`").also(key, "the key"));
        }
        self.at += 1;
        self.blanks()
    }

    /// What stands behind an element: a comma and another element, or the closing bracket (left to the caller).
    fn separator(&mut self, open: Span, close: u8, what: &str) -> Read<()> {
        let behind = self.at;
        self.blanks()?;
        if self.peek() == close {
            return Ok(());
        }
        if self.peek() == b',' {
            let comma = self.here();
            self.at += 1;
            self.blanks()?;
            if self.peek() == close || matches!(self.peek(), b']' | b'}') {
                let message = format!(
                    "found a comma before the closing `{}`, where JSON allows none",
                    char::from(self.peek())
                );
                return Err(
                    SyntaxError::new(comma, message, "nothing follows this comma").help("remove the comma")
                );
            }
            if self.peek() == b',' {
                let message = "found two commas in a row, expected one";
                return Err(SyntaxError::new(self.here(), message, "one too many").help("remove one of them"));
            }
            return Ok(());
        }
        self.before_end(open, what)?;
        let starts = matches!(self.peek(), b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n');
        if starts {
            let message = format!("found {}, and a comma is missing before it", self.found());
            let error = SyntaxError::new(Span::new(behind, behind), message, "expected `,` here");
            return Err(error.help("put a comma between the two"));
        }
        let message = format!("found {}, expected a comma or `{}`", self.found(), char::from(close));
        Err(SyntaxError::new(
            self.here(),
            message,
            format!("in this {what}: expected `,` or `{}`", char::from(close)),
        )
        .also(open, format!("the {what} begins here")))
    }

    /// An error at the end of the text, where the bracket at `open` is not closed.
    fn before_end(&self, open: Span, what: &str) -> Read<()> {
        if self.at < self.text.len() {
            return Ok(());
        }
        let message = format!(
            "the file ends inside {} {what} that is not closed",
            if what == "object" { "an" } else { "a" }
        );
        let close = if what == "object" { "}" } else { "]" };
        Err(SyntaxError::new(self.here(), message, format!("expected `{close}`"))
            .also(open, format!("the {what} begins here")))
    }

    /// The character that stands here, as a sentence says it.
    pub(super) fn found(&self) -> String {
        match self.text[self.at..].chars().next() {
            None => "the end of the file".to_owned(),
            Some('"') => "a string".to_owned(),
            Some('\n' | '\r') => "the end of the line".to_owned(),
            Some(control) if control.is_control() => {
                format!("the control character U+{:04X}", u32::from(control))
            }
            Some(character) => format!("`{character}`"),
        }
    }

    /// The place of the character that stands here.
    pub(super) fn here(&self) -> Span {
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        Span::new(self.at, self.at + length)
    }
}

/// At most forty characters of a word.
fn shortened(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}
