//! The person interrupts: the model's stream is dropped, what was said stands, and no card comes of the rest.

use super::endpoint::{Answer, Endpoint};
use super::oddities::{ON, TOOL, plain};
use super::*;
use crate::process::wait_for;

/// A model that goes on and on, but for the last thing it is asked.
fn endless() -> Endpoint {
    Endpoint::new(|asked| match last(&asked.body).1.as_str() {
        "speak" => {
            let call = json!([{"index": 0, "id": "c1", "function": {"name": TOOL, "arguments": &ON[..9]}}]);
            let deltas = [json!({"content": "I was about to "}), json!({ "tool_calls": call })];
            let chunk = |delta| format!("data: {}\n\n", json!({"choices": [{"delta": delta}]}));
            Answer::holding(deltas.into_iter().map(chunk).collect::<String>().as_bytes())
        }
        "think" => Answer::silence(),
        _ => Answer::stream(&plain("openai", "Yes?")),
    })
}

fn messages(server: &Server, chat: &str) -> Vec<(Value, Value, Value)> {
    let messages = server.get(&format!("/api/chats/{chat}/messages"))["messages"].clone();
    let message = |m: &Value| (m["role"].clone(), m["text"].clone(), m["mark"].clone());
    messages.as_array().unwrap().iter().map(message).collect()
}

#[test]
fn p027_by_another_message() {
    let (data, endpoint) = (Folder::new(), endless());
    let server = server(&data, "openai", &endpoint, "");
    let chat = server.chat();
    let mut first = server.say(&chat, "speak");
    first.until("delta");
    let mut second = server.say(&chat, "wait");
    let cut = first.until("reply");
    assert_eq!(cut.data["message"]["mark"], "interrupted");
    endpoint.ended();
    assert_eq!(second.until("reply").data["message"]["text"], "Yes?");
    let person = |text: &str| (json!("person"), json!(text), Value::Null);
    let expected = [
        person("speak"),
        person("wait"),
        (json!("companion"), json!("I was about to"), json!("interrupted")),
        (json!("companion"), json!("Yes?"), Value::Null),
    ];
    assert_eq!(messages(&server, &chat), expected);
    assert_eq!(server.get("/api/cards")["cards"], json!([]));
}

/// Stopped before the first word, and again by a message: what the person said without an answer between is one turn for
/// the model, since providers refuse two.
#[test]
fn by_the_stop_route() {
    let (data, endpoint) = (Folder::new(), endless());
    let server = server(&data, "openai", &endpoint, "");
    let chat = server.chat();
    let stop = format!("/api/chats/{chat}/stop");
    assert_eq!(server.post(&stop, &json!({})).json(), json!({"stopped": false}), "nothing is being said");
    let mut first = server.say(&chat, "think");
    while endpoint.asked().is_empty() {
        std::thread::yield_now();
    }
    assert_eq!(server.post(&stop, &json!({})).json(), json!({"stopped": true}));
    assert_eq!(first.until("failed").data["code"], "interrupted");
    endpoint.ended();
    let mut second = server.say(&chat, "well?");
    second.until("reply");
    let asked = endpoint.asked();
    let body: Value = serde_json::from_str(&asked.last().unwrap().body).unwrap();
    let said: Vec<_> = body["messages"].as_array().unwrap().iter().map(|m| &m["role"]).collect();
    assert_eq!(said, ["system", "user"]);
    assert_eq!(unstamped(body["messages"][1]["content"].as_str().unwrap()), "think\n\nwell?");
    assert_eq!(server.post("/api/chats/none/stop", &json!({})).status, 404);
}

/// The server is told to stop while the model speaks: it is not ready any more, and what is said meanwhile is kept.
#[test]
fn by_the_end_of_the_server() {
    let (data, endpoint) = (Folder::new(), endless());
    let running = server(&data, "openai", &endpoint, "");
    let (chat, other) = (running.chat(), running.chat());
    let mut turn = running.say(&chat, "speak");
    turn.until("delta");
    running.terminate();
    let ready = wait_for(|| {
        let ready = running.request("GET", "/readyz").send(&running.address);
        (ready.status == 503).then(|| ready.json())
    });
    assert_eq!(ready["error"]["code"], "stopping");
    let late = running.post(&format!("/api/chats/{other}/messages"), &json!({"text": "hello"}));
    assert_eq!(late.status, 202);
    assert!(running.stop().success());
    let running = server(&data, "openai", &endpoint, "");
    wait_for(|| running.said(&other).iter().any(|(_, text)| text == "Yes?").then_some(()));
}
