//! For a person: rustc's layout, through its own renderer.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Diagnostics, SPECS};
use crate::read::Span;

pub(super) fn render(all: &Diagnostics, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for fault in &all.list {
        out.push_str(&renderer.render(&[group(all, fault)]));
        out.push_str("\n\n");
    }
    let count = all.list.len();
    out.push_str(&format!(
        "{count} {} in the spec; `cargo spec explain RULE` tells more\n",
        if count == 1 { "fault" } else { "faults" }
    ));
    out
}

fn group<'a>(all: &'a Diagnostics, fault: &'a Diagnostic) -> Group<'a> {
    let mut group = Level::ERROR
        .primary_title(one_line(&fault.message))
        .id(fault.rule.id)
        .elements(Vec::<Origin<'_>>::new());
    match all.sources.get(&fault.file) {
        None => group = group.element(Origin::path(fault.shown_file())),
        Some(source) => {
            let mark = AnnotationKind::Primary.span(range(source, fault.span));
            let mark = if fault.label.is_empty() { mark } else { mark.label(one_line(&fault.label)) };
            let here = fault.also.iter().filter(|also| also.file == fault.file);
            let others = here.map(|also| {
                AnnotationKind::Context.span(range(source, also.span)).label(one_line(&also.label))
            });
            group = group.element(
                Snippet::source(source).path(fault.shown_file()).annotation(mark).annotations(others),
            );
        }
    }
    for also in fault.also.iter().filter(|also| also.file != fault.file) {
        let source = all.source(&also.file);
        let mark = AnnotationKind::Context.span(range(source, also.span)).label(one_line(&also.label));
        group =
            group.element(Snippet::source(source).path(format!("{SPECS}/{}", also.file)).annotation(mark));
    }
    if !fault.pointer.is_empty() {
        group = group.element(Level::NOTE.message(format!("at {}", one_line(&fault.pointer))));
    }
    if let Some(help) = &fault.help {
        group = group.element(Level::HELP.message(one_line(help)));
    }
    group
}

/// A span that lies in the text, on the borders of characters.
fn range(source: &str, span: Span) -> Range<usize> {
    let start = source.floor_char_boundary(span.start.min(source.len()));
    let end = source.ceil_char_boundary(span.end.min(source.len()));
    start..end.max(start)
}

/// A message that quotes a key of the spec stays on its line, whatever the key holds.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
