//! What is one person's is not there for another.

use handset::store::sqlite::Sqlite;
use handset::store::{NewToken, Store as _};
use serde_json::json;

use crate::http::Request;
use crate::process::{Folder, Server, card_id};

/// Makes a second person in the server's own database, beside the running server.
fn second_person(data: &Folder) -> String {
    let token = "0".repeat(64);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Sqlite::open(&data.path().join("handset.db")).await.unwrap();
        let person = store.create_person("Bob".to_owned(), 1).await.unwrap();
        let hash = handset::web::hash(&token);
        store
            .add_token(NewToken { person, hash, name: "test".to_owned(), device: None, now_ms: 1 })
            .await
            .unwrap();
        store.close().await.unwrap();
    });
    token
}

#[test]
fn every_route_answers_another_persons_ids_with_404() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let mut turn = server.say(&chat, "torch on");
    let card = card_id(&turn.until("card").data);
    let token = second_person(&data);
    let ask = |method: &str, path: &str, body: Option<serde_json::Value>| {
        let headers = body.iter().map(|_| ("Content-Type", "application/json".to_owned())).collect();
        let body = body.map(|body| body.to_string());
        Request { method, path, token: Some(&token), headers, body }.send(&server.address)
    };
    for (method, path, body) in [
        ("GET", format!("/api/chats/{chat}"), None),
        ("DELETE", format!("/api/chats/{chat}"), None),
        ("GET", format!("/api/chats/{chat}/messages"), None),
        ("POST", format!("/api/chats/{chat}/messages"), Some(json!({"text": "hello"}))),
        ("GET", format!("/api/cards/{card}"), None),
        ("POST", format!("/api/cards/{card}/answer"), Some(json!({"status": "done"}))),
    ] {
        let response = ask(method, &path, body);
        assert_eq!(response.status, 404, "{method} {path}");
        assert_eq!(response.json()["error"]["code"], json!("not_found"), "{method} {path}");
    }
    assert_eq!(ask("GET", "/api/chats", None).json()["chats"], json!([]));
    assert_eq!(ask("GET", "/api/cards", None).json()["cards"], json!([]));
    assert!(server.results(&chat).is_empty(), "the card still waits");

    // P135: another's event id replays nothing of theirs.
    let last = turn_id(&server);
    let headers = vec![("Last-Event-ID", last)];
    let theirs = Request { method: "GET", path: "/api/events", token: Some(&token), headers, body: None };
    let mut theirs = theirs.send(&server.address).events();
    assert_eq!(theirs.next().map(|event| event.kind).as_deref(), Some("resync"));
}

/// The id of the operator's newest event.
fn turn_id(server: &Server) -> String {
    let chat = server.chat();
    server.send(&chat, &json!({"text": "hello"})).until("reply").id
}
