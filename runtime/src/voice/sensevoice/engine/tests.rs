//! A network of SenseVoice's signature, written here: it says "good" for every tone, and gives its head as it is asked.

use std::f64::consts::TAU;

use super::*;
use crate::voice::onnx::{FLOAT, INT32, INT64, floats, model, node, tensor, value};
use crate::voice::tone::Emotion;

const TOKENS_TXT: &str = "<unk> 0\n<|en|> 1\n<|zh|> 2\n<|SAD|> 3\n<|EMO_UNKNOWN|> 4\n<|Speech|> 5\n<|withitn|> 6\n\u{2581}good 7\n";
const WIDTH: usize = 8;
/// The figure of the middle frame in which 440 Hz is.
const TONE: usize = 3 * 80 + 14;

/// The network's file, by one of the two exports' names, with or without its metadata.
fn network(names: usize, metadata_in: bool) -> Vec<u8> {
    let ([x, length, language, norm], logits) = NAMES[names];
    // Row r of the 16 is figure r alone, and no figure of a sound is among those.
    let mut rows = vec![0.0; 16 * FIGURES];
    for row in 0..16 {
        rows[row * FIGURES + row] = 1.0;
    }
    let mut weights = vec![0.0; FIGURES * WIDTH];
    let mut says = |figure: usize, piece: usize, score: f32| weights[figure * WIDTH + piece] = score;
    for (row, piece) in [(AUTO as usize, 2), (4, 1), (2, 5), (WITH_NUMBERS as usize, 6)] {
        says(row, piece, 9.0);
    }
    // The feeling is not known; sad is next.
    says(1, 4, 9.0);
    says(1, 3, 8.0);
    says(TONE, 7, 1.0);
    let mut bias = [0.0; WIDTH];
    bias[0] = 0.5;
    let middle: Vec<u8> = [1_i32, 2].iter().flat_map(|row| row.to_le_bytes()).collect();
    let graph = [
        node("Concat", &[language, "middle", norm], "ids", Some(("axis", 0))),
        node("Gather", &["rows", "ids"], "head", Some(("axis", 0))),
        node("Unsqueeze", &["head", "first"], "heads", None),
        node("Concat", &["heads", x], "all", Some(("axis", 1))),
        node("MatMul", &["all", "weights"], "scores", None),
        node("Add", &["scores", "bias"], logits, None),
    ];
    let constants = vec![
        floats("rows", &[16, FIGURES as u64], &rows),
        floats("weights", &[FIGURES as u64, WIDTH as u64], &weights),
        floats("bias", &[WIDTH as u64], &bias),
        tensor("middle", &[2], INT32, middle),
        tensor("first", &[1], INT64, 0_i64.to_le_bytes().to_vec()),
    ];
    let inputs = vec![
        value(x, FLOAT, &["N", "T", "560"]),
        value(length, INT32, &["N"]),
        value(language, INT32, &["N"]),
        value(norm, INT32, &["N"]),
    ];
    let outputs = vec![value(logits, FLOAT, &["N", "L", "8"])];
    let (shift, scale) = normal(",");
    let metadata = [("neg_mean", shift.as_str()), ("inv_stddev", &scale)];
    model([graph.into(), constants, inputs, outputs], if metadata_in { &metadata } else { &[] })
}

/// All figures are nothing, but for that of the tone, which is above 0 where there is one.
fn normal(between: &str) -> (String, String) {
    let list = |of: &dyn Fn(usize) -> &'static str| (0..FIGURES).map(of).collect::<Vec<_>>().join(between);
    (list(&|n| if n == TONE { "-18" } else { "0" }), list(&|n| if n == TONE { "1" } else { "0" }))
}

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new(names: usize, metadata: bool) -> Self {
        let path = std::env::temp_dir().join(format!("handset-sensevoice-{}", crate::ids::secret().unwrap()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("model.onnx"), network(names, metadata)).unwrap();
        fs::write(path.join(TOKENS), TOKENS_TXT).unwrap();
        if !metadata {
            let (shift, scale) = normal(" ");
            let lines = format!(
                "<AddShift> 560 560\n<LearnRateCoef> 0 [ {shift} ]\n<Rescale> 560 560\n<LearnRateCoef> 0 [ {scale} ]\n"
            );
            fs::write(path.join(MVN), lines).unwrap();
        }
        Self(path)
    }

    async fn hear(&self, samples: Vec<f32>, language: Option<&str>) -> Result<Words, Failure> {
        let utterance = Utterance { samples: samples.into(), language: language.map(str::to_owned) };
        SenseVoice::new(self.0.clone()).recognise(utterance).await
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// So many tones of half a second with half a second between them.
fn tones(count: usize) -> Vec<f32> {
    let at =
        |n: usize| if n / 8_000 % 2 == 1 { 0.5 * (TAU * 440.0 * n as f64 / 16_000.0).sin() } else { 0.0 };
    (0..count * 16_000 + 8_000).map(|n| at(n) as f32).collect()
}

#[tokio::test]
async fn both_exports_are_heard_with() {
    for (names, metadata) in [(0, true), (1, false)] {
        let folder = Folder::new(names, metadata);
        let heard = folder.hear(tones(3), None).await.unwrap();
        assert_eq!((heard.text.as_str(), heard.language.as_deref()), ("good good good", Some("zh")));
        assert_eq!(heard.emotion, Some(Emotion::Sad), "what is not known gives way to what is next");
        let heard = folder.hear(tones(1), Some("en")).await.unwrap();
        assert_eq!((heard.text.as_str(), heard.language.as_deref()), ("good", Some("en")));
    }
}

#[tokio::test]
async fn more_than_thirty_seconds_go_in_parts() {
    let heard = Folder::new(0, true).hear(tones(70), Some("en")).await.unwrap();
    assert_eq!(heard.text.matches("good").count(), 70);
    assert!(!heard.text.contains("<|"), "{}", heard.text);
}

#[tokio::test]
async fn what_is_missing_or_unfit_is_told() {
    let told = async |folder: &Folder| {
        let failure = folder.hear(tones(1), None).await.unwrap_err();
        assert_eq!(failure.code, Code::Misconfigured);
        failure.detail
    };
    let folder = Folder::new(0, true);
    fs::write(folder.0.join(TOKENS), "a 0\nb 1\n").unwrap();
    assert!(told(&folder).await.contains("scores 8 pieces, and tokens.txt has 2"));
    fs::remove_file(folder.0.join(TOKENS)).unwrap();
    assert!(told(&folder).await.contains("tokens.txt cannot be read"));
    fs::write(folder.0.join("model.onnx"), b"no model").unwrap();
    assert!(told(&folder).await.contains("model.onnx: "));
    fs::remove_file(folder.0.join("model.onnx")).unwrap();
    assert!(told(&folder).await.contains("holds neither model.int8.onnx nor model.onnx"));
}

/// A file that was not there is found once it is: nothing is remembered of a failure.
#[tokio::test]
async fn a_model_may_come_later() {
    let folder = Folder::new(0, true);
    let recogniser = SenseVoice::new(folder.0.clone());
    let model = fs::read(folder.0.join("model.onnx")).unwrap();
    fs::remove_file(folder.0.join("model.onnx")).unwrap();
    let utterance = || Utterance { samples: tones(1).into(), language: None };
    recogniser.recognise(utterance()).await.unwrap_err();
    fs::write(folder.0.join("model.onnx"), model).unwrap();
    assert_eq!(recogniser.recognise(utterance()).await.unwrap().text, "good");
}
