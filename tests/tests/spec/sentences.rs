//! The splitter against the cases: every reply whole and cut everywhere.

use std::io::Write;

use handset::voice::sentences::{LIMIT, Splitter, split};
use handset_spec_macros::conformance;
use serde_json::Value;

conformance!("sentences", run);

/// The runner of the tests says only how many tests there were.
#[test]
fn the_number_of_cases_is_told() {
    // Past the capture that hides what a passing test prints.
    writeln!(
        std::io::stderr(),
        "conformance: {CASES} sentence cases, each a test of its own, cut everywhere"
    )
    .unwrap();
}

fn run(case: &str) {
    let case: Value = serde_json::from_str(case).unwrap();
    let said = case["said"].as_str().unwrap();
    let limit = case["given"]["limit"].as_u64().map_or(LIMIT, |limit| usize::try_from(limit).unwrap());
    let pieces = case["expect"]["pieces"].as_array().unwrap();
    let expected: Vec<&str> = pieces.iter().map(|piece| piece.as_str().unwrap()).collect();
    let whole: Vec<String> = split(said, limit).into_iter().map(|piece| piece.spoken).collect();
    assert_eq!(whole, expected, "{said:?}");
    for cut in said.char_indices().map(|(at, _)| at) {
        assert_eq!(in_parts(&[&said[..cut], &said[cut..]], limit), expected, "{said:?} cut at {cut}");
    }
    let every: Vec<String> = said.chars().map(String::from).collect();
    let every: Vec<&str> = every.iter().map(String::as_str).collect();
    assert_eq!(in_parts(&every, limit), expected, "{said:?} character by character");
}

fn in_parts(parts: &[&str], limit: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut splitter = Splitter::new(limit);
    for part in parts {
        splitter.push(part, |piece| pieces.push(piece.spoken));
    }
    splitter.finish(|piece| pieces.push(piece.spoken));
    pieces
}
