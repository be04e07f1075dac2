//! Writes random calls, one a line, as `handset try phone` reads them: `cargo run -p handset-tests --example
//! random_calls -- 100000 > calls.jsonl`.

use std::io::{BufWriter, Write, stdout};

use handset_tests::second::{Spec, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).map_or(Ok(1_000), |count| count.parse())?;
    let spec = Spec::own()?;
    let mut writer = Writer::new(&spec, 1);
    let mut out = BufWriter::new(stdout().lock());
    for _ in 0..count {
        writeln!(out, "{}", writer.arguments())?;
    }
    Ok(out.flush()?)
}
