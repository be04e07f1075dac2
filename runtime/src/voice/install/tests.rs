//! Over a real server on this machine, which can cut connections.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;
use crate::voice::catalogue::{Engine, File};

const MODEL: Entry = Entry {
    name: "small",
    engine: Engine::Whisper,
    hears: "nothing",
    licence: "none",
    address: None,
    files: &[
        File { name: "tokens.txt", bytes: 6, sha256: None },
        File { name: "encoder.onnx", bytes: 300_000, sha256: None },
    ],
};

/// A server of files. It keeps what it was asked: the path, and from where on.
#[derive(Default)]
struct House {
    files: BTreeMap<&'static str, Vec<u8>>,
    /// How many bytes of a file it gives before it cuts the connection, one for each request for `encoder.onnx`.
    cuts: Vec<usize>,
    /// Whether it knows no ranges.
    whole: bool,
    asked: Vec<(String, Option<String>)>,
}

type Shared = Arc<Mutex<House>>;

fn of(house: &Shared) -> std::sync::MutexGuard<'_, House> {
    house.lock().unwrap_or_else(PoisonError::into_inner)
}

fn sum(bytes: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(bytes);
    sums::written(hash)
}

fn bytes(seed: usize) -> Vec<u8> {
    (0..300_000_usize).map(|n| (n * 7 + n / 251 + seed) as u8).collect()
}

/// The files of a model, with the hashes beside them.
fn house(encoder: Vec<u8>) -> House {
    let listed = format!("{}  tokens.txt\n{} *encoder.onnx\n", sum(b"a\nb\nc\n"), sum(&encoder));
    let files = [
        ("/tokens.txt", b"a\nb\nc\n".to_vec()),
        ("/encoder.onnx", encoder),
        ("/SHA256SUMS", listed.into_bytes()),
    ];
    House { files: files.into_iter().collect(), ..House::default() }
}

async fn serve(house: House) -> (Source, Shared) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let source = Source::read(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let house = Arc::new(Mutex::new(house));
    let shared = Arc::clone(&house);
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                request.push(socket.read_u8().await.unwrap());
            }
            let request = String::from_utf8(request).unwrap();
            let header = |name: &str| {
                let lines = request.lines().filter_map(|line| line.split_once(": "));
                lines.into_iter().find(|line| line.0.eq_ignore_ascii_case(name)).map(|line| line.1.to_owned())
            };
            let path = request.split(' ').nth(1).unwrap().to_owned();
            let answer = answer(&mut of(&house), path, header("range"), header("if-range"));
            socket.write_all(&answer).await.unwrap();
            // What was cut ends here, before its length.
            socket.shutdown().await.unwrap();
        }
    });
    (source, shared)
}

