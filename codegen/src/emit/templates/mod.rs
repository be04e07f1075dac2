//! Templates: text with handlebars in it, filled from the model (docs/templates.md).
//!
//! A file `NAME.hbs` is filled and becomes NAME, one whose name begins with `_` is a part that others take in by
//! `{{> folder/name}}`, and any other goes as it is.

mod built_in;
mod faults;
mod helpers;
mod parts;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use handlebars::{Context, Handlebars, Template, no_escape};

use faults::{unfilled, unread};

use super::Files;
use crate::sync::bears_header;
use crate::value::Model;

/// Templates by their path, with `/` between the folders.
pub type Templates = BTreeMap<String, String>;

/// What keeps a template from becoming a file.
#[derive(Debug)]
pub struct Fault {
    /// The template's path.
    pub path: String,
    /// What is wrong, with its line where there is one.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// A set of templates, read once.
pub struct Renderer<'t> {
    engine: Handlebars<'static>,
    templates: &'t Templates,
    faults: Vec<Fault>,
}

impl<'t> Renderer<'t> {
    /// Reads templates.
    #[must_use]
    pub fn new(templates: &'t Templates) -> Self {
        let mut engine = Handlebars::new();
        // What is not there is an error and never an empty place; code is no HTML.
        engine.set_strict_mode(true);
        engine.register_escape_fn(no_escape);
        helpers::register(&mut engine);
        let mut faults = Vec::new();
        for (path, text) in templates {
            let Some(target) = path.strip_suffix(SUFFIX) else { continue };
            let name = part(target).unwrap_or_else(|| path.clone());
            match Template::compile_with_name(text, name.clone()) {
                Ok(mut template) => {
                    parts::prepare(&mut template);
                    engine.register_template(&name, template);
                }
                Err(error) => faults.push(Fault { path: path.clone(), message: unread(text, &error) }),
            }
        }
        Self { engine, templates, faults }
    }

    /// The files that the templates become, and what is wrong with those that do not.
    pub fn render(mut self, model: &Model) -> (Files, Vec<Fault>) {
        match Context::wraps(model) {
            Ok(context) => self.fill(&context),
            Err(error) => {
                self.faults.push(Fault { path: String::new(), message: error.to_string() });
                (Files::new(), self.faults)
            }
        }
    }

    fn fill(self, context: &Context) -> (Files, Vec<Fault>) {
        let mut faults = self.faults;
        let mut files = Files::new();
        for (path, text) in self.templates {
            let Some(target) = path.strip_suffix(SUFFIX) else {
                files.insert(path.clone(), text.clone());
                continue;
            };
            // A part of others is no file, and what could not be read is told already.
            if part(target).is_some() || !self.engine.has_template(path) {
                continue;
            }
            match self.engine.render_with_context(path, context) {
                Ok(text) => drop(files.insert(target.to_owned(), text)),
                Err(error) => faults.push(Fault { path: path.clone(), message: unfilled(&error, context) }),
            }
        }
        for (path, text) in &files {
            if !bears_header(text.as_bytes()) {
                let message = "its first 300 bytes lack the line `{{header}}` in a comment, by which a generated file is known";
                // What is told is what somebody can edit.
                let template = format!("{path}{SUFFIX}");
                let path = if self.templates.contains_key(&template) { &template } else { path };
                faults.push(Fault { path: path.clone(), message: message.to_owned() });
            }
        }
        (files, faults)
    }
}

const SUFFIX: &str = ".hbs";

/// The name by which others take in a part: `typescript/_type` is `typescript/type`.
fn part(target: &str) -> Option<String> {
    let (folder, file) = target.rsplit_once('/').map_or(("", target), |(folder, file)| (folder, file));
    let name = file.strip_prefix('_')?;
    Some(if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") })
}

/// The compiler's own templates over one model, a target at a time.
pub(super) struct Filling {
    /// The model, or why it is no value; and what the files' first lines say.
    context: Result<Context, String>,
    header: &'static str,
}

impl Filling {
    pub(super) fn new(model: &Model) -> Self {
        let context = Context::wraps(model).map_err(|error| error.to_string());
        Self { context, header: model.header }
    }

    /// The folders of the targets, that with the most to fill first. A template takes in parts of its own target alone.
    pub(super) fn targets(&self) -> Vec<&'static str> {
        let mut targets: BTreeMap<_, usize> = BTreeMap::new();
        for (path, text) in built_in::TEMPLATES {
            let length = if path.ends_with(SUFFIX) { text.len() } else { 0 };
            *targets.entry(target(path)).or_default() += length;
        }
        let mut targets: Vec<_> = targets.into_iter().collect();
        targets.sort_by_key(|(_, length)| Reverse(*length));
        targets.into_iter().map(|(target, _)| target).collect()
    }

    /// The files of a target.
    pub(super) fn fill(&self, folder: &str) -> Files {
        let own = built_in::TEMPLATES.iter().filter(|(path, _)| target(path) == folder);
        let templates: Templates = own.map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let renderer = Renderer::new(&templates);
        let (mut files, faults) = match &self.context {
            Ok(context) => renderer.fill(context),
            Err(message) => (Files::new(), vec![Fault { path: folder.to_owned(), message: message.clone() }]),
        };
        for fault in faults {
            // A template of the compiler's own that cannot be filled is the compiler's fault, not the spec's: the file
            // says so, and a test finds it.
            let target = fault.path.strip_suffix(SUFFIX).unwrap_or(&fault.path).to_owned();
            files.insert(target, format!("// {}\n{FAULTY}{fault}\n", self.header));
        }
        files
    }
}

/// The folder of a template's target: `clients/python`, `schema`.
fn target(path: &str) -> &str {
    let below = if path.starts_with(CLIENTS) { CLIENTS.len() } else { 0 };
    path[below..].find('/').map_or(path, |end| &path[..below + end])
}

const CLIENTS: &str = "clients/";

/// What a file says in place of what could not be made.
pub const FAULTY: &str = "// The compiler could not make this file: ";
