//! The nearest of the known names: a typing slip apart, not merely the least far.

/// Beyond this many characters no name is proposed: the search stays cheap whatever a file holds.
const LONGEST: usize = 64;

/// No more names than this are listed in a sentence.
const LISTED: usize = 40;
/// A word of fewer characters is contained in too many names to mean one of them.
const SHORTEST: usize = 3;

/// The known name that `text` most likely means, if one is near enough: at most a third of the characters inserted,
/// removed, replaced or swapped with their neighbour, `A` being `a` and `-` being `_`. Of two as near, the first.
pub fn nearest<'k>(text: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let text = folded(text)?;
    let mut best: Option<(usize, &str)> = None;
    for name in known {
        let Some(other) = folded(name) else { continue };
        let longer = text.len().max(other.len());
        let limit = (longer / 3).max(1);
        let least = text.len().abs_diff(other.len());
        if least > limit || best.is_some_and(|(found, _)| found <= least) {
            continue;
        }
        let found = distance(&text, &other);
        // A name of which not one character is kept is no slip.
        if found <= limit && found < longer && best.is_none_or(|(before, _)| found < before) {
            best = Some((found, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The known name that has `text` in it, or that `text` has in it: as a word of its own first, then at the beginning,
/// then anywhere. Not a slip, but what somebody reaches for who knows another language: `int`, `bool`, `url`.
pub fn related<'k>(text: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let text: String = folded(text)?.into_iter().collect();
    if text.len() < SHORTEST {
        return None;
    }
    let rank = |name: &str| {
        let word = |long: &str, short: &str| long.split('_').any(|word| word == short);
        match () {
            () if word(name, &text) => Some(0),
            () if name.starts_with(&text) => Some(1),
            () if name.len() >= SHORTEST && (word(&text, name) || text.starts_with(name)) => Some(2),
            () if name.contains(&text) || name.len() >= SHORTEST && text.contains(name) => Some(3),
            () => None,
        }
    };
    known
        .into_iter()
        .filter_map(|name| Some((rank(name)?, name)))
        .min_by_key(|(rank, _)| *rank)
        .map(|(_, name)| name)
}

/// `help` that proposes the nearest known name or a related one, or else lists them all.
pub fn proposal(text: &str, known: &[&str]) -> String {
    let names = || known.iter().copied();
    match nearest(text, names()).or_else(|| related(text, names())) {
        Some(name) => format!("did you mean `{name}`?"),
        None => list(known),
    }
}

/// `help` that lists the known names.
pub fn list(known: &[&str]) -> String {
    if known.is_empty() {
        return "there is none to choose from".to_owned();
    }
    let names: Vec<_> = known.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let more = match known.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("known: {}{more}", names.join(", "))
}

/// The characters that are compared; none of a text that is too long to be a name.
fn folded(text: &str) -> Option<Vec<char>> {
    let characters: Vec<char> = text
        .chars()
        .take(LONGEST + 1)
        .map(|c| if matches!(c, '-' | ' ') { '_' } else { c.to_ascii_lowercase() })
        .collect();
    (characters.len() <= LONGEST).then_some(characters)
}

/// Edits from one to the other, a swap of neighbours being one.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut least = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{list, nearest, related};

    const KINDS: [&str; 5] = ["clock_time", "weekdays", "integer", "place", "places"];

    #[test]
    fn slips_find_their_name() {
        for (text, name) in [
            ("clock_tmie", "clock_time"),
            ("clockTime", "clock_time"),
            ("clock-time", "clock_time"),
            ("CLOCK_TIME", "clock_time"),
            ("Clock Tmie", "clock_time"),
            ("weekday", "weekdays"),
            ("palce", "place"),
            ("place_", "place"),
            ("int", ""),
            ("x", ""),
            ("", ""),
        ] {
            assert_eq!(nearest(text, KINDS).unwrap_or(""), name, "{text}");
        }
        assert_eq!(nearest(&"x".repeat(100_000), KINDS), None);
    }

    #[test]
    fn words_of_other_languages_find_their_name() {
        let known = ["clock_time", "integer", "date_or_datetime", "http_url", "boolean", "string_map"];
        for (text, name) in [
            ("int", "integer"),
            ("Bool", "boolean"),
            ("url", "http_url"),
            ("time", "clock_time"),
            ("datetime", "date_or_datetime"),
            ("http_url_or_none", "http_url"),
            ("in", ""),
            ("sundial", ""),
        ] {
            assert_eq!(related(text, known).unwrap_or(""), name, "{text}");
        }
    }

    #[test]
    fn a_long_list_is_cut() {
        assert!(list(&["name"; 1000]).ends_with("`name` and 960 more"));
    }
}
