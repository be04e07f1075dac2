//! From a place in a string's value back to the place in the file.

use super::Span;

/// The place in `text` of the bytes `within` of the value of the string literal that stands at `literal` (with its
/// quotes). A literal that cannot be walked gives its own place.
pub(crate) fn span_within(text: &str, literal: Span, within: Span) -> Span {
    Walk::new(text, literal).span(within)
}

/// A walk through a string literal, for several places of it: each from where the one before ended.
#[derive(Debug)]
pub(crate) struct Walk<'t> {
    raw: Option<&'t str>,
    literal: Span,
    /// How far it came, as the literal is written and in its value.
    at: usize,
    value: usize,
}

impl<'t> Walk<'t> {
    pub(crate) fn new(text: &'t str, literal: Span) -> Self {
        let raw = text.get(literal.start + 1..literal.end.saturating_sub(1));
        Self { raw, literal, at: 0, value: 0 }
    }

    /// The place of `within`, which does not begin before the end of the one asked for last.
    pub(crate) fn span(&mut self, within: Span) -> Span {
        let Some(raw) = self.raw else { return self.literal };
        let base = self.literal.start + 1;
        let start = base + self.walk(raw, within.start);
        Span::new(start, base + self.walk(raw, within.end))
    }

    fn walk(&mut self, raw: &str, to: usize) -> usize {
        while self.at < raw.len() && self.value < to {
            let (source, decoded) = unit(&raw[self.at..]);
            self.at += source;
            self.value += decoded;
        }
        self.at.min(raw.len())
    }
}

/// The lengths of the first character: as it is written, and as UTF-8.
fn unit(raw: &str) -> (usize, usize) {
    let mut characters = raw.chars();
    let first = characters.next();
    match (first, characters.next()) {
        (Some('\\'), Some('u')) => {
            let code = raw.get(2..6).and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0);
            match char::from_u32(code) {
                Some(character) => (6.min(raw.len()), character.len_utf8()),
                // A surrogate: the other half follows, and both together are four bytes.
                None => (12.min(raw.len()), 4),
            }
        }
        (Some('\\'), Some(second)) => (1 + second.len_utf8(), 1),
        (Some(character), _) => (character.len_utf8(), character.len_utf8()),
        (None, _) => (1, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Span;
    use super::span_within;

    #[test]
    fn escapes_are_walked_over() {
        let text = r#"["a\n\u00e9\ud83d\ude00{{x}}"]"#;
        let literal = Span::new(1, text.len() - 1);
        let value = "a\né😀{{x}}";
        let hole = value.find("{{").unwrap();
        let span = span_within(text, literal, Span::new(hole, hole + 5));
        assert_eq!(&text[span.start..span.end], "{{x}}");
    }
}
