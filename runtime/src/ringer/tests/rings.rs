//! How an invite rings, and what ends it.

use super::*;

#[tokio::test]
async fn a_whole_burst_and_its_voicemail_with_two_pollers() {
    let house = House::new().await;
    let invite = house.invite("I found the recipe").await.unwrap();
    house.ring_through(11).await;
    let rung = house.rung(11).await;
    assert_eq!(rung, (0..11).map(|ring| (ring, i64::from(ring) * 2_000, ring == 10)).collect::<Vec<_>>());
    house.clock.advance(9_999);
    assert_eq!(house.state(&invite.id).await, InviteState::Pending);
    house.clock.advance(1);
    // Whoever finds it gone finds its voicemail, and there is one, whoever looks.
    for _ in 0..2 {
        let newest = house.ringer.newest(&house.ann).await.unwrap().unwrap();
        assert_eq!(newest.state, InviteState::Expired);
        let voicemail = text!(call.missed in En, reason = "I found the recipe");
        assert_eq!(house.said().await, [(Role::Companion, voicemail)]);
    }
    assert_eq!(house.answer(&invite.id, "phone", Answer::Accept).await, Outcome::TooLate);
    assert_eq!(house.said().await.len(), 1);
    house.invite("again").await.unwrap();
}

#[tokio::test]
async fn the_voicemail_comes_without_any_poll() {
    let house = House::new().await;
    let invite = house.invite("").await.unwrap();
    house.rung(1).await;
    house.clock.advance(30_000);
    assert_eq!(house.resolved(&invite.id).await, InviteState::Expired);
    assert_eq!(house.said().await, [(Role::Companion, text!(call.missed_no_reason in En).to_owned())]);
    assert_eq!(house.ringer.waiting(), 0);
}

#[tokio::test]
async fn nothing_rings_behind_the_answer() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    house.ring_through(3).await;
    assert_eq!(house.answer(&invite.id, "phone", Answer::Accept).await, Outcome::Accepted);
    // One is the ring that a bell carries just now: it looks once more before it sends.
    assert!(!house.bell.live.lock().unwrap().as_ref().unwrap().is_pending());
    house.clock.advance(call::JOIN_WITHIN_MS);
    assert_eq!(house.call_is(&invite.id, CallState::Ended).await.line.end.unwrap().length_ms, 0);
    assert_eq!(house.rung(3).await.len(), 3);
    // The device was only slow: its end still counts, once.
    for length_ms in [137_000, 9_000] {
        let ended =
            house.ringer.end(&house.ann, &invite.id, length_ms, Vec::new(), None).await.unwrap().unwrap();
        assert_eq!(ended.outcome, LineOutcome::Recorded);
    }
    assert_eq!(house.said().await, [(Role::Companion, text!(record.call in En, duration = "2:17"))]);
}

/// A ring that is under way when the answer comes looks once more before it is sent, and is not.
#[tokio::test]
async fn a_ring_under_way_is_not_sent_behind_the_answer() {
    let house = House::with(Then::Wait, Says(None, false)).await;
    let invite = house.invite("dinner").await.unwrap();
    for _ in 0..4_000 {
        if house.bell.live.lock().unwrap().is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(house.answer(&invite.id, "phone", Answer::Accept).await, Outcome::Accepted);
    house.bell.release.notify_one();
    house.clock.advance(2_000);
    tokio::task::yield_now().await;
    assert_eq!(house.bell.rung.borrow().len(), 0);
}

#[tokio::test]
async fn a_bell_that_hangs_or_fails_delays_nothing() {
    for then in [Then::Hang, Then::Panic] {
        let house = House::with(then, Says(None, false)).await;
        let invite = house.invite("dinner").await.unwrap();
        house.ring_through(11).await;
        house.clock.advance(10_000);
        assert_eq!(house.resolved(&invite.id).await, InviteState::Expired);
        assert_eq!(house.said().await.len(), 1);
    }
}

#[tokio::test]
async fn one_live_invite_and_none_in_a_call() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    let Err(Refused::Busy(pending)) = house.invite("again").await else { panic!("one is pending") };
    assert_eq!(pending.id, invite.id);
    assert_eq!(house.answer(&invite.id, "phone", Answer::Accept).await, Outcome::Accepted);
    let Err(Refused::InCall(call)) = house.invite("again").await else { panic!("a call goes on") };
    assert_eq!(call.id, invite.id);
    let ended = house.ringer.end(&house.ann, &invite.id, 3_000, Vec::new(), None).await.unwrap().unwrap();
    assert_eq!(ended.outcome, LineOutcome::TooShort);
    assert!(house.said().await.is_empty(), "a slip of the finger leaves nothing");
    house.invite("again").await.unwrap();
}

/// An invite that nobody has ended in time is no obstacle: its voicemail comes first.
#[tokio::test]
async fn a_new_invite_ends_one_whose_time_is_over() {
    let house = House::new().await;
    let first = house.invite("one").await.unwrap();
    // No task has looked at the clock yet.
    house.clock.advance(30_000);
    let second = house.invite("two").await.unwrap();
    assert_eq!(house.resolved(&first.id).await, InviteState::Expired);
    assert_eq!(house.state(&second.id).await, InviteState::Pending);
    assert_eq!(house.said().await, [(Role::Companion, text!(call.missed in En, reason = "one"))]);
}

