use std::time::{Duration, Instant};

use super::*;
use crate::voice::audio;

fn command(words: &[&str], answer: Duration) -> Command {
    let (program, arguments) = words.split_first().unwrap();
    Command::new(&CommandSpeech {
        program: (*program).to_owned(),
        arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
        voice: Some("mo".to_owned()),
        max_characters: 800,
        metered: false,
        answer,
    })
}

const ENOUGH: Duration = Duration::from_secs(60);

fn shell(script: &str) -> Command {
    command(&["sh", "-c", script], ENOUGH)
}

async fn fails(command: Command) -> Fault {
    command.speak(Utterance::new("Good night.")).await.unwrap_err()
}

/// Whether espeak-ng is there; where everything has to be, its absence is a fault.
fn has_espeak() -> bool {
    let there = std::process::Command::new("espeak-ng").arg("--version").output().is_ok();
    assert!(there || std::env::var_os("CI").is_none(), "espeak-ng is missing: apt-get install espeak-ng");
    if !there {
        eprintln!("not tried: espeak-ng is missing (Debian: apt-get install espeak-ng)");
    }
    there
}

#[tokio::test]
async fn espeak_speaks() {
    if !has_espeak() {
        return;
    }
    let espeak = command(&["espeak-ng", "--stdin", "--stdout", "-v", "{language}"], ENOUGH);
    for (text, least, most) in [("Good night. Sleep well.", 0.8, 6.0), ("\u{665a}\u{5b89}\u{3002}", 0.3, 4.0)]
    {
        let wav = espeak.speak(Utterance::new(text)).await.unwrap();
        let length = u32::from_le_bytes(wav[40..44].try_into().unwrap());
        assert_eq!(length as usize, wav.len() - 44, "the header says how long it is");
        let sound = audio::decode(wav, audio::Limits::default()).unwrap();
        let seconds = sound.samples.len() as f64 / f64::from(sound.rate);
        assert!((least..most).contains(&seconds), "{text}: {seconds} s");
        assert!(sound.samples.iter().any(|sample| sample.abs() > 0.1), "{text} is silent");
    }
}

#[tokio::test]
async fn words_come_by_standard_input_and_the_arguments_are_filled_in() {
    // What is said stands in the WAV's samples: a head of 44 bytes, then the program's own words.
    let head = "printf 'RIFF\\377\\377\\377\\377WAVEfmt \\020\\0\\0\\0\\001\\0\\001\\0\\0\\0\\0\\0\\0\\0\\0\\0\\002\\0\\020\\0data\\377\\377\\377\\377'";
    let script = format!("{head}; cat; printf '%s|' \"$1\" \"$2\"");
    let command = command(&["sh", "-c", &script, "sh", "-v{language}", "{voice}.onnx"], ENOUGH);
    let mut utterance = Utterance::new("\u{665a}\u{5b89}; rm -rf $HOME `ls`");
    let said = |wav: &[u8]| String::from_utf8(wav[44..].to_vec()).unwrap();
    let wav = command.speak(utterance.clone()).await.unwrap();
    assert_eq!(said(&wav), "\u{665a}\u{5b89}; rm -rf $HOME `ls`\n-vzh|mo.onnx|");
    utterance.language = Some("yue".to_owned());
    assert!(said(&command.speak(utterance).await.unwrap()).ends_with("\n-vyue|mo.onnx|"));
}

#[tokio::test]
async fn what_goes_wrong_has_a_code_and_its_last_line() {
    let fault = fails(command(&["no-such-program-7"], ENOUGH)).await;
    assert_eq!(fault.code, Code::Misconfigured);
    assert!(fault.detail.contains("no-such-program-7 cannot be started"), "{fault}");
    let fault = fails(shell("echo one >&2; echo 'no such voice' >&2; echo >&2; exit 3")).await;
    assert_eq!(fault.code, Code::Refused);
    assert!(fault.detail.ends_with("exit status: 3: no such voice"), "{fault}");
    let fault = fails(shell("cat >&2; exit 1")).await;
    assert!(!fault.to_string().contains("Good night"), "{fault}");
    for (script, found) in [("true", "nothing"), ("echo hello", "no WAV")] {
        let fault = fails(shell(script)).await;
        assert_eq!(fault.code, Code::Unreadable);
        assert!(fault.detail.contains(found), "{fault}");
    }
    // One that says very much of it, and reads nothing.
    let fault = fails(shell("yes complaint | head -c 1000000 >&2; echo the end >&2; exit 1")).await;
    assert!(fault.detail.ends_with("the end"), "{fault}");
}

#[tokio::test]
async fn a_program_that_hangs_is_killed() {
    let begin = Instant::now();
    let fault = fails(command(&["sleep", "600"], Duration::from_millis(200))).await;
    assert_eq!(fault.code, Code::Slow);
    assert!(begin.elapsed() < ENOUGH);
}

#[tokio::test]
async fn a_program_that_nobody_waits_for_is_killed() {
    let file = std::env::temp_dir().join(format!("handset-speaks-{}", crate::ids::secret().unwrap()));
    let script = format!("echo $$ > {}; exec sleep 600", file.display());
    let command = shell(&script);
    let mut speaking = command.speak(Utterance::new("Good night."));
    let started = async {
        loop {
            match std::fs::read_to_string(&file).ok().and_then(|id| id.trim().parse::<u32>().ok()) {
                Some(id) => break id,
                None => tokio::task::yield_now().await,
            }
        }
    };
    let id = tokio::select! {
        _ = &mut speaking => panic!("it sleeps"),
        id = started => id,
    };
    drop(speaking);
    let gone = || {
        let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // Gone, or dead and not yet collected.
        state.is_empty() || state.rsplit(')').next().is_some_and(|rest| rest.trim().starts_with('Z'))
    };
    let begin = Instant::now();
    while !gone() {
        assert!(begin.elapsed() < ENOUGH, "it still runs");
        tokio::task::yield_now().await;
    }
    let _ = std::fs::remove_file(file);
}
