//! People and devices: links, codes, tokens, and their end.

use serde_json::{Value, json};

use crate::process::{Folder, Server, handset, newcomer, printed, wait_for};

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn sign_in(server: &Server, link: &str, more: &Value) -> crate::http::Response {
    let mut body = json!({"code": link.split_once('#').unwrap().1});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    server.ask(None, "POST", "/api/sign-in", Some(&body))
}

/// The commands do the same whether a server runs in the folder or not.
#[test]
fn the_commands_with_and_without_a_server() {
    let data = Folder::new();
    let (status, _, errors) = handset(&data, &["person", "add", "Ann"]);
    assert!(!status.success() && errors.contains("no data folder") && errors.contains("--data"), "{errors}");
    Server::start(&data).stop();
    let mut server = None;
    for (name, device) in [("Ann", "phone"), ("Bob", "tablet")] {
        let link = printed(&data, &["person", "add", name, "--address", "https://chat.example/"]);
        assert!(link.starts_with("https://chat.example/sign-in#"), "{link}");
        assert_eq!(printed(&data, &["token", "add", device, "--person", name]).len(), 64);
        let (status, _, errors) = handset(&data, &["token", "add", device, "--person", name]);
        assert!(!status.success() && errors.contains("called so"), "{errors}");
        let listed = printed(&data, &["token", "list"]);
        assert!(listed.contains(&format!("{name}  {device}  device  never")), "{listed}");
        assert!(listed.contains("operator  operator  operator"), "{listed}");
        printed(&data, &["token", "revoke", device, "--person", &name.to_lowercase()]);
        assert_eq!(printed(&data, &["token", "list", "--person", name]), "");
        let (status, _, errors) = handset(&data, &["token", "revoke", device, "--person", name]);
        assert!(!status.success() && errors.contains(device), "{errors}");
        let (status, _, errors) = handset(&data, &["person", "link", "Zoe"]);
        assert!(!status.success() && errors.contains("Zoe") && errors.contains(name), "{errors}");
        // The link was made before the server ran, or beside it; it holds either way.
        let server = server.get_or_insert_with(|| Server::start(&data));
        assert_eq!(sign_in(server, &link, &json!({})).status, 201);
        let people = printed(&data, &["person", "list"]);
        assert!(people.lines().last().unwrap().ends_with(name), "{people}");
    }
}

#[test]
fn a_link_signs_in_once() {
    let data = Folder::new();
    let server = Server::start(&data);
    let link = printed(&data, &["person", "add", "Ann"]);
    assert!(link.starts_with(&format!("http://{}/sign-in#", server.address)), "{link}");
    let request = json!({"name": "phone", "client_id": "c1"});
    let first = sign_in(&server, &link, &request);
    assert_eq!(first.status, 201);
    let first = first.json();
    assert_eq!((&first["person"]["name"], &first["device"]["name"]), (&json!("Ann"), &json!("phone")));
    let token = text(&first["token"]);
    assert_eq!(
        server.ask(Some(&token), "GET", "/api/people", None).json()["people"][0]["name"],
        json!("Ann")
    );
    // The same request again, as after a lost answer, is the same device; any other finds the link used.
    assert_eq!(sign_in(&server, &link, &request).json()["token"], json!(token));
    for other in [json!({"name": "phone", "client_id": "c2"}), json!({"name": "phone"})] {
        let refused = sign_in(&server, &link, &other);
        assert_eq!((refused.status, refused.json()["error"]["code"].clone()), (403, json!("code_not_valid")));
    }
    let devices = server.ask(Some(&token), "GET", "/api/devices", None).json();
    assert_eq!(devices["devices"].as_array().unwrap().len(), 1);
    // The terminal takes the link as it is.
    let link = printed(&data, &["person", "link", "Ann"]);
    let mut command = std::process::Command::new(crate::binary::path());
    command.args(["sign-in", &link, "--name", "phone"]);
    crate::process::without_settings(&mut command);
    let (status, out, errors) = crate::process::run(command, None);
    assert!(status.success() && errors.contains("Ann"), "{errors}");
    let devices = server.ask(Some(out.trim()), "GET", "/api/devices", None).json();
    assert_eq!(devices["devices"][1]["name"], json!("phone 2"), "two devices are not called the same");
    assert_eq!(
        (&devices["devices"][0]["current"], &devices["devices"][1]["current"]),
        (&json!(false), &json!(true))
    );
}

#[test]
fn a_pairing_code_adds_one_device() {
    let data = Folder::new();
    let server = Server::start(&data);
    let (ann, token) = newcomer(&data, &server, "Ann");
    let pair = |body: Value| server.ask(Some(&token), "POST", "/api/pairings", Some(&body)).json();
    let paired = pair(json!({"client_id": "p1"}));
    let code = text(&paired["code"]);
    assert_eq!(pair(json!({"client_id": "p1"})), paired, "repeated, it is the same code");
    assert_ne!(pair(json!({}))["code"], paired["code"]);
    let typed = code.to_lowercase().replace('-', " ");
    let redeem = |body: Value| server.ask(None, "POST", "/api/pairings/redeem", Some(&body));
    let request = json!({"code": typed, "name": "pixel", "client_id": "r1"});
    let first = redeem(request.clone());
    assert_eq!(first.status, 201);
    let first = first.json();
    assert_eq!((&first["person"]["id"], &first["device"]["name"]), (&json!(ann), &json!("pixel")));
    assert_eq!(redeem(request).json(), first);
    assert_eq!(redeem(json!({"code": code, "name": "pixel"})).status, 403);
    assert_eq!(redeem(json!({"code": "ABCD-EFGH", "name": "pixel"})).status, 403);
    assert_eq!(redeem(json!({"code": "no code", "name": "pixel"})).status, 403);
    // A link's code is no pairing code, nor the other way round.
    let link = printed(&data, &["person", "link", "Ann"]);
    assert_eq!(redeem(json!({"code": link.split_once('#').unwrap().1, "name": "pixel"})).status, 403);
    let code = text(&pair(json!({}))["code"]);
    assert_eq!(server.ask(None, "POST", "/api/sign-in", Some(&json!({"code": code}))).status, 403);
    // The new device speaks under its own name, whatever it says.
    let pixel = text(&first["token"]);
    let chat = text(&server.ask(Some(&pixel), "POST", "/api/chats", None).json()["id"]);
    let path = format!("/api/chats/{chat}/messages");
    let message = json!({"text": "hello", "device": "tablet"});
    let sent = server.ask(Some(&pixel), "POST", &path, Some(&message)).json();
    assert_eq!(sent["device"], json!("pixel"));
}

