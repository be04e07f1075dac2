//! Two texts by their difference: few words around where they part, so that a reworded paragraph is a line.

/// How many characters are shown before and behind the difference.
const AROUND: usize = 24;
/// More characters of a difference are not shown.
const MOST: usize = 120;
/// Stands for what is left out.
const LEFT_OUT: &str = "…";

/// Both, each in one line.
pub(super) fn excerpts(was: &str, now: &str) -> (String, String) {
    let (a, b): (Vec<char>, Vec<char>) = (was.chars().collect(), now.chars().collect());
    let mut before = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    // From the beginning of the word that differs.
    while before > 0 && word(a[before - 1]) && (before < a.len() || before < b.len()) {
        before -= 1;
    }
    let longest = a.len().min(b.len()) - before;
    let mut behind = a.iter().rev().zip(b.iter().rev()).take(longest).take_while(|(x, y)| x == y).count();
    while behind > 0 && word(a[a.len() - behind]) {
        behind -= 1;
    }
    (excerpt(&a, before, behind), excerpt(&b, before, behind))
}

/// Whether a character is part of a word whose letters mean nothing alone.
fn word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

fn excerpt(text: &[char], before: usize, behind: usize) -> String {
    let start = before.saturating_sub(AROUND);
    let differs = (text.len() - behind).saturating_sub(before);
    let end = if differs > MOST { before + MOST } else { (text.len() - behind + AROUND).min(text.len()) };
    let shown: String = text[start..end].iter().map(|c| if c.is_control() { '↵' } else { *c }).collect();
    let (left, right) = (if start > 0 { LEFT_OUT } else { "" }, if end < text.len() { LEFT_OUT } else { "" });
    format!("{left}{shown}{right}")
}

#[cfg(test)]
mod tests {
    use super::excerpts;

    #[test]
    fn the_difference_is_shown_in_whole_words() {
        let (was, now) = excerpts("The person said no.", "The persons said no.");
        assert_eq!((&*was, &*now), ("The person said no.", "The persons said no."));
        let long = format!("{} end", "word ".repeat(50));
        let (was, now) = excerpts(&long, &long.replace("end", "ending"));
        assert_eq!(was, "…rd word word word word  end");
        assert_eq!(now, "…rd word word word word  ending");
        assert_eq!(excerpts("", "x"), (String::new(), "x".to_owned()));
        assert_eq!(excerpts("a a", "a a a"), ("a a".to_owned(), "a a a".to_owned()));
        assert_eq!(excerpts("没有手机。", "没有电话。"), ("没有手机。".to_owned(), "没有电话。".to_owned()));
        let (was, now) = excerpts(&"x".repeat(500), &"y\n".repeat(300));
        assert!(was.chars().count() <= 150 && now.chars().count() <= 150 && !now.contains('\n'));
    }
}
