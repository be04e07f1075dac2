//! `/api/companion`: each person's own companion, in the prompt, in pushes, and to nobody else.

use handset_spec::Language;
use handset_spec_macros::text;
use serde_json::{Value, json};

use crate::http::{Response, raw};
use crate::process::{Folder, Server, newcomer};
use crate::push;
use crate::push::service::Service;

/// The smallest PNG there is: one pixel.
pub(crate) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\nIDATx\x9cc\0\x01\0\0\x05\0\x01\r\n-\xb4\0\0\0\0IEND\xaeB`\x82";

/// Sends bytes as they are.
pub(crate) fn put(server: &Server, token: &str, bytes: &[u8]) -> Response {
    let head = format!(
        "PUT /api/companion/picture HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: text/html\r\nContent-Length: {}\r\n\r\n",
        bytes.len()
    );
    raw(&server.address, &[head.as_bytes(), bytes].concat())
}

fn of(server: &Server, token: &str) -> Value {
    server.ask(Some(token), "GET", "/api/companion", None).json()
}

#[test]
fn a_name_a_persona_and_a_picture_are_their_persons_own() {
    let data = Folder::new();
    let server = Server::start(&data);
    let (_, ann) = newcomer(&data, &server, "Ann");
    let (_, bob) = newcomer(&data, &server, "Bob");
    let first = of(&server, &ann);
    assert_eq!(
        (&first["name"], &first["persona"], &first["picture"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert_eq!(first["called"], text!(call.companion in Language::En));
    let change = |body: Value| server.ask(Some(&ann), "PATCH", "/api/companion", Some(&body));
    let told = change(json!({"name": "  Mo ", "persona": "You are Mo.\r\nYou like tea."})).json();
    assert_eq!((&told["name"], &told["called"]), (&json!("Mo"), &json!("Mo")));
    assert_eq!(told["persona"], "You are Mo.\nYou like tea.");
    // What is not named stays.
    assert_eq!(change(json!({"name": "Momo"})).json()["persona"], told["persona"]);
    for (body, said) in [
        (json!({"name": "x".repeat(41)}), "40 characters"),
        (json!({"name": "a\nb"}), "control character"),
        (json!({"persona": "x".repeat(16 * 1024 + 1)}), "16385 bytes"),
        (json!({"persona": 5}), "string or null"),
        (json!({"picture": "x"}), "There is no"),
    ] {
        let refused = change(body);
        assert_eq!(refused.status, 422);
        let told = refused.json();
        assert!(told["error"]["message"].as_str().unwrap().contains(said), "{told}");
    }

    let taken = put(&server, &ann, PNG);
    assert_eq!(taken.status, 200);
    let picture = taken.json()["picture"].clone();
    assert_eq!((&picture["kind"], &picture["size"]), (&json!("image/png"), &json!(PNG.len())));
    let served = server.ask(Some(&ann), "GET", "/api/companion/picture", None);
    for (name, value) in [
        ("content-type", "image/png"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "private, no-cache"),
        ("content-security-policy", "default-src 'none'; sandbox"),
    ] {
        assert_eq!(served.header(name), Some(value));
    }
    assert_eq!(served.header("etag"), Some(&*format!("\"{}\"", picture["tag"].as_str().unwrap())));
    // Nobody else's, and nobody's without a token.
    assert_eq!(server.ask(Some(&bob), "GET", "/api/companion/picture", None).status, 404);
    assert_eq!(server.ask(None, "GET", "/api/companion/picture", None).status, 401);
    let text = server.ask(Some(&bob), "GET", "/api/companion", None).text();
    assert!(!text.contains("Mo") && !text.contains("image"), "{text}");

    // Its content says what it is, not its name.
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>";
    for (bytes, code) in [(svg.as_slice(), "not_a_picture"), (b"", "not_a_picture")] {
        let refused = put(&server, &ann, bytes);
        assert_eq!((refused.status, &refused.json()["error"]["code"]), (422, &json!(code)));
    }
    let large = [PNG, &vec![0; 256 * 1024]].concat();
    assert_eq!(put(&server, &ann, &large).json()["error"]["code"], "too_large");
    assert_eq!(of(&server, &ann)["picture"], picture, "what was there stays");

    server.stop();
    let server = Server::start(&data);
    assert_eq!((&of(&server, &ann)["name"], &of(&server, &ann)["picture"]), (&json!("Momo"), &picture));
    let dropped = server.ask(Some(&ann), "DELETE", "/api/companion/picture", None).json();
    assert_eq!(dropped["picture"], Value::Null);
    assert_eq!(server.ask(Some(&ann), "GET", "/api/companion/picture", None).status, 404);
    let cleared = json!({"name": null, "persona": " "});
    let cleared = server.ask(Some(&ann), "PATCH", "/api/companion", Some(&cleared)).json();
    assert_eq!((&cleared["name"], &cleared["persona"]), (&Value::Null, &Value::Null));
}

/// A push says who calls by the name that the person gave, from the next ring on.
#[test]
fn a_push_bears_the_name() {
    let (data, service) = (Folder::new(), Service::start());
    let server = push::server(&data, &service);
    let (_, ann) = newcomer(&data, &server, "Ann");
    let browser = push::subscribe(&server, &ann, &service, "/push");
    push::ring(&server, &ann);
    let name = json!({"name": "小莫"});
    assert_eq!(server.ask(Some(&ann), "PATCH", "/api/companion", Some(&name)).status, 200);
    push::ring(&server, &ann);
    let pushed = service.wait("/push", 2);
    let title = |number: usize| browser.open(&pushed[number])["title"].as_str().unwrap().to_owned();
    let called = |name: &str| text!(call.ring_title in Language::En, name = name);
    assert_eq!(title(0), called(text!(call.companion in Language::En)));
    assert_eq!(title(1), called("小莫"));
}
