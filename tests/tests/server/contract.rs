//! What the server says it does: its own OpenAPI document, and every answer that a test sees held against it.
//!
//! Strictly: a status, a code, a word, an event or a member that the document does not have fails the test that met it, though
//! clients take all of these from a newer server.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::http::Request;
use crate::process::{Folder, Server};

/// The document, closed to what it does not name.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut document: Value = serde_json::from_str(handset_spec::OPENAPI).unwrap();
    close(&mut document);
    document
});

/// Validators by their schema: the same few are asked again and again.
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// Members of which the server takes more than it asks clients to send, and makes something sensible (docs/calls.md, README.md).
const TAKES_MORE: &[(&str, &[&str])] = &[
    // Anything but the three words counts as failed; what is no text is none; a moment may be a number.
    ("POST /api/cards/{card}/answer", &["status", "message", "answered_at"]),
    // One text, without saying whose.
    ("POST /api/call/end", &["transcript"]),
];

/// Takes away what a schema leaves to newer servers, here and everywhere below.
fn close(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(close),
        Value::Object(object) => {
            if let Some(alternatives) = object.get_mut("anyOf").and_then(Value::as_array_mut) {
                // `{"not": {"enum": the known ones}}` stands for what is not known yet.
                alternatives.retain(|each| !each.to_string().contains(r#"{"not":"#));
            }
            if let Some(words) = object.get("examples").cloned() {
                object.insert("enum".to_owned(), words);
            }
            if object.get("type") == Some(&json!("object")) && object.contains_key("properties") {
                object.entry("additionalProperties").or_insert(json!(false));
            }
            object.values_mut().for_each(close);
        }
        _ => {}
    }
}

/// A route of the document, as a request met it.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    name: String,
    told: &'static Map<String, Value>,
}

impl Operation {
    /// The route of a request; none where the document has none for it, as for the page's files and what is not there.
    pub(crate) fn of(method: &str, target: &str) -> Option<Self> {
        let path = target.split_once('?').map_or(target, |(path, _)| path);
        let paths = DOCUMENT["paths"].as_object()?;
        // A path without a place wins over one with.
        let template = paths.keys().find(|each| *each == path);
        let template = template.or_else(|| paths.keys().find(|each| matches(each, path)))?;
        let told = paths[template].get(method.to_ascii_lowercase())?.as_object()?;
        Some(Self { name: format!("{method} {template}"), told })
    }

    /// Holds a status and the type of what comes with it.
    ///
    /// # Panics
    /// When the server says it has no such answer.
    pub(crate) fn head(&self, status: u16, kind: Option<&str>) {
        let Self { name, told } = self;
        let Some(answer) = told["responses"].get(status.to_string()) else {
            panic!("{name} answered {status}, which generated/schema/openapi.json does not have there")
        };
        let content = answer.get("content").and_then(Value::as_object);
        // Not modified: the head is that of the answer that the client has.
        let kind = kind.filter(|_| status != 304).map(essence);
        let known = match (content, kind) {
            (Some(content), Some(kind)) => content.contains_key(kind),
            (content, kind) => content.is_none() && kind.is_none(),
        };
        assert!(
            known,
            "{name} answered {status} with content of the type {kind:?}, and not with {content:?}"
        );
    }

    /// Whether more is told of the body for a status than that it is an object.
    pub(crate) fn is_told(&self, status: u16) -> bool {
        let schema = &self.told["responses"][status.to_string()]["content"]["application/json"]["schema"];
        schema.is_object() && *schema != json!({"type": "object"})
    }

    /// Whether what is sent is JSON.
    pub(crate) fn takes_json(&self) -> bool {
        self.told.get("requestBody").is_none_or(|body| !body["content"]["application/json"].is_null())
    }

    /// Holds a body against the schema of its status.
    ///
    /// # Panics
    /// When it is otherwise, with everything that is.
    pub(crate) fn body(&self, status: u16, body: &Value) {
        let schema = &self.told["responses"][status.to_string()]["content"]["application/json"]["schema"];
        hold(&format!("{} answered {status}", self.name), schema, body);
        if self.name == "GET /api/events/poll" && status == 200 {
            for event in body["events"].as_array().unwrap() {
                self::event(event["event"].as_str().unwrap(), &event["data"]);
            }
        }
    }

    /// Holds what was sent against the schema of what may be, where the server took it.
    ///
    /// # Panics
    /// When the document says that it may not be sent.
    pub(crate) fn taken(&self, target: &str, body: Option<&Value>) {
        let Self { name, told } = self;
        // Null is as good as nothing, and an empty object as no body.
        let body = body.map(|body| {
            let members = body.as_object().unwrap_or_else(|| panic!("{name} took {body}"));
            members
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect()
        });
        let body =
            body.map(Value::Object).filter(|body| *body != json!({}) || told.contains_key("requestBody"));
        if let Some(body) = &body {
            let Some(sent) = told.get("requestBody") else {
                panic!("{name} took {body}, and generated/schema/openapi.json has no body there");
            };
            let schema = &sent["content"]["application/json"]["schema"];
            let lenient =
                TAKES_MORE.iter().find(|(route, _)| route == name).map_or(&[][..], |(_, members)| *members);
            let of_a_member = |fault: &jsonschema::ValidationError<'_>| {
                let place = fault.instance_path().to_string();
                lenient.iter().any(|member| place.starts_with(&format!("/{member}")))
            };
            hold_but(&format!("{name} took a body"), schema, body, of_a_member);
        }
        let query = target.split_once('?').map_or("", |(_, query)| query);
        let parameters = told.get("parameters").and_then(Value::as_array).cloned().unwrap_or_default();
        for (key, _) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            let known = parameters.iter().any(|each| each["in"] == "query" && each["name"] == key);
            assert!(known, "{name} took ?{key}=, which generated/schema/openapi.json does not have there");
        }
    }
}

