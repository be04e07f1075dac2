//! SenseVoice in this process, on one pure-Rust engine. Nothing is loaded before the first utterance.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rten::{Model, NodeId, Value};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use super::ctc::{self, Pieces};
use super::fbank::Fbank;
use super::stack::{FIGURES, Normal, stack};
use crate::voice::recogniser::{Code, Failure, Recogniser, Recognising, Utterance, Words};
use crate::voice::segments::{SENSEVOICE, segments};
use crate::voice::tags;

/// The network's file, the first that is there. The smaller is as good, and loads in a quarter of a second.
const MODELS: [&str; 2] = ["model.int8.onnx", "model.onnx"];
/// The pieces of text.
const TOKENS: &str = "tokens.txt";
/// What figures are normalised by, where the model does not say it itself.
const MVN: &str = "am.mvn";
/// The languages by their rows in the network, and the row where it is to find out.
const LANGUAGES: [(&str, i32); 5] = [("zh", 3), ("en", 4), ("yue", 7), ("ja", 11), ("ko", 12)];
const AUTO: i32 = 0;
/// The row that asks for punctuation and for numbers as digits.
const WITH_NUMBERS: i32 = 14;
/// What the inputs and the output are called, by the two exports that there are.
const NAMES: [([&str; 4], &str); 2] = [
    (["x", "x_length", "language", "text_norm"], "logits"),
    (["speech", "speech_lengths", "language", "textnorm"], "ctc_logits"),
];

/// A folder with SenseVoice's files: the network as ONNX, its pieces of text, and `am.mvn` where the network does not hold the
/// same itself.
pub struct SenseVoice {
    name: String,
    folder: PathBuf,
    loaded: Arc<Mutex<Option<Arc<Loaded>>>>,
}

impl SenseVoice {
    /// The model in a folder; it is looked at when it is first needed.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        let name = format!("SenseVoice in {}", folder.display());
        Self { name, folder, loaded: Arc::default() }
    }
}

impl Recogniser for SenseVoice {
    fn name(&self) -> &str {
        &self.name
    }

    fn recognise(&self, utterance: Utterance) -> Recognising<'_> {
        let (folder, loaded) = (self.folder.clone(), Arc::clone(&self.loaded));
        Box::pin(async move {
            let work = tokio::task::spawn_blocking(move || {
                let loaded = {
                    // Whoever comes first loads it and the others wait; one that failed is tried again.
                    let mut place = loaded.lock().unwrap_or_else(PoisonError::into_inner);
                    match &*place {
                        Some(loaded) => Arc::clone(loaded),
                        None => Arc::clone(place.insert(Arc::new(Loaded::read(&folder)?))),
                    }
                };
                loaded.hear(&utterance)
            });
            work.await
                .unwrap_or_else(|_| Err(Failure::new(Code::Unreadable, "the engine gave up on this model")))
        })
    }
}

/// The file that a folder lacks, if one.
#[must_use]
pub fn missing(folder: &Path) -> Option<&'static str> {
    let has = |name: &&str| folder.join(name).exists();
    if !MODELS.iter().any(has) {
        return Some("model.int8.onnx and no model.onnx");
    }
    Some(TOKENS).filter(|name| !has(name))
}

/// A model in memory.
struct Loaded {
    model: Model,
    inputs: [NodeId; 4],
    output: NodeId,
    pieces: Pieces,
    normal: Normal,
    fbank: Fbank,
}

/// What is the operator's to see to.
fn unfit(what: impl Into<String>) -> Failure {
    Failure::new(Code::Misconfigured, what)
}

impl Loaded {
    fn read(folder: &Path) -> Result<Self, Failure> {
        let shown = folder.display();
        let file = MODELS.iter().map(|name| folder.join(name)).find(|path| path.exists());
        let file =
            file.ok_or_else(|| unfit(format!("{shown} holds neither {} nor {}", MODELS[0], MODELS[1])))?;
        let model = Model::load_file(&file).map_err(|error| unfit(format!("{}: {error}", file.display())))?;
        let text = |name: &str| {
            let path = folder.join(name);
            fs::read_to_string(&path)
                .map_err(|error| unfit(format!("{} cannot be read: {error}", path.display())))
        };
        let pieces = Pieces::read(&text(TOKENS)?).map_err(|what| unfit(format!("{shown}: {what}")))?;
        let told = |name: &str| model.metadata().get(name);
        let normal = match (told("neg_mean"), told("inv_stddev")) {
            (Some(neg_mean), Some(inv_stddev)) => Normal::from_metadata(neg_mean, inv_stddev),
            _ => Normal::from_mvn(&text(MVN)?),
        };
        let normal = normal.map_err(|what| unfit(format!("{shown}: {what}")))?;
        let (inputs, output) = NAMES
            .iter()
            .find_map(|(inputs, output)| {
                let [x, length, language, norm] = inputs.map(|name| model.find_node(name));
                Some(([x?, length?, language?, norm?], model.find_node(output)?))
            })
            .ok_or_else(|| unfit(format!("{} is no SenseVoice: its inputs are others", file.display())))?;
        Ok(Self { model, inputs, output, pieces, normal, fbank: Fbank::default() })
    }

    fn hear(&self, utterance: &Utterance) -> Result<Words, Failure> {
        let wanted = utterance.language.as_deref();
        let language = LANGUAGES.iter().find(|(code, _)| Some(*code) == wanted).map_or(AUTO, |(_, row)| *row);
        let mut text = String::new();
        for part in segments(&utterance.samples, SENSEVOICE) {
            text.push_str(&self.part(&utterance.samples[part], language)?);
        }
        Ok(tags::read(&text))
    }

    /// The text of a part, its tags before it.
    fn part(&self, samples: &[f32], language: i32) -> Result<String, Failure> {
        let failed = |what: String| Failure::new(Code::Unreadable, what);
        let mut stacked = stack(&self.fbank.frames(samples));
        if stacked.is_empty() {
            return Ok(String::new());
        }
        stacked.iter_mut().for_each(|figures| self.normal.apply(figures));
        let frames = stacked.len();
        let count = i32::try_from(frames).map_err(|error| failed(error.to_string()))?;
        let figures: Vec<f32> = stacked.into_iter().flatten().collect();
        let one = |value: i32| Value::from(NdTensor::from_data([1], vec![value]));
        let [x, length, spoken, norm] = self.inputs;
        let inputs = vec![
            (x, Value::from(NdTensor::from_data([1, frames, FIGURES], figures)).into()),
            (length, one(count).into()),
            (spoken, one(language).into()),
            (norm, one(WITH_NUMBERS).into()),
        ];
        let [scores] = self
            .model
            .run_n(inputs, [self.output], None)
            .map_err(|error| failed(format!("the network: {error}")))?;
        let scores: NdTensor<f32, 3> =
            scores.try_into().map_err(|_| failed("the network's scores are no table".to_owned()))?;
        let [_, _, width] = scores.shape();
        if width != self.pieces.len() {
            let known = self.pieces.len();
            return Err(unfit(format!("the network scores {width} pieces, and {TOKENS} has {known}")));
        }
        Ok(ctc::decode(&scores.to_vec(), &self.pieces))
    }
}

#[cfg(test)]
mod tests;
