//! For GitHub Actions: a workflow command a fault, which the pull request shows at its line.

use super::Diagnostics;

pub(super) fn render(all: &Diagnostics) -> String {
    let lines = all.lines();
    let mut out = String::new();
    for fault in &all.list {
        out.push_str(&format!("::error file={}", escape_property(&all.shown(&fault.file))));
        if let Some(lines) = lines.get(fault.file.as_str()) {
            let (start, end) = (lines.position(fault.span.start), lines.position(fault.span.end));
            out.push_str(&format!(",line={},col={}", start.line, start.column));
            // The end column is that of the last character marked, and is read only within one line.
            if end.line == start.line {
                out.push_str(&format!(",endColumn={}", end.column.saturating_sub(1).max(start.column)));
            } else {
                out.push_str(&format!(",endLine={}", end.line));
            }
        }
        let mut message = fault.message.clone();
        if !fault.pointer.is_empty() {
            message.push_str(&format!("\nat {}", fault.pointer));
        }
        if let Some(help) = &fault.help {
            message.push_str(&format!("\nhelp: {help}"));
        }
        out.push_str(&format!(",title={}::{}\n", escape_property(fault.rule.id), escape_data(&message)));
    }
    out
}

/// The text of a message: percent signs and line breaks are escaped.
pub(crate) fn escape_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, in which colons and commas are escaped too.
pub(crate) fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}
