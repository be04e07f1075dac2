//! What each person has set, and at whom it is time to look.

use handset_spec::Language;
use handset_spec::settings::Settings;
use serde_json::json;

use super::*;

fn once(client_id: &str) -> Option<Once> {
    Some(Once { client_id: client_id.to_owned(), now_ms: 5 })
}

/// What is set is its person's own, is kept over a reopening, and changes as a whole or not at all.
pub(super) async fn settings_are_kept_whole_and_by_person(house: House) {
    let (store, ann, bob) = (&house.store, &house.ann, &house.bob);
    let of = |person: &PersonId| store.settings(person.clone());
    let first = of(ann).await.unwrap().unwrap();
    assert_eq!((&first.settings, &*first.zone, first.dnd), (&Settings::default(), "UTC", false));
    assert_eq!((first.language, first.spoken, first.reads()), (None, None, Language::En));
    let tune = Tune {
        settings: Some(json!({"call": {"extra_rings": 3}})),
        language: Some(Some(Language::Zh)),
        zone: Some("Asia/Shanghai".to_owned()),
        dnd: Some(true),
    };
    let tuned = store.tune(ann.clone(), tune, 100, None).await.unwrap().unwrap().unwrap();
    assert!(tuned.changed && tuned.switched);
    assert_eq!(of(ann).await.unwrap().unwrap(), tuned.personal);
    assert_eq!((tuned.personal.reads(), tuned.personal.dnd_changed_ms), (Language::Zh, Some(100)));
    assert_eq!(of(bob).await.unwrap().unwrap(), first);
    // A fault in it changes nothing of it.
    let faulty =
        Tune { settings: Some(json!({"call": {"extra_rings": "3"}})), dnd: Some(false), ..Tune::default() };
    assert_eq!(store.tune(ann.clone(), faulty, 110, None).await.unwrap().unwrap().unwrap_err().len(), 1);
    assert!(of(ann).await.unwrap().unwrap().dnd);
    // The same again changes nothing.
    let same = store.tune(ann.clone(), Tune { dnd: Some(true), ..Tune::default() }, 120, None).await;
    let same = same.unwrap().unwrap().unwrap();
    assert!(!same.changed && !same.switched && same.personal.dnd_changed_ms == Some(100));
    let nobody = store.tune(PersonId::from_text("x"), Tune::default(), 1, None).await.unwrap();
    assert!(nobody.is_none() && of(&PersonId::from_text("x")).await.unwrap().is_none());
    store.close().await.unwrap();
    let store = house.place.open().await;
    assert_eq!(store.settings(ann.clone()).await.unwrap().unwrap(), tuned.personal);
}

/// A repetition is told what the first was told, and changes nothing; a fault may be mended with the same id.
pub(super) async fn a_change_is_repeated_by_client_id(house: House) {
    let (store, ann) = (&house.store, &house.ann);
    let rings = |rings: serde_json::Value| Tune {
        settings: Some(json!({"call": {"extra_rings": rings}})),
        ..Tune::default()
    };
    let tune = |tune: Tune, id: &str| store.tune(ann.clone(), tune, 100, once(id));
    assert!(tune(rings(json!("many")), "a").await.unwrap().unwrap().is_err());
    let first = tune(rings(json!(1000)), "a").await.unwrap().unwrap().unwrap();
    assert_eq!(first.clamped.len(), 1);
    tune(rings(json!(2)), "b").await.unwrap().unwrap().unwrap();
    let again = tune(rings(json!(7)), "a").await.unwrap().unwrap().unwrap();
    assert_eq!((again.clamped, again.changed), (first.clamped, false));
    assert_eq!(again.personal.settings.call.extra_rings, 2);
}

/// Somebody's words put them among those to look at; what happens between a look and its end is not lost.
pub(super) async fn a_look_forgets_nothing_that_happens_beside_it(house: House) {
    let (store, ann) = (&house.store, &house.ann);
    assert_eq!(store.to_look_at(i64::MAX, 10).await.unwrap(), []);
    let chat = house.chat().await;
    let mut message = house.message(&chat, None);
    message.text = "早上好".to_owned();
    store.begin_turn(message).await.unwrap().unwrap();
    let seen = store.to_look_at(20, 10).await.unwrap();
    assert_eq!(
        (&seen[0].person, seen[0].heard_ms, &seen[0].heard_in),
        (ann, Some(20), &Some(chat.id.clone()))
    );
    assert_eq!(seen[0].personal.reads(), Language::Zh, "the language of their words");
    let look = seen[0].look_ms.unwrap();
    // Set in the midst of the look: the look's end does not put it off.
    store.tune(ann.clone(), Tune { dnd: Some(true), ..Tune::default() }, 20, None).await.unwrap();
    store.look_again(ann.clone(), look, None).await.unwrap();
    let seen = store.to_look_at(20, 10).await.unwrap();
    assert!(seen.len() == 1 && seen[0].personal.dnd);
    store.look_again(ann.clone(), seen[0].look_ms.unwrap(), Some(50)).await.unwrap();
    assert_eq!(
        (store.to_look_at(49, 10).await.unwrap().len(), store.to_look_at(50, 10).await.unwrap().len()),
        (0, 1)
    );
    let words = store.last_words(ann.clone(), chat.id.clone(), 10).await.unwrap();
    assert_eq!(words, [Words { role: Role::Person, text: "早上好".to_owned() }]);
    assert_eq!(store.last_words(house.bob.clone(), chat.id, 10).await.unwrap(), []);
}
