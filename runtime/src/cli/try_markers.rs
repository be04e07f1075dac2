//! `handset try markers`: a spec author's bench. A reply a line in, a JSON string; what is left of it, and its markers, a
//! line out.

use std::io::{self, BufRead, Write};

use handset_spec::markers;
use serde::Serialize;

#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Read { text: String, markers: Vec<Found> },
    Bad { error: String },
}

#[derive(Serialize)]
struct Found {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<String>,
}

/// Reads to the end of the input; each line gives exactly one. A last line needs no line break; what follows the last line
/// break, when it is empty, is no line.
///
/// # Errors
/// When the input cannot be read or the output cannot be written.
pub(super) fn run(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        serde_json::to_writer(&mut output, &read(&line))?;
        output.write_all(b"\n")?;
        line.clear();
    }
    output.flush()
}

fn read(line: &[u8]) -> Line {
    match serde_json::from_slice::<String>(line) {
        Ok(reply) => {
            let reading = markers::read(&reply);
            let found =
                |marker: markers::Marker| Found { kind: marker.kind.name(), argument: marker.argument };
            Line::Read { text: reading.text, markers: reading.markers.into_iter().map(found).collect() }
        }
        Err(error) => Line::Bad { error: told(line, &error) },
    }
}

/// What is wrong with a line, and what it should be.
fn told(line: &[u8], error: &serde_json::Error) -> String {
    if line.trim_ascii().is_empty() {
        return "This line is empty, and a line is one reply: a JSON string, such as \"Good night.\""
            .to_owned();
    }
    // The line is all there is of it: its number would always be 1.
    let found = error.to_string();
    let found = found.rsplit_once(" at line ").map_or(found.as_str(), |(what, _)| what);
    let column = error.column();
    format!(
        "This line is no JSON string ({found}, at byte {column}), and a line is one reply: write it as one, such as \"Good night.\""
    )
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
