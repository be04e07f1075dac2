//! What was said, in the shape that both providers' APIs share: persons and companions in turn, calls with their results.
//!
//! History only grows at its end, and so does what is made of it: the same things said give the same lines, so that a
//! provider's prompt cache holds.

use std::borrow::Cow;
use std::collections::HashSet;

use handset_spec_macros::text;

use crate::gateway::calls::is_object;
use crate::gateway::model::Said;

/// One line of the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// The person's words. What they said in several messages without an answer between is one line: providers refuse two
    /// turns of one side in a row.
    Person(Cow<'a, str>),
    /// The companion's words and calls; one of the two may lack.
    Companion { words: Cow<'a, str>, calls: Vec<Call<'a>> },
    /// The results of the calls before, in the order in which they came: id and text.
    Results(Vec<(&'a str, &'a str)>),
}

/// A call in the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call<'a> {
    pub(super) id: &'a str,
    pub(super) tool: &'a str,
    /// A JSON object, always.
    pub(super) arguments: Cow<'a, str>,
}

/// The conversation as lines. Blank words are left out, and so is a call that has no result, which no API takes.
pub(super) fn lines(said: &[Said]) -> Vec<Line<'_>> {
    let results: HashSet<&str> = said
        .iter()
        .filter_map(|said| if let Said::Result { id, .. } = said { Some(&**id) } else { None })
        .collect();
    let mut lines: Vec<Line<'_>> = Vec::new();
    for said in said {
        match said {
            Said::Person { sent, text, .. } => {
                if let Some(Line::Person(words)) = lines.last_mut() {
                    join(words, &said_at(sent, text));
                } else {
                    lines.push(Line::Person(said_at(sent, text)));
                }
            }
            Said::Companion { text } if text.trim().is_empty() => {}
            Said::Companion { text } => match lines.last_mut() {
                Some(Line::Companion { words, calls }) if calls.is_empty() => join(words, text),
                _ => lines.push(Line::Companion { words: Cow::Borrowed(text), calls: Vec::new() }),
            },
            Said::Call { id, tool, arguments } if results.contains(&**id) => {
                let call = Call { id, tool, arguments: object(arguments) };
                match lines.last_mut() {
                    Some(Line::Companion { calls, .. }) => calls.push(call),
                    _ => lines.push(Line::Companion { words: Cow::Borrowed(""), calls: vec![call] }),
                }
            }
            Said::Call { .. } => {}
            Said::Result { id, text } => match lines.last_mut() {
                Some(Line::Results(results)) => results.push((id, text)),
                _ => lines.push(Line::Results(vec![(id, text)])),
            },
        }
    }
    if let Some(Line::Companion { .. }) = lines.first() {
        // A chat that the companion began, as with a call that was missed: APIs want the person's side first.
        lines.insert(0, Line::Person(Cow::Borrowed(text!(prompt.opened))));
    }
    lines
}

/// Words below the line that tells when they were sent, if there is one.
fn said_at<'a>(sent: &str, text: &'a str) -> Cow<'a, str> {
    if sent.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(format!("{sent}\n{text}")) }
}

fn join(words: &mut Cow<'_, str>, more: &str) {
    let words = words.to_mut();
    if !words.is_empty() {
        words.push_str("\n\n");
    }
    words.push_str(more);
}

/// Arguments as an object. What is none is shown whole under a name of its own, never swapped for `{}` (P005): APIs
/// refuse a history that holds anything but objects.
fn object(arguments: &str) -> Cow<'_, str> {
    if is_object(arguments) {
        return Cow::Borrowed(arguments);
    }
    Cow::Owned(serde_json::json!({ text!(prompt.as_sent): arguments }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(text: &str) -> Said {
        Said::Person { sent: String::new(), text: text.to_owned(), capabilities: Vec::new() }
    }

    fn companion(text: &str) -> Said {
        Said::Companion { text: text.to_owned() }
    }

    fn call(id: &str, arguments: &str) -> Said {
        Said::Call { id: id.to_owned(), tool: "t".to_owned(), arguments: arguments.to_owned() }
    }

    fn result(id: &str) -> Said {
        Said::Result { id: id.to_owned(), text: "done".to_owned() }
    }

    #[test]
    fn the_persons_side_comes_first() {
        let said = [companion("I called."), person("Yes?")];
        let opened = Line::Person(text!(prompt.opened).into());
        assert_eq!(lines(&said)[0], opened);
        assert_eq!(lines(&said).len(), 3);
    }

    #[test]
    fn words_stand_below_the_line_that_tells_when_they_were_sent() {
        let said = |sent: &str, text: &str| Said::Person {
            sent: sent.to_owned(),
            text: text.to_owned(),
            capabilities: Vec::new(),
        };
        assert_eq!(
            lines(&[said("(now)", "a"), said("(then)", "b"), companion("c"), said("", "d")]),
            [
                Line::Person("(now)\na\n\n(then)\nb".into()),
                Line::Companion { words: "c".into(), calls: Vec::new() },
                Line::Person("d".into()),
            ]
        );
    }

    #[test]
    fn turns_alternate_and_calls_have_results() {
        let said = [
            person("a"),
            person("b"),
            companion("On it."),
            call("1", "{}"),
            call("2", "{}{}"),
            call("lost", "{}"),
            result("1"),
            result("2"),
            companion(" "),
            person("c"),
            companion("half"),
            companion("cut off"),
        ];
        let wrapped = format!(r#"{{"{}":"{{}}{{}}"}}"#, text!(prompt.as_sent));
        let calls = vec![
            Call { id: "1", tool: "t", arguments: "{}".into() },
            Call { id: "2", tool: "t", arguments: wrapped.into() },
        ];
        assert_eq!(
            lines(&said),
            [
                Line::Person("a\n\nb".into()),
                Line::Companion { words: "On it.".into(), calls },
                Line::Results(vec![("1", "done"), ("2", "done")]),
                Line::Person("c".into()),
                Line::Companion { words: "half\n\ncut off".into(), calls: Vec::new() },
            ]
        );
    }
}
