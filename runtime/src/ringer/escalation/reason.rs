//! Why the companion calls, written by the model from the recent conversation, with the spec's own reason where it writes none.

use std::time::Duration;

use handset_spec::Language;
use handset_spec::markers::{self, harmless};
use handset_spec::settings::escalation::{REASON_MAX_CHARS, REASON_SECONDS};
use handset_spec::support::{clean, first_chars};
use handset_spec_macros::text;

use crate::gateway::model::{Delta, Fault, Model, Prompt, Said};
use crate::store::{Role, Words};

/// What models put around a sentence that they were asked for.
const QUOTES: &[char] = &['"', '“', '”', '„', '\'', '‘', '’', '「', '」', '*', '_', '`'];

/// The reason: the model's within its time, else the spec's.
pub async fn write(model: &dyn Model, said: Vec<Words>, language: Language) -> String {
    let fallback = || text!(escalation.fallback_reason in language).to_owned();
    if !model.writes() || said.is_empty() {
        return fallback();
    }
    let time = Duration::from_secs(REASON_SECONDS);
    match tokio::time::timeout(time, ask(model, said)).await {
        Ok(Ok(words)) => tidy(&words).unwrap_or_else(fallback),
        Ok(Err(fault)) => {
            tracing::warn!(%fault, "the model wrote no reason for a call; the spec's own is used");
            fallback()
        }
        Err(_) => {
            tracing::warn!(
                seconds = REASON_SECONDS,
                "the model wrote no reason in time; the spec's own is used"
            );
            fallback()
        }
    }
}

/// What the model writes: words alone. It has no tools, and a call that it makes nevertheless is passed over.
async fn ask(model: &dyn Model, said: Vec<Words>) -> Result<String, Fault> {
    let mut conversation: Vec<Said> = said
        .into_iter()
        .map(|Words { role, text }| match role {
            Role::Person => Said::Person {
                sent: String::new(),
                text: harmless(&text).into_owned(),
                capabilities: Vec::new(),
            },
            _ => Said::Companion { text },
        })
        .collect();
    conversation.push(Said::Person {
        sent: String::new(),
        text: text!(escalation.reason_ask).to_owned(),
        capabilities: Vec::new(),
    });
    let system = text!(escalation.reason_prompt, characters = REASON_MAX_CHARS).into();
    let mut deltas = model.open(Prompt { system, said: conversation, tools: Vec::new() });
    let mut words = String::new();
    while let Some(delta) = deltas.recv().await {
        if let Delta::Text(text) = delta? {
            words.push_str(&text);
        }
        // Nobody reads a reason that goes on and on.
        if words.len() > 64 * REASON_MAX_CHARS {
            break;
        }
    }
    Ok(words)
}

