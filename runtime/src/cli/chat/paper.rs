//! What is printed of a turn's events: words as they come, calls and results as plain lines, nothing twice.

use std::collections::HashSet;

use serde_json::Value;

use super::sse::Event;

/// A piece to print, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) enum Print {
    /// The companion's words: standard output.
    Words(String),
    /// Beside them: standard error.
    Note(String),
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) enum End {
    /// With its reply.
    Reply,
    /// Without one; why, in the server's words.
    Failed(String),
}

/// What was printed so far.
#[derive(Debug, Default)]
pub(in crate::cli) struct Paper {
    /// The messages that were printed: a reconnect, or a repeated turn, tells them again (P141).
    seen: HashSet<String>,
    /// Words that were printed before their message came.
    open: String,
    /// The epoch and number of the last event: what is not newer was taken before.
    last: Option<(String, u64)>,
}

impl Paper {
    /// Takes an event of the turn's.
    pub(in crate::cli) fn take(&mut self, event: &Event) -> (Vec<Print>, Option<End>) {
        let mut prints = Vec::new();
        if let Some((epoch, number)) = place(&event.id) {
            match &self.last {
                Some((known, last)) if *known == epoch && number <= *last => return (prints, None),
                Some((known, _)) if *known != epoch => self.close(&mut prints),
                _ => {}
            }
            self.last = Some((epoch, number));
        }
        let data: Value = serde_json::from_str(&event.data).unwrap_or_default();
        let end = match event.name.as_str() {
            "delta" => {
                let text = data["text"].as_str().unwrap_or_default();
                self.open.push_str(text);
                prints.push(Print::Words(clean(text)));
                None
            }
            "message" | "reply" => {
                self.message(&data["message"], &mut prints);
                (event.name == "reply").then_some(End::Reply)
            }
            "call" | "result" => {
                self.note(&event.name, &data["message"], &mut prints);
                None
            }
            "failed" => {
                self.close(&mut prints);
                Some(End::Failed(clean(data["message"].as_str().unwrap_or("the turn ended without a reply"))))
            }
            _ => None,
        };
        (prints, end)
    }

    /// A stored message: of the companion's words, what was not printed yet.
    fn message(&mut self, message: &Value, prints: &mut Vec<Print>) {
        if message["role"] != "companion" || !self.is_new(message) {
            return;
        }
        let text = message["text"].as_str().unwrap_or_default();
        match text.strip_prefix(self.open.as_str()) {
            Some(rest) => prints.push(Print::Words(clean(rest))),
            // Pieces were missed, or the turn began anew: the stored words are the ones that count.
            None => {
                self.close(prints);
                prints.push(Print::Words(clean(text)));
            }
        }
        prints.push(Print::Words("\n".to_owned()));
        self.open.clear();
    }

    fn note(&mut self, kind: &str, message: &Value, prints: &mut Vec<Print>) {
        if !self.is_new(message) {
            return;
        }
        self.close(prints);
        let text = clean(message["text"].as_str().unwrap_or_default());
        prints.push(Print::Note(match kind {
            "call" => format!("· {} {text}\n", clean(message["tool"].as_str().unwrap_or_default())),
            _ => format!("→ {}\n", text.replace('\n', "\n  ")),
        }));
    }

    fn is_new(&mut self, message: &Value) -> bool {
        self.seen.insert(message["id"].as_str().unwrap_or_default().to_owned())
    }

    /// Ends a line that is open.
    fn close(&mut self, prints: &mut Vec<Print>) {
        if !self.open.is_empty() {
            self.open.clear();
            prints.push(Print::Words("\n".to_owned()));
        }
    }
}

/// The epoch and the number in an event's id.
fn place(id: &str) -> Option<(String, u64)> {
    let (epoch, number) = id.rsplit_once('-')?;
    Some((epoch.to_owned(), number.parse().ok()?))
}

/// Text for a terminal: a model's words must not move the cursor or change the title.
pub(in crate::cli) fn clean(text: &str) -> String {
    text.chars().filter(|char| !char.is_control() || matches!(char, '\n' | '\t')).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(number: u64, name: &str, data: Value) -> Event {
        Event { id: format!("e-{number}"), name: name.to_owned(), data: data.to_string() }
    }

    fn turn() -> Vec<Event> {
        vec![
            event(1, "message", json!({"message": {"id": "m1", "role": "person", "text": "torch on"}})),
            event(2, "delta", json!({"text": "One "})),
            event(3, "delta", json!({"text": "moment"})),
            event(4, "message", json!({"message": {"id": "m2", "role": "companion", "text": "One moment"}})),
            event(
                5,
                "call",
                json!({"message": {"id": "m3", "role": "call", "tool": "phone_action", "text": "{}"}}),
            ),
            event(6, "result", json!({"message": {"id": "m4", "role": "result", "text": "No.\nphone"}})),
            event(7, "delta", json!({"text": "\u{1b}[2JSorry"})),
            event(
                8,
                "reply",
                json!({"message": {"id": "m5", "role": "companion", "text": "\u{1b}[2JSorry"}}),
            ),
        ]
    }

    fn printed(events: impl IntoIterator<Item = Event>) -> (String, String, Option<End>) {
        let (mut words, mut notes, mut end) = (String::new(), String::new(), None);
        let mut paper = Paper::default();
        for event in events {
            let (prints, ended) = paper.take(&event);
            for print in prints {
                match print {
                    Print::Words(text) => words += &text,
                    Print::Note(text) => notes += &text,
                }
            }
            end = ended.or(end);
        }
        (words, notes, end)
    }

    #[test]
    fn a_turn_as_it_is_printed() {
        let expected = (
            "One moment\n[2JSorry\n".to_owned(),
            "· phone_action {}\n→ No.\n  phone\n".to_owned(),
            Some(End::Reply),
        );
        assert_eq!(printed(turn()), expected);
    }

    /// P141: whatever is told again, at whichever place the stream broke, is printed once.
    #[test]
    fn p141_told_again_and_printed_once() {
        let whole = printed(turn());
        for broken in 0..turn().len() {
            for from in 0..=broken {
                let again = turn().into_iter().take(broken).chain(turn().into_iter().skip(from));
                assert_eq!(printed(again), whole, "broken at {broken}, told again from {from}");
            }
        }
        // From the store, without pieces and without ids, as a turn that is over is told.
        let stored = turn().into_iter().filter(|event| event.name != "delta");
        let stored = stored.map(|event| Event { id: String::new(), ..event });
        assert_eq!(printed(turn().into_iter().chain(stored)), whole);
    }

    #[test]
    fn missed_pieces_give_way_to_the_stored_words() {
        let events = turn().into_iter().filter(|event| event.id != "e-2");
        assert_eq!(printed(events).0, "moment\nOne moment\n[2JSorry\n");
        let failed =
            event(9, "failed", json!({"code": "model_failed", "message": "the model did not finish"}));
        let events = turn().into_iter().take(2).chain([failed]);
        let expected = End::Failed("the model did not finish".to_owned());
        assert_eq!(printed(events), ("One \n".to_owned(), String::new(), Some(expected)));
    }
}
