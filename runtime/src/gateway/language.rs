//! Which language the person writes in, and which one a voice has to speak.

use handset_spec::Language;

/// The language of a text: Chinese when it holds Han characters, else English.
#[must_use]
pub fn of(text: &str) -> Language {
    if text.chars().any(is_han) { Language::Zh } else { Language::En }
}

/// Whether a character is a Han character.
#[must_use]
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{323af}')
}

/// Which characters are a script's, and the languages that are written in it.
type Script = (fn(char) -> bool, &'static [&'static str]);

/// Scripts that tell the language, or leave few: by their characters, the language that most write in it comes first. Kana and Hangul
/// stand before Han, since both are written between Han characters.
const SCRIPTS: [Script; 9] = [
    (|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}'), &["ja"]),
    (|c| matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}'), &["ko"]),
    (is_han, &["zh", "ja", "ko"]),
    (
        |c| matches!(c, '\u{400}'..='\u{52f}'),
        &["ru", "uk", "bg", "sr", "mk", "be", "kk", "ky", "mn", "tg", "tt"],
    ),
    (|c| matches!(c, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}'), &["el"]),
    (|c| matches!(c, '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}'), &["ar", "fa", "ur", "ps", "sd", "ug"]),
    (|c| matches!(c, '\u{590}'..='\u{5ff}'), &["he", "yi"]),
    (|c| matches!(c, '\u{e00}'..='\u{e7f}'), &["th"]),
    (|c| matches!(c, '\u{900}'..='\u{97f}'), &["hi", "mr", "ne", "sa"]),
];

/// The language in which a text is to be spoken, as ISO 639-1 has it: by its letters, and where several languages share them by the
/// one that is known to be spoken. Nothing where neither tells.
#[must_use]
pub fn spoken<'a>(text: &str, known: Option<&'a str>) -> Option<&'a str> {
    // Cantonese and Mandarin are one there.
    let known = known.map(|known| if matches!(known, "yue" | "cmn") { "zh" } else { known });
    let found = SCRIPTS.iter().find(|(is, _)| text.chars().any(is));
    match (found, known) {
        (Some((_, languages)), Some(known)) if languages.contains(&known) => Some(known),
        (Some((_, languages)), _) => languages.first().copied(),
        // Letters that many share are none of a language with its own.
        (None, Some(known)) => {
            let its_own = SCRIPTS.iter().any(|(_, languages)| languages.contains(&known));
            (!its_own || !text.chars().any(char::is_alphabetic)).then_some(known)
        }
        (None, None) => None,
    }
}

/// A language as a recogniser or a client names it, where it is a code such as `en` or `zh-CN`.
#[must_use]
pub fn code(named: &str) -> Option<String> {
    let word = named.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    ((2..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_spoken_in_the_language_of_its_letters() {
        for (text, known, expected) in [
            ("晚安。", Some("en"), Some("zh")),
            ("晚安。", None, Some("zh")),
            ("晚安。", Some("yue"), Some("zh")),
            ("OK，晚安。", Some("en"), Some("zh")),
            ("おやすみ、月。", Some("en"), Some("ja")),
            ("東京。", Some("ja"), Some("ja")),
            ("잘 자요.", None, Some("ko")),
            ("Good night.", Some("zh"), None),
            ("Good night.", Some("en"), Some("en")),
            ("Gute Nacht.", Some("de"), Some("de")),
            ("Good night.", None, None),
            ("12:30", Some("zh"), Some("zh")),
            ("Добраніч.", Some("uk"), Some("uk")),
            ("Добраніч.", Some("de"), Some("ru")),
        ] {
            assert_eq!(spoken(text, known), expected, "{text} {known:?}");
        }
    }

    #[test]
    fn languages_are_codes() {
        let codes = [
            ("zh-CN", Some("zh")),
            (" EN_us", Some("en")),
            ("yue", Some("yue")),
            ("english", None),
            ("", None),
        ];
        for (named, expected) in codes {
            assert_eq!(code(named).as_deref(), expected, "{named}");
        }
    }
}