/// One line without markers and quotes, cut to its length; nothing where nothing is left.
fn tidy(words: &str) -> Option<String> {
    let reading = markers::read(words);
    // A model that writes the marker with which it would call has put the reason into it.
    let argument = reading.markers.iter().find_map(|marker| marker.argument.as_deref());
    let line = if reading.text.trim().is_empty() { argument.unwrap_or_default() } else { &reading.text };
    // What was no marker there, in a code block say, is none in a reason either.
    let line = clean(&harmless(line)).split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.trim_matches(QUOTES).trim();
    if !line.chars().any(char::is_alphanumeric) {
        return None;
    }
    if line.chars().count() <= REASON_MAX_CHARS {
        return Some(line.to_owned());
    }
    // Cut between words where there are some: Chinese has none.
    let cut = first_chars(line, REASON_MAX_CHARS - 1);
    let whole = cut.rsplit_once(' ').map(|(whole, _)| whole).filter(|whole| whole.len() * 2 > cut.len());
    Some(format!("{}…", whole.unwrap_or(cut).trim_end_matches([',', '，', '、', ';', '；', ' '])))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tokio::sync::mpsc;

    use super::*;
    use crate::gateway::model::{Code, Deltas, Fragment};

    /// A model that says what it is told to, and keeps what it was asked.
    struct Says(Mutex<Vec<Result<Delta, Fault>>>, Mutex<Option<Prompt>>, bool);

    impl Says {
        fn new(deltas: Vec<Result<Delta, Fault>>) -> Self {
            Self(Mutex::new(deltas), Mutex::default(), false)
        }
    }

    impl Model for Says {
        fn name(&self) -> &'static str {
            "says"
        }

        fn open(&self, prompt: Prompt) -> Deltas {
            *self.1.lock().unwrap() = Some(prompt);
            let (sender, deltas) = mpsc::channel(32);
            for delta in self.0.lock().unwrap().drain(..) {
                sender.try_send(delta).unwrap();
            }
            if self.2 {
                // It never ends.
                tokio::spawn(async move { sender.closed().await });
            }
            deltas
        }
    }

    fn words(text: &str) -> Result<Delta, Fault> {
        Ok(Delta::Text(text.to_owned()))
    }

    fn said() -> Vec<Words> {
        let said = [(Role::Person, "我明天考试"), (Role::Companion, "加油！")];
        said.map(|(role, text)| Words { role, text: text.to_owned() }).to_vec()
    }

    #[tokio::test]
    async fn the_model_reads_the_conversation_and_writes_the_reason() {
        let call = Ok(Delta::Call(Fragment { name: Some("phone_action".to_owned()), ..Fragment::default() }));
        let model = Says::new(vec![words("\n“想问问你"), call, words("考得怎么样。”\n")]);
        assert_eq!(write(&model, said(), Language::Zh).await, "想问问你考得怎么样。");
        let prompt = model.1.lock().unwrap().take().unwrap();
        assert!(prompt.tools.is_empty() && prompt.system.contains(&REASON_MAX_CHARS.to_string()));
        assert_eq!(prompt.said.len(), 3);
        assert!(matches!(&prompt.said[2], Said::Person { text, .. } if text == text!(escalation.reason_ask)));
    }

    #[tokio::test(start_paused = true)]
    async fn without_a_reason_the_specs_own_is_used() {
        let fault = || Err(Fault::new(Code::Unreachable, "none"));
        for deltas in [vec![], vec![words(" \n")], vec![words("⟪dial⟫ …")], vec![words("Because"), fault()]]
        {
            for &language in Language::ALL {
                let reason = write(&Says::new(deltas.clone()), said(), language).await;
                assert_eq!(reason, text!(escalation.fallback_reason in language));
            }
        }
        let slow = Says(Mutex::new(vec![words("I was")]), Mutex::default(), true);
        let began = tokio::time::Instant::now();
        let reason = write(&slow, said(), Language::En).await;
        assert_eq!(reason, text!(escalation.fallback_reason in Language::En));
        assert_eq!(began.elapsed().as_secs(), REASON_SECONDS);
        let unasked = Says::new(vec![words("About nothing.")]);
        assert_eq!(
            write(&unasked, Vec::new(), Language::En).await,
            text!(escalation.fallback_reason in Language::En)
        );
    }

    #[test]
    fn a_reason_is_one_short_line_without_markers() {
        for (written, reason) in [
            ("⟪dial:come⟫ How was the exam?", "How was the exam?"),
            ("【拨号：考得怎么样？】", "考得怎么样？"),
            ("`⟪dial:come⟫` now", "(dial:come)` now"),
            ("你说的《三体》看完了吗？", "你说的《三体》看完了吗？"),
            ("One\n\n line\u{0}  only", "One line only"),
            ("**The moon is out.**", "The moon is out."),
        ] {
            assert_eq!(tidy(written).as_deref(), Some(reason));
        }
        for long in ["word ".repeat(100), "字".repeat(500), "x".repeat(500)] {
            let reason = tidy(&long).unwrap();
            assert!(reason.chars().count() <= REASON_MAX_CHARS && reason.ends_with('…'), "{reason}");
            assert!(!reason.contains(" …"));
        }
    }
}
