//! The start: what is made, what is printed, and what is said when it cannot be.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;

use handset_spec::Language;
use handset_spec_macros::text;

use crate::process::{Folder, Server, command, run};

#[test]
fn the_banner_and_the_folder() {
    let data = Folder::new();
    let server = Server::start(&data);
    assert!(server.banner.contains(text!(demo.banner in Language::En)));
    assert!(server.banner.contains(handset_spec::VERSION));
    let token = std::fs::read_to_string(data.path().join("token")).unwrap();
    assert_eq!(token.trim(), server.token);
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(data.path().to_owned()), 0o700);
    assert_eq!(mode(data.path().join("token")), 0o600);
    let database = std::fs::read(data.path().join("handset.db")).unwrap();
    let log = std::fs::read(data.path().join("handset.db-wal")).unwrap_or_default();
    let holds = |bytes: &[u8]| bytes.windows(64).any(|part| part == server.token.as_bytes());
    assert!(!holds(&database) && !holds(&log), "the store keeps the hash alone");
}

#[test]
fn a_port_in_use_is_named() {
    let data = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut command = std::process::Command::new(crate::binary::path());
    command.args(["--listen", &address, "--data"]).arg(data.path());
    let (status, out, errors) = run(command, None);
    assert_eq!((status.code(), out.as_str()), (Some(1), ""));
    assert!(errors.contains(&address) && errors.contains("--listen"), "{errors}");
}

/// P151: one server in a folder at a time.
#[test]
fn p151_a_folder_in_use_is_named() {
    let data = Folder::new();
    let _server = Server::start(&data);
    let (status, _, errors) = run(command(data.path()), None);
    assert_eq!(status.code(), Some(1));
    assert!(errors.contains("another server") && errors.contains("--data"), "{errors}");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let data = Folder::new();
    std::fs::write(data.path(), "a file").unwrap();
    let (status, _, errors) = run(command(data.path()), None);
    assert_eq!(status.code(), Some(1));
    assert!(errors.contains(&data.path().display().to_string()) && errors.contains("is a file"), "{errors}");
    std::fs::remove_file(data.path()).unwrap();
}

#[test]
fn a_token_file_without_a_token_is_named() {
    let data = Folder::new();
    std::fs::create_dir_all(data.path()).unwrap();
    std::fs::write(data.path().join("token"), "secret\n").unwrap();
    let (status, _, errors) = run(command(data.path()), None);
    assert_eq!(status.code(), Some(1));
    assert!(errors.contains("token") && !errors.contains("secret"), "{errors}");
}

/// Deleting the token's file makes a new token at the next start, and the old one is no longer known.
#[test]
fn a_deleted_token_is_replaced() {
    let data = Folder::new();
    let old = {
        let server = Server::start(&data);
        server.token.clone()
    };
    std::fs::remove_file(data.path().join("token")).unwrap();
    let server = Server::start(&data);
    assert_ne!(server.token, old);
    server.get("/api/chats");
    let request = crate::http::Request { token: Some(&old), ..server.request("GET", "/api/chats") };
    assert_eq!(request.send(&server.address).status, 401);
}
