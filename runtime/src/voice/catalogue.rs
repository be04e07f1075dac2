//! The models that `handset voice install` knows: what each is of, what it weighs, and whose it is.

use std::path::Path;

use super::{sensevoice, whisper};

/// Where installed models are, in the data folder: a folder each, by its name.
pub const FOLDER: &str = "models";

/// What computes with a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// SenseVoice.
    SenseVoice,
    /// Whisper.
    Whisper,
}

impl Engine {
    /// Its name as `voice.recogniser.kind` has it.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::SenseVoice => "sensevoice",
            Self::Whisper => "whisper",
        }
    }

    /// What a model's folder lacks, if anything.
    #[must_use]
    pub fn missing(self, folder: &Path) -> Option<String> {
        match self {
            Self::SenseVoice => sensevoice::engine::missing(folder).map(str::to_owned),
            Self::Whisper => whisper::engine::missing(folder),
        }
    }
}

/// A file of a model's.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its name.
    pub name: &'static str,
    /// What it weighs, in bytes; where others convert the weights, about.
    pub bytes: u64,
    /// Its SHA-256, where everybody's is the same and it is known.
    pub sha256: Option<&'static str>,
}

/// A model.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name, that of its folder, too.
    pub name: &'static str,
    /// What computes with it.
    pub engine: Engine,
    /// What it understands.
    pub hears: &'static str,
    /// Whose it is, and what may be done with it.
    pub licence: &'static str,
    /// The folder on the network with its files; none where nobody is known to serve them.
    pub address: Option<&'static str>,
    /// What it consists of.
    pub files: &'static [File],
}

/// All of them; of several that are installed, the first is used where nobody chose.
pub const ALL: &[Entry] = &[
    Entry {
        name: "sensevoice-small",
        engine: Engine::SenseVoice,
        hears: "Chinese, Cantonese, English, Japanese and Korean, and the feeling",
        licence: "FunASR Model License 1.1 of Alibaba Group: free to use with the source and the authors named",
        address: Some(
            "https://huggingface.co/csukuangfj/sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17/resolve/main",
        ),
        files: &[
            File { name: "tokens.txt", bytes: 316_000, sha256: None },
            File { name: "model.int8.onnx", bytes: 239_000_000, sha256: None },
        ],
    },
    Entry {
        name: "whisper-base",
        engine: Engine::Whisper,
        hears: "a hundred languages",
        licence: "MIT, OpenAI",
        address: None,
        files: &[
            File { name: "tokens.txt", bytes: 459_859, sha256: None },
            File { name: "encoder.int8.onnx", bytes: 29_090_000, sha256: None },
            File { name: "decoder.int8.onnx", bytes: 76_850_000, sha256: None },
        ],
    },
    Entry {
        name: "whisper-tiny.en",
        engine: Engine::Whisper,
        hears: "English, with half the work of whisper-base",
        licence: "MIT, OpenAI",
        address: None,
        files: &[
            File { name: "tokens.txt", bytes: 422_309, sha256: None },
            File { name: "encoder.int8.onnx", bytes: 12_890_000, sha256: None },
            File { name: "decoder.int8.onnx", bytes: 49_400_000, sha256: None },
        ],
    },
];

/// The model of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name)
}

/// The first model of an engine's: what one installs who wants it.
#[must_use]
pub fn first(engine: Engine) -> &'static Entry {
    ALL.iter().find(|entry| entry.engine == engine).unwrap_or(&ALL[0])
}

/// The first model that is whole in a folder of models, of one engine's or of any.
#[must_use]
pub fn installed(models: &Path, engine: Option<Engine>) -> Option<&'static Entry> {
    ALL.iter()
        .filter(|entry| engine.is_none_or(|engine| engine == entry.engine))
        .find(|entry| entry.engine.missing(&models.join(entry.name)).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_what_its_engine_needs() {
        for entry in ALL {
            let folder =
                std::env::temp_dir().join(format!("handset-catalogue-{}", crate::ids::secret().unwrap()));
            std::fs::create_dir_all(&folder).unwrap();
            assert!(entry.engine.missing(&folder).is_some());
            for file in entry.files {
                std::fs::write(folder.join(file.name), "").unwrap();
            }
            assert_eq!(entry.engine.missing(&folder), None, "{}", entry.name);
            std::fs::remove_dir_all(&folder).unwrap();
            assert!(entry.files.iter().all(|file| file.sha256.is_none_or(|sum| sum.len() == 64)));
            assert_eq!(find(entry.name).map(|entry| entry.name), Some(entry.name));
        }
    }
}
