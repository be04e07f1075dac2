//! The server: whether it runs, answers, and can write; else whether its port is free.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use super::scene::Server;
use super::{Finding, Scene};

const PATIENCE: Duration = Duration::from_secs(3);

pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    match scene.server {
        Server::None => vec![port(&scene.options.listen)],
        Server::Running(process) => running(&scene.options.listen, process),
    }
}

fn port(listen: &str) -> Finding {
    const CHECK: &str = "port";
    match TcpListener::bind(listen) {
        Ok(_) => Finding::ok(CHECK, format!("no server runs; {listen} is free")),
        Err(error) => Finding::problem(
            CHECK,
            format!("no server runs here, and {listen} cannot be listened on: {error}"),
            "stop the program that uses it, or choose another address with --listen",
        ),
    }
}

fn running(listen: &str, process: Option<u32>) -> Vec<Finding> {
    const CHECK: &str = "server";
    let who = process.map_or_else(|| "a server".to_owned(), |process| format!("process {process}"));
    let Some((status, _)) = ask(listen, "/healthz") else {
        let text = format!("{who} works in this folder, but nothing answers at {listen}");
        return vec![Finding::problem(CHECK, text, "say with --listen where it listens; its log tells")];
    };
    if status != 200 {
        let text = format!("{who} works in this folder; {listen} answers /healthz with {status}");
        return vec![Finding::problem(CHECK, text, "see whether another program listens there")];
    }
    match ask(listen, "/readyz") {
        Some((200, _)) => vec![Finding::ok(CHECK, format!("{who} serves at {listen} and can write"))],
        Some((status, body)) => {
            let reason = serde_json::from_str::<serde_json::Value>(&body).ok();
            let reason = reason
                .as_ref()
                .and_then(|body| body["error"]["message"].as_str())
                .unwrap_or("no reason given");
            let text = format!("{who} serves at {listen}, but /readyz says {status}: {reason}");
            vec![Finding::problem(CHECK, text, "see to the reason, then restart the server")]
        }
        None => vec![Finding::problem(
            CHECK,
            format!("{listen} does not answer /readyz"),
            "read the server's log",
        )],
    }
}

/// A question of the kind that needs no client: the status and the body.
fn ask(address: &str, path: &str) -> Option<(u16, String)> {
    let address = address.to_socket_addrs().ok()?.next()?;
    let mut socket = TcpStream::connect_timeout(&address, PATIENCE).ok()?;
    socket.set_read_timeout(Some(PATIENCE)).ok()?;
    write!(socket, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    socket.take(64 * 1024).read_to_string(&mut answer).ok()?;
    let status = answer.split(' ').nth(1)?.parse().ok()?;
    let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned())?;
    Some((status, body))
}
