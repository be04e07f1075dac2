//! Following, resuming, and what is no longer kept.

use super::*;
use crate::ids::{ChatId, TurnId};

fn person(name: &str) -> PersonId {
    PersonId::from_text(name)
}

fn say(hub: &Hub, who: &str, text: &str) {
    hub.publish(&person(who), News::delta(&ChatId::from_text("c"), &TurnId::from_text("t"), text));
}

async fn text(follower: &mut Follower) -> String {
    match follower.next().await {
        Next::Event(event) => event.data.clone(),
        Next::Resync(number) => format!("resync {number}"),
    }
}

#[tokio::test]
async fn a_follower_reads_what_comes_in_order() {
    let hub = Hub::new().unwrap();
    say(&hub, "a", "before");
    let mut follower = hub.follow(&person("a"));
    say(&hub, "a", "one");
    say(&hub, "b", "of another person");
    say(&hub, "a", "two");
    assert_eq!(text(&mut follower).await, r#"{"chat":"c","turn":"t","text":"one"}"#);
    assert_eq!(text(&mut follower).await, r#"{"chat":"c","turn":"t","text":"two"}"#);
}

/// P133: a known id goes on behind it; one of another start of the server means nothing here.
#[tokio::test]
async fn p133_resuming_by_id() {
    let hub = Hub::new().unwrap();
    for word in ["one", "two", "three"] {
        say(&hub, "a", word);
    }
    let newest = hub.follow(&person("a"));
    assert_eq!(newest.place(), newest.id(3));
    assert!(text(&mut hub.resume(&person("a"), &newest.id(2))).await.contains("three"));
    let earlier = Hub::new().unwrap().follow(&person("a")).id(2);
    for id in [earlier.as_str(), &newest.id(4), "nonsense", "", "-2", &newest.id(2).replace('-', "_")] {
        assert_eq!(text(&mut hub.resume(&person("a"), id)).await, "resync 3", "{id}");
    }
}

/// P135: an id counts for its owner alone; another's is no place in one's own events, whatever its number.
#[tokio::test]
async fn p135_replay_is_scoped_to_the_owner() {
    let hub = Hub::new().unwrap();
    say(&hub, "a", "secret");
    say(&hub, "b", "mine");
    let (of_a, of_b) = (hub.follow(&person("a")), hub.follow(&person("b")));
    assert_eq!(text(&mut hub.resume(&person("b"), &of_a.id(0))).await, "resync 1");
    assert!(text(&mut hub.resume(&person("b"), &of_b.id(0))).await.contains("mine"));
}

#[tokio::test]
async fn what_is_no_longer_kept_is_a_resync() {
    let hub = Hub::new().unwrap();
    let mut slow = hub.follow(&person("a"));
    for _ in 0..=KEPT {
        say(&hub, "a", "x");
    }
    assert_eq!(text(&mut slow).await, format!("resync {}", KEPT + 1));
    say(&hub, "a", "next");
    assert!(text(&mut slow).await.contains("next"));
}

/// The ring is bounded by bytes as well; one event that is larger than all of it is kept alone.
#[tokio::test]
async fn many_large_events_are_not_all_kept() {
    let hub = Hub::new().unwrap();
    let large = "x".repeat(KEPT_BYTES / 4);
    for _ in 0..8 {
        say(&hub, "a", &large);
    }
    let kept = || {
        let room = hub.room(&person("a"));
        let ring = room.ring();
        assert_eq!(ring.bytes, ring.events.iter().map(|event| event.data.len()).sum::<usize>());
        (ring.events.len(), ring.newest(), ring.bytes)
    };
    let (count, _, bytes) = kept();
    assert_eq!(count, 3, "the fourth has no room beside its JSON");
    assert!(bytes <= KEPT_BYTES);
    say(&hub, "a", &"y".repeat(KEPT_BYTES * 2));
    let (count, newest, bytes) = kept();
    assert_eq!((count, newest), (1, 9));
    assert!(bytes > KEPT_BYTES);
    say(&hub, "a", "small");
    assert_eq!((kept().0, kept().1), (1, 10));
}

/// After its end a follower reads what was told before, and nothing that comes later.
#[tokio::test]
async fn a_closed_hub_tells_nothing_more() {
    let hub = Hub::new().unwrap();
    let mut follower = hub.follow(&person("a"));
    say(&hub, "a", "before");
    hub.close();
    say(&hub, "a", "after");
    assert!(text(&mut follower).await.contains("before"));
    assert!(follower.ready().is_none());
}