fn answer(house: &mut House, path: String, range: Option<String>, version: Option<String>) -> Vec<u8> {
    house.asked.push((path.clone(), range.clone()));
    let Some(file) = house.files.get(path.as_str()) else {
        return b"HTTP/1.1 404 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_vec();
    };
    let tag = format!("\"{}\"", &sum(file)[..8]);
    let fits = !house.whole && version.is_none_or(|version| version == tag);
    let from = range.filter(|_| fits).map(|range| {
        range.strip_prefix("bytes=").unwrap().strip_suffix('-').unwrap().parse::<usize>().unwrap()
    });
    let length = file.len();
    let (status, more, body) = match from {
        Some(from) if from >= length => (416, format!("Content-Range: bytes */{length}\r\n"), &[][..]),
        Some(from) => {
            (206, format!("Content-Range: bytes {from}-{}/{length}\r\n", length - 1), &file[from..])
        }
        None => (200, String::new(), &file[..]),
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\nETag: {tag}\r\n{more}Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let cut = (path == "/encoder.onnx" && !house.cuts.is_empty()).then(|| house.cuts.remove(0));
    [head.as_bytes(), &body[..cut.unwrap_or(body.len()).min(body.len())]].concat()
}

/// A folder that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        Self(std::env::temp_dir().join(format!("handset-install-{}", crate::ids::secret().unwrap())))
    }

    fn file(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join("small").join(name)).unwrap()
    }

    async fn install(&self, source: &Source, attempts: u32) -> Result<Installed, String> {
        let patience = Patience { attempts, pause: Duration::from_millis(1) };
        install(&MODEL, source, &self.0, patience, &mut Quiet).await
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Quiet;

impl Watch for Quiet {
    fn at(&mut self, _: &str, done: u64, from: u64, total: Option<u64>) {
        assert!(from <= done && total.is_none_or(|total| done <= total));
    }

    fn note(&mut self, _: &str) {}
}

fn ranges(house: &Shared) -> Vec<Option<String>> {
    let asked = &of(house).asked;
    asked.iter().filter(|(path, _)| path == "/encoder.onnx").map(|(_, range)| range.clone()).collect()
}

#[tokio::test]
async fn a_cut_connection_is_gone_on_with_from_where_it_was() {
    let folder = Folder::new();
    let (source, house) = serve(House { cuts: vec![100_000, 0, 50_000], ..house(bytes(1)) }).await;
    let installed = folder.install(&source, 3).await.unwrap();
    assert!(!installed.already && installed.unknown.is_empty());
    assert_eq!(installed.folder, folder.0.join("small"));
    assert_eq!(folder.file("encoder.onnx"), bytes(1));
    let from = |byte: usize| Some(format!("bytes={byte}-"));
    assert_eq!(ranges(&house), [None, from(100_000), from(100_000), from(150_000)]);
    let left: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["small"], "nothing is left beside it");
}

#[tokio::test]
async fn what_came_is_kept_for_the_next_attempt() {
    let folder = Folder::new();
    let (source, house) = serve(House { cuts: vec![120_000], ..house(bytes(1)) }).await;
    let fault = folder.install(&source, 0).await.unwrap_err();
    assert!(fault.contains("(120000 bytes) is kept"), "{fault}");
    assert!(!folder.0.join("small").exists(), "nothing is in its place before it is whole");
    folder.install(&source, 0).await.unwrap();
    assert_eq!(folder.file("encoder.onnx"), bytes(1));
    assert_eq!(ranges(&house), [None, Some("bytes=120000-".to_owned())]);
    let tokens = of(&house).asked.iter().filter(|(path, _)| path == "/tokens.txt").count();
    assert_eq!(tokens, 1, "what is there and right is not fetched again");
}

#[tokio::test]
async fn what_has_another_hash_is_refused_and_thrown_away() {
    let folder = Folder::new();
    let mut wrong = house(bytes(1));
    wrong.files.insert("/encoder.onnx", bytes(2));
    let (source, _) = serve(wrong).await;
    let fault = folder.install(&source, 0).await.unwrap_err();
    assert!(fault.contains(&sum(&bytes(1))) && fault.contains(&sum(&bytes(2))), "{fault}");
    assert!(!folder.0.join("small").exists());
    assert!(!folder.0.join(".small.part/encoder.onnx.part").exists());
}

#[tokio::test]
async fn a_file_that_became_another_is_not_put_together_of_both() {
    for listed in [true, false] {
        let folder = Folder::new();
        let (source, house) = serve(House { cuts: vec![120_000], ..house(bytes(1)) }).await;
        let (other, _) = (bytes(2), of(&house).files.remove("/SHA256SUMS"));
        folder.install(&source, 0).await.unwrap_err();
        if listed {
            let sums = format!("{}  encoder.onnx\n", sum(&other));
            of(&house).files.insert("/SHA256SUMS", sums.into_bytes());
        }
        of(&house).files.insert("/encoder.onnx", other.clone());
        folder.install(&source, 0).await.unwrap();
        assert_eq!(folder.file("encoder.onnx"), other);
    }
}

#[tokio::test]
async fn what_an_earlier_attempt_left_of_another_file_is_found_out_by_the_hash() {
    let folder = Folder::new();
    let (source, house) = serve(house(bytes(2))).await;
    let part = folder.0.join(".small.part");
    fs::create_dir_all(&part).unwrap();
    fs::write(part.join("encoder.onnx.part"), &bytes(1)[..100_000]).unwrap();
    folder.install(&source, 0).await.unwrap();
    assert_eq!(folder.file("encoder.onnx"), bytes(2));
    assert_eq!(ranges(&house), [Some("bytes=100000-".to_owned()), None]);
}

