//! Apps, addresses, media, torch, settings and automations.

use super::super::parse;
use super::super::proposal::Proposal;
use super::{Sentence, bare};

pub(super) fn url(sentence: &Sentence<'_>) -> Option<Proposal> {
    if let Some(url) = parse::url(sentence.raw) {
        // An address in the words of a message is not one to open.
        let opens =
            sentence.begins(&["open", "go to", "visit", "browse to", "show me", "show", "load"]).is_some();
        return (opens || url.len() == sentence.raw.len())
            .then(|| Proposal::new("open_url").with("url", url));
    }
    let address = sentence.begins(&["open", "go to", "visit", "browse to"])?;
    let (host, ending) = address.split('/').next()?.rsplit_once('.')?;
    let is_host = !host.is_empty() && ending.len() >= 2 && ending.chars().all(|c| c.is_ascii_alphabetic());
    let one_word = !address.contains(char::is_whitespace);
    (is_host && one_word).then(|| Proposal::new("open_url").with("url", format!("https://{address}")))
}

pub(super) fn app(sentence: &Sentence<'_>) -> Option<Proposal> {
    let app = sentence.begins(&["open", "launch", "start"])?;
    let app = Sentence::new(bare(app)?).until(&["app"]);
    Some(Proposal::new("open_app").maybe("app", bare(app)))
}

pub(super) fn media(sentence: &Sentence<'_>) -> Option<Proposal> {
    const WHAT: &[&str] = &[
        "music", "song", "songs", "track", "playback", "audio", "podcast", "video", "media", "player",
        "playing", "it",
    ];
    let begins = |words: &[&str]| sentence.begins(words).is_some();
    let alone = sentence.raw.split_whitespace().count() == 1;
    let command = if sentence.has(&["play/pause", "play or pause", "toggle"]) {
        "toggle"
    } else if sentence.has(&["next"]) || begins(&["skip"]) {
        "next"
    } else if sentence.has(&["previous", "last"]) || begins(&["go back"]) {
        "previous"
    } else if begins(&["pause"]) {
        "pause"
    } else if begins(&["play", "resume", "continue"]) {
        "play"
    } else if begins(&["stop"]) {
        "stop"
    } else {
        return None;
    };
    (alone || sentence.has(WHAT)).then(|| Proposal::new("media").with("command", command))
}

pub(super) fn torch(sentence: &Sentence<'_>) -> Option<Proposal> {
    if !sentence.has(&["torch", "flashlight", "flash light"]) {
        return None;
    }
    Some(Proposal::new("torch").with("on", !sentence.has(&["off", "out"])))
}

/// Words for the panels.
const PANELS: &[(&str, &str)] = &[
    ("wifi", "wifi"),
    ("wi-fi", "wifi"),
    ("wlan", "wifi"),
    ("internet", "internet"),
    ("network", "internet"),
    ("mobile data", "internet"),
    ("bluetooth", "bluetooth"),
    ("volume", "volume"),
    ("nfc", "nfc"),
    ("location", "location"),
    ("gps", "location"),
    ("airplane", "airplane"),
    ("aeroplane", "airplane"),
    ("flight mode", "airplane"),
    ("battery", "battery"),
    ("display", "display"),
    ("brightness", "display"),
    ("screen", "display"),
    ("sound", "sound"),
    ("ringtone", "sound"),
    ("notifications", "notifications"),
    ("notification", "notifications"),
    ("apps", "apps"),
    ("app", "apps"),
];

pub(super) fn settings(sentence: &Sentence<'_>) -> Option<Proposal> {
    let named = PANELS.iter().find(|(word, _)| sentence.find(word).is_some()).map(|(_, panel)| *panel);
    if sentence.has(&["settings", "setting", "panel", "preferences"]) {
        // A panel that is not known travels as it was said; the refusal then lists those that are.
        let said = || {
            bare(sentence.begins(&["show me", "show", "open", "go to"])?)
                .map(|rest| Sentence::new(rest).until(&["settings", "setting", "panel", "preferences"]))
        };
        return Some(
            Proposal::new("settings_panel")
                .maybe("panel", named.or_else(said).filter(|panel| !panel.is_empty())),
        );
    }
    // `open bluetooth`: the panel's name and nothing else.
    let rest = bare(sentence.begins(&["show me", "show", "open"])?)?;
    let (_, panel) = PANELS.iter().find(|(word, _)| rest.eq_ignore_ascii_case(word))?;
    Some(Proposal::new("settings_panel").with("panel", *panel))
}

pub(super) fn automation(sentence: &Sentence<'_>) -> Option<Proposal> {
    let rest = bare(sentence.begins(&["run", "start", "trigger", "execute", "launch"])?)?;
    let rest = Sentence::new(rest).begins(&["automation", "task", "routine", "macro", "profile"])?;
    let rest = Sentence::new(rest);
    let (head, values) = rest.split(&["with"]).unwrap_or((rest.raw, ""));
    let head = Sentence::new(head);
    let (name, app) = head.split(&["in", "using"]).unwrap_or((head.raw, ""));
    let values = parse::pairs(values);
    Some(
        Proposal::new("automation_intent")
            .maybe("app", bare(app))
            .maybe("name", bare(name))
            .maybe("values", (!values.is_empty()).then_some(values)),
    )
}
