//! Everything of a person's, taken along and erased: nothing of theirs is left, and nothing of another's is touched.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Row as _};

use crate::companion::{PNG, put};
use crate::http::Request;
use crate::process::{Folder, Server, card_id, newcomer, printed, wait_for};
use crate::push;
use crate::push::service::Service;

/// What stands in each table's text, a row a line.
type Rows = BTreeMap<String, Vec<String>>;

/// Every row of every table, as text.
fn rows(data: &Folder) -> Rows {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let options = SqliteConnectOptions::new().filename(data.path().join("handset.db")).read_only(true);
        let mut connection = options.connect().await.unwrap();
        let tables = sqlx::query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
        let mut found = Rows::new();
        for table in tables.fetch_all(&mut connection).await.unwrap() {
            let table: String = table.get(0);
            let columns =
                sqlx::query(AssertSqlSafe(format!("SELECT name FROM pragma_table_info('{table}')")));
            let columns = columns.fetch_all(&mut connection).await.unwrap();
            let columns: Vec<String> = columns
                .iter()
                .map(|row| format!("COALESCE(CAST({} AS TEXT), '')", row.get::<&str, _>(0)))
                .collect();
            let all = format!("SELECT {} FROM {table}", columns.join(" || '|' || "));
            let all = sqlx::query(AssertSqlSafe(all)).fetch_all(&mut connection).await.unwrap();
            found.insert(table, all.iter().map(|row| row.get(0)).collect());
        }
        found
    })
}

/// Those of the rows that hold a word.
fn with<'r>(rows: &'r Rows, word: &str) -> Vec<(&'r str, &'r str)> {
    let all =
        rows.iter().flat_map(|(table, rows)| rows.iter().map(move |row| (table.as_str(), row.as_str())));
    all.filter(|(_, row)| row.contains(word)).collect()
}

/// Fills whatever there is to fill for a person, all of it with their word in it.
fn live(server: &Server, service: &Service, token: &str, word: &str) {
    let ask = |method, path: &str, body: Value| {
        let answer = server.ask(Some(token), method, path, Some(&body));
        assert!(answer.status < 300, "{method} {path}: {}", answer.text());
        answer
    };
    let chat = ask("POST", "/api/chats", json!({"title": word})).json()["id"].as_str().unwrap().to_owned();
    let path = format!("/api/chats/{chat}/messages");
    let say = |text: &str| {
        let body =
            json!({"text": text, "capabilities": ["phone_actions"], "client_id": format!("{word}-{text}")});
        let headers = vec![("Accept", "text/event-stream".to_owned())];
        let request = Request {
            token: Some(token),
            headers,
            body: Some(body.to_string()),
            ..server.request("POST", &path)
        };
        request.send(&server.address).events()
    };
    let mut turn = say("torch on");
    let card = card_id(&turn.until("card").data);
    ask("POST", &format!("/api/cards/{card}/answer"), json!({"status": "done", "message": word}));
    turn.until("reply");
    // The demo dials, which is an effect with its invite.
    say("call me").until("reply");
    let invite = wait_for(|| {
        let told = server.ask(Some(token), "GET", "/api/call/invite", None).json();
        told["invite"]["id"].as_str().map(str::to_owned)
    });
    ask("POST", "/api/call/answer", json!({"id": invite, "action": "accept"}));
    // A call is no longer than has passed.
    ask("PATCH", "/api/settings", json!({"settings": {"record": {"min_call": 1}}}));
    ask("POST", "/api/call/end", json!({"id": invite, "seconds": 2}));
    ask("PATCH", "/api/settings", json!({"settings": null}));
    ask("POST", "/api/readings", json!({"title": word, "text": format!("{word} once was a bear.")}));
    ask("PATCH", "/api/companion", json!({"name": word, "persona": format!("You are {word}.")}));
    assert_eq!(put(server, token, PNG).status, 200);
    push::subscribe(server, token, service, &format!("/{word}"));
    let rang = push::ring(server, token)["id"].as_str().unwrap().to_owned();
    let report =
        format!("/api/events?type=swpush&value={word}%7Ccall%7C{rang}%7C0%7C{}", now_ms(server, token));
    assert_eq!(server.ask(Some(token), "POST", &report, None).status, 204);
    // A card that waits, and a phone that rings.
    say("torch off").until("card");
    ask("POST", "/api/call/invite", json!({"reason": word}));
}

fn now_ms(server: &Server, token: &str) -> i64 {
    server.ask(Some(token), "GET", "/api/cards", None).json()["now_ms"].as_i64().unwrap()
}

fn export(server: &Server, token: &str) -> Value {
    let answer = server.ask(Some(token), "GET", "/api/export", None);
    assert_eq!((answer.status, answer.header("cache-control")), (200, Some("no-store")));
    assert!(answer.header("content-disposition").unwrap().starts_with("attachment; filename=\"handset-2"));
    answer.json()
}

