//! Lines of calls: what is spoken on them, and how much of it was heard.

use handset_spec::Language;
use handset_spec::markers::Kind as Marker;

use super::*;
use crate::ringer::burst::Plan;
use crate::ringer::call;
use crate::ringer::invite;
use crate::ringer::record::Limits;

/// A call that was accepted, in this chat or in none.
async fn called(house: &House, chat: Option<&Chat>) -> InviteId {
    let id = InviteId::new(10).unwrap();
    let invite = NewInvite {
        id: id.clone(),
        person: house.ann.clone(),
        chat: chat.map(|chat| chat.id.clone()),
        by: By::Api,
        reason: "tea".to_owned(),
        language: Language::En,
        plan: Plan { created_ms: 10, interval_ms: 2_000, extra: 10, expires_ms: 30_000 },
        rings: true,
        force: false,
    };
    house.store.open_invite(invite).await.unwrap();
    let answered = invite::Event::Answered { device: None, answer: invite::Answer::Accept };
    house.store.settle_invite(house.ann.clone(), id.clone(), answered, 20).await.unwrap().unwrap();
    id
}

async fn ends(house: &House, call: &InviteId) {
    let limits = Limits { min_call_ms: 5_000, min_summary_ms: 20_000 };
    let event = call::Event::Ended { length_ms: 1_000, limits, told: false, by: EndedBy::Device };
    house
        .store
        .move_call_once(house.ann.clone(), call.clone(), event, 0, 2_000, None)
        .await
        .unwrap()
        .unwrap();
}

fn marker(number: i64, heard: bool) -> NewEffect {
    NewEffect { kind: Marker::Hangup, argument: None, place: 4, spoken: Some(InSpeech { number, heard }) }
}

fn progress(turn: &Turn, call: &InviteId, pieces: i64, words: &str) -> Progress {
    Progress { turn: turn.id.clone(), call: call.clone(), pieces, words: words.to_owned() }
}

/// A turn of the chat.
async fn turn(house: &House, chat: &Chat) -> Turn {
    house.store.begin_turn(house.message(chat, None)).await.unwrap().unwrap().turn
}

pub(super) async fn a_line_speaks_in_its_calls_chat(house: House) {
    let (store, ann, bob) = (&house.store, &house.ann, &house.bob);
    let chat = house.chat().await;
    let call = called(&house, Some(&chat)).await;
    assert_eq!(store.open_lines().await.unwrap(), [], "nobody was connected to it");
    assert_eq!(store.open_line(bob.clone(), call.clone(), 30).await.unwrap(), None, "another's");
    assert_eq!(store.open_line(ann.clone(), call.clone(), 30).await.unwrap(), Some(chat.id.clone()));
    assert_eq!(store.open_lines().await.unwrap(), [(ann.clone(), call.clone())]);
    store.close().await.unwrap();
    let house = House { store: house.place.open().await, ..house };
    assert_eq!(house.store.open_lines().await.unwrap(), [(house.ann.clone(), call.clone())]);
    ends(&house, &call).await;
    assert_eq!(house.store.open_lines().await.unwrap(), []);
    // One that no reply asked for speaks in the chat for what is said outside of any; the same each time.
    let call = called(&house, None).await;
    let pinned = house.store.open_line(house.ann.clone(), call.clone(), 40).await.unwrap().unwrap();
    assert_eq!(house.store.open_line(house.ann.clone(), call, 50).await.unwrap(), Some(pinned));
}