/// A revoked device's next request is not known, and what it has open ends at once; others go on.
#[test]
fn a_revoked_device_is_out_at_once() {
    let data = Folder::new();
    let server = Server::start(&data);
    let (_, laptop) = newcomer(&data, &server, "Ann");
    let added = server.ask(Some(&laptop), "POST", "/api/devices", Some(&json!({"name": "pixel"})));
    assert_eq!(added.status, 201);
    let added = added.json();
    let (pixel, id) = (text(&added["token"]), text(&added["device"]["id"]));
    let open = |token: &str| {
        let request = crate::http::Request { token: Some(token), ..server.request("GET", "/api/events") };
        request.send(&server.address).events()
    };
    let (mut theirs, mut mine) = (open(&pixel), open(&laptop));
    let place = text(&server.ask(Some(&pixel), "GET", "/api/events/poll", None).json()["last_id"]);
    let (address, token) = (server.address.clone(), pixel.clone());
    let polling = std::thread::spawn(move || {
        let path = format!("/api/events/poll?wait=50&after={place}");
        let request = crate::http::Request {
            method: "GET",
            path: &path,
            token: Some(&token),
            headers: Vec::new(),
            body: None,
        };
        request.send(&address).status
    });
    let path = format!("/api/devices/{id}?client_id=d1");
    assert_eq!(server.ask(Some(&laptop), "DELETE", &path, None).status, 204);
    assert_eq!(theirs.next(), None, "the stream ends");
    assert_eq!(polling.join().unwrap(), 401, "the poll ends");
    assert_eq!(server.ask(Some(&pixel), "GET", "/api/chats", None).status, 401);
    assert_eq!(server.ask(Some(&laptop), "DELETE", &path, None).status, 204, "repeated");
    assert_eq!(server.ask(Some(&laptop), "DELETE", &format!("/api/devices/{id}"), None).status, 404);
    let chat = text(&server.ask(Some(&laptop), "POST", "/api/chats", None).json()["id"]);
    let hello = json!({"text": "hello"});
    server.ask(Some(&laptop), "POST", &format!("/api/chats/{chat}/messages"), Some(&hello));
    mine.until("reply");
    // By name, from the folder, beside the running server: the same.
    let mut mine = open(&laptop);
    printed(&data, &["token", "revoke", "laptop", "--person", "Ann"]);
    assert_eq!(mine.next(), None);
    let (status, _, errors) = handset(&data, &["token", "revoke", "operator"]);
    assert!(!status.success() && errors.contains("token"), "{errors}");
}

#[test]
fn devices_are_seen_and_secrets_are_not_kept() {
    let data = Folder::new();
    let server = Server::start(&data);
    let link = printed(&data, &["person", "add", "Ann"]);
    let (_, ann) = newcomer(&data, &server, "Bob");
    let pairing =
        text(&server.ask(Some(&ann), "POST", "/api/pairings", None).json()["code"]).replace('-', "");
    let added = json!({"name": "pixel", "client_id": "a1"});
    let added = |token: &str| server.ask(Some(token), "POST", "/api/devices", Some(&added)).json();
    let pixel = text(&added(&ann)["token"]);
    assert_eq!(text(&added(&ann)["token"]), pixel, "repeated, it is the same token");
    // It is noted beside the request, so it may take a moment.
    let seen = wait_for(|| {
        let devices = server.ask(Some(&pixel), "GET", "/api/devices", None).json();
        let of = |place: usize| devices["devices"][place]["last_seen_at_ms"].as_i64();
        of(0).zip(of(1))
    });
    for _ in 0..20 {
        server.ask(Some(&pixel), "GET", "/api/chats", None);
    }
    let devices = server.ask(Some(&pixel), "GET", "/api/devices", None).json();
    assert_eq!(devices["devices"][1]["last_seen_at_ms"], json!(seen.1), "not written again within a minute");
    assert_eq!(devices["devices"][1]["current"], json!(true));
    assert!(server.stop().success());
    let mut bytes = Vec::new();
    for name in ["handset.db", "handset.db-wal"] {
        bytes.extend(std::fs::read(data.path().join(name)).unwrap_or_default());
    }
    let holds = |secret: &str| bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
    for secret in [link.split_once('#').unwrap().1, &ann, &pixel, &pairing] {
        assert!(!holds(secret));
    }
    assert!(holds("pixel"), "what is no secret is there");
    // After a restart the token of the first request is nowhere any more, and that is said.
    let server = Server::start(&data);
    let again = json!({"name": "pixel", "client_id": "a1"});
    let again = server.ask(Some(&ann), "POST", "/api/devices", Some(&again));
    assert_eq!((again.status, again.json()["error"]["code"].clone()), (409, json!("token_not_kept")));
}
