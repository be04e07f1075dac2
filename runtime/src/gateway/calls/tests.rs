//! Each oddity of the field, and that no cut of the pieces matters.

use proptest::prelude::*;

use super::*;

fn piece(index: Option<u32>, id: &str, name: &str, arguments: &str) -> Fragment {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Fragment { index, id: some(id), name: some(name), arguments: some(arguments) }
}

fn assemble(pieces: impl IntoIterator<Item = Fragment>) -> Vec<(String, String, String)> {
    let mut assembler = Assembler::default();
    for piece in pieces {
        assembler.push(piece);
    }
    let call = |call: Assembled| (call.id.unwrap_or_default(), call.name, call.arguments);
    assembler.finish().into_iter().map(call).collect()
}

fn call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), arguments.to_owned())
}

#[test]
fn the_usual_form() {
    let calls = assemble([
        piece(Some(0), "a", "t", ""),
        piece(Some(0), "", "", r#"{"x":"#),
        piece(Some(1), "b", "u", ""),
        piece(Some(0), "", "", "1}"),
        piece(Some(1), "", "", "{}"),
    ]);
    assert_eq!(calls, [call("a", "t", r#"{"x":1}"#), call("b", "u", "{}")]);
}

#[test]
fn p015_parallel_calls_share_an_index() {
    let calls = assemble([
        piece(Some(0), "a", "t", r#"{"x":1"#),
        piece(Some(0), "b", "t", r#"{"x":2"#),
        piece(Some(0), "a", "", "}"),
        piece(Some(0), "b", "", "}"),
    ]);
    assert_eq!(calls, [call("a", "t", r#"{"x":1}"#), call("b", "t", r#"{"x":2}"#)]);
}

#[test]
fn p017_an_empty_piece_at_another_index_opens_nothing() {
    let calls = assemble([
        piece(Some(0), "a", "t", "{}"),
        piece(Some(1), "", "", ""),
        piece(Some(1), "", "", " "),
        Fragment { index: Some(2), id: Some(" ".to_owned()), name: Some(String::new()), arguments: None },
    ]);
    assert_eq!(calls, [call("a", "t", "{}")]);
}

#[test]
fn p019_a_blank_after_the_end_changes_nothing() {
    let calls = assemble([piece(Some(0), "a", "t", r#"{"x":1}"#), piece(Some(0), "a", "", " ")]);
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].2.trim(), r#"{"x":1}"#);
}

#[test]
fn p021_a_last_piece_that_says_everything_again() {
    let calls = assemble([
        piece(Some(0), "a", "t", r#"{"x":"#),
        piece(Some(0), "a", "", "1}"),
        piece(Some(0), "a", "t", r#"{ "x": 1 }"#),
    ]);
    assert_eq!(calls, [call("a", "t", r#"{"x":1}"#)]);
}

#[test]
fn glued_calls_stay_two_objects_under_one_id() {
    let calls = assemble([piece(Some(0), "a", "t", r#"{"x":1}{"x":2}"#)]);
    assert_eq!(calls, [call("a", "t", r#"{"x":1}{"x":2}"#)]);
}

#[test]
fn no_ids_and_no_index_at_all() {
    let calls = assemble([
        piece(None, "", "t", r#"{"x":"#),
        piece(None, "", "t", "1}"),
        piece(None, "", "t", r#"{"x":2}"#),
        piece(None, "", "u", "{}"),
    ]);
    assert_eq!(calls, [call("", "t", r#"{"x":1}"#), call("", "t", r#"{"x":2}"#), call("", "u", "{}")]);
}

#[test]
fn the_id_comes_late() {
    let calls = assemble([piece(Some(0), "", "t", "{"), piece(Some(0), "a", "", "}")]);
    assert_eq!(calls, [call("a", "t", "{}")]);
}

#[test]
fn one_id_for_two_tools_is_two_calls() {
    let calls = assemble([piece(Some(0), "a", "t", "{}"), piece(Some(1), "a", "u", "{}")]);
    assert_eq!(calls, [call("a", "t", "{}"), call("a", "u", "{}")]);
}

#[test]
fn p023_what_is_cut_off_stays_cut_off() {
    let calls = assemble([piece(Some(0), "a", "t", r#"{"x": "he"#)]);
    assert_eq!(calls, [call("a", "t", r#"{"x": "he"#)]);
}

/// P005: what was encoded twice is kept once decoded; what cannot be read is never swapped for `{}`.
#[test]
fn p005_the_canonical_form() {
    for (given, expected) in [
        ("", "{}"),
        (" null ", "{}"),
        (r#""{\"x\":1}""#, r#"{"x":1}"#),
        (r#""\"{\\\"x\\\":1}\"""#, r#"{"x":1}"#),
        (r#"{"x": "#, r#"{"x": "#),
        ("{}{}", "{}{}"),
        (r#""words""#, r#""words""#),
        ("[1]", "[1]"),
    ] {
        assert_eq!(canonical(given), expected, "{given}");
    }
}

proptest! {
    /// However the arguments are cut, and wherever empty pieces stand between: the same calls.
    #[test]
    fn any_cut_is_the_same(
        arguments in prop_oneof![
            Just(r#"{"x":"早 and \"late\"","y":[1,2]}"#.to_owned()),
            Just(r#"{"x":1}{"x":2}"#.to_owned()),
            Just(r#"{"x":1}{"x":1}"#.to_owned()),
            Just(r#"{"x": 1"#.to_owned()),
            "[{}:\" a早]{0,20}",
        ],
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        named in any::<bool>(),
        with_id in any::<bool>(),
    ) {
        let whole = assemble([piece(Some(0), "a", "t", &arguments)]);
        let mut places: Vec<usize> = cuts
            .iter()
            .map(|cut| cut.index(arguments.len() + 1))
            .filter(|&place| arguments.is_char_boundary(place))
            .collect();
        places.push(0);
        places.push(arguments.len());
        places.sort_unstable();
        let mut pieces = vec![piece(Some(0), "a", "t", "")];
        for pair in places.windows(2) {
            let name = if named { "t" } else { "" };
            let id = if with_id || named { "a" } else { "" };
            pieces.push(piece(Some(0), id, name, &arguments[pair[0]..pair[1]]));
            pieces.push(piece(Some(1), "", "", ""));
        }
        prop_assert_eq!(assemble(pieces), whole);
    }

    /// Whatever comes: no panic, no nameless call out of nothing, never more calls than pieces.
    #[test]
    fn anything_is_taken(
        pieces in prop::collection::vec((prop::option::of(0..3u32), "[ab]?", "[tu]?", "[{} ]{0,3}"), 0..12)
    ) {
        let count = pieces.len();
        let calls = assemble(pieces.into_iter().map(|(index, id, name, arguments)| piece(index, &id, &name, &arguments)));
        prop_assert!(calls.len() <= count);
        for (id, name, arguments) in calls {
            prop_assert!(!id.is_empty() || !name.is_empty() || !arguments.trim().is_empty());
        }
    }
}
