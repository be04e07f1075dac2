//! Forms with files in them (RFC 7578), read from a whole body.

/// A field of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// Whether it has a file's name, so is a file.
    pub(super) is_file: bool,
    /// What it holds.
    pub(super) value: &'a [u8],
}

/// The boundary in a `Content-Type` of `multipart/form-data`. `None` where it is another type, `Some(None)` where it names no
/// boundary.
pub(super) fn boundary(content_type: &str) -> Option<Option<&str>> {
    let (kind, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
    if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let value = parameters.split(';').find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("boundary").then(|| value.trim().trim_matches('"'))
    });
    Some(value.filter(|value| !value.is_empty()))
}

/// The fields of a form; none where it does not end as forms do, so was cut off or is no form of this boundary.
pub(super) fn fields<'a>(body: &'a [u8], boundary: &str) -> Option<Vec<Field<'a>>> {
    let mark = format!("--{boundary}");
    let between = format!("\r\n{mark}");
    let between = memchr::memmem::Finder::new(between.as_bytes());
    let first = memchr::memmem::find(body, mark.as_bytes())?;
    let mut rest = &body[first + mark.len()..];
    let mut fields = Vec::new();
    loop {
        if rest.starts_with(b"--") {
            return Some(fields);
        }
        let inner = rest.strip_prefix(b"\r\n")?;
        let end = between.find(inner)?;
        let part = &inner[..end];
        // A part without headers begins with the empty line.
        let (head, value) = match part.strip_prefix(b"\r\n") {
            Some(value) => (&part[..0], value),
            None => {
                let at = memchr::memmem::find(part, b"\r\n\r\n")?;
                (&part[..at], &part[at + 4..])
            }
        };
        if let Some((name, is_file)) = std::str::from_utf8(head).ok().and_then(disposition) {
            fields.push(Field { name, is_file, value });
        }
        rest = &inner[end + 2 + mark.len()..];
    }
}

/// The name in a part's `Content-Disposition`, and whether there is a file's.
fn disposition(head: &str) -> Option<(&str, bool)> {
    let value = head.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
    })?;
    let named = |wanted: &str| {
        value.split(';').find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case(wanted).then(|| value.trim().trim_matches('"'))
        })
    };
    Some((named("name")?, named("filename").is_some() || named("filename*").is_some()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_form_is_taken_apart() {
        let body = b"--x\r\nContent-Disposition: form-data; name=\"language\"\r\n\r\nen\r\n--x\r\ncontent-disposition:form-data; \
            name=audio; filename=\"a;b.webm\"\r\nContent-Type: audio/mp4\r\n\r\n\x1a\r\n--y\r\n\r\n--x--\r\n";
        let fields = fields(body, "x").unwrap();
        assert_eq!(fields[0], Field { name: "language", is_file: false, value: b"en" });
        assert_eq!(fields[1], Field { name: "audio", is_file: true, value: b"\x1a\r\n--y\r\n" });
        assert_eq!(fields.len(), 2);
    }

    #[test]
    fn what_is_cut_off_is_no_form() {
        let body = b"--x\r\nContent-Disposition: form-data; name=\"audio\"\r\n\r\n123\r\n--x--";
        assert_eq!(fields(body, "x").unwrap()[0].value, b"123");
        for cut in 0..body.len() - 2 {
            assert_eq!(fields(&body[..cut], "x"), None, "{cut}");
        }
        assert_eq!(fields(body, "other"), None);
        assert_eq!(fields(b"--x--", "x").unwrap(), []);
    }

    #[test]
    fn boundaries() {
        for (given, expected) in [
            ("multipart/form-data; boundary=abc", Some(Some("abc"))),
            ("Multipart/Form-Data; charset=utf-8; Boundary=\"a b\"", Some(Some("a b"))),
            ("multipart/form-data", Some(None)),
            ("multipart/form-data; boundary=", Some(None)),
            ("audio/webm;codecs=opus", None),
            ("", None),
        ] {
            assert_eq!(boundary(given), expected, "{given}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_form_or_none(body in prop::collection::vec(any::<u8>(), 0..300), boundary in "[-a-z]{1,4}") {
            let _ = fields(&body, &boundary);
        }

        #[test]
        fn what_was_put_in_comes_out(value in prop::collection::vec(any::<u8>(), 0..300)) {
            prop_assume!(memchr::memmem::find(&value, b"\r\n--qq").is_none());
            let head = b"--qq\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n";
            let body = [head.as_slice(), &value, b"\r\n--qq--\r\n"].concat();
            prop_assert_eq!(fields(&body, "qq").unwrap()[0].value, &value[..]);
        }
    }
}
