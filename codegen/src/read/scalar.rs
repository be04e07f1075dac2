//! The parser's strings and numbers.

use super::parser::Parser;
use super::{Span, SyntaxError};

impl Parser<'_> {
    /// A number, kept as it is written.
    pub(super) fn number(&mut self) -> Result<String, SyntaxError> {
        let start = self.at;
        if self.peek() == b'-' {
            self.at += 1;
        }
        if self.peek() == b'0' {
            self.at += 1;
            if self.peek().is_ascii_digit() {
                let message = "found a number with a zero before its digits";
                let span = Span::new(start, self.at);
                return Err(SyntaxError::new(span, message, "a leading zero").help("remove the zero"));
            }
        } else {
            self.digits("a digit behind the minus sign")?;
        }
        if self.peek() == b'.' {
            self.at += 1;
            self.digits("a digit behind the decimal point")?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits("a digit of the exponent")?;
        }
        Ok(self.text[start..self.at].to_owned())
    }

    fn digits(&mut self, expected: &str) -> Result<(), SyntaxError> {
        if !self.peek().is_ascii_digit() {
            let message = format!("found {}, expected {expected}", self.found());
            return Err(SyntaxError::new(self.here(), message, format!("expected {expected}")));
        }
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        Ok(())
    }

    /// A string with its escapes resolved; `at` stands on its opening quote.
    pub(super) fn string(&mut self) -> Result<String, SyntaxError> {
        let open = self.here();
        self.at += 1;
        let mut value = String::new();
        loop {
            let start = self.at;
            // A plain loop: an unoptimised build, which a build script is, walks iterators ten times slower.
            let bytes = self.text.as_bytes();
            while self.at < bytes.len()
                && bytes[self.at] >= 0x20
                && bytes[self.at] != b'"'
                && bytes[self.at] != b'\\'
            {
                self.at += 1;
            }
            value.push_str(&self.text[start..self.at]);
            match self.peek() {
                b'"' => {
                    self.at += 1;
                    return Ok(value);
                }
                b'\\' => value.push(self.escape()?),
                b'\n' | b'\r' => {
                    let message = "found the end of the line inside a string that is not closed";
                    let error = SyntaxError::new(Span::new(self.at, self.at), message, "expected `\"`");
                    return Err(error
                        .also(open, "the string begins here")
                        .help("close the string, or write a line break as \\n"));
                }
                _ if self.at == self.text.len() => {
                    let message = "the file ends inside a string that is not closed";
                    return Err(SyntaxError::new(self.here(), message, "expected `\"`")
                        .also(open, "the string begins here"));
                }
                control => {
                    let message =
                        format!("found {} inside a string, where it stands as an escape only", self.found());
                    let help = match control {
                        b'\t' => "write \\t".to_owned(),
                        _ => format!("write \\u{control:04x}"),
                    };
                    return Err(
                        SyntaxError::new(self.here(), message, "as it is, not as an escape").help(help)
                    );
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        let start = self.at;
        self.at += 1;
        let character = match self.peek() {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(start),
            _ => {
                let message =
                    format!("found {} behind a backslash, which is no escape of JSON", self.found());
                let error = SyntaxError::new(Span::new(start, self.here().end), message, "no escape");
                return Err(error.help("a backslash itself is written \\\\"));
            }
        };
        self.at += 1;
        Ok(character)
    }

    /// `\uXXXX`, or the two of a surrogate pair; `at` stands on the `u`.
    fn unicode(&mut self, start: usize) -> Result<char, SyntaxError> {
        let first = self.hex(start)?;
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        let high = Span::new(start, self.at);
        if first < 0xDC00 && self.text[self.at..].starts_with("\\u") {
            let low_start = self.at;
            self.at += 1;
            let second = self.hex(low_start)?;
            if (0xDC00..0xE000).contains(&second) {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return char::from_u32(code).ok_or_else(|| lone(high));
            }
        }
        Err(lone(high))
    }

    fn hex(&mut self, start: usize) -> Result<u32, SyntaxError> {
        self.at += 1;
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = char::from(self.peek()).to_digit(16) else {
                let message =
                    format!("found {}, expected four hexadecimal digits behind `\\u`", self.found());
                return Err(SyntaxError::new(
                    Span::new(start, self.here().end),
                    message,
                    "not a whole escape",
                ));
            };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }
}

fn lone(span: Span) -> SyntaxError {
    let message = "found one half of a surrogate pair, which is no character";
    SyntaxError::new(span, message, "the other half is missing").help("write the character itself")
}
