//! The demo's words: the spec's texts, in the language that the person wrote in.

use handset_spec::Language;
use handset_spec::phone::{Action, Answer, no_answer};
use handset_spec::tools::PHONE_ACTION;
use handset_spec_macros::text;

use super::parse;

/// How many characters of the person's sentence stand for it.
const SUMMARY_CHARS: usize = 120;

/// Speaks of one sentence in its language.
pub(super) struct Voice {
    language: Language,
    /// The person's own words are the line that the phone shows.
    pub(super) summary: String,
}

impl Voice {
    /// The voice that answers a sentence: Chinese when it holds Han characters, else English.
    pub(super) fn of(sentence: &str) -> Self {
        let language = if parse::has_han(sentence) { Language::Zh } else { Language::En };
        let line = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut summary: String = line.chars().take(SUMMARY_CHARS).collect();
        if summary.len() < line.len() {
            summary.push('…');
        }
        Self { language, summary }
    }

    /// The language that it speaks.
    pub(super) fn language(&self) -> Language {
        self.language
    }

    /// Before a call.
    pub(super) fn proposing(&self) -> String {
        text!(demo.proposing in self.language, summary = &self.summary)
    }

    /// For a sentence that asks for nothing the demo knows.
    pub(super) fn lost(&self, sentence: &str) -> String {
        let between = match self.language {
            Language::Zh => "、",
            Language::En => ", ",
        };
        let actions = Action::ALL.iter().map(|action| action.name()).collect::<Vec<_>>().join(between);
        let words = sentence
            .trim_matches(|c: char| c.is_whitespace() || c.is_ascii_punctuation() || "！？。，".contains(c));
        let words = words.to_lowercase();
        let greets = [
            "hi",
            "hello",
            "hey",
            "good morning",
            "good evening",
            "你好",
            "您好",
            "嗨",
            "早",
            "早上好",
            "晚上好",
            "你好呀",
        ];
        let asks = [
            "help",
            "帮助",
            "what can you do",
            "what do you do",
            "能做什么",
            "会什么",
            "会做什么",
            "可以做什么",
        ];
        if greets.contains(&words.as_str()) {
            return text!(demo.hello in self.language).to_owned();
        }
        if asks.iter().any(|asked| words.contains(asked)) {
            return text!(demo.help in self.language, actions = actions);
        }
        text!(demo.puzzled in self.language, actions = actions)
    }

    /// After a call: what became of it, recognised by the spec's texts.
    pub(super) fn happened(&self, result: &str) -> String {
        let (language, summary) = (self.language, &self.summary);
        if result == PHONE_ACTION.unavailable {
            return text!(demo.unavailable in language).to_owned();
        }
        if result == no_answer() {
            return text!(demo.no_answer in language, summary = summary);
        }
        if let Some(said) = said("done", result) {
            return match said {
                None => text!(demo.done in language, summary = summary),
                Some(message) => text!(demo.done_says in language, summary = summary, message = message),
            };
        }
        if said("declined", result).is_some() {
            return text!(demo.declined in language, summary = summary);
        }
        match said("failed", result) {
            Some(reason) => {
                let words =
                    text!(demo.failed in language, summary = summary, reason = reason.unwrap_or_default());
                words.trim_end().to_owned()
            }
            None => text!(demo.refused in language, reason = result),
        }
    }
}

/// Whether a result is that of an answer with this status, and what the phone said with it.
///
/// The result is rebuilt from the spec with a stand-in for the message, so that a re-worded text is still recognised.
fn said<'a>(status: &str, result: &'a str) -> Option<Option<&'a str>> {
    /// A private-use character: no text of the spec holds it.
    const STAND_IN: &str = "\u{e000}";
    if result == Answer::read(status, None).result() {
        return Some(None);
    }
    let whole = Answer::read(status, Some(STAND_IN)).result();
    let (before, after) = whole.split_once(STAND_IN)?;
    result.strip_prefix(before)?.strip_suffix(after).map(Some)
}

/// What a call was about, as far as a demo can tell: its first words, the person's where it is known who spoke.
pub(super) fn summary(transcript: &str) -> String {
    let persons = transcript.lines().find_map(|line| line.strip_prefix("person: "));
    persons.or_else(|| transcript.lines().next()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_recognised_by_the_specs_texts() {
        let result = |status: &str, message: Option<&str>| Answer::read(status, message).result();
        let done = result("done", Some("Set for 7:30."));
        assert_eq!(said("done", &done), Some(Some("Set for 7:30.")));
        assert_eq!(said("done", &result("done", None)), Some(None));
        assert_eq!(said("done", &result("failed", None)), None);
        assert_eq!(said("declined", &done), None);
    }

    /// P157: an ignored card was told as done. Whatever the result, the reply says what happened.
    #[test]
    fn p157_nothing_but_done_is_told_as_done() {
        let voice = Voice::of("torch on");
        let done = text!(demo.done in Language::En, summary = "torch on");
        for result in [
            no_answer(),
            PHONE_ACTION.unavailable,
            &Answer::read("declined", None).result(),
            &Answer::read("failed", Some("no torch")).result(),
            "anything else",
        ] {
            assert_ne!(voice.happened(result), done);
        }
        assert_eq!(voice.happened(&Answer::read("done", None).result()), done);
        assert!(voice.happened(&Answer::read("failed", Some("no torch")).result()).contains("no torch"));
    }

    #[test]
    fn the_language_is_the_persons() {
        assert_eq!(Voice::of("打开 torch").lost("你好！"), text!(demo.hello in Language::Zh));
        assert_eq!(Voice::of("Hello!").lost("Hello!"), text!(demo.hello in Language::En));
    }
}