/// A type of content without its parameters.
fn essence(kind: &str) -> &str {
    kind.split(';').next().unwrap_or(kind).trim()
}

/// Whether a path is one of a template's.
fn matches(template: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    let same = template.split('/').all(|expected| {
        parts
            .next()
            .is_some_and(|part| if expected.starts_with('{') { !part.is_empty() } else { part == expected })
    });
    same && parts.next().is_none()
}

/// Holds an event's data against the record that the document has for its name.
///
/// # Panics
/// When there is no such event, or its data is otherwise.
pub(crate) fn event(name: &str, data: &Value) {
    let events = DOCUMENT["components"]["schemas"]["event"]["anyOf"].as_array().unwrap();
    let told = events.iter().find(|each| each["properties"]["event"]["const"] == name);
    let Some(told) = told else { panic!("{name} is no event of generated/schema/openapi.json") };
    hold(&format!("the event {name}"), &told["properties"]["data"], data);
}

/// Holds an object against a record of the document.
///
/// # Panics
/// When it is otherwise.
pub(crate) fn record(name: &str, value: &Value) {
    hold(name, &json!({ "$ref": format!("#/components/schemas/{name}") }), value);
}

fn hold(what: &str, schema: &Value, value: &Value) {
    hold_but(what, schema, value, |_| false);
}

fn hold_but(
    what: &str,
    schema: &Value,
    value: &Value,
    borne: impl Fn(&jsonschema::ValidationError<'_>) -> bool,
) {
    let validator = validator(schema);
    let faults: Vec<String> = validator
        .iter_errors(value)
        .filter(|fault| !borne(fault))
        .map(|fault| format!("  at {:?}: {fault}", fault.instance_path().to_string()))
        .collect();
    assert!(
        faults.is_empty(),
        "{what}, and it is not what generated/schema/openapi.json says:\n{}\n{value:#}\n\
         Mend the server, or the table codegen/src/model/wire.",
        faults.join("\n")
    );
}

fn validator(schema: &Value) -> Arc<Validator> {
    let mut known = VALIDATORS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let made = known.entry(schema.to_string()).or_insert_with(|| {
        let mut whole = schema.as_object().cloned().unwrap_or_else(|| panic!("{schema} is a schema"));
        whole.insert("components".to_owned(), json!({"schemas": DOCUMENT["components"]["schemas"]}));
        Arc::new(jsonschema::draft202012::new(&Value::Object(whole)).unwrap())
    });
    Arc::clone(made)
}

/// A client without a token may ask what there is to ask for, and keep it.
#[test]
fn the_server_gives_its_document() {
    let data = Folder::new();
    let server = Server::start(&data);
    let ask = |headers| {
        let asked = Request { token: None, headers, ..server.request("GET", "/api/openapi.json") };
        asked.send(&server.address)
    };
    let first = ask(Vec::new());
    let tag = first.header("etag").unwrap().to_owned();
    assert_eq!(first.header("cache-control"), Some("no-cache"));
    assert_eq!(first.text(), handset_spec::OPENAPI);
    let again = ask(vec![("If-None-Match", tag)]);
    assert_eq!((again.status, again.text().as_str()), (304, ""));
}

/// Each kind of departure is found.
#[test]
fn the_contract_is_held_strictly() {
    let chats = Operation::of("GET", "/api/chats").unwrap();
    let chat = json!({
        "id": "a", "kind": "chat", "mode": "act", "title": null, "offered": false, "pinned": false,
        "created_at": "2027-03-04T10:00:00.000Z", "created_at_ms": 1_804_154_400_000_i64,
    });
    chats.body(200, &json!({ "chats": [chat] }));
    let with = |key: &str, value: Value| {
        let mut changed = chat.clone();
        changed[key] = value;
        json!({ "chats": [changed] })
    };
    let refused = [
        with("surprise", json!(1)),
        with("kind", json!("club")),
        with("title", json!(7)),
        json!({ "chats": [{}] }),
    ];
    for body in refused {
        let held = std::panic::catch_unwind(|| chats.body(200, &body));
        assert!(held.is_err(), "{body}");
    }
    let code = |code: &str| json!({"error": {"code": code, "message": "M."}});
    let show = Operation::of("GET", "/api/chats/a").unwrap();
    show.body(404, &code("not_found"));
    assert!(std::panic::catch_unwind(|| show.body(404, &code("vanished"))).is_err());
    assert!(std::panic::catch_unwind(|| show.head(418, Some("application/json"))).is_err());
    assert!(std::panic::catch_unwind(|| show.head(200, Some("text/html"))).is_err());
    assert!(std::panic::catch_unwind(|| show.taken("/api/chats/a?deep=1", None)).is_err());
    event("flags", &json!({"dnd": true}));
    assert!(std::panic::catch_unwind(|| event("flags", &json!({"dnd": true, "loud": 1}))).is_err());
    assert!(std::panic::catch_unwind(|| event("weather", &json!({}))).is_err());
    let call = json!({"action": "torch", "summary": "Light", "on": true});
    record("call", &call);
    assert!(std::panic::catch_unwind(|| record("call", &json!({"action": "fly", "summary": ""}))).is_err());
    assert!(Operation::of("GET", "/api/nowhere").is_none() && Operation::of("GET", "/").is_none());
}
