//! The server's key: made once, kept for its owner alone, and never written over.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::process::{Folder, Server, command, run};

#[test]
fn the_key_is_made_once_and_kept() {
    let data = Folder::new();
    let first = Server::start(&data);
    let key = first.get("/api/push/key")["key"].as_str().unwrap().to_owned();
    assert_eq!(super::browser::from_base64url(&key).len(), 65);
    let path = data.path().join("push-key.pem");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(first.stop().success());
    let second = Server::start(&data);
    assert_eq!(second.get("/api/push/key")["key"].as_str(), Some(&*key));
    assert!(!second.banner.contains("BEGIN"));
}

/// A file that cannot be read as a key keeps the server from starting, and stays as it is: a new key would silence every
/// phone.
#[test]
fn a_key_that_cannot_be_read_is_never_written_over() {
    let data = Folder::new();
    assert!(Server::start(&data).stop().success());
    let path = data.path().join("push-key.pem");
    let pem = std::fs::read(&path).unwrap();
    let half = &pem[..pem.len() / 2];
    for broken in [b"".as_slice(), b"secret", half, b"\xff\xfe\x00"] {
        std::fs::write(&path, broken).unwrap();
        let (status, _, errors) = run(command(data.path()), None);
        assert!(!status.success());
        assert!(errors.contains("push-key.pem") && errors.contains("backup"), "{errors}");
        assert!(!errors.contains("secret"), "{errors}");
        assert_eq!(std::fs::read(&path).unwrap(), broken);
    }
    std::fs::write(&path, &pem).unwrap();
    Server::start(&data).get("/api/push/key");
}

/// A key that OpenSSL made will do as well.
#[test]
fn a_key_of_openssl_will_do() {
    let made = Command::new("openssl")
        .args(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"])
        .output();
    let Ok(made) = made else {
        println!("not run: openssl is missing. Debian: apt-get install openssl");
        return;
    };
    let data = Folder::new();
    std::fs::create_dir_all(data.path()).unwrap();
    std::fs::write(data.path().join("push-key.pem"), &made.stdout).unwrap();
    let server = Server::start(&data);
    assert!(server.get("/api/push/key")["key"].is_string());
}
