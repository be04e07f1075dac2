//! Calls of the companion's own accord, and what each person has set.

use super::*;

/// Whoever asks twice is refused the second time, and a cancelled one counts.
#[tokio::test]
async fn one_escalation_a_local_day() {
    let house = House::new().await;
    let hour = 3_600_000;
    // It is morning at START; she writes, and five hours later it is within her hours.
    let day = START - START.rem_euclid(24 * hour);
    house.clock.advance(day + 24 * hour + 8 * hour - START);
    let now_ms = house.clock.now_ms();
    house.store.house_message(house.ann.clone(), Role::Person, "hello".to_owned(), now_ms).await.unwrap();
    let new = || Invite { reason: "a".to_owned(), by: By::Escalation, chat: None, force: false };
    assert!(matches!(house.ringer.invite(&house.ann, new(), None).await, Err(Refused::NotNow)), "too soon");
    house.clock.advance(6 * hour);
    let first = house.ringer.invite(&house.ann, new(), None).await.unwrap();
    house.ringer.cancel(&house.ann, &first.id, None).await.unwrap();
    assert!(matches!(house.ringer.invite(&house.ann, new(), None).await, Err(Refused::NotNow)));
    house.clock.advance(24 * hour);
    house.ringer.invite(&house.ann, new(), None).await.unwrap();
}

#[tokio::test]
async fn what_a_model_writes_is_one_line() {
    let house = House::new().await;
    let reason = format!("\n \"{}\" ", "日".repeat(300));
    let new = Invite { reason, by: By::Marker, chat: None, force: false };
    let invite = house.ringer.invite(&house.ann, new, None).await.unwrap();
    assert_eq!(invite.reason, format!("{}…", "日".repeat(MAX_REASON - 1)));
    assert_eq!(invite.language, Zh);
}

#[tokio::test]
async fn nobody_who_does_not_want_to_be_disturbed_is() {
    let house = House::new().await;
    let tune = |dnd| crate::store::Tune { dnd: Some(dnd), ..Default::default() };
    house.store.tune(house.ann.clone(), tune(true), START, None).await.unwrap();
    assert!(matches!(house.invite("dinner").await, Err(Refused::Dnd)));
    assert_eq!(house.ringer.waiting(), 0);
    let forced = Invite { reason: "fire".to_owned(), by: By::Api, chat: None, force: true };
    let forced = house.ringer.invite(&house.ann, forced, None).await.unwrap();
    house.ringer.cancel(&house.ann, &forced.id, None).await.unwrap();
    house.store.tune(house.ann.clone(), tune(false), START, None).await.unwrap();
    house.invite("dinner").await.unwrap();
}

/// What is set counts from the next invite on: how it rings, how long it waits, in which language it speaks.
#[tokio::test]
async fn an_invite_follows_what_is_set() {
    let house = House::new().await;
    let tune = |settings: serde_json::Value, language| crate::store::Tune {
        settings: Some(settings),
        language: Some(language),
        ..Default::default()
    };
    let silent = tune(serde_json::json!({"call": {"ring_enabled": false, "invite_expires": 15}}), Some(Zh));
    house.store.tune(house.ann.clone(), silent, START, None).await.unwrap().unwrap().unwrap();
    let invite = house.invite("dinner").await.unwrap();
    assert_eq!((invite.plan.expires_ms - invite.plan.created_ms, invite.rings), (15_000, false));
    house.clock.advance(14_999);
    assert_eq!(house.state(&invite.id).await, InviteState::Pending);
    house.clock.advance(1);
    assert_eq!(house.resolved(&invite.id).await, InviteState::Expired);
    assert_eq!(house.said().await, [(Role::Companion, text!(call.missed in Zh, reason = "dinner"))]);
    assert_eq!(house.bell.rung.borrow().len(), 0, "it waited on the screen");
    let louder = tune(serde_json::json!({"call": {"ring_enabled": true, "extra_rings": 1}}), None);
    house.store.tune(house.ann.clone(), louder, START, None).await.unwrap().unwrap().unwrap();
    house.bell.began.store(house.clock.now_ms(), Ordering::SeqCst);
    house.invite("晚饭").await.unwrap();
    house.ring_through(2).await;
    assert!(house.rung(2).await[1].2, "the second is the last");
}

#[tokio::test]
async fn a_conversation_begins_behind_a_pause_and_behind_a_call() {
    let house = House::new().await;
    let hour = 3_600_000;
    let say =
        |at: i64| house.store.house_message(house.ann.clone(), Role::Companion, "x".to_owned(), START + at);
    let chat = say(0).await.unwrap().chat;
    let began = async |at: i64| {
        let began =
            house.store.conversation_started_ms(house.ann.clone(), chat.clone(), 3 * hour, START + at);
        began.await.unwrap() - START
    };
    for at in [1, 2, 4] {
        say(at * hour).await.unwrap();
    }
    assert_eq!(began(5 * hour).await, 0);
    assert_eq!(began(7 * hour).await, 7 * hour, "a pause of exactly the gap");
    say(8 * hour).await.unwrap();
    assert_eq!(began(9 * hour).await, 8 * hour);
    for minute in 0..300 {
        say(8 * hour + minute).await.unwrap();
    }
    assert_eq!(began(9 * hour).await, 8 * hour, "over many steps");
    house.clock.advance(9 * hour);
    let id = house.answered().await;
    house.clock.advance(60_000);
    house.ringer.end(&house.ann, &id, 60_000, Vec::new(), None).await.unwrap();
    // Its record belongs to it.
    assert_eq!(began(9 * hour + 60_001).await, 9 * hour + 60_001);
    say(9 * hour + 70_000).await.unwrap();
    assert_eq!(began(9 * hour + 80_000).await, 9 * hour + 70_000);
}

#[tokio::test]
async fn every_device_is_told() {
    let house = House::new().await;
    let mut follower = house.hub.follow(&house.ann);
    let invite = house.invite("dinner").await.unwrap();
    house.answer(&invite.id, "phone", Answer::Accept).await;
    house.clock.advance(6_000);
    house.ringer.end(&house.ann, &invite.id, 6_000, Vec::new(), None).await.unwrap();
    let mut told = Vec::new();
    while let Some(crate::gateway::events::Next::Event(event)) = follower.ready() {
        let data: serde_json::Value = serde_json::from_str(&event.data).unwrap();
        assert_eq!(event.device, None);
        let state = |what: &str| data[what]["state"].as_str().unwrap_or("-").to_owned();
        told.push((event.kind.name(), state("invite"), state("call")));
    }
    let told: Vec<_> = told.iter().map(|(kind, invite, call)| (*kind, &**invite, &**call)).collect();
    assert_eq!(
        told,
        [
            ("invite", "pending", "-"),
            ("invite", "accepted", "accepted"),
            ("invite", "-", "ended"),
            ("message", "-", "-"),
        ]
    );
}
