//! For GitHub Actions: a workflow command a change. What stands in the old spec alone is shown at what held it, as a pull
//! request shows the new files.

use super::{Pages, counted};
use crate::diagnostic::{escape_data, escape_property};
use crate::diff::{Changes, Which};

pub(in crate::diff) fn render(changes: &Changes<'_>) -> String {
    let pages = Pages::new(changes);
    let mut out = String::new();
    for change in &changes.list {
        let level = match (change.class.breaks(), changes.verdict.enough()) {
            (true, false) => "error",
            (true, true) => "warning",
            (false, _) => "notice",
        };
        let place = change.beside.as_ref().unwrap_or(&change.place);
        out.push_str(&format!("::{level} "));
        // A file that is gone is none of the pull request's.
        if place.which == Which::New {
            let file = changes.side(place.which).file(&place.file);
            let (start, end) = pages.position(place);
            out.push_str(&format!(
                "file={},line={},col={}",
                escape_property(&file),
                start.line,
                start.column
            ));
            if end.line == start.line {
                out.push_str(&format!(",endColumn={}", end.column.saturating_sub(1).max(start.column)));
            }
            out.push(',');
        }
        let mut message = format!("{}: {}", change.class.title(), change.message);
        if !change.place.pointer.is_empty() {
            message.push_str(&format!("\nat {}", change.place.pointer));
        }
        for (name, text) in [("was", &change.was), ("now", &change.now)] {
            if let Some(text) = text {
                message.push_str(&format!("\n{name}: {text}"));
            }
        }
        message.push_str(&format!("\nhelp: {}", change.help));
        out.push_str(&format!("title={}::{}\n", escape_property(change.rule.id), escape_data(&message)));
    }
    let verdict = &changes.verdict;
    out.push_str(&format!(
        "::notice title=spec diff::{}\n",
        escape_data(&format!(
            "{}; version {} to {}, asked for: {}",
            counted(changes),
            verdict.old,
            verdict.new,
            verdict.wanted()
        ))
    ));
    out
}
