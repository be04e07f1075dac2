//! `handset try sentences`: a spec author's bench. A reply a line in, a JSON string; the pieces that a voice would speak, a line
//! out.

use std::io::{self, BufRead, Write};

use handset_spec::markers;
use serde::Serialize;

use super::replies;
use crate::voice::sentences;

#[derive(Serialize)]
struct Spoken {
    pieces: Vec<String>,
}

/// Reads to the end of the input; each line gives exactly one. `limit` is the longest piece in characters.
///
/// # Errors
/// When the input cannot be read or the output cannot be written.
pub(super) fn run(input: impl BufRead, output: impl Write, limit: usize) -> io::Result<()> {
    replies::each(input, output, |reply| {
        // A voice begins with what a person is shown.
        let shown = markers::read(reply).text;
        let pieces = sentences::split(&shown, limit);
        Spoken { pieces: pieces.into_iter().map(|piece| piece.spoken).collect() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(input: &[u8], limit: usize) -> Vec<String> {
        let mut output = Vec::new();
        run(input, &mut output, limit).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_line_in_is_a_line_out() {
        let lines = tried("\"**Bye.** Sleep. \u{27ea}hangup\u{27eb}\"\n\"……\"\nno\n".as_bytes(), 100);
        assert_eq!(lines[..2], [r#"{"pieces":["Bye.","Sleep."]}"#, r#"{"pieces":[]}"#]);
        assert!(lines[2].starts_with(r#"{"error":"This line is no JSON string"#), "{}", lines[2]);
        assert_eq!(tried(b"\"one, two\"", 5), [r#"{"pieces":["one,","two"]}"#]);
    }
}
