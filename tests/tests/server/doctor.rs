//! `handset doctor`: what it says of each state, and that it changes nothing.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::binary;
use crate::process::{Folder, Server, run};
use crate::push;
use crate::push::service::{Answer, Service};

/// Looks at a folder; whether it is well, and the findings.
fn doctor(data: &Path, listen: &str) -> (bool, Vec<Value>) {
    let mut command = Command::new(binary::path());
    command.args(["doctor", "--json", "--listen", listen, "--data"]).arg(data);
    let (status, out, errors) = run(command, None);
    let report: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{errors}"));
    assert_eq!(report["ok"], Value::from(status.success()));
    assert_eq!(status.code(), Some(i32::from(!status.success())));
    (status.success(), report["findings"].as_array().unwrap().clone())
}

fn finding<'a>(findings: &'a [Value], check: &str) -> &'a Value {
    findings
        .iter()
        .find(|finding| finding["check"] == check)
        .unwrap_or_else(|| panic!("{check}: {findings:?}"))
}

/// The problems, each of which has to say what to do.
fn problems(findings: &[Value]) -> String {
    let problems: Vec<&Value> = findings.iter().filter(|finding| finding["level"] == "problem").collect();
    for problem in &problems {
        assert!(problem["todo"].as_str().is_some_and(|todo| !todo.is_empty()), "{problem}");
    }
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn before_the_first_start() {
    let data = Folder::new();
    let (well, findings) = doctor(data.path(), "127.0.0.1:0");
    assert!(well, "{findings:?}");
    assert_eq!(finding(&findings, "folder")["level"], "note");
    assert!(!data.path().exists(), "nothing was made");
}

#[test]
fn beside_a_server() {
    let data = Folder::new();
    let server = Server::start(&data);
    server.say(&server.chat(), "hello").until("reply");
    let (well, findings) = doctor(data.path(), &server.address);
    assert!(well, "{findings:?}");
    assert!(finding(&findings, "server")["found"].as_str().unwrap().contains("can write"));
    assert!(finding(&findings, "database")["found"].as_str().unwrap().contains("no damage"));
    assert_eq!(finding(&findings, "token")["level"], "ok");
    // Elsewhere nobody answers.
    let (well, findings) = doctor(data.path(), "127.0.0.1:1");
    assert!(!well && problems(&findings).contains("--listen"), "{findings:?}");
    server.get("/api/chats");
}

#[test]
fn what_is_wrong_comes_with_its_command() {
    let data = Folder::new();
    assert!(Server::start(&data).stop().success());
    let open = |name: &str, mode| {
        std::fs::set_permissions(data.path().join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    open("token", 0o644);
    open("", 0o755);
    let (well, findings) = doctor(data.path(), "127.0.0.1:0");
    let told = problems(&findings);
    assert!(!well && told.contains("chmod 600") && told.contains("chmod 700"), "{told}");
    open("token", 0o600);
    open("", 0o700);
    std::fs::write(data.path().join("token"), "secret").unwrap();
    let (_, findings) = doctor(data.path(), "127.0.0.1:0");
    let told = problems(&findings);
    assert!(told.contains("rm ") && !told.contains("secret"), "{told}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let (_, findings) = doctor(data.path(), &taken.local_addr().unwrap().to_string());
    assert_eq!(finding(&findings, "port")["level"], "problem");
    let database = data.path().join("handset.db");
    std::fs::write(&database, "words, no pages; ".repeat(100)).unwrap();
    let (_, findings) = doctor(data.path(), "127.0.0.1:0");
    assert_eq!(finding(&findings, "database")["level"], "problem");
    assert_eq!(std::fs::read_to_string(&database).unwrap(), "words, no pages; ".repeat(100));
}

#[test]
fn the_model_and_its_configuration() {
    let data = Folder::new();
    drop(Server::start(&data));
    let configured = |toml: &str| {
        std::fs::write(data.path().join("handset.toml"), toml).unwrap();
        doctor(data.path(), "127.0.0.1:0")
    };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let model = format!("[model]\nkind = \"openai\"\nurl = \"{url}\"\nmodel = \"llama\"\n");
    let (well, findings) = configured(&model);
    assert!(well, "{findings:?}");
    assert_eq!(finding(&findings, "model")["level"], "ok");
    drop(listener);
    let (well, findings) = configured(&model);
    assert!(!well && problems(&findings).contains("cannot be reached"), "{findings:?}");
    let (well, findings) = configured("[model]\nkint = \"openai\"\n");
    assert!(
        !well && finding(&findings, "config")["found"].as_str().unwrap().contains("kind"),
        "{findings:?}"
    );
}

#[test]
fn the_push_key_and_what_came_of_pushes() {
    let (data, service) = (Folder::new(), Service::start());
    let looked = || {
        let mut command = Command::new(binary::path());
        command.args(["doctor", "--json", "--listen", "127.0.0.1:0", "--data"]).arg(data.path());
        command.env("HANDSET_PUSH_ORIGINS", &service.origin);
        let (_, out, _) = run(command, None);
        let report: Value = serde_json::from_str(&out).unwrap();
        let of_push =
            |finding: &&Value| finding["check"].as_str().is_some_and(|check| check.starts_with("push"));
        report["findings"].as_array().unwrap().iter().filter(of_push).cloned().collect::<Vec<_>>()
    };
    let server = push::server(&data, &service);
    let before = looked();
    assert_eq!(problems(&before), "");
    assert!(before.iter().any(|finding| finding["found"].as_str().unwrap().contains(&service.origin)));
    push::subscribe(&server, &server.token, &service, "/push");
    service.answer("/push", Answer::Status(403, ""));
    push::ring(&server, &server.token);
    assert!(server.stop().success());
    let told = problems(&looked());
    assert!(told.contains("push.subject") && told.contains("1 device subscribed"), "{told}");
    let key = data.path().join("push-key.pem");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(problems(&looked()).contains("chmod 600"));
    std::fs::remove_file(&key).unwrap();
    drop(push::server(&data, &service));
    assert!(problems(&looked()).contains("another key"));
    std::fs::write(&key, "secret").unwrap();
    let told = problems(&looked());
    assert!(told.contains("backup") && !told.contains("secret"), "{told}");
}
