//! The command line, read.

use std::path::PathBuf;

use crate::diagnostic::Format;
use crate::nearest::proposal;
use crate::sync::Mode;

const COMMANDS: &[&str] = &["check", "build", "diff", "watch", "new", "explain", "model", "emit", "help"];

/// What was asked for.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Arguments {
    pub(super) command: Command,
    pub(super) format: Format,
    pub(super) specs: Option<PathBuf>,
    pub(super) generated: Option<PathBuf>,
}

/// The commands.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum Command {
    Check,
    Build(Mode),
    /// Against which revision or folder; none is HEAD.
    Diff(Option<String>),
    Watch(Watching),
    /// What is new, and its words.
    New(Vec<String>),
    Explain(Option<String>),
    Model,
    Emit {
        templates: PathBuf,
        out: PathBuf,
        mode: Mode,
    },
    Help,
    Version,
}

/// What to do besides checking on every save.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Watching {
    /// Whether the server is built and started again.
    pub(super) run: bool,
    /// Whether it is built as for use.
    pub(super) release: bool,
    /// What the server is started with.
    pub(super) passed: Vec<String>,
}

impl Arguments {
    /// Reads the command line, in any order of options and words.
    pub(super) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut words: Vec<&str> = Vec::new();
        let (mut format, mut specs, mut generated) = (None, None, None);
        let (mut templates, mut out) = (None, None);
        let (mut check, mut dry_run) = (false, false);
        let mut against = None;
        let mut watching = Watching::default();
        let mut rest = arguments.iter().map(String::as_str);
        while let Some(argument) = rest.next() {
            let (option, attached) = match argument.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (option, Some(value)),
                _ => (argument, None),
            };
            let mut value = || {
                attached
                    .or_else(|| rest.next())
                    .filter(|value| !value.is_empty())
                    .ok_or_else(|| format!("`{option}` needs a value"))
            };
            match option {
                "--help" | "-h" => return Ok(Self::plain(Command::Help)),
                "--version" | "-V" => return Ok(Self::plain(Command::Version)),
                "--check" => check = true,
                "--dry-run" => dry_run = true,
                "--format" => format = Some(read_format(value()?)?),
                "--run" => watching.run = true,
                "--release" => watching.release = true,
                "--" => watching.passed.extend(rest.by_ref().map(str::to_owned)),
                "--against" => against = Some(value()?.to_owned()),
                "--specs" => specs = Some(PathBuf::from(value()?)),
                "--generated" => generated = Some(PathBuf::from(value()?)),
                "--templates" => templates = Some(PathBuf::from(value()?)),
                "--out" => out = Some(PathBuf::from(value()?)),
                // A number below zero is no option: it may be a bound.
                _ if option.starts_with('-') && !option[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                    let known = [
                        "--format",
                        "--specs",
                        "--generated",
                        "--templates",
                        "--out",
                        "--check",
                        "--dry-run",
                        "--against",
                        "--run",
                        "--release",
                        "--help",
                        "--version",
                    ];
                    return Err(format!("there is no option `{option}`; {}", proposal(option, &known)));
                }
                _ => words.push(argument),
            }
        }
        let (command, argument) = match *words {
            [] => return Err("say what to do".to_owned()),
            [command] => (command, None),
            ["new", ..] => ("new", None),
            ["explain", rule] => ("explain", Some(rule.to_owned())),
            [_, extra, ..] => return Err(format!("`{extra}` is one word too many")),
        };
        let mode = match (check, dry_run) {
            (true, true) => return Err("`--check` and `--dry-run` exclude each other".to_owned()),
            (true, false) => Mode::Check,
            (false, true) => Mode::DryRun,
            (false, false) => Mode::Write,
        };
        if command != "emit" && (templates.is_some() || out.is_some()) {
            let option = if templates.is_some() { "--templates" } else { "--out" };
            return Err(format!("`{option}` belongs to `emit`"));
        }
        let command = match command {
            "check" => Command::Check,
            "build" => Command::Build(mode),
            "model" => Command::Model,
            "emit" => match (templates, out) {
                (Some(templates), Some(out)) => Command::Emit { templates, out, mode },
                (None, _) => return Err("`emit` needs `--templates DIR`".to_owned()),
                (_, None) => return Err("`emit` needs `--out DIR`".to_owned()),
            },
            "diff" => Command::Diff(against.take()),
            "watch" => Command::Watch(std::mem::take(&mut watching)),
            "new" => Command::New(words.iter().skip(1).map(|&word| word.to_owned()).collect()),
            "explain" => Command::Explain(argument),
            "help" => Command::Help,
            other => return Err(format!("there is no command `{other}`; {}", proposal(other, COMMANDS))),
        };
        if (check || dry_run) && !matches!(command, Command::Build(_) | Command::Emit { .. }) {
            let option = if check { "--check" } else { "--dry-run" };
            return Err(format!("`{option}` belongs to `build` and `emit`"));
        }
        match &command {
            Command::Watch(Watching { run: false, release, passed }) if *release || !passed.is_empty() => {
                return Err("`--release` and what stands behind `--` belong to `watch --run`".to_owned());
            }
            _ if watching != Watching::default() => {
                return Err("`--run`, `--release` and what stands behind `--` belong to `watch`".to_owned());
            }
            _ => {}
        }
        if against.is_some() {
            return Err("`--against` belongs to `diff`".to_owned());
        }
        Ok(Self { command, format: format.unwrap_or_default(), specs, generated })
    }

    fn plain(command: Command) -> Self {
        Self { command, format: Format::Human, specs: None, generated: None }
    }
}

fn read_format(text: &str) -> Result<Format, String> {
    let known: Vec<&str> = Format::ALL.iter().map(|(_, name)| *name).collect();
    text.parse().map_err(|()| format!("there is no format `{text}`; {}", proposal(text, &known)))
}
