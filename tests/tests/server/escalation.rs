//! The companion calls of its own accord: the server as it is, with a database in which hours have passed.

use handset::clock::{Clock as _, SystemClock};
use handset_spec::Language;
use handset_spec_macros::text;
use serde_json::{Value, json};
use sqlx::Connection as _;
use sqlx::sqlite::SqliteRow;

use crate::process::{Folder, Server, wait_for};

/// Any hour will do, after half an hour; and it is about noon there, so that no day ends while the test runs.
fn any_hour() -> Value {
    let hour = SystemClock.now_ms().div_euclid(3_600_000).rem_euclid(24);
    // Named the other way round: Etc/GMT-5 is five hours ahead.
    let zone = match hour - 12 {
        0 => "Etc/GMT".to_owned(),
        behind => format!("Etc/GMT{behind:+}"),
    };
    json!({"settings": {"escalation": {"from": "00:00", "until": "00:00", "silence": 0.5}}, "zone": zone})
}

/// Lets this many minutes pass for the stopped server: what it has noted lies so much further back.
fn pass(data: &Folder, minutes: i64) {
    ask(data, "UPDATE persons SET heard_at = heard_at - $1, look_at = look_at - $1", minutes * 60_000);
}

/// Waits until nobody is left at whom it is time to look.
fn looked(data: &Folder) {
    let now_ms = SystemClock.now_ms();
    wait_for(|| ask(data, "SELECT id FROM persons WHERE look_at <= $1", now_ms).is_empty().then_some(()));
}

fn ask(data: &Folder, sql: &'static str, number: i64) -> Vec<SqliteRow> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let url = format!("sqlite://{}", data.path().join("handset.db").display());
        let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
        let rows = sqlx::query(sql).bind(number).fetch_all(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        rows
    })
}

fn says(server: &Server, text: &str) {
    let chat = server.chat();
    server.send(&chat, &json!({"text": text})).until("reply");
}

fn set(server: &Server, body: &Value) {
    assert_eq!(server.ask(Some(&server.token), "PATCH", "/api/settings", Some(body)).status, 200);
}

fn invite(server: &Server) -> Value {
    server.get("/api/call/invite")["invite"].clone()
}

#[test]
fn after_a_long_silence_it_rings_once_that_day() {
    let data = Folder::new();
    let server = Server::start(&data);
    set(&server, &any_hour());
    says(&server, "你好");
    assert_eq!(invite(&server), Value::Null);
    assert!(server.stop().success());
    pass(&data, 31);
    let server = Server::start(&data);
    let rings = wait_for(|| Some(invite(&server)).filter(|invite| !invite.is_null()));
    assert_eq!((&rings["by"], &rings["state"]), (&json!("escalation"), &json!("pending")));
    // The demo companion writes nothing of its own: the spec's reason, in the language of the person's words.
    assert_eq!(rings["reason"], json!(text!(escalation.fallback_reason in Language::Zh)));
    // It is declined; after a restart, and hours later, the day has had its call.
    let declined = json!({"id": rings["id"], "action": "decline"});
    assert_eq!(server.post("/api/call/answer", &declined).status, 200);
    assert!(server.stop().success());
    pass(&data, 31);
    let server = Server::start(&data);
    looked(&data);
    assert_eq!(invite(&server), Value::Null);
    let last = server.get("/api/call/invite")["last"].clone();
    assert_eq!(last["id"], rings["id"], "there was no other one");
}

#[test]
fn do_not_disturb_keeps_it_from_ringing() {
    let data = Folder::new();
    let server = Server::start(&data);
    set(&server, &any_hour());
    says(&server, "hello");
    assert_eq!(server.post("/api/flags", &json!({"dnd": true})).status, 200);
    assert!(server.stop().success());
    pass(&data, 31);
    let server = Server::start(&data);
    looked(&data);
    assert_eq!(server.get("/api/call/invite")["last"], Value::Null);
    assert_eq!(invite(&server), Value::Null);
}
