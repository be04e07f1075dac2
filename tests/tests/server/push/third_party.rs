//! A push service that others wrote, the npm package web-push-testing: it subscribes, checks signatures, opens what comes and
//! keeps it.
//!
//! It needs node and npm. Where they are missing the test says so and passes; with `CI` set it fails.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::{command_for, device, put, ring, subscriptions};
use crate::http::Request;
use crate::process::{Folder, Server, wait_for};

/// The package with all it needs, as the lock has it; installed once.
static INSTALLED: LazyLock<Result<PathBuf, String>> = LazyLock::new(install);

fn install() -> Result<PathBuf, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("web-push");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("web-push");
    let done = folder.join("installed");
    let lock = std::fs::read(source.join("package-lock.json")).unwrap();
    if std::fs::read(&done).is_ok_and(|installed| installed == lock) {
        return Ok(folder);
    }
    let missing = |error: std::io::Error| {
        format!("node and npm are needed for this test ({error}). Debian: apt-get install nodejs npm")
    };
    Command::new("node").arg("--version").output().map_err(missing)?;
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["package.json", "package-lock.json"] {
        std::fs::copy(source.join(name), folder.join(name)).unwrap();
    }
    let installed = Command::new("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(&folder)
        .output()
        .map_err(missing)?;
    if !installed.status.success() {
        return Err(format!("npm ci failed: {}", String::from_utf8_lossy(&installed.stderr)));
    }
    std::fs::write(done, lock).unwrap();
    Ok(folder)
}

/// The service as a process.
pub(crate) struct ThirdParty {
    child: Child,
    address: String,
}

impl Drop for ThirdParty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl ThirdParty {
    /// Starts it; nothing where node is missing and need not be there.
    pub(crate) fn start() -> Option<Self> {
        let folder = match &*INSTALLED {
            Ok(folder) => folder,
            Err(missing) => {
                assert!(std::env::var_os("CI").is_none(), "{missing}");
                println!("not run: {missing}");
                return None;
            }
        };
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = Command::new("node")
            .arg(folder.join("node_modules/web-push-testing/src/bin/server.js"))
            .arg(port.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let service = Self { child, address: format!("localhost:{port}") };
        wait_for(|| std::net::TcpStream::connect(&service.address).ok());
        Some(service)
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let headers = vec![("Content-Type", "application/json".to_owned())];
        let request = Request { method: "POST", path, token: None, headers, body: Some(body.to_string()) };
        let response = request.send(&self.address);
        let status = response.status;
        let text = response.text();
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Subscribes as a browser would that was given the server's key: what its page sends, and its name there.
    pub(crate) fn subscribe(&self, key: &str) -> (Value, String) {
        let options = json!({"userVisibleOnly": "true", "applicationServerKey": key});
        let data = self.post("/subscribe", &options)["data"].clone();
        let name = data["clientHash"].as_str().unwrap().to_owned();
        (data, name)
    }

    /// What it was sent, opened, in order.
    pub(crate) fn messages(&self, name: &str) -> Vec<Value> {
        let told = self.post("/get-notifications", &json!({ "clientHash": name }));
        let messages = told["data"]["messages"].as_array().unwrap();
        messages.iter().map(|message| serde_json::from_str(message.as_str().unwrap()).unwrap()).collect()
    }

    pub(crate) fn expire(&self, name: &str) {
        self.post(&format!("/expire-subscription/{name}"), &json!({}));
    }
}

#[test]
fn a_service_of_others_opens_what_is_sent() {
    let Some(service) = ThirdParty::start() else { return };
    let data = Folder::new();
    let server = Server::start_as(command_for(&data, &service.origin()));
    let key = server.get("/api/push/key")["key"].as_str().unwrap().to_owned();
    let (phone, tablet) = (device(&data, "phone"), device(&data, "tablet"));
    let (subscription, name) = service.subscribe(&key);
    assert_eq!(put(&server, &phone, &subscription).status, 200);
    let (other, other_name) = service.subscribe(&key);
    assert_eq!(put(&server, &tablet, &other).status, 200);
    let ids: Vec<Value> = (0..3)
        .map(|_| {
            let told = ring(&server, &phone);
            assert_eq!((&told["outcome"], &told["status"]), (&json!("accepted"), &json!(201)), "{told}");
            told["id"].clone()
        })
        .collect();
    let said = service.messages(&name);
    assert_eq!(said.iter().map(|said| said["id"].clone()).collect::<Vec<_>>(), ids);
    assert!(said.iter().all(|said| said["kind"] == "test" && said["last"] == true), "{said:?}");
    assert!(service.messages(&other_name).is_empty());
    // One that it does not know any more goes; the other stays.
    service.expire(&name);
    assert_eq!(ring(&server, &phone)["status"], 410);
    let left = subscriptions(&server, &phone);
    assert_eq!((left.len(), &left[0]["name"]), (1, &json!("tablet")));
    assert_eq!(ring(&server, &tablet)["outcome"], "accepted");
    assert_eq!(service.messages(&other_name).len(), 1);
}
