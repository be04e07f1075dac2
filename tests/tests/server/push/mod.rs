//! Web Push: a push service on a real socket, a browser's keys, and the server that rings between them.

mod arrivals;
mod bell;
pub(crate) mod browser;
mod keys;
mod outcomes;
pub(crate) mod service;
mod subscriptions;
pub(crate) mod third_party;

use std::process::Command;

use serde_json::{Value, json};

use self::browser::Browser;
use self::service::Service;
use crate::http::Response;
use crate::process::{Folder, Server, command, printed};

/// A command of a server that may push to a service.
fn command_for(data: &Folder, origin: &str) -> Command {
    let mut command = command(data.path());
    command.env("HANDSET_PUSH_ORIGINS", origin);
    command
}

pub(crate) fn server(data: &Folder, service: &Service) -> Server {
    Server::start_as(command_for(data, &service.origin))
}

/// A device of the operator's: its token.
fn device(data: &Folder, name: &str) -> String {
    printed(data, &["token", "add", name])
}

fn put(server: &Server, token: &str, subscription: &Value) -> Response {
    server.ask(Some(token), "PUT", "/api/push/subscription", Some(subscription))
}

/// Subscribes a device at a path of the service.
pub(crate) fn subscribe(server: &Server, token: &str, service: &Service, path: &str) -> Browser {
    let browser = Browser::new();
    let response = put(server, token, &browser.subscription(&service.endpoint(path)));
    assert_eq!(response.status, 200);
    browser
}

/// Rings the device once; what came of it.
pub(crate) fn ring(server: &Server, token: &str) -> Value {
    let response = server.ask(Some(token), "POST", "/api/push/test", Some(&json!({})));
    assert_eq!(response.status, 200);
    response.json()
}

fn subscriptions(server: &Server, token: &str) -> Vec<Value> {
    let told = server.ask(Some(token), "GET", "/api/push/subscription", None).json();
    told["subscriptions"].as_array().unwrap().clone()
}
