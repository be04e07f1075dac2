//! The scanner against the cases, against the second reading, and against itself: every reply cut everywhere.

use std::io::Write;
use std::sync::LazyLock;

use handset_spec::markers::{ByteScanner, Event, Kind, MAX_CHARS, Reading, Scanner, harmless, read};
use handset_spec_macros::conformance;
use handset_tests::second::{Json, Marked, Spec};
use proptest::prelude::*;

static SPEC: LazyLock<Spec> = LazyLock::new(|| Spec::own().unwrap());

conformance!("markers", run);

/// The runner of the tests says only how many tests there were.
#[test]
fn the_number_of_cases_is_told() {
    // Past the capture that hides what a passing test prints.
    writeln!(std::io::stderr(), "conformance: {CASES} marker cases, each a test of its own, cut everywhere")
        .unwrap();
}

fn run(case: &str) {
    let case = Json::parse(case).unwrap();
    let reply = case.get("reply").and_then(Json::as_text).unwrap();
    let expect = case.get("expect").unwrap();
    let Some(Json::List(markers)) = expect.get("markers") else { panic!("a case expects markers") };
    let text = |json: &Json, key: &str| json.get(key).and_then(Json::as_text);
    let expected = Marked {
        text: text(expect, "text").unwrap(),
        markers: markers
            .iter()
            .map(|marker| (text(marker, "kind").unwrap(), text(marker, "argument")))
            .collect(),
    };
    assert_eq!(marked(read(&reply)), expected, "{reply:?}");
    // The second reading has to agree, or it is no measure for the random replies.
    assert_eq!(SPEC.marked(&reply), expected, "{reply:?}, the second reading");
    for cut in 0..=reply.len() {
        assert_eq!(marked(in_bytes(reply.as_bytes(), &[cut])), expected, "{reply:?} cut at {cut}");
    }
    let every: Vec<usize> = (0..reply.len()).collect();
    assert_eq!(marked(in_bytes(reply.as_bytes(), &every)), expected, "{reply:?} byte by byte");
}

fn marked(reading: Reading) -> Marked {
    let markers = reading.markers.into_iter();
    Marked {
        text: reading.text,
        markers: markers.map(|it| (it.kind.name().to_owned(), it.argument)).collect(),
    }
}

/// Reads a reply in the pieces between the cuts, which stand in order.
fn in_bytes(reply: &[u8], cuts: &[usize]) -> Reading {
    let mut reading = Reading::default();
    let mut scanner = ByteScanner::new();
    let mut from = 0;
    for &cut in cuts {
        scanner.push(&reply[from..cut], &mut |event| reading.take(event));
        from = cut;
    }
    scanner.push(&reply[from..], &mut |event| reading.take(event));
    scanner.finish(&mut |event| reading.take(event));
    reading.trimmed()
}

/// What replies are made of that look like markers.
const PIECES: &[&str] = &[
    "⟪",
    "⟫",
    "《",
    "》",
    "【",
    "】",
    "[",
    "]",
    "[",
    "]",
    "⟪",
    "⟫",
    "(",
    ")",
    "`",
    "```",
    "~~~",
    "\n",
    "\n",
    "\r\n",
    " ",
    "  ",
    "\t",
    ":",
    "：",
    "dial",
    "DIAL",
    "拨号",
    "hangup",
    "Hangup",
    "挂断",
    "dnd",
    "dnd:on",
    "DND：OFF",
    "勿扰开",
    "勿扰关",
    "on",
    "dial:",
    "⟪dial:",
    "[hangup]",
    "⟪挂断⟫",
    "【dial：",
    "a",
    "b.",
    "，",
    "。",
    "\u{85}",
    "\u{2028}",
    "\u{301}",
    "é",
    "😀",
    "\u{212a}",
    "   ```\n",
    "````",
    "~~~ x\n",
    "\n```\n",
    "`⟪hangup⟫`",
    "[dial:x](",
    "\u{a0}",
    "di",
    "han",
    "s",
    "xxxxxxxx",
];

fn reply() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        12 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => prop::collection::vec(any::<char>(), 0..3).prop_map(|chars| chars.into_iter().collect()),
        1 => (MAX_CHARS - 12..MAX_CHARS + 3).prop_map(|count| "x".repeat(count)),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6_000))]

    #[test]
    fn both_readings_say_the_same(reply in reply()) {
        prop_assert_eq!(marked(read(&reply)), SPEC.marked(&reply));
    }

    #[test]
    fn a_cut_changes_nothing(reply in reply(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.index(reply.len() + 1)).collect();
        cuts.sort_unstable();
        prop_assert_eq!(in_bytes(reply.as_bytes(), &cuts), read(&reply));
    }

    #[test]
    fn byte_by_byte_is_the_same(reply in reply()) {
        let every: Vec<usize> = (0..reply.len()).collect();
        prop_assert_eq!(in_bytes(reply.as_bytes(), &every), read(&reply));
    }

    #[test]
    fn bytes_that_are_no_text_are_read_as_their_replacement(
        mut bytes in reply().prop_map(String::into_bytes),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        for (place, byte) in edits {
            if !bytes.is_empty() {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
        }
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        prop_assert_eq!(in_bytes(&bytes, &cuts), read(&String::from_utf8_lossy(&bytes)));
    }

    #[test]
    fn nothing_is_held_that_decides_nothing(reply in reply()) {
        let mut scanner = Scanner::new();
        let mut shown = String::new();
        for (at, letter) in reply.char_indices() {
            let behind = at + letter.len_utf8();
            scanner.push(&reply[at..behind], &mut |event| if let Event::Text(text) = event { shown.push_str(text); });
            let held = &reply[behind - scanner.held()..behind];
            if held.is_empty() {
                continue;
            }
            prop_assert!(held.chars().count() <= MAX_CHARS + 1, "{:?}", held);
            // Some end of the reply must take what is held, as a marker or as the beginning of one.
            let ends = ["", "⟫", "》", "】", "]", "l⟫", "x"];
            let names = Kind::ALL.iter().flat_map(|kind| kind.names());
            let suffixes = names.flat_map(|name| name.char_indices().map(|(at, _)| &name[at..])).map(|rest| format!("{rest}⟫"));
            let taken = ends.iter().map(|end| (*end).to_owned()).chain(suffixes).any(|end| {
                let mut on = scanner.clone();
                let mut behind = String::new();
                let mut take = |event: Event<'_>| if let Event::Text(text) = event { behind.push_str(text); };
                on.push(&end, &mut take);
                on.finish(&mut take);
                !behind.starts_with(held)
            });
            prop_assert!(taken, "{:?} is held in {:?}", held, reply);
        }
    }

    #[test]
    fn what_others_say_is_no_marker_however_it_is_repeated(text in reply()) {
        let told = harmless(&text);
        let lines = || told.lines();
        for repeated in [
            told.to_string(),
            lines().map(|line| format!("> {line}\n")).collect(),
            lines().map(str::trim).collect::<Vec<_>>().join("\n"),
            lines().filter(|line| !line.contains("```") && !line.contains("~~~")).collect::<Vec<_>>().join("\n"),
            format!("```\n{told}\n```\n{told}"),
        ] {
            prop_assert!(read(&repeated).markers.is_empty(), "{:?} gives {:?}", text, repeated);
        }
        prop_assert_eq!(harmless(&told), told.as_ref());
    }
}
