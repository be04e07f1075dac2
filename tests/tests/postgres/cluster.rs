//! A PostgreSQL server of its own: made, started on a socket in a folder of its own, and gone with the test.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) struct Cluster {
    folder: PathBuf,
    programs: PathBuf,
    as_postgres: bool,
}

impl Cluster {
    /// Starts one, or says what is missing and how to get it.
    pub(crate) fn start() -> Result<Self, String> {
        let programs = programs().ok_or(
            "PostgreSQL's initdb and pg_ctl are missing. Debian: apt-get install postgresql-15; or name their folder in \
             PG_BIN",
        )?;
        let folder = std::env::temp_dir().join(format!("handset-postgres-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        // PostgreSQL does not run as root; Debian's package brings a user for it.
        let root = Command::new("id").arg("-u").output().unwrap().stdout.trim_ascii() == b"0";
        let cluster = Self { folder, programs, as_postgres: root };
        if root {
            let given = Command::new("chown").arg("postgres").arg(&cluster.folder).status().unwrap();
            assert!(given.success(), "there is no user postgres to run the server as");
        }
        let data = cluster.folder.join("data");
        cluster
            .must("initdb", &["--no-sync", "-A", "trust", "-U", "handset", "-E", "UTF8", "-D", &text(&data)]);
        let options = format!("-c listen_addresses='' -c fsync=off -k {}", cluster.folder.display());
        let log = text(&cluster.folder.join("log"));
        cluster.must("pg_ctl", &["-w", "-D", &text(&data), "-o", &options, "-l", &log, "start"]);
        Ok(cluster)
    }

    /// Runs a script up to its first error, which is given with the statement.
    pub(crate) fn run(&self, script: &str) -> Result<(), String> {
        let path = self.folder.join("script.sql");
        std::fs::write(&path, script).unwrap();
        let folder = text(&self.folder);
        let arguments = [
            "-X",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-b",
            "-h",
            &folder,
            "-U",
            "handset",
            "-d",
            "postgres",
            "-f",
            &text(&path),
        ];
        let done = self.program("psql", &arguments);
        if done.status.success() {
            return Ok(());
        }
        Err(String::from_utf8_lossy(&done.stderr).into_owned())
    }

    fn must(&self, program: &str, arguments: &[&str]) {
        let done = self.program(program, arguments);
        assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn program(&self, program: &str, arguments: &[&str]) -> Output {
        let program = self.programs.join(program);
        let mut command = if self.as_postgres {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        // `pg_ctl` leaves the server behind: its output goes to a file, so that no pipe stays open.
        let (out, errors) = (self.folder.join("out"), self.folder.join("errors"));
        let file = |path: &Path| std::fs::File::create(path).unwrap();
        let status = command
            .args(arguments)
            .current_dir("/")
            .stdout(file(&out))
            .stderr(file(&errors))
            .status()
            .unwrap();
        Output { status, stdout: std::fs::read(out).unwrap(), stderr: std::fs::read(errors).unwrap() }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let data = self.folder.join("data");
        self.program("pg_ctl", &["-m", "immediate", "-D", &text(&data), "stop"]);
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Where the server's programs are: `PG_BIN`, Debian's place, or the path.
fn programs() -> Option<PathBuf> {
    let given = std::env::var_os("PG_BIN").map(PathBuf::from);
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let installed = versions.map(|version| version.path().join("bin"));
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = given.into_iter().chain(installed).collect();
    places.extend(std::env::split_paths(&paths));
    places.into_iter().find(|place| place.join("initdb").exists() && place.join("pg_ctl").exists())
}
