//! `cargo spec watch` as a process: what it says after each save. Every wait is for a line, with a deadline.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use crate::support::path;

/// So long a line is waited for: a bound for a busy machine, not what is expected.
const DEADLINE: Duration = Duration::from_secs(60);

struct Watch {
    child: Child,
    lines: Receiver<String>,
    said: Vec<String>,
    folder: tempfile::TempDir,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn forward(from: impl Read + Send + 'static, to: Sender<String>) {
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if to.send(line).is_err() {
                break;
            }
        }
    });
}

impl Watch {
    fn start(arguments: &[&str], cargo: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for file in ["loop.json", "tools/phone_action.json", "conformance/phone.json"] {
            let to = folder.path().join("specs").join(file);
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(path("base/specs").join(file), to).unwrap();
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-spec"));
        command.arg("watch").args(arguments).current_dir(folder.path()).env("NO_COLOR", "1");
        if let Some(cargo) = cargo {
            let script = folder.path().join("cargo");
            executable(&script, cargo);
            command.env("CARGO", script);
        }
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (send, lines) = channel();
        forward(child.stdout.take().unwrap(), send.clone());
        forward(child.stderr.take().unwrap(), send);
        Self { child, lines, said: Vec::new(), folder }
    }

    /// Waits for the first line that has all of these.
    fn until(&mut self, parts: &[&str]) -> String {
        let end = Instant::now() + DEADLINE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("no line with {parts:?}; said was:\n{}", self.said.join("\n"));
            };
            self.said.push(line.clone());
            if parts.iter().all(|part| line.contains(part)) {
                return line;
            }
        }
    }

    /// Waits for a line with each of these, in any order: two streams bring them.
    fn until_each(&mut self, parts: &[&str]) {
        let mut left = parts.to_vec();
        while !left.is_empty() {
            let line = self.until(&[]);
            left.retain(|part| !line.contains(part));
        }
    }

    /// Waits for the end of the first round.
    fn ready(mut self) -> Self {
        self.until(&["watching specs"]);
        self.until(&["3 spec files without a fault"]);
        self.until(&["wrote generated/src/version.rs"]);
        self
    }

    fn specs(&self) -> PathBuf {
        self.folder.path().join("specs")
    }

    fn file(&self) -> PathBuf {
        self.specs().join("loop.json")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.file()).unwrap()
    }

    fn save(&self, text: &str) {
        std::fs::write(self.file(), text).unwrap();
    }

    fn generated(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.path().join("generated").join(file)).unwrap()
    }
}

