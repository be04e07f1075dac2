//! `handset doctor`: what is configured, reachable and missing, with what to do about each.
//!
//! It looks and changes nothing, with or without a server running. Another part of the program adds its own checks by one
//! more function in [`CHECKS`].

mod clock;
mod database;
mod files;
mod model;
mod push;
mod reach;
mod scene;
mod speech;
mod voice;

use std::io::{self, Write};

use serde::Serialize;

pub use self::scene::{Options, Scene};

/// How a finding is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// As it should be.
    Ok,
    /// Worth knowing; nothing is wrong.
    Note,
    /// Something does not work, or soon will not.
    Problem,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at, in one word or two.
    pub check: &'static str,
    /// How to take it.
    pub level: Level,
    /// What was found.
    pub found: String,
    /// What to do: a command where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub todo: Option<String>,
}

impl Finding {
    /// As it should be.
    pub fn ok(check: &'static str, found: impl Into<String>) -> Self {
        Self { check, level: Level::Ok, found: found.into(), todo: None }
    }

    /// Worth knowing.
    pub fn note(check: &'static str, found: impl Into<String>) -> Self {
        Self { check, level: Level::Note, found: found.into(), todo: None }
    }

    /// Wrong, and what to do.
    pub fn problem(check: &'static str, found: impl Into<String>, todo: impl Into<String>) -> Self {
        Self { check, level: Level::Problem, found: found.into(), todo: Some(todo.into()) }
    }

    /// With what to do.
    #[must_use]
    pub fn todo(mut self, todo: impl Into<String>) -> Self {
        self.todo = Some(todo.into());
        self
    }
}

/// One look at the scene.
pub type Check = fn(&Scene) -> Vec<Finding>;

/// Every check, in the order in which they are told.
pub const CHECKS: &[Check] = &[
    program,
    files::folder,
    files::token,
    files::space,
    files::mount,
    database::check,
    reach::check,
    model::check,
    push::check,
    voice::check,
    speech::check,
    clock::check,
];

fn program(_: &Scene) -> Vec<Finding> {
    let found = format!("Handset {} with spec {}", env!("CARGO_PKG_VERSION"), handset_spec::VERSION);
    vec![Finding::ok("program", found)]
}

#[derive(Serialize)]
struct Report<'a> {
    /// Whether there is no problem.
    ok: bool,
    findings: &'a [Finding],
}

/// Looks at everything and writes what was found; true where there is no problem.
///
/// # Errors
/// When nothing can be written to `out`.
pub fn run(options: &Options, json: bool, out: &mut dyn Write) -> io::Result<bool> {
    let scene = Scene::look(options)?;
    let findings: Vec<Finding> = CHECKS.iter().flat_map(|check| check(&scene)).collect();
    let ok = findings.iter().all(|finding| finding.level != Level::Problem);
    if json {
        serde_json::to_writer_pretty(&mut *out, &Report { ok, findings: &findings })?;
        writeln!(out)?;
    } else {
        for Finding { check, level, found, todo } in &findings {
            let mark = match level {
                Level::Ok => "ok",
                Level::Note => "note",
                Level::Problem => "PROBLEM",
            };
            writeln!(out, "{mark:<8} {check:<10} {found}")?;
            if let Some(todo) = todo {
                writeln!(out, "{:<19} → {todo}", "")?;
            }
        }
    }
    out.flush()?;
    Ok(ok)
}
