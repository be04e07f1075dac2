//! Where devices are rung: one place a device, one device a place; what rings come to, and their arrivals.

use super::*;

const REFUSED: i64 = 3;

async fn device(house: &House, person: &PersonId, name: &str) -> DeviceId {
    let new = NewDevice {
        person: person.clone(),
        hash: format!("hash of {person} {name}"),
        name: name.to_owned(),
        now_ms: 5,
    };
    house.store.add_device(person.clone(), new, None).await.unwrap().unwrap().id
}

fn subscription(person: &PersonId, device: &DeviceId, endpoint: &str) -> NewSubscription {
    NewSubscription {
        person: person.clone(),
        device: device.clone(),
        endpoint: endpoint.to_owned(),
        p256dh: "p".to_owned(),
        auth: "a".to_owned(),
        server_key: "k".to_owned(),
        site: None,
        agent: Some("Browser".to_owned()),
        now_ms: 10,
    }
}

async fn kept(house: &House, new: NewSubscription) -> Subscription {
    match house.store.subscribe(new).await.unwrap() {
        Subscribed::Kept { subscription, .. } => *subscription,
        other => panic!("{other:?}"),
    }
}

fn ring(of: &Subscription, invite: &str, sequence: u32, outcome: RingOutcome, fate: Fate) -> SentRing {
    SentRing {
        person: of.person.clone(),
        invite: InviteId::from_text(invite),
        device: of.device.clone(),
        sequence,
        due_ms: 1_000 + i64::from(sequence) * 2_000,
        sent_ms: Some(1_001),
        answered_ms: Some(1_002 + i64::from(sequence) * 2_000),
        outcome,
        status: None,
        fate,
        endpoint: of.endpoint.clone(),
    }
}

/// P099: the same endpoint, however often it is brought, is one row; and it is one device's.
pub(super) async fn p099_an_endpoint_is_kept_once(house: House) {
    let (store, ann, bob) = (&house.store, &house.ann, &house.bob);
    let (phone, tablet) = (device(&house, ann, "phone").await, device(&house, ann, "tablet").await);
    let first = kept(&house, subscription(ann, &phone, "e1")).await;
    let works = ring(&first, "i", 0, RingOutcome::Accepted, Fate::Works);
    store.keep_rings(vec![works]).await.unwrap();
    for _ in 0..140 {
        let again = kept(&house, NewSubscription { now_ms: 99, ..subscription(ann, &phone, "e1") }).await;
        assert_eq!((again.created_ms, again.succeeded_ms), (10, Some(1_002)), "what is known of it stays");
    }
    assert_eq!(store.subscriptions(ann.clone()).await.unwrap().len(), 1);
    // The browser bears another token of the person's now.
    kept(&house, NewSubscription { auth: "b".to_owned(), ..subscription(ann, &tablet, "e1") }).await;
    let found = store.subscriptions(ann.clone()).await.unwrap();
    assert_eq!((found.len(), &found[0].device), (1, &tablet));
    // Another person signed in in the same browser; who merely knows the address has not its keys.
    let theirs = device(&house, bob, "phone").await;
    let taken = store.subscribe(subscription(bob, &theirs, "e1")).await.unwrap();
    assert_eq!(taken, Subscribed::Taken);
    let moved = NewSubscription { auth: "b".to_owned(), ..subscription(bob, &theirs, "e1") };
    let Subscribed::Kept { from, .. } = store.subscribe(moved).await.unwrap() else { panic!("it moves") };
    assert_eq!(from.as_ref(), Some(ann));
    assert!(store.subscriptions(ann.clone()).await.unwrap().is_empty());
    // A new endpoint of a device takes the old one's place.
    kept(&house, subscription(bob, &theirs, "e2")).await;
    let found = store.subscriptions(bob.clone()).await.unwrap();
    assert_eq!((found.len(), found[0].endpoint.as_str(), found[0].succeeded_ms), (1, "e2", None));
}

pub(super) async fn subscriptions_end_with_their_device_and_are_bounded(house: House) {
    let (store, ann) = (&house.store, &house.ann);
    let phone = device(&house, ann, "phone").await;
    kept(&house, subscription(ann, &phone, "e1")).await;
    assert!(!store.unsubscribe(house.bob.clone(), phone.clone(), None).await.unwrap());
    let once = Some(Once { client_id: "c".to_owned(), now_ms: 20 });
    assert!(store.unsubscribe(ann.clone(), phone.clone(), once.clone()).await.unwrap());
    assert!(store.unsubscribe(ann.clone(), phone.clone(), once).await.unwrap(), "repeated");
    assert!(!store.unsubscribe(ann.clone(), phone.clone(), None).await.unwrap());
    kept(&house, subscription(ann, &phone, "e1")).await;
    assert!(store.revoke_device(ann.clone(), ann.clone(), phone, None).await.unwrap());
    assert!(store.subscriptions(ann.clone()).await.unwrap().is_empty());
    for number in 0..20 {
        let one = device(&house, ann, &format!("d{number}")).await;
        kept(&house, subscription(ann, &one, &format!("f{number}"))).await;
    }
    let more = device(&house, ann, "more").await;
    let refused = store.subscribe(subscription(ann, &more, "more")).await.unwrap();
    assert_eq!(refused, Subscribed::TooMany);
    let first = store.subscriptions(ann.clone()).await.unwrap()[0].device.clone();
    kept(&house, subscription(ann, &first, "g")).await;
    let offered = InviteId::from_text("t1");
    let once = Some(Once { client_id: "t".to_owned(), now_ms: 20 });
    assert_eq!(store.name_test(ann.clone(), offered.clone(), once.clone()).await.unwrap(), offered);
    let again = store.name_test(ann.clone(), InviteId::from_text("t2"), once).await.unwrap();
    assert_eq!(again, offered);
}

