//! For a person: rustc's layout, through its own renderer.

use std::collections::BTreeMap;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::window::{Window, windows};
use super::{Diagnostic, Diagnostics, Lines};
use crate::read::Span;

/// More faults than a person reads are not shown but counted.
const MOST: usize = 60;

type Sources<'a> = BTreeMap<&'a str, Lines<'a>>;

pub(super) fn render(all: &Diagnostics, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let sources = all.lines();
    let mut out = String::new();
    for fault in all.list.iter().take(MOST) {
        let mut moved = Vec::new();
        let mut text = renderer.render(&[group(all, &sources, fault, &mut moved)]);
        for (before, after) in moved {
            text = text.replacen(&before, &after, 1);
        }
        out.push_str(&text);
        out.push_str("\n\n");
    }
    let count = all.list.len();
    if count > MOST {
        out.push_str(&format!("… and {} more, which `--format json` shows as well\n\n", count - MOST));
    }
    out.push_str(&format!(
        "{count} {} in the spec; `cargo spec explain RULE` tells more\n",
        if count == 1 { "fault" } else { "faults" }
    ));
    out
}

/// A place with its label.
struct Mark<'a> {
    span: Span,
    kind: AnnotationKind,
    label: &'a str,
}

/// Places as the renderer writes them and as they are in the file: it counts columns in the window that it is given.
type Moved = Vec<(String, String)>;

fn group<'a>(
    all: &'a Diagnostics,
    sources: &Sources<'a>,
    fault: &'a Diagnostic,
    moved: &mut Moved,
) -> Group<'a> {
    let mut group = Level::ERROR
        .primary_title(one_line(&fault.message))
        .id(fault.rule.id)
        .elements(Vec::<Origin<'_>>::new());
    let mut marks = vec![Mark { span: fault.span, kind: AnnotationKind::Primary, label: &fault.label }];
    let context = |span, label| Mark { span, kind: AnnotationKind::Context, label };
    let (here, elsewhere): (Vec<_>, Vec<_>) = fault.also.iter().partition(|also| also.file == fault.file);
    marks.extend(here.into_iter().map(|also| context(also.span, &also.label)));
    group = place(group, sources, &fault.file, all.shown(&fault.file), &marks, moved);
    for also in elsewhere {
        let marks = [context(also.span, &also.label)];
        group = place(group, sources, &also.file, all.shown(&also.file), &marks, moved);
    }
    if !fault.pointer.is_empty() {
        group = group.element(Level::NOTE.message(format!("at {}", one_line(&fault.pointer))));
    }
    if let Some(help) = &fault.help {
        group = group.element(Level::HELP.message(one_line(help)));
    }
    group
}

/// Adds the marks of one file, or the file alone where there is no text to mark.
fn place<'a>(
    mut group: Group<'a>,
    sources: &Sources<'a>,
    file: &str,
    shown: String,
    marks: &[Mark<'a>],
    moved: &mut Moved,
) -> Group<'a> {
    let Some(lines) = sources.get(file) else { return group.element(Origin::path(shown)) };
    let spans: Vec<Span> = marks.iter().map(|mark| mark.span).collect();
    for window in windows(lines, &spans) {
        let Window { text, line, marks: here, shifted } = window;
        let first = here.iter().map(|(index, _)| *index).min().unwrap_or(0);
        let annotations: Vec<Annotation<'a>> = here
            .into_iter()
            .map(|(index, range)| {
                let annotation = marks[index].kind.span(range);
                match marks[index].label {
                    "" => annotation,
                    label => annotation.label(one_line(label)),
                }
            })
            .collect();
        if let Some(column) = shifted {
            let position = lines.position(spans[first].start);
            let place = |column| format!("{shown}:{}:{column}", position.line);
            moved.push((place(column), place(position.column)));
        }
        let snippet = Snippet::source(text).line_start(line).path(shown.clone());
        group = group.element(snippet.annotations(annotations));
    }
    group
}

/// A message that quotes a key of the spec stays on its line, whatever the key holds.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
