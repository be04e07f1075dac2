//! JSON's string escapes.

use std::borrow::Cow;

/// What a string's text between its quotes means. The scanner has already refused a bad or lone escape; one that
/// comes all the same reads as U+FFFD.
pub(crate) fn unescape(inside: &str) -> Cow<'_, str> {
    let Some(first) = inside.find('\\') else { return Cow::Borrowed(inside) };
    let mut text = String::with_capacity(inside.len());
    let mut rest = inside;
    let mut next = Some(first);
    while let Some(at) = next {
        text.push_str(&rest[..at]);
        let (c, length) = one(&rest[at..]);
        text.push(c);
        rest = &rest[at + length..];
        next = rest.find('\\');
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The character of the escape at the start of the text, and its length in bytes.
fn one(escape: &str) -> (char, usize) {
    let c = match escape.as_bytes().get(1) {
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(escape),
        Some(&byte) if byte.is_ascii() => char::from(byte),
        _ => return (char::REPLACEMENT_CHARACTER, 1),
    };
    (c, 2)
}

fn unicode(escape: &str) -> (char, usize) {
    let bytes = escape.as_bytes();
    let Some(unit) = unit(bytes) else { return (char::REPLACEMENT_CHARACTER, 2) };
    if let Some(c) = char::from_u32(u32::from(unit)) {
        return (c, 6);
    }
    let low = bytes.get(6..).and_then(self::unit);
    match low.and_then(|low| char::decode_utf16([unit, low]).next()) {
        Some(Ok(c)) => (c, 12),
        _ => (char::REPLACEMENT_CHARACTER, 6),
    }
}

/// The UTF-16 unit of a `\uXXXX` at the start of the bytes.
pub(crate) fn unit(bytes: &[u8]) -> Option<u16> {
    let [b'\\', b'u', digits @ ..] = bytes else { return None };
    let digits = digits.get(..4)?;
    digits
        .iter()
        .try_fold(0, |unit, &digit| Some(unit << 4 | u16::try_from(char::from(digit).to_digit(16)?).ok()?))
}

/// Writes a text as a JSON string.
pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let short = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..0x20 => "",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        if short.is_empty() {
            const HEX: &[u8; 16] = b"0123456789abcdef";
            out.push_str("\\u00");
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        } else {
            out.push_str(short);
        }
        from = at + 1;
    }
    out.push_str(&text[from..]);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::{unescape, write_string};

    #[test]
    fn escapes_are_what_they_stand_for() {
        assert_eq!(unescape(r#"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00z"#), "a\"\\/\u{8}\u{c}\n\r\té😀z");
        assert_eq!(unescape("plain"), "plain");
    }

    #[test]
    fn a_written_string_reads_back() {
        let text = "q\"b\\n\n\r\t\u{1}\u{1f}\u{7f}é😀";
        let mut written = String::new();
        write_string(text, &mut written);
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    }
}
