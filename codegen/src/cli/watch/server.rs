//! The server that is built and started again as the spec changes.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::super::arguments::Watching;
use super::super::places::Places;
use super::build::Build;

/// What runs, what is being built, and what comes next.
pub(super) struct Server {
    root: PathBuf,
    options: Watching,
    build: Option<Build>,
    /// Whether the last build went well, so that what runs is what the specs say.
    built: bool,
    running: Option<Child>,
    stopping: bool,
    next: Option<PathBuf>,
}

impl Server {
    pub(super) fn new(places: &Places, options: &Watching) -> Self {
        let root = places.specs.parent().unwrap_or(Path::new(".")).to_owned();
        Self {
            root,
            options: options.clone(),
            build: None,
            built: false,
            running: None,
            stopping: false,
            next: None,
        }
    }

    /// The spec is without a fault; `generated` says whether what is generated is new. Gives lines to say.
    pub(super) fn changed(&mut self, generated: bool) -> Vec<String> {
        if !generated && (self.built && self.running.is_some() || self.build.is_some()) {
            return vec!["nothing of the server changes".to_owned()];
        }
        if let Some(build) = self.build.take() {
            build.stop();
        }
        self.built = false;
        match Build::start(&self.root, self.options.release) {
            Ok(build) => {
                self.build = Some(build);
                vec!["building the server".to_owned()]
            }
            Err(error) => vec![format!("cannot run cargo: {error}")],
        }
    }

    /// Goes on with what is under way, and never waits. Gives lines to say.
    pub(super) fn tick(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        match self.build.as_mut().map(Build::ended) {
            None | Some(Ok(None)) => {}
            Some(Ok(Some((status, program)))) => {
                self.build = None;
                self.built = program.is_some();
                match program {
                    Some(program) => {
                        self.next = Some(program);
                        self.stop();
                    }
                    None if status.success() => lines.push("cargo built no program to start".to_owned()),
                    None => lines.push(format!("the build failed ({status}); {}", self.goes_on())),
                }
            }
            Some(Err(error)) => {
                self.build = None;
                lines.push(format!("cannot follow the build: {error}; {}", self.goes_on()));
            }
        }
        // One that cannot be asked is as good as gone.
        let ended = self.running.as_mut().and_then(|child| child.try_wait().transpose());
        if let Some(ended) = ended {
            self.running = None;
            let how = ended.map_or_else(|error| error.to_string(), |status| status.to_string());
            if !std::mem::take(&mut self.stopping) {
                lines.push(format!("the server ended ({how}); the next change starts it again"));
            }
        }
        if self.running.is_none()
            && let Some(program) = self.next.take()
        {
            match start(&program, &self.options.passed, &self.root) {
                Ok(child) => {
                    self.running = Some(child);
                    lines.push("started the server".to_owned());
                }
                Err(error) => lines.push(format!("cannot start {}: {error}", program.display())),
            }
        }
        lines
    }

    fn goes_on(&self) -> &'static str {
        if self.running.is_some() { "the server goes on as it was" } else { "no server runs" }
    }

    /// Has the running one end in order.
    fn stop(&mut self) {
        let Some(child) = &mut self.running else { return };
        self.stopping = true;
        // Its supervisor waits for this to close.
        drop(child.stdin.take());
        if !cfg!(unix) {
            // Nothing gentler is at hand; what was stored is stored. One that has ended already cannot be killed.
            let _ = child.kill();
        }
    }
}

/// Runs the program under a shell that asks it to end when its own standard input closes: so it ends in order, and also
/// when the watching itself is killed. After 15 seconds it is made to.
#[cfg(unix)]
fn start(program: &Path, passed: &[String], root: &Path) -> io::Result<Child> {
    const SUPERVISOR: &str = r#"
exec 3<&0
"$@" 3<&- </dev/null &
server=$!
{ read -r _ <&3; kill "$server"; sleep 15; kill -9 "$server"; } >/dev/null 2>&1 &
waiting=$!
exec 3<&-
wait "$server"
code=$?
kill "$waiting" 2>/dev/null
exit "$code""#;
    let mut command = Command::new("sh");
    command.args(["-c", SUPERVISOR, "server"]).arg(program).args(passed);
    command.current_dir(root).stdin(Stdio::piped()).spawn()
}

#[cfg(not(unix))]
fn start(program: &Path, passed: &[String], root: &Path) -> io::Result<Child> {
    Command::new(program).args(passed).current_dir(root).stdin(Stdio::piped()).spawn()
}