#[test]
fn an_export_holds_everything_but_secrets_and_an_erasure_leaves_nothing() {
    let (data, service) = (Folder::new(), Service::start());
    let server = push::server(&data, &service);
    let (ann, token) = newcomer(&data, &server, "Ann");
    let (bob, bobs) = newcomer(&data, &server, "Bob");
    live(&server, &service, &token, "annword");
    live(&server, &service, &bobs, "bobword");
    let told = export(&server, &token);
    for (table, least) in [
        ("devices", 1),
        ("chats", 1),
        ("turns", 4),
        ("messages", 8),
        ("cards", 2),
        ("effects", 1),
        ("invites", 2),
        ("calls", 1),
        ("readings", 1),
        ("push_subscriptions", 1),
        ("push_rings", 1),
        ("push_arrivals", 1),
        ("codes", 1),
        ("writes", 0),
    ] {
        let rows = told[table].as_array().unwrap_or_else(|| panic!("{table}: {}", told[table]));
        assert!(rows.len() >= least, "{table}: {rows:?}");
    }
    assert_eq!((&told["person"]["name"], &told["companion"]["name"]), (&json!("Ann"), &json!("annword")));
    assert!(told["companion"]["picture"].as_str().unwrap().starts_with("iVBORw0KGgo"));
    assert_eq!(told["cards"][0]["call"]["action"], "torch");
    assert_eq!(told["person"]["settings"], json!({}));
    let text = told.to_string();
    let hash = handset::web::hash(&token);
    for secret in [&*token, &*hash, "bobword", "p256dh", "auth\"", "endpoint", &*bob] {
        assert!(!text.contains(secret), "{secret} is told");
    }

    let mut stream = server.request("GET", "/api/events");
    stream.token = Some(&token);
    let mut stream = stream.send(&server.address).events();
    let erase = |confirm: &str, token: &str| {
        server.ask(Some(token), "POST", "/api/erase", Some(&json!({"confirm": confirm})))
    };
    let refused = erase("Bob", &token);
    assert_eq!((refused.status, &refused.json()["error"]["code"]), (422, &json!("not_confirmed")));
    assert_eq!(export(&server, &token)["chats"].as_array().unwrap().len(), 1, "nothing was erased");
    let bobs_before = export(&server, &bobs);
    assert_eq!(erase(" Ann ", &token).json(), json!({"erased": true, "operator": false}));
    while stream.next().is_some() {}
    assert_eq!(server.ask(Some(&token), "GET", "/api/chats", None).status, 401);
    let mut bobs_after = export(&server, &bobs);
    for key in ["exported_at", "exported_at_ms"] {
        bobs_after[key] = bobs_before[key].clone();
    }
    // When a device was seen is noted beside its requests.
    bobs_after["devices"] = bobs_before["devices"].clone();
    assert_eq!(bobs_after, bobs_before, "another person's is untouched");

    assert!(server.stop().success());
    let left = rows(&data);
    for word in [&*ann, "annword", &*hash, "Ann"] {
        assert_eq!(with(&left, word), [], "{word}");
    }
    assert!(with(&left, "bobword").len() > 8, "{left:?}");
    // Nor in the file's free pages, once its log is folded into it.
    for name in ["handset.db", "handset.db-wal"] {
        let bytes = std::fs::read(data.path().join(name)).unwrap_or_default();
        assert!(!bytes.windows(7).any(|window| window == b"annword"), "{name}");
    }

    let server = push::server(&data, &service);
    let (again, token) = newcomer(&data, &server, "Ann");
    assert_ne!(again, ann);
    assert_eq!(export(&server, &token)["chats"], json!([]));
    printed(&data, &["person", "link", "Bob"]);
}

/// The operator cannot leave their own server: everything of theirs goes, and the token in the data folder stays good.
#[test]
fn the_operator_goes_on_as_somebody_new() {
    let (data, service) = (Folder::new(), Service::start());
    let server = push::server(&data, &service);
    let (_, ann) = newcomer(&data, &server, "Ann");
    live(&server, &service, &server.token, "ownword");
    let before = server.get("/api/people")["you"].as_str().unwrap().to_owned();
    let device = printed(&data, &["token", "add", "pixel"]);
    let erased =
        server.ask(Some(&device), "POST", "/api/erase", Some(&json!({"confirm": "operator"}))).json();
    assert_eq!(erased, json!({"erased": true, "operator": true}));
    assert_eq!(server.ask(Some(&device), "GET", "/api/chats", None).status, 401);
    let people = server.get("/api/people");
    assert_eq!(people["people"].as_array().unwrap().len(), 2);
    assert_ne!(people["you"], json!(before));
    assert_eq!(people["people"][0]["id"], people["you"], "who came first is the operator");
    let told = export(&server, &server.token);
    assert_eq!(
        (&told["chats"], &told["invites"], &told["companion"]),
        (&json!([]), &json!([]), &Value::Null)
    );
    assert_eq!(told["devices"].as_array().unwrap().len(), 1);
    printed(&data, &["person", "link", "Ann"]);
    assert_eq!(server.ask(Some(&ann), "GET", "/api/chats", None).status, 200);
    assert!(server.stop().success());
    let left = rows(&data);
    assert_eq!((with(&left, "ownword"), with(&left, &before)), (vec![], vec![]));
    // The next start finds its operator.
    let server = push::server(&data, &service);
    assert_eq!(server.get("/api/people")["people"].as_array().unwrap().len(), 2);
}
