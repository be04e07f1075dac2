//! The few lines of a file that a fault is about, so that showing it costs the same however long the file is.

use std::ops::Range;

use super::Lines;
use crate::read::Span;

/// A line of more bytes is shown in part.
const LONG: usize = 400;
/// How many bytes before a mark are shown of a long line.
const BEFORE: usize = 80;
/// How many bytes from the beginning of a mark on are shown of a long line.
const BEHIND: usize = 200;
/// A mark of more lines is cut to its first.
const MOST_LINES: usize = 20;
/// Marks so many lines apart do not share a window.
const APART: usize = 40;
/// Stands for what is left out of a line.
const LEFT_OUT: &str = "…";

/// Some lines of a file, with marks in them.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Window {
    /// The lines, long ones in part.
    pub(super) text: String,
    /// The number of the first, from 1.
    pub(super) line: usize,
    /// Which marks lie here, by their place in what was given, each with its bytes of `text`.
    pub(super) marks: Vec<(usize, Range<usize>)>,
    /// The column here of the mark that comes first among those given, from 1, where something is left out before it on
    /// its line, so that its column in the file is another.
    pub(super) shifted: Option<usize>,
}

/// The windows around the marks; the first holds the first mark.
pub(super) fn windows(lines: &Lines<'_>, spans: &[Span]) -> Vec<Window> {
    let ranges: Vec<Range<usize>> = spans.iter().map(|&span| range(lines, span)).collect();
    let mut order: Vec<usize> = (0..ranges.len()).collect();
    order.sort_by_key(|&index| ranges[index].start);
    let mut groups: Vec<(Vec<usize>, usize)> = Vec::new();
    for index in order {
        let (first, last) = (lines.index(ranges[index].start), lines.index(ranges[index].end));
        match groups.last_mut() {
            Some((group, end)) if first <= *end + APART => {
                group.push(index);
                *end = last.max(*end);
            }
            _ => groups.push((vec![index], last)),
        }
    }
    groups.sort_by_key(|(group, _)| !group.contains(&0));
    groups.into_iter().map(|(group, last)| window(lines, &ranges, &group, last)).collect()
}

/// A span as bytes of the text, on the borders of characters, over few lines.
fn range(lines: &Lines<'_>, span: Span) -> Range<usize> {
    let text = lines.text();
    let start = text.floor_char_boundary(span.start.min(text.len()));
    let end = text.ceil_char_boundary(span.end.min(text.len())).max(start);
    let first = lines.index(start);
    if lines.index(end) - first > MOST_LINES { start..lines.bytes(first).end.max(start) } else { start..end }
}

fn window(lines: &Lines<'_>, ranges: &[Range<usize>], group: &[usize], last: usize) -> Window {
    let first = group.first().map_or(0, |&index| lines.index(ranges[index].start));
    let source = lines.text();
    let mut text = String::new();
    // The parts of the file that are shown, each with where it stands in `text`.
    let mut shown: Vec<(Range<usize>, usize)> = Vec::new();
    for line in first..=last {
        let bytes = lines.bytes(line);
        for part in parts(source, &bytes, group.iter().map(|&index| &ranges[index])) {
            if part.start > bytes.start {
                text.push_str(LEFT_OUT);
            }
            shown.push((part.clone(), text.len()));
            text.push_str(&source[part]);
        }
        if shown.last().is_some_and(|(part, _)| part.end < bytes.end) {
            text.push_str(LEFT_OUT);
        }
        if bytes.end < source.len() {
            text.push('\n');
        }
    }
    let place = |byte: usize| {
        let index = shown.partition_point(|(part, _)| part.start <= byte).saturating_sub(1);
        shown.get(index).map_or(0, |(part, at)| at + byte.min(part.end).saturating_sub(part.start))
    };
    let marks: Vec<_> =
        group.iter().map(|&index| (index, place(ranges[index].start)..place(ranges[index].end))).collect();
    let shifted = marks.iter().min_by_key(|(index, _)| *index).and_then(|(index, here)| {
        let start = ranges[*index].start;
        let before = text[..here.start].rsplit('\n').next().unwrap_or_default();
        let left_out = before.len() != start - lines.bytes(lines.index(start)).start;
        left_out.then(|| before.chars().count() + 1)
    });
    Window { text, line: first + 1, marks, shifted }
}

/// What is shown of a line: all of it, or around the ends of its marks.
fn parts<'r>(
    source: &str,
    line: &Range<usize>,
    marks: impl Iterator<Item = &'r Range<usize>>,
) -> Vec<Range<usize>> {
    if line.len() <= LONG {
        return vec![line.clone()];
    }
    let mut around: Vec<Range<usize>> = marks
        .filter(|mark| mark.start <= line.end && mark.end >= line.start)
        .map(|mark| {
            let start = mark.start.max(line.start);
            let from = start.saturating_sub(BEFORE).max(line.start);
            source.ceil_char_boundary(from)..source.floor_char_boundary((start + BEHIND).min(line.end))
        })
        .collect();
    if around.is_empty() {
        around.push(line.start..source.floor_char_boundary(line.start + BEFORE));
    }
    around.sort_by_key(|part| part.start);
    let mut parts: Vec<Range<usize>> = Vec::new();
    for part in around {
        match parts.last_mut() {
            Some(before) if part.start <= before.end => before.end = before.end.max(part.end),
            _ => parts.push(part),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::{LONG, windows};
    use crate::diagnostic::Lines;
    use crate::read::Span;

    #[test]
    fn a_short_file_is_shown_as_it_is() {
        let text = "one\ntwo\nthree\n";
        let found = windows(&Lines::new(text), &[Span::new(4, 7)]);
        assert_eq!((found.len(), &*found[0].text, found[0].line), (1, "two\n", 2));
        assert_eq!((&*found[0].marks, found[0].shifted), (&[(0, 0..3)][..], None));
    }

    #[test]
    fn a_long_line_is_shown_around_its_marks() {
        let text = format!("{}MARK{}号NEXT{}", "é".repeat(5000), "x".repeat(9000), "y".repeat(9000));
        let spans = ["NEXT", "MARK"].map(|word| {
            let at = text.find(word).unwrap_or_default();
            Span::new(at, at + 4)
        });
        let found = windows(&Lines::new(&text), &spans);
        assert_eq!((found.len(), found[0].line), (1, 1));
        let column = found[0].shifted.unwrap_or_default();
        assert!(found[0].text.chars().skip(column - 1).collect::<String>().starts_with("NEXT"));
        assert!(found[0].text.len() < 2 * LONG, "{}", found[0].text.len());
        for (index, range) in &found[0].marks {
            assert_eq!(&found[0].text[range.clone()], ["NEXT", "MARK"][*index]);
        }
    }

    #[test]
    fn far_marks_stand_in_windows_of_their_own() {
        let text = "line\n".repeat(5000);
        let found = windows(&Lines::new(&text), &[Span::new(20_000, 20_004), Span::new(0, 4)]);
        assert_eq!(found.iter().map(|window| window.line).collect::<Vec<_>>(), [4001, 1]);
        let whole = windows(&Lines::new(&text), &[Span::new(0, text.len())]);
        assert_eq!(&*whole[0].text, "line\n");
    }
}
