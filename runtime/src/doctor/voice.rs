//! Whether a voice is heard: what turns it into words, and whether that can be reached.

use std::path::Path;

use super::model::reach;
use super::{Finding, Scene};
use crate::config::{self, Recogniser};
use crate::models;
use crate::voice::sensevoice::engine;

const VOICE: &str = "voice";

pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    // What is wrong with the configuration is told where the model is.
    let Ok(config) = config::load(scene.options.config.as_deref(), &scene.options.data) else {
        return Vec::new();
    };
    let Some(recogniser) = &config.voice.recogniser else {
        let found =
            "no recogniser is configured: POST /transcribe answers 503, and a call is written, not spoken";
        return vec![Finding::note(VOICE, found).todo("name one in handset.toml under [voice.recogniser]")];
    };
    let recogniser = match recogniser {
        Recogniser::Remote(recogniser) => recogniser,
        Recogniser::SenseVoice(folder) => return vec![sensevoice(folder)],
    };
    let name = format!("{} at {}", recogniser.model, recogniser.url);
    if let Err(error) = models::recogniser(&config.voice) {
        return vec![Finding::problem(VOICE, error.to_string(), "mend it, then start the server again")];
    }
    vec![match reach(&recogniser.url) {
        Ok(()) => {
            let found = format!("{name}: a connection is accepted; handset try audio FILE asks it");
            Finding::ok(VOICE, found)
        }
        Err(reason) => {
            let todo = if config::is_here(&recogniser.url) {
                "start the recogniser's server"
            } else {
                "see to the network, or mend voice.recogniser.url"
            };
            Finding::problem(VOICE, format!("{name} cannot be reached: {reason}"), todo)
        }
    }]
}

fn sensevoice(folder: &Path) -> Finding {
    let shown = folder.display();
    match engine::missing(folder) {
        None => Finding::ok(VOICE, format!("SenseVoice in {shown}; it is loaded at the first utterance")),
        Some(missing) => Finding::problem(
            VOICE,
            format!("{shown} holds no {missing}"),
            "put SenseVoice's model.int8.onnx (or model.onnx) and tokens.txt there, or mend voice.recogniser.path",
        ),
    }
}
