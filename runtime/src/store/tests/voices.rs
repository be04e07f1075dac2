//! Prints of voices: their person's, bounded, of one way of measuring.

use handset_spec::settings::Settings;
use serde_json::json;

use super::*;
use crate::voice::tone::Features;

fn clip(heard_ms: i64) -> VoiceClip {
    let features = Features {
        dur: 2.5,
        pitch: (heard_ms % 2 == 0).then_some(180.25),
        pitch_var: None,
        energy: 0.037_123_456_789,
        pause: heard_ms as f64 / 1_000.0,
        rate: Some(12.5),
        tail: None,
    };
    VoiceClip { heard_ms, features }
}

/// The newest are kept, as many as the person has set, to the last digit; nobody else has any of them.
pub(super) async fn the_last_utterances_are_kept_by_person(house: House) {
    let (store, ann, bob) = (&house.store, &house.ann, &house.bob);
    let keep = |person: &PersonId, number| store.keep_voice_clip(person.clone(), 1, clip(number), None);
    let of = |person: &PersonId| store.voice_clips(person.clone(), 1, 10_000);
    let usual = Settings::default().tone.baseline_keep;
    for number in 0..usual + 5 {
        assert!(keep(ann, number).await.unwrap());
    }
    let expected: Vec<_> = (5..usual + 5).map(clip).collect();
    assert_eq!(of(ann).await.unwrap(), expected);
    assert_eq!(of(bob).await.unwrap(), []);
    assert!(!keep(&PersonId::from_text("nobody"), 1).await.unwrap());
    // What is set later counts from the next utterance on; until then no more of them are read.
    let settings = Some(json!({"tone": {"baseline_keep": 50}}));
    store.tune(ann.clone(), Tune { settings, ..Tune::default() }, 1, None).await.unwrap().unwrap().unwrap();
    let latest = store.voice_clips(ann.clone(), 1, 2).await.unwrap();
    assert_eq!(latest, [clip(usual + 3), clip(usual + 4)]);
    keep(ann, 1_000).await.unwrap();
    assert_eq!(of(ann).await.unwrap().len(), 50);
    store.close().await.unwrap();
    let store = house.place.open().await;
    assert_eq!(store.voice_clips(ann.clone(), 1, 10_000).await.unwrap().len(), 50);
}

/// What was measured in another way is not read, and goes with the next write.
pub(super) async fn a_changed_way_of_measuring_makes_a_print_void(house: House) {
    let (store, ann, bob) = (&house.store, &house.ann, &house.bob);
    let keep = |person: &PersonId, version, number| {
        store.keep_voice_clip(person.clone(), version, clip(number), None)
    };
    let of = |person: &PersonId, version| store.voice_clips(person.clone(), version, 10_000);
    for number in 0..3 {
        keep(ann, 1, number).await.unwrap();
        keep(bob, 1, number).await.unwrap();
    }
    assert_eq!(of(ann, 2).await.unwrap(), [], "not read");
    keep(ann, 2, 10).await.unwrap();
    assert_eq!((of(ann, 1).await.unwrap(), of(ann, 2).await.unwrap()), (vec![], vec![clip(10)]), "gone");
    assert_eq!(of(bob, 1).await.unwrap().len(), 3, "another's are as they were");
    assert_eq!(store.drop_void_voices(2).await.unwrap(), 3);
    assert_eq!((of(bob, 1).await.unwrap().len(), of(ann, 2).await.unwrap().len()), (0, 1));
}

/// A voice is forgotten alone, and with everything else of its person's. A repetition is kept once.
pub(super) async fn a_voice_is_forgotten(house: House) {
    let (store, ann, bob) = (&house.store, &house.ann, &house.bob);
    let once = || Some(Once { client_id: "u1".to_owned(), now_ms: 5 });
    for _ in 0..2 {
        assert!(store.keep_voice_clip(ann.clone(), 1, clip(1), once()).await.unwrap());
    }
    store.keep_voice_clip(bob.clone(), 1, clip(1), None).await.unwrap();
    assert_eq!(store.forget_voice(ann.clone()).await.unwrap(), 1);
    assert_eq!(store.forget_voice(ann.clone()).await.unwrap(), 0);
    let of = |person: &PersonId| store.voice_clips(person.clone(), 1, 10);
    assert_eq!((of(ann).await.unwrap().len(), of(bob).await.unwrap().len()), (0, 1));
    store.erase(bob.clone()).await.unwrap().unwrap();
    assert_eq!(of(bob).await.unwrap(), []);
}