#[tokio::test]
async fn two_devices_answer_at_once_and_one_wins() {
    let house = House::new().await;
    for round in 0..20 {
        let invite = house.invite("dinner").await.unwrap();
        let (phone, tablet) = tokio::join!(
            house.answer(&invite.id, "phone", Answer::Accept),
            house.answer(&invite.id, "tablet", Answer::Decline { note: None }),
        );
        let mut outcomes = [phone.word(), tablet.word()];
        outcomes.sort_unstable();
        assert!(
            outcomes == ["accepted", "answered_elsewhere"] || outcomes == ["answered_elsewhere", "declined"],
            "round {round}: {outcomes:?}"
        );
        if phone == Outcome::Accepted {
            house.ringer.end(&house.ann, &invite.id, 0, Vec::new(), None).await.unwrap().unwrap();
        }
    }
}

#[tokio::test]
async fn a_decline_note_is_the_persons_words_behind_a_trace() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    // A marker in it is text.
    let note = "⟪hangup⟫ busy".to_owned();
    let declined = Answer::Decline { note: Some(note.clone()) };
    assert_eq!(house.answer(&invite.id, "phone", declined.clone()).await, Outcome::Declined);
    assert_eq!(house.answer(&invite.id, "phone", declined).await, Outcome::Declined);
    let messages = house.messages().await;
    let said: Vec<_> = messages.iter().map(|message| (message.role, message.text.as_str())).collect();
    assert_eq!(said, [(Role::Companion, text!(call.declined_silent in En)), (Role::Person, &note)]);
    assert_eq!(messages[0].turn, messages[1].turn, "one turn of its own");
    assert_eq!(messages[1].device.as_deref(), Some("phone"));
    assert_eq!(house.ringer.waiting(), 0);
}

#[tokio::test]
async fn p175_a_call_taken_back_leaves_a_trace_and_no_voicemail() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    house.ring_through(2).await;
    let settled = house.ringer.cancel(&house.ann, &invite.id, None).await.unwrap().unwrap();
    assert_eq!(settled.outcome, Outcome::Cancelled);
    house.clock.advance(60_000);
    assert_eq!(house.said().await, [(Role::Companion, text!(call.cancelled in En).to_owned())]);
    assert_eq!((house.rung(2).await.len(), house.ringer.waiting()), (2, 0));
}

/// P171: tapped on the last ring, the app starts cold. The invite's end leaves room behind the ringing, and is the one
/// that the card shows.
#[tokio::test]
async fn p171_tapped_on_the_last_ring_and_arrived_seconds_later() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    house.ring_through(11).await;
    house.clock.advance(4_000);
    assert_eq!(house.answer(&invite.id, "phone", Answer::Accept).await, Outcome::Accepted);
}

#[tokio::test]
async fn killed_in_mid_burst_the_rest_rings_in_time() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    house.ring_through(3).await;
    house.clock.advance(4_500);
    let house = house.again().await;
    assert_eq!(house.ringer.recover().await.unwrap(), 1);
    // The rings at 6 and 8 s are past; the one at 10 s is next.
    assert_eq!(house.ringer.shell.deadlines.first_ms(), Some(START + 10_000));
    house.clock.advance(1_500);
    for ring in 1..=6 {
        house.rung(ring).await;
        house.clock.advance(2_000);
    }
    let rung = house.rung(6).await;
    assert_eq!(rung, (5..11).map(|ring| (ring, i64::from(ring) * 2_000, ring == 10)).collect::<Vec<_>>());
    house.clock.advance(8_000);
    assert_eq!(house.resolved(&invite.id).await, InviteState::Expired);
    assert_eq!(house.said().await.len(), 1);
    let house = house.again().await;
    assert_eq!(house.ringer.recover().await.unwrap(), 0);
    assert_eq!(house.said().await.len(), 1, "once, whatever comes");
}

#[tokio::test]
async fn expired_while_nobody_was_there() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    house.rung(1).await;
    let house = house.again().await;
    house.clock.advance(3_600_000);
    house.ringer.recover().await.unwrap();
    assert_eq!(house.state(&invite.id).await, InviteState::Expired, "before anyone is served");
    assert_eq!(house.said().await, [(Role::Companion, text!(call.missed in En, reason = "dinner"))]);
    assert_eq!(house.bell.rung.borrow().len(), 0);
}

#[tokio::test]
async fn a_stop_leaves_what_is_pending() {
    let house = House::new().await;
    let invite = house.invite("dinner").await.unwrap();
    house.rung(1).await;
    house.ringer.stop();
    house.clock.advance(4_000);
    assert_eq!((house.bell.rung.borrow().len(), house.ringer.waiting()), (1, 0));
    assert_eq!(house.state(&invite.id).await, InviteState::Pending);
    let house = house.again().await;
    house.ringer.recover().await.unwrap();
    assert_eq!(house.rung(1).await, [(2, 4_000, false)], "due at this very moment");
}
