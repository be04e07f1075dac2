//! `/api/lab`: the running spec's reading of a call and of a reply, as the model would be told.

use serde_json::{Value, json};

use crate::process::{Folder, Server};

#[test]
fn a_call_and_a_reply_are_read_as_turns_read_them() {
    let data = Folder::new();
    let server = Server::start(&data);
    let call = |arguments: &str| server.post("/api/lab/call", &json!({"arguments": arguments})).json();
    let told = call(r#"{"action": "alarm", "time": "07:30", "days": ["mon"], "volume": 3}"#);
    assert_eq!(told["spec"], handset_spec::VERSION);
    let expected = json!({"action": "alarm", "summary": "alarm", "time": "07:30", "days": ["mon"]});
    assert_eq!(told["calls"], json!([{"call": expected, "dropped": ["volume"]}]));
    let refused = &call(r#"{"action": "alarm", "time": "7:30"}"#)["calls"][0];
    let rule = json!({
        "text": "phone.texts.bad",
        "action": "alarm",
        "field": "time",
        "check": "clock_time",
        "what": refused["rule"]["what"],
    });
    assert_eq!(refused["rule"], rule);
    // The same sentence that a turn would give.
    let mut words = Vec::new();
    handset_spec::phone::read(br#"{"action": "alarm", "time": "7:30"}"#, |call| {
        words.push(call.unwrap_err().to_string());
    });
    assert_eq!(refused["refused"], json!(words[0]));
    assert_eq!(call("")["calls"].as_array().unwrap().len(), 1, "no arguments are a call");
    assert_eq!(call("{}{}")["calls"].as_array().unwrap().len(), 2);

    let reply = |text: &str| server.post("/api/lab/reply", &json!({"reply": text})).json();
    let told = reply("Sleep well. ⟪dial: tea⟫ `[hangup]` ⟪hug⟫ [hangup]");
    assert_eq!(told["text"], "Sleep well. `[hangup]` ⟪hug⟫");
    let dial = json!({"kind": "dial", "argument": "tea", "takes": "reason", "per_conversation": 1});
    let hangup = json!({"kind": "hangup", "argument": null, "takes": null, "per_conversation": null});
    assert_eq!(told["markers"], json!([dial, hangup]));
    assert_eq!(
        told["plain"],
        json!([{"text": "[hangup]", "why": "quoted", "kind": "hangup"}, {"text": "⟪hug⟫", "why": "unknown"}])
    );
    // Nothing is kept, and nothing rings.
    assert_eq!(server.get("/api/call/invite")["invite"], Value::Null);
    assert_eq!(server.get("/api/chats")["chats"], json!([]));
    assert_eq!(server.post("/api/lab/call", &json!({"arguments": {}})).status, 422);
}
