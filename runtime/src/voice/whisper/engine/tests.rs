//! A network of Whisper's signature, written here: it says "good night." of every window, and in a short window, where it is asked
//! to, "night" again and again.

use super::super::pieces::tests::TOKENS as PIECES;
use super::*;
use crate::voice::audio::{Limits, decode};
use crate::voice::onnx::{FLOAT, INT32, INT64, floats, model, node, tensor, value};

const SPEECH: &[u8] = include_bytes!("../../../../../tests/fixtures/audio/speech.wav");
const KNOWN: usize = 16;
const GOOD: usize = 0;
const NIGHT: usize = 1;
const STOP: usize = 2;
const END: usize = 5;
const START: usize = 6;
const EN: usize = 7;
const ZH: usize = 8;
const NO_TIMES: usize = 14;

fn speech() -> Vec<f32> {
    decode(SPEECH.to_vec(), Limits::default()).unwrap().samples
}

/// The encoder gives on what it is given; how long that is is all that the decoder looks at.
fn encoder() -> Vec<u8> {
    let nodes = ["cross_k0", "cross_v0"].map(|output| node("Unsqueeze", &["mel", "second"], output, None));
    let second = tensor("second", &[1], INT64, 1_i64.to_le_bytes().to_vec());
    let outputs = ["cross_k0", "cross_v0"].map(|name| value(name, FLOAT, &["1", "1", "80", "T"]));
    model([nodes.into(), vec![second], vec![value("mel", FLOAT, &["1", "80", "T"])], outputs.into()], &[])
}

