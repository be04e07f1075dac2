//! Measures recordings and writes each as a line of JSON, with the pitch and the loudness of every frame, for others to
//! compare: `cargo run -p handset-tests --example tone -- [--repeat N [--decoded]] FILE …`. With `--repeat` it does the same so
//! many times over and writes the last, so that its time can be taken from outside; with `--decoded` each is decoded once.

use std::io::{Write, stdout};
use std::path::PathBuf;

use handset::voice::audio::{Limits, RATE, decode, resample};
use handset::voice::tone::{frames, measure, voiced};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut files, mut repeat, mut decoded) = (Vec::new(), 1_usize, false);
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--repeat" {
            let count = arguments.next().ok_or("--repeat needs a number")?;
            repeat = count.to_string_lossy().parse()?;
        } else if argument == "--decoded" {
            decoded = true;
        } else {
            files.push(PathBuf::from(argument));
        }
    }
    for file in files {
        let bytes = std::fs::read(&file)?;
        let mut told = json!(null);
        let mut samples = Vec::new();
        for _ in 0..repeat {
            if samples.is_empty() || !decoded {
                let sound = decode(bytes.clone(), Limits::default())?;
                samples = resample(&sound.samples, sound.rate);
            }
            // Of which `measure` makes its figures: they are found twice where they are written.
            told = match measure(&samples, None) {
                Some(features) if repeat > 1 => json!({"dur": features.dur}),
                Some(features) => {
                    let (loudness, pitches) = frames(&samples);
                    json!({
                        "file": file.display().to_string(),
                        "seconds": samples.len() as f64 / f64::from(RATE),
                        "f0": pitches.iter().map(|pitch| pitch.hz).collect::<Vec<_>>(),
                        "voiced": voiced(&loudness, &pitches),
                        "rms": loudness,
                        "pitch": features.pitch,
                        "pitch_var": features.pitch_var,
                        "energy": features.energy,
                        "pause": features.pause,
                        "tail": features.tail,
                    })
                }
                None => {
                    json!({"file": file.display().to_string(), "seconds": samples.len() as f64 / f64::from(RATE)})
                }
            };
        }
        writeln!(stdout(), "{told}")?;
    }
    Ok(())
}
