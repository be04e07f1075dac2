//! `cargo spec explain`: the table of rules, for reading.

use crate::diff::{self, ChangeRule};
use crate::nearest::nearest;
use crate::rules::{self, Rule};

/// One line a rule, and one a kind of change.
pub(super) fn list() -> String {
    let faults = rules::all().map(|rule| (rule.id, rule.summary.to_owned()));
    let change = |rule: &ChangeRule| (rule.id, format!("{} [{}]", rule.summary, rule.class.title()));
    let all: Vec<_> = faults.chain(diff::rules::all().map(change)).collect();
    let width = all.iter().map(|(id, _)| id.len()).max().unwrap_or(0);
    all.iter().map(|(id, summary)| format!("{id:width$}  {summary}\n")).collect()
}

/// All there is to say of a rule; its id may be given as it is shown, `error[rule]`.
pub(super) fn rule(id: &str) -> Result<String, String> {
    let id = id.strip_prefix("error").unwrap_or(id).trim_start_matches('[').trim_end_matches(']');
    if let Some(rule) = rules::find(id) {
        return Ok(text(rule));
    }
    if let Some(rule) = diff::rules::find(id) {
        return Ok(change(rule));
    }
    let ids = rules::all().map(|rule| rule.id).chain(diff::rules::all().map(|rule| rule.id));
    Err(match nearest(id, ids) {
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

fn change(rule: &ChangeRule) -> String {
    let asks = match rule.bump {
        diff::Bump::None => "asks for no number".to_owned(),
        bump => format!("asks for {}", bump.key().to_uppercase()),
    };
    format!(
        "{}\n\n{}\nIt {}: {asks}.\n\nWhy:\n{}\n\nWhat to do:\n{}\n\nBefore:\n    {}\n\nAfter:\n    {}\n",
        rule.id,
        rule.summary,
        if rule.class == diff::Class::Free { "is free" } else { rule.class.title() },
        wrapped(rule.why),
        wrapped(rule.todo),
        rule.before,
        rule.after
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
