//! Calls over real sockets: rung, answered by one, declined with a word, missed once, ended with a record.

mod answers;
mod ends;
mod stops;

use std::collections::BTreeSet;

use handset_spec::Language::En;
use handset_spec::settings::call::NOTE_MAX_CHARS;
use handset_spec_macros::text;
use serde_json::{Value, json};

use crate::http::{Request, Response};
use crate::process::{Folder, Server, newcomer, printed, wait_for};

/// Somebody who asks, by their token.
struct Caller<'a> {
    server: &'a Server,
    token: String,
}

impl<'a> Caller<'a> {
    fn operator(server: &'a Server) -> Self {
        Self { server, token: server.token.clone() }
    }

    fn new(server: &'a Server, token: String) -> Self {
        Self { server, token }
    }

    fn post(&self, path: &str, body: &Value) -> Response {
        self.server.ask(Some(&self.token), "POST", path, Some(body))
    }

    fn get(&self, path: &str) -> Value {
        let response = self.server.ask(Some(&self.token), "GET", path, None);
        assert_eq!(response.status, 200, "{path}");
        response.json()
    }

    /// Rings, and gives the invite.
    fn ring(&self, reason: &str) -> Value {
        let response = self.post("/api/call/invite", &json!({ "reason": reason }));
        assert_eq!(response.status, 201);
        let told = response.json();
        assert_eq!(told["ok"], json!(true));
        told["invite"].clone()
    }

    /// Rings and accepts, and gives the call's id.
    fn call(&self, reason: &str) -> String {
        let invite = self.ring(reason);
        assert_eq!(self.answer(json!({"id": id(&invite), "action": "accept"})).0, 200);
        id(&invite).as_str().unwrap().to_owned()
    }

    fn request<'r>(&'r self, method: &'r str, path: &'r str) -> Request<'r> {
        Request { token: Some(&self.token), ..self.server.request(method, path) }
    }

    fn answer(&self, body: Value) -> (u16, Value) {
        let response = self.post("/api/call/answer", &body);
        (response.status, response.json())
    }

    /// The status and the error's code of a request that is refused.
    fn refused(&self, path: &str, body: Value) -> (u16, String) {
        let response = self.post(path, &body);
        let status = response.status;
        let told = response.json();
        let error = &told["error"];
        assert!(error["message"].as_str().is_some_and(|message| message.ends_with('.')), "{body}: {told}");
        (status, error["code"].as_str().unwrap().to_owned())
    }

    fn set(&self, settings: Value) {
        let change = json!({ "settings": settings });
        assert_eq!(self.server.ask(Some(&self.token), "PATCH", "/api/settings", Some(&change)).status, 200);
    }

    fn chats(&self) -> Vec<Value> {
        self.get("/api/chats")["chats"].as_array().unwrap().clone()
    }

    /// Everything that was said in all chats, as role and text.
    fn said(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let mut said = Vec::new();
        for chat in self.chats() {
            let messages = self.get(&format!("/api/chats/{}/messages", text(&chat["id"])));
            let messages = messages["messages"].as_array().unwrap();
            said.extend(messages.iter().map(|message| (text(&message["role"]), text(&message["text"]))));
        }
        said
    }

    /// Waits until no invite is pending any more, without asking about invites.
    fn missed(&self, reason: &str) -> usize {
        let voicemail = ("companion".to_owned(), text!(call.missed in En, reason = reason));
        wait_long(|| self.said().contains(&voicemail).then_some(()));
        self.said().iter().filter(|said| **said == voicemail).count()
    }
}

/// An invite waits for 15 seconds at least.
fn wait_long<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    for _ in 0..2000 {
        if let Some(found) = ask() {
            return found;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("it did not come")
}

fn id(invite: &Value) -> Value {
    invite["id"].clone()
}
