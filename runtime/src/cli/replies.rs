//! Replies on standard input, for `handset try`: a JSON string a line in, a line of JSON out.

use std::io::{self, BufRead, Write};

use serde::Serialize;

#[derive(Serialize)]
struct Bad {
    error: String,
}

/// Reads to the end of the input and writes what `read` makes of each reply, exactly one line for each. A last line needs no
/// line break; what follows the last line break, when it is empty, is no line.
///
/// # Errors
/// When the input cannot be read or the output cannot be written.
pub(super) fn each<T: Serialize>(
    mut input: impl BufRead,
    mut output: impl Write,
    read: impl Fn(&str) -> T,
) -> io::Result<()> {
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        match serde_json::from_slice::<String>(&line) {
            Ok(reply) => serde_json::to_writer(&mut output, &read(&reply))?,
            Err(error) => serde_json::to_writer(&mut output, &Bad { error: told(&line, &error) })?,
        }
        output.write_all(b"\n")?;
        line.clear();
    }
    output.flush()
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
