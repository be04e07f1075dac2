//! Whether replies are spoken: by what, and whether that is there.

use std::env;
use std::path::{Path, PathBuf};

use super::model::reach;
use super::{Finding, Scene};
use crate::config::{self, CommandSpeech, RemoteSpeech, Speech, SpeechApi};
use crate::models;

const SPEECH: &str = "speech";

pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    // What is wrong with the configuration is told where the model is.
    let Ok(config) = config::load(scene.options.config.as_deref(), &scene.options.data) else {
        return Vec::new();
    };
    if let Err(error) = models::voice(&config.speech) {
        return vec![Finding::problem(SPEECH, error.to_string(), "mend it, then start the server again")];
    }
    vec![match &config.speech {
        Speech::Browser => {
            let found = "each browser's own voice speaks; nothing of a reply is sent to a speech service";
            Finding::note(SPEECH, found)
                .todo("for another voice, name a provider in handset.toml under [speech]")
        }
        Speech::Remote(remote) => service(remote),
        Speech::Command(command) => program(command),
    }]
}

fn service(remote: &RemoteSpeech) -> Finding {
    let origin = remote.url.origin().ascii_serialization();
    let name = format!("the voice {} of {} at {origin}", remote.voice, remote.model);
    if remote.api == SpeechApi::ElevenLabs && remote.key.is_none() && !config::is_here(&remote.url) {
        let text = format!("{name} wants a key, and none is configured");
        return Finding::problem(
            SPEECH,
            text,
            "set speech.key_file, or HANDSET_SPEECH_KEY in the environment",
        );
    }
    let counted = if remote.metered { "what it speaks counts" } else { "what it speaks is not counted" };
    match reach(&remote.url) {
        Ok(()) => {
            let found =
                format!("{name}: a connection is accepted; {counted}; handset try speech TEXT asks it");
            Finding::ok(SPEECH, found)
        }
        Err(reason) => {
            let todo = if config::is_here(&remote.url) {
                "start the speech service"
            } else {
                "see to the network, or mend speech.url"
            };
            Finding::problem(SPEECH, format!("{name} cannot be reached: {reason}"), todo)
        }
    }
}

fn program(command: &CommandSpeech) -> Finding {
    let program = &command.program;
    match found(program, env::var_os("PATH").as_deref()) {
        Some(path) => {
            let found = format!("{} speaks; handset try speech TEXT starts it", path.display());
            Finding::ok(SPEECH, found)
        }
        None => Finding::problem(
            SPEECH,
            format!("there is no program {program:?}"),
            match program.as_str() {
                "espeak-ng" => "install it (Debian: apt-get install espeak-ng), or mend speech.command",
                _ => "install it, or mend speech.command",
            },
        ),
    }
}

/// Where a program is: at its path, or in a folder of the search path.
fn found(program: &str, path: Option<&std::ffi::OsStr>) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|program| is_program(program));
    }
    env::split_paths(path?).map(|folder| folder.join(program)).find(|program| is_program(program))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_where_a_shell_would_find_it() {
        let path = Some(std::ffi::OsStr::new("/none:/bin:/usr/bin"));
        assert!(found("sh", path).is_some_and(|found| found.is_absolute()));
        assert_eq!(found("no-such-program-7", path), None);
        assert_eq!(found("sh", None), None);
        assert_eq!(found("/bin/sh", None), Some(PathBuf::from("/bin/sh")));
        assert_eq!(found("/etc/passwd", None), None, "it cannot be run");
    }
}
