//! `cargo spec explain`: the table of rules, for reading.

use crate::nearest::nearest;
use crate::rules::{self, Rule};

/// One line a rule.
pub(super) fn list() -> String {
    let width = rules::all().map(|rule| rule.id.len()).max().unwrap_or(0);
    rules::all().map(|rule| format!("{:width$}  {}\n", rule.id, rule.summary)).collect()
}

/// All there is to say of a rule; its id may be given as it is shown, `error[rule]`.
pub(super) fn rule(id: &str) -> Result<String, String> {
    let id = id.strip_prefix("error").unwrap_or(id).trim_start_matches('[').trim_end_matches(']');
    if let Some(rule) = rules::find(id) {
        return Ok(text(rule));
    }
    Err(match nearest(id, rules::all().map(|rule| rule.id)) {
        Some(near) => format!("there is no rule `{id}`; did you mean `{near}`?"),
        None => format!("there is no rule `{id}`; `cargo spec explain` lists all"),
    })
}

fn text(rule: &Rule) -> String {
    format!(
        "{}\n\n{}\n\nWhy:\n{}\n\nHow to mend it:\n{}\n\nBroken:\n    {}\n\nMended:\n    {}\n",
        rule.id,
        rule.summary,
        wrapped(rule.why),
        wrapped(rule.mend),
        rule.bad,
        rule.good
    )
}

/// Lines of at most 100 characters, indented by four.
fn wrapped(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 100 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("    {word}")),
        }
    }
    lines.join("\n")
}
