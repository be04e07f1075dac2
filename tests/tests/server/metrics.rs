//! What Prometheus reads.

use serde_json::json;

use crate::http::Request;
use crate::process::{Folder, Server, card_id, newcomer};

#[test]
fn a_chat_is_counted_for_the_operator_alone() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let mut turn = server.say(&chat, "torch on");
    let card = card_id(&turn.until("card").data);
    let page = || server.request("GET", "/metrics").send(&server.address);
    let line = |page: &str, line: &str| assert!(page.lines().any(|found| found == line), "{line}\n{page}");
    let waiting = page().text();
    line(&waiting, "handset_cards_waiting 1");
    line(&waiting, "handset_streams_open 1");
    line(&waiting, "handset_turns_running 1");
    server.answer(&card, &json!({"status": "declined"}));
    turn.until("reply");
    server.request("GET", "/nowhere/at/all").send(&server.address);
    let response = page();
    assert_eq!(response.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let after = response.text();
    line(
        &after,
        r#"handset_requests_total{route="/api/chats/{chat}/messages",method="POST",status="200"} 1"#,
    );
    line(&after, r#"handset_requests_total{route="none",method="GET",status="404"} 1"#);
    line(&after, r#"handset_cards_closed_total{outcome="declined"} 1"#);
    line(&after, "handset_store_degraded 0");
    assert!(!after.contains(&chat) && !after.contains("nowhere"), "no label holds a path");
    for token in [None, Some("wrong")] {
        let refused = Request { token, ..server.request("GET", "/metrics") }.send(&server.address);
        assert_eq!(refused.status, 401);
        assert_eq!(refused.json()["error"]["code"], json!("unauthorized"));
    }
    let (_, other) = newcomer(&data, &server, "Ann");
    let refused = server.ask(Some(&other), "GET", "/metrics", None);
    assert_eq!(refused.status, 403);
    assert_eq!(refused.json()["error"]["code"], json!("operator_only"));
}