#[tokio::test]
async fn a_server_without_ranges_is_asked_for_all_of_it() {
    let folder = Folder::new();
    let (source, _) = serve(House { cuts: vec![100_000], whole: true, ..house(bytes(1)) }).await;
    folder.install(&source, 1).await.unwrap();
    assert_eq!(folder.file("encoder.onnx"), bytes(1));
}

#[tokio::test]
async fn what_is_installed_is_not_fetched_again_unless_it_is_damaged() {
    let folder = Folder::new();
    let (source, house) = serve(house(bytes(1))).await;
    folder.install(&source, 0).await.unwrap();
    let asked = of(&house).asked.len();
    assert!(folder.install(&source, 0).await.unwrap().already);
    assert_eq!(of(&house).asked.len(), asked);
    fs::write(folder.0.join("small/encoder.onnx"), "damaged").unwrap();
    assert!(!folder.install(&source, 0).await.unwrap().already);
    assert_eq!(folder.file("encoder.onnx"), bytes(1));
}

#[tokio::test]
async fn without_a_hash_the_size_is_looked_at_and_that_is_told() {
    let folder = Folder::new();
    let mut bare = house(bytes(1));
    bare.files.remove("/SHA256SUMS");
    let (source, house) = serve(bare).await;
    let installed = folder.install(&source, 0).await.unwrap();
    assert_eq!(installed.unknown, ["tokens.txt", "encoder.onnx"]);
    let folder = Folder::new();
    of(&house).files.insert("/encoder.onnx", b"<html>sign in</html>".to_vec());
    let fault = folder.install(&source, 0).await.unwrap_err();
    assert!(fault.contains("20 bytes") && fault.contains("300000 are expected"), "{fault}");
}

/// The maker's own hash is not overruled by what stands beside the files.
#[tokio::test]
async fn the_catalogues_hash_counts() {
    const SURE: Entry = Entry {
        files: &[File {
            name: "tokens.txt",
            bytes: 6,
            sha256: Some("0000000000000000000000000000000000000000000000000000000000000000"),
        }],
        ..MODEL
    };
    let folder = Folder::new();
    let (source, _) = serve(house(bytes(1))).await;
    let fault = install(&SURE, &source, &folder.0, Patience::default(), &mut Quiet).await.unwrap_err();
    assert!(fault.contains("and 0000"), "{fault}");
}

#[tokio::test]
async fn a_folder_will_do() {
    let (folder, from) = (Folder::new(), Folder::new());
    fs::create_dir_all(&from.0).unwrap();
    for (name, bytes) in house(bytes(1)).files {
        fs::write(from.0.join(&name[1..]), bytes).unwrap();
    }
    let source = Source::read(&format!("file://{}", from.0.display())).unwrap();
    folder.install(&source, 0).await.unwrap();
    assert_eq!(folder.file("encoder.onnx"), bytes(1));
    let mode = fs::metadata(&folder.0).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o700, "a folder that is made may become that of the data");
    fs::remove_file(from.0.join("encoder.onnx")).unwrap();
    let fault = Folder::new().install(&source, 0).await.unwrap_err();
    assert!(fault.contains("encoder.onnx cannot be copied"), "{fault}");
}

#[tokio::test]
async fn what_is_not_there_is_told() {
    let folder = Folder::new();
    let mut none = house(bytes(1));
    none.files.remove("/encoder.onnx");
    let (source, _) = serve(none).await;
    let fault = folder.install(&source, 0).await.unwrap_err();
    assert!(fault.contains("encoder.onnx cannot be fetched") && fault.contains("404"), "{fault}");
    let nobody = Source::read("http://127.0.0.1:1/").unwrap();
    let fault = folder.install(&nobody, 0).await.unwrap_err();
    assert!(fault.contains("SHA256SUMS"), "{fault}");
}
