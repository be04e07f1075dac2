//! `handset try phone`: a spec author's bench. Lines of arguments in, one line out for each call in them.

use std::io::{self, BufRead, Write};

use handset_spec::phone;

/// Reads to the end of the input. A last line needs no line break; what follows the last line break, when it is empty, is
/// no line.
///
/// # Errors
/// When the input cannot be read or the output cannot be written.
pub(super) fn run(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let arguments = line.strip_suffix(b"\n").unwrap_or(&line);
        let mut written = Ok(());
        phone::read(arguments, |call| {
            if written.is_ok() {
                written = match call {
                    Ok(call) => writeln!(output, "{{\"ok\":{}}}", call.to_json()),
                    Err(refusal) => write_refused(&mut output, &refusal.text()),
                };
            }
        });
        written?;
        line.clear();
    }
    output.flush()
}

fn write_refused(output: &mut impl Write, text: &str) -> io::Result<()> {
    output.write_all(b"{\"refused\":")?;
    serde_json::to_writer(&mut *output, text)?;
    output.write_all(b"}\n")
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
        let lines = tried(b"{\"action\":\"torch\",\"on\":true}\n{\"action\":\"torch\"}");
        assert_eq!(lines[0], r#"{"ok":{"action":"torch","summary":"torch","on":true}}"#);
        assert!(lines[1].starts_with(r#"{"refused":""#), "{}", lines[1]);
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn a_blank_line_is_a_call_and_the_end_of_the_input_is_none() {
        assert_eq!(tried(b""), Vec::<String>::new());
        assert_eq!(tried(b"\n").len(), 1);
        assert_eq!(tried(b"\n\r\n ").len(), 3);
        let empty = tried(b"\n");
        assert_eq!(empty, tried(b"{}\n"), "P001: empty arguments are an empty object");
    }

    #[test]
    fn several_objects_in_a_line_are_several_calls() {
        let lines = tried(b"{\"action\":\"torch\",\"on\":true}{\"action\":\"torch\",\"on\":false}\n");
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert!(tried(b"\xff\xfe{}\n")[0].starts_with(r#"{"refused":"#));
    }

    #[test]
    fn a_closed_pipe_is_reported_once() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let error = run(&b"{}\n{}\n"[..], Closed).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
