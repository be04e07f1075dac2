//! One run of `cargo build`, beside the watching.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::read::parse;

/// A build that runs.
pub(super) struct Build {
    child: Child,
    /// The program that cargo says it made, once it has ended.
    program: Receiver<Option<PathBuf>>,
}

impl Build {
    /// Starts it in the workspace's folder.
    pub(super) fn start(root: &Path, release: bool) -> io::Result<Self> {
        // Under `cargo spec` this is the cargo that runs it.
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--message-format=json-render-diagnostics"]).current_dir(root);
        if release {
            command.arg("--release");
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let (send, program) = channel();
        if let Some(out) = child.stdout.take() {
            std::thread::spawn(move || {
                let lines = BufReader::new(out).lines().map_while(Result::ok);
                let last = lines.filter_map(|line| made(&line)).last();
                // Whoever does not wait for it any more does not need it.
                let _ = send.send(last);
            });
        }
        Ok(Self { child, program })
    }

    /// Whether it has ended, and what came of it: the program, if it went well.
    pub(super) fn ended(&mut self) -> io::Result<Option<(ExitStatus, Option<PathBuf>)>> {
        let Some(status) = self.child.try_wait()? else { return Ok(None) };
        // Its output ends with it, and the thread that reads it has few lines left; but for what it may have left running.
        let program = self.program.recv_timeout(Duration::from_secs(2)).ok().flatten();
        Ok(Some((status, program.filter(|_| status.success()))))
    }

    /// Ends it: what it builds is not what the specs say any more.
    pub(super) fn stop(mut self) {
        // One that has ended by itself cannot be ended, and need not be.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program that a line of cargo's output speaks of.
fn made(line: &str) -> Option<PathBuf> {
    let node = parse(line).ok()?;
    let kinds = node.get("target")?.get("kind")?.as_array()?;
    let program = kinds.iter().any(|kind| kind.as_str() == Some("bin"));
    node.get("executable")?.as_str().filter(|_| program).map(PathBuf::from)
}
