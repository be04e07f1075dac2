//! People, their devices, the codes that sign them in, and writes that may be repeated.

use super::*;

fn once(client_id: &str, now_ms: i64) -> Option<Once> {
    Some(Once { client_id: client_id.to_owned(), now_ms })
}

/// A repeated write gives its first outcome, in the same transaction as the write, for a week; and each for its person.
pub(super) async fn writes_are_repeated_by_client_id(house: House) {
    let (store, ann, bob) = (&house.store, &house.ann, &house.bob);
    let new = |person: &PersonId, now_ms| NewChat {
        person: person.clone(),
        kind: Kind::Chat,
        mode: Mode::Act,
        title: None,
        now_ms,
    };
    let first = store.create_chat_once(new(ann, 1), once("c", 1)).await.unwrap();
    assert_eq!(store.create_chat_once(new(ann, 2), once("c", 2)).await.unwrap(), first);
    let theirs = store.create_chat_once(new(bob, 2), once("c", 2)).await.unwrap();
    assert_ne!(theirs.id, first.id, "a client id is its person's own");
    let delete = |id: &str| store.delete_chat_once(ann.clone(), first.id.clone(), once(id, 3));
    assert_eq!(delete("c").await, Err(Error::Reused));
    assert_eq!(store.chats(ann.clone()).await.unwrap(), std::slice::from_ref(&first));
    let turn = store.begin_turn(house.message(&first, None)).await.unwrap().unwrap().turn;
    let card = house.card(&turn, "c1").await;
    let settle =
        |id: &str, event: Event| store.settle_once(ann.clone(), card.id.clone(), event, 40, once(id, 40));
    let settled = settle("a", done()).await.unwrap().unwrap();
    assert!(settled.closed && settled.result.is_some());
    let again = settle("a", Event::Restarted).await.unwrap().unwrap();
    assert_eq!((again.outcome, again.closed, again.result), (settled.outcome, false, None));
    assert_eq!(again.card, settled.card);
    assert!(delete("d").await.unwrap().is_some());
    assert_eq!(delete("d").await.unwrap(), Some(Vec::new()));
    assert_eq!(delete("e").await.unwrap(), None);
    assert_eq!(delete("e").await.unwrap(), None, "what did nothing is not remembered");
    // A week later the id is free again.
    let week = 7 * 24 * 60 * 60 * 1000;
    store.create_chat_once(new(ann, week + 4), once("f", week + 4)).await.unwrap();
    assert_ne!(store.create_chat_once(new(ann, week + 5), once("c", week + 5)).await.unwrap().id, first.id);
}

pub(super) async fn a_code_is_redeemed_once_in_its_time(house: House) {
    let store = &house.store;
    let open = |hash: &str, kind| NewCode {
        hash: hash.to_owned(),
        kind,
        person: house.ann.clone(),
        now_ms: 100,
        expires_ms: 200,
    };
    let bring = |code: &str, kind, token: &str, now_ms| {
        store.redeem(Redeem {
            code: code.to_owned(),
            kind,
            token: token.to_owned(),
            name: "pixel".to_owned(),
            client_id: Some("r".to_owned()),
            now_ms,
        })
    };
    assert_eq!(store.open_code(open("h1", CodeKind::Link)).await.unwrap(), 200);
    assert_eq!(store.open_code(open("h2", CodeKind::Pairing)).await.unwrap(), 200);
    assert_eq!(bring("h1", CodeKind::Pairing, "t1", 150).await.unwrap(), None, "each kind at its own door");
    assert_eq!(bring("h1", CodeKind::Link, "t1", 201).await.unwrap(), None, "its time is over");
    assert_eq!(bring("h3", CodeKind::Link, "t1", 150).await.unwrap(), None);
    let mut tasks = Vec::new();
    for number in 0..10 {
        let (store, token) = (Arc::clone(store), format!("t{number}"));
        let brought = Redeem {
            code: "h1".to_owned(),
            kind: CodeKind::Link,
            token,
            name: "pixel".to_owned(),
            client_id: Some(format!("r{number}")),
            now_ms: 200,
        };
        tasks.push(tokio::spawn(async move { store.redeem(brought).await.unwrap() }));
    }
    let mut winners = Vec::new();
    for task in tasks {
        winners.extend(task.await.unwrap());
    }
    assert_eq!(winners.len(), 1);
    assert_eq!((winners[0].person.name.as_str(), winners[0].device.name.as_str()), ("Ann", "pixel"));
    let second = bring("h2", CodeKind::Pairing, "u1", 160).await.unwrap().unwrap();
    assert_eq!(second.device.name, "pixel 2");
    assert_eq!(bring("h2", CodeKind::Pairing, "u1", 999).await.unwrap().as_ref(), Some(&second), "repeated");
    assert_eq!(
        bring("h2", CodeKind::Pairing, "u2", 170).await.unwrap(),
        None,
        "with another token it is no repetition"
    );
    let (ann, id) = (house.ann.clone(), second.device.id.clone());
    assert!(!store.revoke_device(house.bob.clone(), house.bob.clone(), id.clone(), None).await.unwrap());
    assert!(store.revoke_device(ann.clone(), ann, id, None).await.unwrap());
    assert_eq!(
        bring("h2", CodeKind::Pairing, "u1", 170).await.unwrap(),
        None,
        "a code brings no revoked device back"
    );
}

pub(super) async fn a_device_is_seen_once_a_minute(house: House) {
    let new =
        NewDevice { person: house.ann.clone(), hash: "h".to_owned(), name: "pixel".to_owned(), now_ms: 5 };
    let add = |new: NewDevice| house.store.add_device(house.ann.clone(), new, None);
    let device = add(new.clone()).await.unwrap().unwrap();
    assert_eq!(add(NewDevice { hash: "i".to_owned(), ..new }).await.unwrap(), None, "the name is taken");
    for (now_ms, seen_ms) in [(1_000, 1_000), (60_999, 1_000), (61_000, 61_000), (500, 61_000)] {
        house.store.saw_device(device.id.clone(), now_ms).await.unwrap();
        let found = house.store.device(house.ann.clone(), device.id.clone()).await.unwrap().unwrap();
        assert_eq!(found.seen_ms, Some(seen_ms), "at {now_ms}");
    }
    assert_eq!(house.store.device(house.bob.clone(), device.id).await.unwrap(), None);
}
