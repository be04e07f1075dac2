//! For a program: one object a line, always with the same keys in the same order; the last line is the verdict.

use super::Pages;
use crate::diff::{Changes, Class, Which};
use crate::read::write_string;

pub(in crate::diff) fn render(changes: &Changes<'_>) -> String {
    let pages = Pages::new(changes);
    let mut out = String::new();
    for change in &changes.list {
        let (start, end) = pages.position(&change.place);
        let side = changes.side(change.place.which);
        let which = if change.place.which == Which::Old { "old" } else { "new" };
        out.push_str("{\"rule\":");
        write_string(change.rule.id, &mut out);
        out.push_str(&format!(
            ",\"class\":\"{}\",\"bump\":\"{}\",\"in\":\"{which}\",\"file\":",
            change.class.key(),
            change.rule.bump.key()
        ));
        write_string(&side.file(&change.place.file), &mut out);
        out.push_str(&format!(
            ",\"line\":{},\"column\":{},\"end_line\":{},\"end_column\":{},\"pointer\":",
            start.line, start.column, end.line, end.column
        ));
        write_string(&change.place.pointer, &mut out);
        out.push_str(",\"message\":");
        write_string(&change.message, &mut out);
        for (key, text) in [("was", &change.was), ("now", &change.now)] {
            out.push_str(&format!(",\"{key}\":"));
            match text {
                Some(text) => write_string(text, &mut out),
                None => out.push_str("null"),
            }
        }
        out.push_str(",\"help\":");
        write_string(&change.help, &mut out);
        out.push_str("}\n");
    }
    let verdict = &changes.verdict;
    out.push_str("{\"verdict\":{");
    for class in Class::ALL {
        let count = changes.of_class(class).count();
        out.push_str(&format!("\"{}\":{count},", class.key()));
    }
    out.push_str(&format!(
        "\"old_version\":\"{}\",\"new_version\":\"{}\",\"asked\":\"{}\",\"raised\":\"{}\",\"wanted_version\":\"{}\",\"passes\":{}}}}}\n",
        verdict.old,
        verdict.new,
        verdict.asked.key(),
        verdict.raised.key(),
        verdict.wanted(),
        verdict.passes()
    ));
    out
}
