//! Every file of the page: its address, its type, its bytes.

use handset_spec::Language;
use handset_spec::texts::page::table;

/// The one document; what it shows depends on its address.
pub(super) const SHELL: &str = "/page/index.html";
/// The addresses at which it is served.
pub(super) const VIEWS: &[&str] = &["/", "/sign-in", "/phone", "/settings", "/rings", "/lab"];
/// The service worker, which is given the list of all the others.
pub(super) const WORKER: &str = "/sw.js";

/// What some views alone need: a browser asks for it when it opens one, and keeps it from then on.
pub(super) const LATER: &[&str] = &[
    "/page/line/capture.js",
    "/page/line/ear.js",
    "/page/line/gate.js",
    "/page/line/live.js",
    "/page/line/mouth.js",
    "/page/line/own-voice.js",
    "/page/line/player.js",
    "/page/line/resample.js",
    "/page/line/socket.js",
    "/page/line/spectrum.js",
    "/page/line/wav.js",
    "/page/phone/actions.js",
    "/page/phone/calendar.js",
    "/page/phone/clock.js",
    "/page/phone/links.js",
    "/page/phone/places.js",
    "/page/phone/player.js",
    "/page/phone/torch.js",
    "/page/style/lab.css",
    "/page/style/line.css",
    "/page/style/phone.css",
    "/page/style/rings.css",
    "/page/views/card.js",
    "/page/views/elsewhere.js",
    "/page/views/lab.js",
    "/page/views/line.js",
    "/page/views/phone.js",
    "/page/views/plot.js",
    "/page/views/rings.js",
];

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";
const MANIFEST: &str = "application/manifest+json; charset=utf-8";
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";

/// A file of the page.
#[derive(Debug, Clone, Copy)]
pub(in crate::web) struct File {
    /// Where it is served.
    pub(in crate::web) path: &'static str,
    /// Its type.
    pub(in crate::web) kind: &'static str,
    /// What is in it.
    pub(in crate::web) bytes: &'static [u8],
}

macro_rules! files {
    ($($kind:ident $path:literal $name:literal;)*) => {
        &[
            $(File {
                path: $path,
                kind: $kind,
                bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/", $name)),
            },)*
            File { path: "/page/words/en.json", kind: JSON, bytes: table(Language::En).as_bytes() },
            File { path: "/page/words/zh.json", kind: JSON, bytes: table(Language::Zh).as_bytes() },
        ]
    };
}