#[cfg(unix)]
fn executable(file: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(file, text).unwrap();
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_save_is_checked_told_and_written() {
    let mut watch = Watch::start(&[], None).ready();
    let good = watch.text();

    watch.save(&good.replace("clock_time", "clok_time").replace("\"Declined.\"", "\"{{x}}\""));
    watch.until_each(&[
        "error[unknown-kind]",
        "did you mean `clock_time`?",
        "error[unknown-hole]",
        "2 faults in the spec",
        "after the save); nothing is written",
    ]);

    watch.save(&good.replace("Declined.", "It was declined."));
    watch.until(&["3 spec files without a fault", "after the save"]);
    watch.until(&["wrote generated/src/texts/phone.rs"]);
    assert!(watch.generated("src/texts/phone.rs").contains("It was declined."));
}

#[test]
fn broken_json_is_survived() {
    let mut watch = Watch::start(&[], None).ready();
    let good = watch.text();
    watch.save(&good[..good.len() / 2]);
    watch.until_each(&["error[not-json]", "; nothing is written"]);
    std::fs::write(watch.file(), b"\xff\xfe{").unwrap();
    watch.until(&["error[not-utf8]"]);
    watch.save("");
    watch.until(&["error[not-json]"]);
    watch.save(&good);
    watch.until(&["3 spec files without a fault"]);
}

#[test]
fn an_editor_that_saves_by_rename_is_seen() {
    let mut watch = Watch::start(&[], None).ready();
    let good = watch.text();
    let aside = watch.specs().join(".loop.json.swp");
    for word in ["One.", "Two.", "Six."] {
        // The same length each time; the time is set back to that of the file before, as some tools do.
        let time = std::fs::metadata(watch.file()).unwrap().modified().unwrap();
        std::fs::write(&aside, good.replace("Failed.", word)).unwrap();
        std::fs::File::options().write(true).open(&aside).unwrap().set_modified(time).unwrap();
        std::fs::rename(&aside, watch.file()).unwrap();
        watch.until(&["3 spec files without a fault"]);
        watch.until(&["wrote generated/src/texts/phone.rs"]);
        assert!(watch.generated("src/texts/phone.rs").contains(word));
    }
    // The old one aside, the new one in its place: for a moment there is none.
    let backup = watch.specs().join("loop.json~");
    std::fs::rename(watch.file(), &backup).unwrap();
    watch.save(&good.replace("Failed.", "Anew."));
    watch.until(&["wrote generated/src/texts/phone.rs"]);
    assert!(watch.generated("src/texts/phone.rs").contains("Anew."));
}

#[test]
fn two_saves_of_one_time_and_length_are_two() {
    let mut watch = Watch::start(&[], None).ready();
    let good = watch.text();
    let time = std::time::SystemTime::now();
    for word in ["One.", "Two.", "Six.", "Ten."] {
        // Written in place, without another time: only what the file holds tells them apart where the clock is coarse.
        let text = good.replace("Failed.", word);
        std::fs::write(watch.file(), text).unwrap();
        std::fs::File::options().write(true).open(watch.file()).unwrap().set_modified(time).unwrap();
        watch.until(&["wrote generated/src/texts/phone.rs"]);
        assert!(watch.generated("src/texts/phone.rs").contains(word));
    }
}

#[test]
fn files_come_and_go() {
    let mut watch = Watch::start(&[], None).ready();
    let case = r#"{"suite": "calls", "cases": [{"name": "no-case", "call": {}, "expect": {}}]}"#;
    std::fs::write(watch.specs().join("conformance/calls.json"), case).unwrap();
    watch.until(&["specs/conformance/calls.json:1:"]);
    std::fs::remove_file(watch.specs().join("conformance/calls.json")).unwrap();
    watch.until(&["3 spec files without a fault"]);
    let tool = std::fs::read(watch.specs().join("tools/phone_action.json")).unwrap();
    std::fs::remove_dir_all(watch.specs().join("tools")).unwrap();
    watch.until(&["error[missing-file]"]);
    std::fs::create_dir(watch.specs().join("tools")).unwrap();
    std::fs::write(watch.specs().join("tools/phone_action.json"), tool).unwrap();
    watch.until(&["3 spec files without a fault"]);
}

#[test]
fn a_misspelled_marker_is_told_and_not_every_case_of_it() {
    let mut watch = Watch::start(&[], None).ready();
    let cases = std::fs::read(path("base/specs/conformance/markers.json")).unwrap();
    std::fs::write(watch.specs().join("conformance/markers.json"), cases).unwrap();
    watch.until(&["4 spec files without a fault"]);
    let good = watch.text();
    watch.save(&good.replace("\"hangup\": {", "\"hang_up\": {"));
    watch.until_each(&["did you mean `hangup`?", "1 fault in the spec"]);
    watch.save(&good);
    watch.until(&["4 spec files without a fault"]);
}

/// Watch modes of other compilers stick once the folder has been away.
#[test]
fn a_folder_moved_away_and_back_does_not_make_it_stick() {
    let mut watch = Watch::start(&[], None).ready();
    let away = watch.folder.path().join("away");
    for _ in 0..2 {
        std::fs::rename(watch.specs(), &away).unwrap();
        watch.until(&["waiting: ", "there is no such folder"]);
        std::fs::rename(&away, watch.specs()).unwrap();
        watch.until(&["3 spec files without a fault"]);
    }
    let good = watch.text();
    watch.save(&good.replace("Failed.", "Anew."));
    watch.until(&["wrote generated/src/texts/phone.rs"]);
}

#[test]
fn programs_get_faults_as_json_and_nothing_else() {
    let mut watch = Watch::start(&["--format", "json"], None);
    let good = watch.text();
    watch.save(&good.replace("clock_time", "clok_time"));
    let line = watch.until(&["unknown-kind"]);
    assert!(line.starts_with("{\"rule\":\"unknown-kind\""), "{line}");
    assert!(watch.said.iter().all(|line| line.starts_with('{')), "{:?}", watch.said);
}

/// A cargo that builds a server of shell, or fails where the spec says `Broken.`.
#[cfg(unix)]
const CARGO: &str = r#"#!/bin/sh
if grep -q 'Broken\.' specs/loop.json; then echo 'error: no such thing' >&2; exit 101; fi
word=$(grep -o '"failed": "[A-Za-z]*' specs/loop.json | head -n 1 | cut -d '"' -f 4)
cat >server.$word <<END
#!/bin/sh
trap 'kill \$!; echo "server $word stopped"; exit 0' TERM
sleep 1000 >/dev/null 2>&1 &
echo "server $word started with \$*"
wait
END
chmod +x server.$word
echo '{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"x"},"executable":null}'
echo "{\"reason\":\"compiler-artifact\",\"target\":{\"kind\":[\"bin\"],\"name\":\"handset\"},\"executable\":\"$PWD/server.$word\"}"
echo '{"reason":"build-finished","success":true}'
"#;

#[cfg(unix)]
#[test]
fn the_server_follows_and_outlives_a_build_that_fails() {
    let mut watch = Watch::start(&["--run", "--", "--port", "0"], Some(CARGO));
    watch.until(&["building the server"]);
    watch.until(&["server Failed started with --port 0"]);
    let good = watch.text();

    watch.save(&good.replace("Failed.", "Second."));
    watch.until(&["server Failed stopped"]);
    watch.until(&["server Second started"]);

    watch.save(&good.replace("Failed.", "Broken."));
    watch.until(&["error: no such thing"]);
    watch.until(&["the build failed", "the server goes on as it was"]);
    watch.save("{");
    watch.until(&["1 fault ("]);
    assert!(!watch.said.iter().any(|line| line.contains("server Second stopped")), "{:?}", watch.said);

    watch.save(&good.replace("Failed.", "Third."));
    watch.until(&["server Second stopped"]);
    watch.until(&["server Third started"]);

    // Another case changes nothing of the server.
    let cases = watch.specs().join("conformance/phone.json");
    let text = std::fs::read_to_string(&cases).unwrap().replace("an-alarm", "one-alarm");
    std::fs::write(cases, text).unwrap();
    watch.until(&["nothing of the server changes"]);

    // The watching is killed: the server ends in order all the same.
    watch.child.kill().unwrap();
    watch.until(&["server Third stopped"]);
}

#[cfg(unix)]
#[test]
fn a_server_that_ends_is_started_with_the_next_change() {
    let dying = CARGO.replace("wait\nEND", "exit 7\nEND");
    let mut watch = Watch::start(&["--run"], Some(&dying));
    watch.until(&["the server ended (exit status: 7)"]);
    let good = watch.text();
    watch.save(&good.replace("Failed.", "Second."));
    watch.until(&["server Second started"]);
}