/// P089: a service that answers with errors for a while costs nobody their subscription; one that is gone goes.
pub(super) async fn p089_only_what_is_gone_or_never_worked_goes(house: House) {
    let (store, ann) = (&house.store, &house.ann);
    let phone = device(&house, ann, "phone").await;
    let first = kept(&house, subscription(ann, &phone, "e1")).await;
    let keep = |outcome, fate, invite: &str, sequence| {
        store.keep_rings(vec![ring(&first, invite, sequence, outcome, fate)])
    };
    let now = || async { store.subscriptions(ann.clone()).await.unwrap().pop() };
    for sequence in 0..30 {
        keep(RingOutcome::ServiceFailed, Fate::Failed, "i1", sequence).await.unwrap();
    }
    assert_eq!(now().await.unwrap().failures, 30);
    keep(RingOutcome::Limited, Fate::Paused(77_000), "i1", 30).await.unwrap();
    assert_eq!(now().await.unwrap().paused_ms, Some(77_000));
    // A whole burst of refusals is one refusal.
    for sequence in 31..60 {
        keep(RingOutcome::Refused, Fate::Refused, "i1", sequence).await.unwrap();
    }
    keep(RingOutcome::Accepted, Fate::Works, "i1", 60).await.unwrap();
    let works = now().await.unwrap();
    assert_eq!((works.failures, works.refusals, works.paused_ms), (0, 0, None));
    assert_eq!((works.outcome, works.succeeded_ms), (Some(RingOutcome::Accepted), Some(121_002)));
    for invite in ["i2", "i3", "i4", "i5"] {
        keep(RingOutcome::Refused, Fate::Refused, invite, 0).await.unwrap();
    }
    assert_eq!(now().await.unwrap().refusals, 4, "it worked once, so that it stays");
    // What an endpoint came to means nothing for the one that is there since.
    let second = kept(&house, subscription(ann, &phone, "e2")).await;
    keep(RingOutcome::Gone, Fate::Gone, "i5", 1).await.unwrap();
    assert_eq!(now().await.as_ref(), Some(&second));
    for number in 1..=REFUSED {
        assert!(now().await.is_some(), "after {} refusals", number - 1);
        for sequence in 0..5 {
            let refused = ring(&second, &format!("j{number}"), sequence, RingOutcome::Refused, Fate::Refused);
            store.keep_rings(vec![refused]).await.unwrap();
        }
    }
    assert_eq!(now().await, None, "refused for several calls with never a success");
    let third = kept(&house, subscription(ann, &phone, "e3")).await;
    store.keep_rings(vec![ring(&third, "k", 0, RingOutcome::Gone, Fate::Gone)]).await.unwrap();
    assert_eq!(now().await, None);
}

pub(super) async fn rings_and_arrivals_are_their_persons(house: House) {
    let (store, ann, bob) = (&house.store, &house.ann, &house.bob);
    let phone = device(&house, ann, "phone").await;
    let of = kept(&house, subscription(ann, &phone, "e1")).await;
    let invite = InviteId::from_text("i");
    let sent: Vec<_> =
        (0..3).map(|number| ring(&of, "i", number, RingOutcome::Accepted, Fate::Works)).collect();
    let arrival = |person: &PersonId, sequence, arrived_ms| Arrival {
        person: person.clone(),
        invite: invite.clone(),
        device: phone.clone(),
        sequence,
        worker: "w1".to_owned(),
        kind: "call".to_owned(),
        arrived_ms,
        reported_ms: arrived_ms + 1,
    };
    assert!(!store.keep_arrival(arrival(ann, 0, 1_500), false).await.unwrap(), "nothing was sent yet");
    assert!(store.keep_arrival(arrival(ann, 0, 1_500), true).await.unwrap());
    store.keep_rings(sent.clone()).await.unwrap();
    assert!(store.keep_arrival(arrival(ann, 0, 9_999), false).await.unwrap(), "repeated");
    assert!(store.keep_arrival(arrival(ann, 2, 5_600), false).await.unwrap());
    assert!(!store.keep_arrival(arrival(bob, 1, 1), false).await.unwrap());
    let rings = store.rings(ann.clone(), invite.clone()).await.unwrap();
    assert_eq!(rings.arrived, [arrival(ann, 0, 1_500), arrival(ann, 2, 5_600)]);
    let shown: Vec<_> = rings.sent.iter().map(|ring| (ring.sequence, ring.due_ms, ring.outcome)).collect();
    let expected = [1_000, 3_000, 5_000].into_iter().enumerate();
    let expected: Vec<_> =
        expected.map(|(number, due)| (u32::try_from(number).unwrap(), due, RingOutcome::Accepted)).collect();
    assert_eq!(shown, expected);
    assert_eq!(store.rings(bob.clone(), invite.clone()).await.unwrap(), Rings::default());
    // A month later they go.
    let month = 30 * 24 * 60 * 60 * 1000;
    let late =
        SentRing { due_ms: month + 6_000, ..ring(&of, "late", 0, RingOutcome::Answered, Fate::Untouched) };
    store.keep_rings(vec![late]).await.unwrap();
    assert!(store.rings(ann.clone(), invite).await.unwrap().sent.is_empty());
}
