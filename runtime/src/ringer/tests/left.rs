//! What a call leaves: voicemails, records, the line.

use super::*;

#[tokio::test]
async fn the_voicemail_goes_where_the_pin_is() {
    let house = House::new().await;
    let chat = |mode, kind| NewChat { person: house.ann.clone(), kind, mode, title: None, now_ms: START };
    let old = house.store.create_chat(chat(Mode::Act, Kind::Chat)).await.unwrap();
    let newer =
        house.store.create_chat(NewChat { now_ms: START + 1, ..chat(Mode::Act, Kind::Chat) }).await.unwrap();
    house.store.create_chat(NewChat { now_ms: START + 2, ..chat(Mode::Plan, Kind::Chat) }).await.unwrap();
    house.store.create_chat(NewChat { now_ms: START + 3, ..chat(Mode::Act, Kind::Schedule) }).await.unwrap();
    let into = async |house: &House| {
        house
            .store
            .house_message(house.ann.clone(), Role::Companion, "x".to_owned(), START)
            .await
            .unwrap()
            .chat
    };
    assert_eq!(into(&house).await, newer.id, "the newest that is for talking");
    let pin = |chat: &crate::store::Chat, pinned| {
        house.store.pin_chat_once(house.ann.clone(), chat.id.clone(), pinned, START, None)
    };
    assert!(pin(&newer, true).await.unwrap().unwrap().pinned_ms.is_some());
    pin(&old, true).await.unwrap().unwrap();
    assert_eq!(into(&house).await, old.id, "the pin has moved");
    let pinned = house.store.chats(house.ann.clone()).await.unwrap();
    assert_eq!(pinned.iter().filter(|chat| chat.pinned_ms.is_some()).count(), 1);
    // Deleted while it rings: the voicemail finds another place.
    let invite = house.invite("dinner").await.unwrap();
    house.store.delete_chat(house.ann.clone(), old.id).await.unwrap();
    house.clock.advance(30_000);
    house.resolved(&invite.id).await;
    let last = house.store.messages(house.ann.clone(), newer.id, 0, 9).await.unwrap();
    assert_eq!(last.last().unwrap().text, text!(call.missed in En, reason = "dinner"));
    // And where there is no chat at all, one is made.
    for chat in house.store.chats(house.ann.clone()).await.unwrap() {
        house.store.delete_chat(house.ann.clone(), chat.id).await.unwrap();
    }
    assert_eq!(into(&house).await, house.store.chats(house.ann.clone()).await.unwrap()[0].id);
}

#[tokio::test]
async fn a_record_with_its_summary_once() {
    let house = House::new().await;
    let id = house.answered().await;
    house.clock.advance(140_000);
    let ended = house.ringer.end(&house.ann, &id, 137_000, House::transcript(), None).await.unwrap().unwrap();
    let record = text!(record.call_with_summary in En, duration = "2:17", summary = "Plans for dinner.");
    assert_eq!(ended.record.unwrap().text, record);
    assert!(record.starts_with("📞 Voice call · 2:17\n"));
    let again = house.ringer.end(&house.ann, &id, 9, Vec::new(), None).await.unwrap().unwrap();
    assert_eq!((again.outcome, again.record), (LineOutcome::Recorded, None));
    assert_eq!(house.said().await, [(Role::Companion, record)]);
    assert_eq!(house.ringer.waiting(), 0);
}

