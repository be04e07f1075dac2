//! Models behind APIs: a scripted endpoint on a real socket, and the server that speaks with it.

mod cuts;
pub(crate) mod endpoint;
mod faults;
mod growth;
mod interrupt;
mod markers;
mod oddities;
mod offered;
mod one_result;
mod persona;
mod wrong;

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::process::{Folder, Server, command};
use endpoint::Endpoint;

/// The key that the endpoint is asked with.
const KEY: &str = "sk-the-key-of-the-test";

/// A command of a server whose model is the endpoint.
fn configured(data: &Folder, kind: &str, endpoint: &Endpoint, more: &str) -> Command {
    fs::create_dir_all(data.path()).unwrap();
    let config = format!(
        "[model]\nkind = \"{kind}\"\nurl = \"http://{}\"\nmodel = \"m\"\nkey = \"{KEY}\"\n{more}",
        endpoint.address
    );
    fs::write(data.path().join("handset.toml"), config).unwrap();
    command(data.path())
}

fn server(data: &Folder, kind: &str, endpoint: &Endpoint, more: &str) -> Server {
    Server::start_as(configured(data, kind, endpoint, more))
}

/// The last thing that was said, as the endpoint reads it, and by whom.
fn last(body: &str) -> (String, String) {
    let body: Value = serde_json::from_str(body).unwrap();
    let last = body["messages"].as_array().unwrap().last().unwrap().clone();
    let role = last["role"].as_str().unwrap().to_owned();
    let content = match &last["content"] {
        Value::Array(blocks) => blocks.last().unwrap().clone(),
        text => json!({"type": "text", "text": text}),
    };
    match content["type"].as_str() {
        Some("tool_result") => ("tool".to_owned(), content["content"].as_str().unwrap().to_owned()),
        _ if role == "tool" => (role, content["text"].as_str().unwrap_or_default().to_owned()),
        _ => (role, unstamped(content["text"].as_str().unwrap_or_default())),
    }
}

/// What a person said, without the lines that tell when: each must be there.
fn unstamped(text: &str) -> String {
    let words = |part: &str| {
        let (stamp, words) = part.split_once('\n').unwrap_or_else(|| panic!("no stamp in {part:?}"));
        // (Monday 2026-11-30 17:42, UTC)
        let fits =
            stamp.starts_with('(') && stamp.ends_with(", UTC)") && stamp.matches(['-', ':']).count() == 3;
        assert!(fits, "{stamp:?}");
        words.to_owned()
    };
    text.split("\n\n").map(words).collect::<Vec<_>>().join("\n\n")
}
