//! Whether a voice is heard: what turns it into words, and whether that can be reached.

use std::path::Path;

use super::model::reach;
use super::{Finding, Scene};
use crate::config::{self, Recogniser};
use crate::models;
use crate::voice::catalogue::{self, Engine};

const VOICE: &str = "voice";

pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    // What is wrong with the configuration is told where the model is.
    let Ok(config) = config::load(scene.options.config.as_deref(), &scene.options.data) else {
        return Vec::new();
    };
    let Some(recogniser) = &config.voice.recogniser else {
        let found =
            "no recogniser is configured: POST /transcribe answers 503, and a call is written, not spoken";
        return vec![Finding::note(VOICE, found).todo(
            "handset voice install NAME (handset voice list names them), or name one in handset.toml under \
             [voice.recogniser]",
        )];
    };
    let recogniser = match recogniser {
        Recogniser::Remote(recogniser) => recogniser,
        Recogniser::Here(engine, folder) => return vec![here(*engine, folder)],
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

fn here(engine: Engine, folder: &Path) -> Finding {
    let (kind, shown) = (engine.kind(), folder.display());
    let Some(missing) = engine.missing(folder) else {
        return Finding::ok(VOICE, format!("{kind} in {shown}; it is loaded at the first utterance"));
    };
    let name = folder.file_name().and_then(|name| name.to_str()).and_then(catalogue::find);
    let name = name.unwrap_or(catalogue::first(engine)).name;
    let todo = format!("handset voice install {name}, or mend voice.recogniser.path");
    Finding::problem(VOICE, format!("{shown} holds no {missing}"), todo)
}