#[tokio::test]
async fn a_summary_that_does_not_come_blocks_nothing() {
    // It hangs, it belongs to somebody else, or nothing was said.
    for (model, transcript) in [
        (Says(None, true), House::transcript()),
        (Says(Some("Secrets."), false), House::transcript()),
        (Says(Some("Nothing."), true), Vec::new()),
    ] {
        let hangs = model.0.is_none();
        let house = House::with(Then::Return, model).await;
        let id = house.answered().await;
        house.clock.advance(137_000);
        let ending = house.ringer.end(&house.ann, &id, 137_000, transcript, None);
        let waiting = async {
            while hangs
                && house.store.open_calls().await.unwrap().iter().all(|call| call.record_due_ms.is_none())
            {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            house.clock.advance(15_000);
        };
        let (ended, ()) = tokio::join!(ending, waiting);
        assert_eq!(ended.unwrap().unwrap().record.unwrap().text, text!(record.call in En, duration = "2:17"));
        assert_eq!(house.said().await.len(), 1);
    }
}

#[tokio::test]
async fn killed_while_a_summary_is_written() {
    let house = House::with(Then::Return, Says(None, true)).await;
    let id = house.answered().await;
    let shell = Arc::clone(&house.ringer.shell);
    let (ann, call) = (house.ann.clone(), id.clone());
    let ways = house.ringer.ways(&ann).await.unwrap();
    let event = call::Event::Ended {
        length_ms: 137_000,
        limits: ways.limits,
        told: true,
        by: crate::store::EndedBy::Device,
    };
    let now_ms = START + 137_000;
    let due_ms = now_ms + ways.summary_ms;
    // The end is committed; its summary never comes.
    let moved = shell.store.move_call_once(ann, call, event, due_ms, now_ms, None).await.unwrap().unwrap();
    assert_eq!((moved.record, moved.call.record_due_ms), (None, Some(due_ms)));
    drop(shell);
    let mut house = house;
    for _ in 0..2 {
        house = house.again().await;
        house.ringer.recover().await.unwrap();
        assert_eq!(house.said().await, [(Role::Companion, text!(record.call in En, duration = "2:17"))]);
        // A summary that comes after all finds the record written.
        let late = Some("Too late.".to_owned());
        let written = house.store.write_record(house.ann.clone(), id.clone(), late, START).await.unwrap();
        assert_eq!(written, None);
    }
}

#[tokio::test]
async fn the_companion_hangs_up_when_it_was_heard_and_nobody_speaks() {
    let house = House::new().await;
    let turn = TurnId::from_text("t");
    assert_eq!(house.ringer.hang_up(&house.ann, &turn, 9).await, Ok(Err(NoCall)));
    let id = house.answered().await;
    house.ringer.sign(&house.ann, &id, Sign::Joined).await.unwrap().unwrap();
    house.ringer.hang_up(&house.ann, &turn, 9).await.unwrap().unwrap();
    let played = Sign::Played { turn: turn.clone(), heard: None };
    let moved = house.ringer.sign(&house.ann, &id, played.clone()).await.unwrap().unwrap();
    let linger::Linger::Lingering { until_ms } = moved.call.line.linger else { panic!("it lingers") };
    assert!((START + 15_000..=START + 20_000).contains(&until_ms));
    // A message counts as speech.
    house.ringer.spoke(&house.ann).await;
    house.clock.advance(20_000);
    assert_eq!(house.call(&id).await.line.state, CallState::Going);
    house.ringer.hang_up(&house.ann, &turn, 9).await.unwrap().unwrap();
    house.ringer.sign(&house.ann, &id, played).await.unwrap().unwrap();
    // The window is kept: a restart in it changes nothing.
    let house = house.again().await;
    house.ringer.recover().await.unwrap();
    house.clock.advance(20_000);
    house.call_is(&id, CallState::HungUp).await;
    house.clock.advance(call::CLOSE_WITHIN_MS);
    let call = house.call_is(&id, CallState::Ended).await;
    assert_eq!(call.line.end.unwrap().length_ms, 40_000);
    assert_eq!(house.said().await, [(Role::Companion, text!(record.call in En, duration = "0:40"))]);
}

#[tokio::test]
async fn writes_are_repeated_by_client_id() {
    let house = House::new().await;
    let once = |id: &str| Some(Once { client_id: id.to_owned(), now_ms: START });
    let new = || Invite { reason: "a".to_owned(), by: By::Api, chat: None, force: false };
    let first = house.ringer.invite(&house.ann, new(), once("i")).await.unwrap();
    let second = house.ringer.invite(&house.ann, new(), once("i")).await.unwrap();
    assert_eq!((&first.id, second.state), (&second.id, InviteState::Pending));
    let answer = |device: &str, id: &str| {
        let (device, once) = (Some(device.to_owned()), once(id));
        let (ringer, ann, invite) = (&house.ringer, &house.ann, &first.id);
        async move { ringer.answer(ann, invite, device, Answer::Accept, once).await.unwrap().unwrap().outcome }
    };
    assert_eq!(answer("phone", "a").await, Outcome::Accepted);
    assert_eq!(answer("tablet", "b").await, Outcome::AnsweredElsewhere);
    assert_eq!(answer("phone", "a").await, Outcome::Accepted);
    house.clock.advance(6_000);
    let end = |id: &str, length_ms| house.ringer.end(&house.ann, &first.id, length_ms, Vec::new(), once(id));
    assert_eq!(end("e", 6_000).await.unwrap().unwrap().outcome, LineOutcome::Recorded);
    assert_eq!(end("e", 1).await.unwrap().unwrap().outcome, LineOutcome::Recorded);
    assert_eq!(house.said().await.len(), 1);
}
