//! What is one person's is not there for another: every route of the server's own table is walked.

use std::collections::BTreeSet;

use handset::web::{Access, ROUTES, Route};
use serde_json::{Value, json};

use crate::http::Request;
use crate::process::{Folder, Server, card_id, handset, newcomer, printed};
use crate::push;
use crate::push::service::Service;

/// Things of one person's, by the name that a route's path has for their ids.
struct Things(Vec<(&'static str, String)>);

impl Things {
    fn id(&self, name: &str) -> &str {
        let (_, id) = self.0.iter().find(|(known, _)| *known == name).unwrap();
        id
    }

    /// A path with its places filled; nothing where it has none.
    fn fill(&self, route: &Route) -> Option<String> {
        let mut path = route.path.to_owned();
        while let Some((before, rest)) = path.split_once('{') {
            let (name, after) = rest.split_once('}').unwrap();
            let found = self.0.iter().find(|(known, _)| *known == name);
            let (_, id) =
                found.unwrap_or_else(|| panic!("{}: this test has to learn what a {name} is", route.path));
            path = format!("{before}{id}{after}");
        }
        (path != route.path).then_some(path)
    }
}

/// A body with which the route would do something for its owner.
fn body(route: &Route) -> Option<Value> {
    match (route.method, route.path) {
        ("POST", "/api/chats/{chat}/messages") => Some(json!({"text": "hello"})),
        ("PATCH", "/api/readings/{reading}") => Some(json!({"bookmark": 1})),
        ("POST", "/api/cards/{card}/answer") => Some(json!({"status": "done"})),
        ("PATCH", "/api/chats/{chat}") => Some(json!({"pinned": true})),
        ("POST", _) => Some(json!({})),
        _ => None,
    }
}

#[test]
fn every_route_answers_another_persons_ids_with_404() {
    let (data, service) = (Folder::new(), Service::start());
    let server = push::server(&data, &service);
    // Ann's, with a card that waits; the operator is a third.
    let (ann, ann_token) = newcomer(&data, &server, "Ann");
    let (_, bob_token) = newcomer(&data, &server, "Bob");
    let as_ann = |method, path: &str, body: Option<Value>| {
        server.ask(Some(&ann_token), method, path, body.as_ref()).json()
    };
    let chat = as_ann("POST", "/api/chats", None)["id"].as_str().unwrap().to_owned();
    let mut stream = Request {
        token: Some(&ann_token),
        body: Some(json!({"text": "torch on", "capabilities": ["phone_actions"]}).to_string()),
        headers: vec![("Accept", "text/event-stream".to_owned())],
        ..server.request("POST", &format!("/api/chats/{chat}/messages"))
    }
    .send(&server.address)
    .events();
    let shown = stream.until("card");
    let device = as_ann("GET", "/api/devices", None)["devices"][0]["id"].as_str().unwrap().to_owned();
    push::subscribe(&server, &ann_token, &service, "/push");
    let invite = push::ring(&server, &ann_token)["id"].as_str().unwrap().to_owned();
    let text = Some(json!({"text": "Once there was a bear.", "title": "Bears"}));
    let reading = as_ann("POST", "/api/readings", text)["id"].as_str().unwrap().to_owned();
    let things = Things(vec![
        ("reading", reading),
        ("invite", invite),
        ("chat", chat.clone()),
        ("turn", shown.data["turn"].as_str().unwrap().to_owned()),
        ("card", card_id(&shown.data)),
        ("device", device),
        ("person", ann.clone()),
    ]);

    let mut walked = BTreeSet::new();
    for route in ROUTES {
        let Some(path) = things.fill(route) else { continue };
        let response = server.ask(Some(&bob_token), route.method, &path, body(route).as_ref());
        assert_eq!(response.status, 404, "{} {path}", route.method);
        let told = response.json();
        assert_eq!(told["error"]["code"], json!("not_found"), "{} {path}: {told}", route.method);
        walked.insert(route.path);
    }
    assert!(walked.len() >= 6, "{walked:?}");
    assert_eq!(server.ask(Some(&ann_token), "GET", &format!("/api/chats/{chat}"), None).status, 200);

    // The routes without an id tell nothing of Ann, named or not; her event's id is no place in Bob's events.
    for path in [
        "/api/chats".to_owned(),
        "/api/cards".to_owned(),
        "/api/call/invite".to_owned(),
        "/api/people".to_owned(),
        "/api/devices".to_owned(),
        "/api/readings".to_owned(),
        "/api/events/poll".to_owned(),
        "/api/push/subscription".to_owned(),
        format!("/api/events/poll?after={}", shown.id),
    ] {
        let text = server.ask(Some(&bob_token), "GET", &path, None).text();
        for (kind, id) in &things.0 {
            assert!(!text.contains(id.as_str()), "{path} tells of her {kind}: {text}");
        }
        assert!(!text.contains("torch") && !text.contains("Ann"), "{path}: {text}");
    }
    for (method, path) in [
        ("GET", format!("/api/devices?person={ann}")),
        ("DELETE", format!("/api/devices/{}?person={ann}", things.id("device"))),
    ] {
        assert_eq!(server.ask(Some(&bob_token), method, &path, None).status, 404, "{method} {path}");
    }
    let theirs = json!({"name": "spy", "person": ann});
    assert_eq!(server.ask(Some(&bob_token), "POST", "/api/devices", Some(&theirs)).status, 404);
    assert_eq!(
        server.ask(Some(&ann_token), "GET", "/api/cards", None).json()["cards"][0]["state"],
        "pending"
    );
}

/// P135: another person's event id replays nothing, neither theirs nor one's own; it is told to read anew.
#[test]
fn p135_another_persons_event_id_is_no_place() {
    let data = Folder::new();
    let server = Server::start(&data);
    let (_, token) = newcomer(&data, &server, "Ann");
    // Ann has more events than the operator, so that the number alone would be a place in hers.
    let mine = server.ask(Some(&token), "POST", "/api/chats", None).json()["id"].as_str().unwrap().to_owned();
    let mine = format!("/api/chats/{mine}/messages");
    for _ in 0..2 {
        let headers = vec![("Accept", "text/event-stream".to_owned())];
        let body = Some(json!({"text": "hello"}).to_string());
        let request = Request { token: Some(&token), headers, body, ..server.request("POST", &mine) };
        request.send(&server.address).events().until("reply");
    }
    let chat = server.chat();
    let theirs = server.send(&chat, &json!({"text": "hello"})).until("reply").id;
    for path in ["/api/events".to_owned(), format!("/api/events?after={theirs}")] {
        let headers = vec![("Last-Event-ID", theirs.clone())];
        let request = Request { token: Some(&token), headers, ..server.request("GET", &path) };
        let first = request.send(&server.address).events().next().unwrap();
        assert_eq!(first.kind, "resync");
        assert!(first.data["fetch"].as_array().is_some_and(|fetch| !fetch.is_empty()), "{:?}", first.data);
    }
}

/// What the table says of who may ask is so.
#[test]
fn who_may_ask_for_what() {
    let data = Folder::new();
    let server = Server::start(&data);
    let (_, token) = newcomer(&data, &server, "Ann");
    for route in ROUTES {
        let path = route.path.replace(['{', '}'], "");
        let nobody = server.ask(None, route.method, &path, body(route).as_ref()).status;
        match route.access {
            Access::Open => assert_ne!(nobody, 401, "{} {path}", route.method),
            Access::Signed | Access::Operator => assert_eq!(nobody, 401, "{} {path}", route.method),
        }
        if route.access == Access::Operator {
            let body = json!({"name": "Carol"});
            let response = server.ask(Some(&token), route.method, &path, Some(&body));
            assert_eq!(response.status, 403, "{} {path}", route.method);
            assert_eq!(response.json()["error"]["code"], json!("operator_only"));
        }
    }
    assert!(!printed(&data, &["person", "list"]).contains("Carol"));
    // A device of the operator's is a device: it does not manage others.
    let device = printed(&data, &["token", "add", "pixel"]);
    let carol = json!({"name": "Carol"});
    assert_eq!(server.ask(Some(&device), "POST", "/api/people", Some(&carol)).status, 403);
    let (status, _, errors) = handset(&data, &["person", "add", "ann"]);
    assert!(!status.success() && errors.contains("called so"), "{errors}");
}
