//! For a program: one object a line, always with the same keys in the same order.

use super::{Diagnostics, Position};
use crate::read::write_string;

pub(super) fn render(all: &Diagnostics) -> String {
    let lines = all.lines();
    let mut out = String::new();
    for fault in &all.list {
        let (start, end) = match lines.get(fault.file.as_str()) {
            Some(lines) => (lines.position(fault.span.start), lines.position(fault.span.end)),
            None => (Position { line: 1, column: 1 }, Position { line: 1, column: 1 }),
        };
        out.push_str("{\"rule\":");
        write_string(fault.rule.id, &mut out);
        out.push_str(",\"severity\":\"error\",\"file\":");
        write_string(&all.shown(&fault.file), &mut out);
        out.push_str(&format!(
            ",\"line\":{},\"column\":{},\"end_line\":{},\"end_column\":{},\"pointer\":",
            start.line, start.column, end.line, end.column
        ));
        write_string(&fault.pointer, &mut out);
        out.push_str(",\"message\":");
        write_string(&fault.message, &mut out);
        out.push_str(",\"help\":");
        match &fault.help {
            Some(help) => write_string(help, &mut out),
            None => out.push_str("null"),
        }
        out.push_str("}\n");
    }
    out
}