pub(super) async fn how_much_was_heard_is_kept_until_it_is_over(house: House) {
    let (store, ann) = (&house.store, &house.ann);
    let chat = house.chat().await;
    let call = called(&house, Some(&chat)).await;
    let turn = turn(&house, &chat).await;
    let spoken = || store.spoken_turns(ann.clone(), call.clone());
    assert_eq!(spoken().await.unwrap(), []);
    for (pieces, words) in [(0, ""), (1, "One."), (2, "One. Two.")] {
        store.hear(ann.clone(), progress(&turn, &call, pieces, words), Vec::new(), 40).await.unwrap();
    }
    let expected = SpokenTurn { turn: turn.clone(), progress: progress(&turn, &call, 2, "One. Two.") };
    assert_eq!(spoken().await.unwrap(), std::slice::from_ref(&expected));
    assert_eq!(store.spoken_turn(ann.clone(), turn.id.clone()).await.unwrap(), Some(expected));
    assert_eq!(store.spoken_turns(house.bob.clone(), call.clone()).await.unwrap(), []);
    assert_eq!(store.spoken_turn(house.bob.clone(), turn.id.clone()).await.unwrap(), None);
    // A marker is there from the moment when it was heard, once.
    for _ in 0..2 {
        let heard = progress(&turn, &call, 2, "One. Two.");
        store.hear(ann.clone(), heard, vec![marker(0, true)], 50).await.unwrap();
    }
    let effects = store.effects(ann.clone(), turn.id.clone()).await.unwrap();
    assert_eq!(effects.iter().map(|effect| effect.state).collect::<Vec<_>>(), [EffectState::Recorded]);
    store.heard_out(ann.clone(), progress(&turn, &call, 3, "One. Two. Three."), 60).await.unwrap();
    assert_eq!(spoken().await.unwrap(), []);
    assert_eq!(store.spoken_turn(ann.clone(), turn.id.clone()).await.unwrap(), None);
}

/// Words, their mark, the turn's end and the markers behind: all or nothing, and only of what is longer than was heard.
pub(super) async fn what_was_not_heard_is_cut_in_one_write(house: House) {
    let (store, ann) = (&house.store, &house.ann);
    let chat = house.chat().await;
    let call = called(&house, Some(&chat)).await;
    let turn = turn(&house, &chat).await;
    store.hear(ann.clone(), progress(&turn, &call, 1, "晚安。"), Vec::new(), 40).await.unwrap();
    let ending = Ending::finished("晚安。 Sleep well. Goodbye.".to_owned());
    let ending = ending.with(vec![marker(0, true), marker(1, false)]);
    let reply = store.finish_turn(ann.clone(), turn.id.clone(), ending, 50).await.unwrap().unwrap();
    let cut = |person: &PersonId, chars, heard| {
        let kept = vec![Kept { message: reply.id.clone(), chars }];
        store.cut(person.clone(), turn.id.clone(), kept, heard, 60)
    };
    assert_eq!(cut(&house.bob, 1, 0).await.unwrap(), [], "another's words are not there");
    // By characters, not bytes; and no blank stands at the end.
    let left = cut(ann, 10, 1).await.unwrap();
    assert_eq!((left[0].text.as_str(), left[0].mark.as_deref()), ("晚安。 Sleep", Some(mark::INTERRUPTED)));
    let stored = store.turn_messages(ann.clone(), turn.id.clone()).await.unwrap();
    assert_eq!(stored.last(), left.last());
    let effects = store.effects(ann.clone(), turn.id.clone()).await.unwrap();
    let states: Vec<_> = effects.iter().map(|effect| effect.state).collect();
    assert_eq!(states, [EffectState::Recorded, EffectState::Refused], "what was heard is to be performed");
    assert_eq!(store.spoken_turns(ann.clone(), call.clone()).await.unwrap(), []);
    // Cut again, nothing more goes.
    assert_eq!(cut(ann, 10, 1).await.unwrap(), left);
}

/// At a start: what the markers of calls that are over asked for and nobody heard is refused; that of a call that goes on waits.
pub(super) async fn what_nobody_heard_is_dropped_with_its_call(house: House) {
    let (store, ann) = (&house.store, &house.ann);
    let chat = house.chat().await;
    let call = called(&house, Some(&chat)).await;
    let turn = turn(&house, &chat).await;
    store.hear(ann.clone(), progress(&turn, &call, 0, ""), Vec::new(), 40).await.unwrap();
    let ending = Ending::finished("One.".to_owned()).with(vec![marker(0, false)]);
    store.finish_turn(ann.clone(), turn.id.clone(), ending, 50).await.unwrap().unwrap();
    let state = async || store.effects(ann.clone(), turn.id.clone()).await.unwrap()[0].state;
    store.drop_unheard(60).await.unwrap();
    assert_eq!(state().await, EffectState::Unheard, "it may be heard yet");
    ends(&house, &call).await;
    store.drop_unheard(70).await.unwrap();
    assert_eq!(state().await, EffectState::Refused);
}
