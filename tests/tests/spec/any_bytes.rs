//! Whatever comes, the reader answers: it does not panic, and says something of every call.

use handset_spec::phone;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_bytes_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        prop_assert!(answers(&bytes) >= 1);
    }

    #[test]
    fn any_bytes_inside_a_call_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..16), at in 0..80usize) {
        let mut call = br#"{"action":"navigate","destination":{"query":"\ud83d\ude00 inn","lat":1e2},"mode":"walk"}"#.to_vec();
        let at = at.min(call.len());
        call.splice(at..at, bytes);
        prop_assert!(answers(&call) >= 1);
    }
}

/// How many answers these arguments get, each of them with its words.
fn answers(bytes: &[u8]) -> usize {
    let mut answers = 0;
    phone::read(bytes, |call| {
        let words = match &call {
            Ok(call) => call.to_json(),
            Err(refusal) => refusal.text().into_owned(),
        };
        answers += usize::from(!words.is_empty());
    });
    answers
}
