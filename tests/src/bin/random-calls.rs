//! Random arguments of tool calls, and what the compiled reader says of them, for the clients in other languages to be
//! held against: `random-calls COUNT SEED [call]` prints a line of JSON each, `{"arguments", "verdicts"}`, where a verdict
//! is `{"ok": CALL}` or `{"refused": SENTENCE}`. With `call` they are well-formed objects alone, right or wrong, as a
//! model mostly sends them.

use std::io::{self, BufWriter, Write, stdout};

use handset_spec::phone;
use handset_tests::second::{Spec, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let count: usize = words.next().ok_or("usage: random-calls COUNT SEED [call]")?.parse()?;
    let seed: u64 = words.next().ok_or("usage: random-calls COUNT SEED [call]")?.parse()?;
    let plain = words.next().is_some_and(|word| word == "call");
    let spec = Spec::own()?;
    let mut writer = Writer::new(&spec, seed);
    let mut out = BufWriter::new(stdout().lock());
    for _ in 0..count {
        line(&if plain { writer.call() } else { writer.arguments() }, &mut out)?;
    }
    out.flush()?;
    Ok(())
}

fn line(arguments: &str, out: &mut impl Write) -> io::Result<()> {
    let mut verdicts = Vec::new();
    phone::read(arguments.as_bytes(), |call| {
        verdicts.push(match call {
            Ok(call) => format!(r#"{{"ok":{}}}"#, call.to_json()),
            Err(refusal) => format!(r#"{{"refused":{}}}"#, serde_json::Value::from(refusal.to_string())),
        });
    });
    let arguments = serde_json::Value::from(arguments);
    writeln!(out, r#"{{"arguments":{arguments},"verdicts":[{}]}}"#, verdicts.join(","))
}
