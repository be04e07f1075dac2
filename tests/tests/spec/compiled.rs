//! What the compiled reader makes of arguments, in the second reading's terms.

use handset_spec::phone::{self, Refusal};
use handset_tests::second::{Json, Verdict};

/// A verdict a call. A refusal of `tools.texts` is told by its key alone, as the second reading does.
pub(crate) fn read(arguments: &str) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    phone::read(arguments.as_bytes(), |call| verdicts.push(verdict(call)));
    verdicts
}

/// As [`read`], from a parsed value.
pub(crate) fn read_value(arguments: &serde_json::Value) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    phone::read_value(arguments, |call| verdicts.push(verdict(call)));
    verdicts
}

fn verdict(call: Result<phone::Call<'_>, Refusal>) -> Verdict {
    match call {
        Ok(call) => {
            let json = call.to_json();
            let parsed =
                Json::parse(&json).unwrap_or_else(|| panic!("what passes is written as JSON, not as {json}"));
            assert!(!Json::repeats_a_key(&json), "{json}");
            Verdict::Ok(parsed)
        }
        Err(refusal @ Refusal::Arguments(_)) => Verdict::Refused(refusal.key().to_owned()),
        Err(refusal) => Verdict::Refused(refusal.text().into_owned()),
    }
}