fn decoder(loops: bool, known: usize) -> Vec<u8> {
    // What follows what.
    let mut table = vec![0.0; known * known];
    for (piece, next) in [(START, ZH), (NO_TIMES, GOOD), (GOOD, NIGHT), (NIGHT, STOP), (STOP, END)] {
        table[piece * known + next] = 9.0;
    }
    table[START * known + EN] = 8.0;
    let mut again = vec![0.0; known];
    again[NIGHT] = if loops { 99.0 } else { 0.0 };
    let nodes = [
        node("Gather", &["table", "tokens"], "rows", None),
        node("Gather", &["rows", "last"], "row", Some(("axis", 1))),
        node("Shape", &["cross_v0"], "shape", None),
        node("Gather", &["shape", "third"], "frames", None),
        node("Less", &["frames", "whole"], "is_short", None),
        node("Cast", &["is_short"], "short", Some(("to", FLOAT))),
        node("Mul", &["short", "again"], "more", None),
        node("Add", &["row", "more"], "logits", None),
        node("Identity", &["past_k0"], "present_k0", None),
        node("Identity", &["past_v0"], "present_v0", None),
    ];
    let number = |name: &str, number: i64| tensor(name, &[], INT64, number.to_le_bytes().to_vec());
    let width = known as u64;
    let constants = vec![
        floats("table", &[width, width], &table),
        floats("again", &[width], &again),
        number("last", -1),
        number("third", 3),
        number("whole", 3_000),
    ];
    let past = ["past_k0", "past_v0"].map(|name| value(name, FLOAT, &["1", "1", "P", "64"]));
    let cross = ["cross_k0", "cross_v0"].map(|name| value(name, FLOAT, &["1", "1", "80", "T"]));
    let inputs = [vec![value("tokens", INT32, &["1", "L"])], past.into(), cross.into()].concat();
    let present = ["present_k0", "present_v0"].map(|name| value(name, FLOAT, &["1", "1", "P", "64"]));
    let outputs = [vec![value("logits", FLOAT, &["1", "V"])], present.into()].concat();
    model([nodes.into(), constants, inputs, outputs], &[("multilingual", "1"), ("never_first", "5")])
}

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new(loops: bool) -> Self {
        let path = std::env::temp_dir().join(format!("handset-whisper-{}", crate::ids::secret().unwrap()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("encoder.onnx"), encoder()).unwrap();
        fs::write(path.join("decoder.onnx"), decoder(loops, KNOWN)).unwrap();
        fs::write(path.join(TOKENS), PIECES).unwrap();
        Self(path)
    }

    async fn hear(&self, samples: Vec<f32>, language: Option<&str>) -> Result<Words, Failure> {
        let utterance = Utterance { samples: samples.into(), language: language.map(str::to_owned) };
        Whisper::new(self.0.clone()).recognise(utterance).await
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn words_come_in_the_language_that_is_heard_or_known() {
    let folder = Folder::new(false);
    let heard = folder.hear(speech(), None).await.unwrap();
    assert_eq!((heard.text.as_str(), heard.language.as_deref()), ("good night.", Some("zh")));
    let heard = folder.hear(speech(), Some("en")).await.unwrap();
    assert_eq!((heard.text.as_str(), heard.language.as_deref()), ("good night.", Some("en")));
}

#[tokio::test]
async fn a_loop_in_a_short_window_is_tried_in_the_whole_one() {
    let heard = Folder::new(true).hear(speech(), None).await.unwrap();
    assert_eq!(heard.text, "good night.");
}

#[tokio::test]
async fn long_talk_is_heard_in_windows_and_silence_is_not() {
    let talk: Vec<f32> = speech().into_iter().cycle().take(70 * RATE as usize).collect();
    let heard = Folder::new(false).hear(talk.clone(), None).await.unwrap();
    let windows = segments(&talk, WHISPER).len();
    assert!(windows >= 3);
    assert_eq!(heard.text, vec!["good night."; windows].join(" "));
    let some = &talk[..15 * RATE as usize];
    let broken = [some, &vec![0.0; 70 * RATE as usize], some].concat();
    let windows = segments(&broken, WHISPER).len();
    let heard = Folder::new(false).hear(broken, None).await.unwrap();
    let times = heard.text.matches("good night.").count();
    assert!(times < windows && times >= 2, "{times} of {windows} windows");
}

#[tokio::test]
async fn what_is_missing_or_unfit_is_told() {
    let told = async |folder: &Folder| {
        let failure = folder.hear(speech(), None).await.unwrap_err();
        assert_eq!(failure.code, Code::Misconfigured);
        failure.detail
    };
    let folder = Folder::new(false);
    assert_eq!(missing(&folder.0), None);
    fs::write(folder.0.join("decoder.onnx"), decoder(false, KNOWN + 1)).unwrap();
    assert!(told(&folder).await.contains("scores 17 pieces, and tokens.txt has 16"));
    fs::write(folder.0.join("decoder.onnx"), encoder()).unwrap();
    assert!(told(&folder).await.contains("it has no past_k0"));
    fs::write(folder.0.join("decoder.onnx"), b"no model").unwrap();
    assert!(told(&folder).await.contains("decoder.onnx: "));
    fs::remove_file(folder.0.join(TOKENS)).unwrap();
    assert_eq!(missing(&folder.0).as_deref(), Some(TOKENS));
    assert!(told(&folder).await.contains("tokens.txt cannot be read"));
    fs::remove_file(folder.0.join("encoder.onnx")).unwrap();
    assert!(
        told(&folder)
            .await
            .contains("holds neither encoder.int8.onnx with decoder.int8.onnx, nor encoder.onnx")
    );
}

/// Nothing is held in memory before the first utterance, nor remembered of a failure.
#[tokio::test]
async fn a_model_is_loaded_when_it_is_needed() {
    let folder = Folder::new(false);
    let recogniser = Whisper::new(folder.0.clone());
    assert!(recogniser.loaded.lock().unwrap().is_none());
    let tokens = fs::read(folder.0.join(TOKENS)).unwrap();
    fs::remove_file(folder.0.join(TOKENS)).unwrap();
    let utterance = || Utterance { samples: speech().into(), language: None };
    recogniser.recognise(utterance()).await.unwrap_err();
    fs::write(folder.0.join(TOKENS), tokens).unwrap();
    assert_eq!(recogniser.recognise(utterance()).await.unwrap().text, "good night.");
    assert!(recogniser.loaded.lock().unwrap().is_some());
}

/// Those who went away take no turn from those who wait.
#[tokio::test(flavor = "multi_thread")]
async fn utterances_take_turns_and_who_left_gives_theirs_up() {
    let folder = Folder::new(false);
    let recogniser = Arc::new(Whisper::new(folder.0.clone()));
    let utterance = || Utterance { samples: speech().into(), language: None };
    let mut waiting = Vec::new();
    for number in 0..6 {
        let recogniser = Arc::clone(&recogniser);
        let task = tokio::spawn(async move { recogniser.recognise(utterance()).await });
        if number % 2 == 0 {
            task.abort();
        } else {
            waiting.push(task);
        }
    }
    for task in waiting {
        assert_eq!(task.await.unwrap().unwrap().text, "good night.");
    }
    assert_eq!(recogniser.turns.available_permits(), 1);
}
