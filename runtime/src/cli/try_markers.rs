//! `handset try markers`: a spec author's bench. A reply a line in, a JSON string; what is left of it, and its markers, a
//! line out.

use std::io::{self, BufRead, Write};

use handset_spec::markers;
use serde::Serialize;

use super::replies;

#[derive(Serialize)]
struct Read {
    text: String,
    markers: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<String>,
}

/// Reads to the end of the input; each line gives exactly one.
///
/// # Errors
/// When the input cannot be read or the output cannot be written.
pub(super) fn run(input: impl BufRead, output: impl Write) -> io::Result<()> {
    replies::each(input, output, |reply| {
        let reading = markers::read(reply);
        let found = |marker: markers::Marker| Found { kind: marker.kind.name(), argument: marker.argument };
        Read { text: reading.text, markers: reading.markers.into_iter().map(found).collect() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(input: &[u8]) -> Vec<String> {
        let mut output = Vec::new();
        run(input, &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_line_in_is_a_line_out() {
        let lines =
            tried("\"Bye.\u{27ea}dial: tea\u{27eb}\"\n  \"\\u27eahangup\\u27eb\"\r\n\"a\\nb\"".as_bytes());
        assert_eq!(
            lines,
            [
                r#"{"text":"Bye.","markers":[{"kind":"dial","argument":"tea"}]}"#,
                r#"{"text":"","markers":[{"kind":"hangup"}]}"#,
                r#"{"text":"a\nb","markers":[]}"#,
            ]
        );
        assert_eq!(tried(b""), Vec::<String>::new());
    }

    #[test]
    fn a_bad_line_is_told_and_the_next_is_read() {
        let bad: [&[u8]; 8] =
            [b"", b" ", b"hangup", b"{}", b"\"a", b"\"a\" \"b\"", b"\"\xff\"", b"\"\\ud83d\""];
        for line in bad {
            let lines = tried(&[line, b"\n\"Hi\"\n"].concat());
            assert_eq!(lines.len(), 2, "{lines:?}");
            assert!(lines[0].starts_with(r#"{"error":"This line is "#), "{}", lines[0]);
            assert_eq!(lines[1], r#"{"text":"Hi","markers":[]}"#);
        }
    }
}