/// All of them. A test knows every file of the folder.
pub(super) const FILES: &[File] = files! {
    HTML     "/page/index.html"                 "index.html";
    SCRIPT   "/page/main.js"                    "main.js";
    MANIFEST "/manifest.webmanifest"            "manifest.webmanifest";
    SCRIPT   "/sw.js"                           "sw.js";
    PNG      "/page/icons/apple-180.png"        "icons/apple-180.png";
    PNG      "/page/icons/badge-96.png"         "icons/badge-96.png";
    PNG      "/page/icons/icon-192.png"         "icons/icon-192.png";
    PNG      "/page/icons/icon-512.png"         "icons/icon-512.png";
    SVG      "/page/icons/companion.svg"        "icons/companion.svg";
    SVG      "/page/icons/icon.svg"             "icons/icon.svg";
    PNG      "/page/icons/maskable-512.png"     "icons/maskable-512.png";
    SCRIPT   "/page/lib/dom.js"                 "lib/dom.js";
    SCRIPT   "/page/lib/keep.js"                "lib/keep.js";
    SCRIPT   "/page/lib/markdown.js"            "lib/markdown.js";
    SCRIPT   "/page/lib/sse.js"                 "lib/sse.js";
    SCRIPT   "/page/lib/time.js"                "lib/time.js";
    SCRIPT   "/page/lib/words.js"               "lib/words.js";
    SCRIPT   "/page/line/capture.js"            "line/capture.js";
    SCRIPT   "/page/line/ear.js"                "line/ear.js";
    SCRIPT   "/page/line/gate.js"               "line/gate.js";
    SCRIPT   "/page/line/live.js"               "line/live.js";
    SCRIPT   "/page/line/mouth.js"              "line/mouth.js";
    SCRIPT   "/page/line/own-voice.js"          "line/own-voice.js";
    SCRIPT   "/page/line/player.js"             "line/player.js";
    SCRIPT   "/page/line/resample.js"           "line/resample.js";
    SCRIPT   "/page/line/socket.js"             "line/socket.js";
    SCRIPT   "/page/line/spectrum.js"           "line/spectrum.js";
    SCRIPT   "/page/line/wav.js"                "line/wav.js";
    SCRIPT   "/page/phone/actions.js"           "phone/actions.js";
    SCRIPT   "/page/phone/calendar.js"          "phone/calendar.js";
    SCRIPT   "/page/phone/clock.js"             "phone/clock.js";
    SCRIPT   "/page/phone/links.js"             "phone/links.js";
    SCRIPT   "/page/phone/places.js"            "phone/places.js";
    SCRIPT   "/page/phone/player.js"            "phone/player.js";
    SCRIPT   "/page/phone/sounds.js"            "phone/sounds.js";
    SCRIPT   "/page/phone/torch.js"             "phone/torch.js";
    SCRIPT   "/page/state/companion.js"         "state/companion.js";
    SCRIPT   "/page/state/house.js"             "state/house.js";
    SCRIPT   "/page/state/ringing.js"           "state/ringing.js";
    SCRIPT   "/page/state/thread.js"            "state/thread.js";
    CSS      "/page/style/base.css"             "style/base.css";
    CSS      "/page/style/call.css"             "style/call.css";
    CSS      "/page/style/chat.css"             "style/chat.css";
    CSS      "/page/style/frame.css"            "style/frame.css";
    CSS      "/page/style/lab.css"              "style/lab.css";
    CSS      "/page/style/line.css"             "style/line.css";
    CSS      "/page/style/phone.css"            "style/phone.css";
    CSS      "/page/style/rings.css"            "style/rings.css";
    CSS      "/page/style/settings.css"         "style/settings.css";
    SCRIPT   "/page/views/action.js"            "views/action.js";
    SCRIPT   "/page/views/call.js"              "views/call.js";
    SCRIPT   "/page/views/card.js"              "views/card.js";
    SCRIPT   "/page/views/chats.js"             "views/chats.js";
    SCRIPT   "/page/views/companion.js"         "views/companion.js";
    SCRIPT   "/page/views/composer.js"          "views/composer.js";
    SCRIPT   "/page/views/confirm.js"           "views/confirm.js";
    SCRIPT   "/page/views/data.js"              "views/data.js";
    SCRIPT   "/page/views/dial.js"              "views/dial.js";
    SCRIPT   "/page/views/elsewhere.js"         "views/elsewhere.js";
    SCRIPT   "/page/views/entry.js"             "views/entry.js";
    SCRIPT   "/page/views/face.js"              "views/face.js";
    SCRIPT   "/page/views/faults.js"            "views/faults.js";
    SCRIPT   "/page/views/frame.js"             "views/frame.js";
    SCRIPT   "/page/views/lab.js"               "views/lab.js";
    SCRIPT   "/page/views/line.js"              "views/line.js";
    SCRIPT   "/page/views/log.js"               "views/log.js";
    SCRIPT   "/page/views/phone.js"             "views/phone.js";
    SCRIPT   "/page/views/plot.js"              "views/plot.js";
    SCRIPT   "/page/views/readings.js"          "views/readings.js";
    SCRIPT   "/page/views/rings.js"             "views/rings.js";
    SCRIPT   "/page/views/room.js"              "views/room.js";
    SCRIPT   "/page/views/settings.js"          "views/settings.js";
    SCRIPT   "/page/views/sign-in.js"           "views/sign-in.js";
    SCRIPT   "/page/views/voiceprint.js"        "views/voiceprint.js";
    SCRIPT   "/page/wire/api.js"                "wire/api.js";
    SCRIPT   "/page/wire/feed.js"               "wire/feed.js";
    SCRIPT   "/page/wire/outbox.js"             "wire/outbox.js";
    SCRIPT   "/page/wire/push.js"               "wire/push.js";
    SCRIPT   "/page/wire/session.js"            "wire/session.js";
};

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_comes_later_is_a_file() {
        for later in LATER {
            assert!(FILES.iter().any(|file| file.path == *later), "{later}");
        }
    }

    /// A file that is forgotten in the table would be missing in the browser alone.
    #[test]
    fn every_file_of_the_folder_is_served() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        let mut folders = vec![root.clone()];
        let mut found = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                // Types for the checker and its settings are for who works on the page.
                if name == "types" || name == "tsconfig.json" {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let bytes = std::fs::read(&path).unwrap();
                let served =
                    FILES.iter().any(|file| file.path.ends_with(&format!("/{name}")) && file.bytes == bytes);
                assert!(served, "web/{name} is not in the table");
                found += 1;
            }
        }
        assert_eq!(found + 2, FILES.len(), "the words of two languages are no files");
    }
}
