//! The nearest of the known names: a typing slip apart, not merely the least far.

/// Beyond this many characters no name is proposed: the search stays cheap whatever a file holds.
const LONGEST: usize = 64;

/// The known name that `text` most likely means, if one is near enough: at most a third of the characters inserted,
/// removed, replaced or swapped with their neighbour. Of two as near, the first.
pub fn nearest<'k>(text: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let text: Vec<char> = text.chars().take(LONGEST + 1).collect();
    if text.len() > LONGEST {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for name in known {
        let other: Vec<char> = name.chars().take(LONGEST + 1).collect();
        let limit = (text.len().max(other.len()) / 3).max(1);
        let least = text.len().abs_diff(other.len());
        if other.len() > LONGEST || least > limit || best.is_some_and(|(found, _)| found <= least) {
            continue;
        }
        let found = distance(&text, &other);
        // A name of which not one character is kept is no slip.
        if found <= limit
            && found < text.len().max(other.len())
            && best.is_none_or(|(before, _)| found < before)
        {
            best = Some((found, name));
        }
    }
    best.map(|(_, name)| name)
}

/// `help` that proposes the nearest known name, or else lists them all.
pub fn proposal(text: &str, known: &[&str]) -> String {
    match nearest(text, known.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None if known.is_empty() => "there is none to choose from".to_owned(),
        None => {
            format!("known: {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
        }
    }
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
    use super::nearest;

    const KINDS: [&str; 5] = ["clock_time", "weekdays", "integer", "place", "places"];

    #[test]
    fn slips_find_their_name() {
        for (text, name) in [
            ("clock_tmie", "clock_time"),
            ("clockTime", "clock_time"),
            ("clock-time", "clock_time"),
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
}
