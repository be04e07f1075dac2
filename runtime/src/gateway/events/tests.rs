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
    assert!(text(&mut hub.resume(&person("a"), &hub.id(2))).await.contains("three"));
    assert_eq!(text(&mut hub.resume(&person("a"), "00000000-2")).await, "resync 3");
    assert_eq!(text(&mut hub.resume(&person("a"), &hub.id(4))).await, "resync 3");
    assert_eq!(text(&mut hub.resume(&person("a"), "nonsense")).await, "resync 3");
}

/// P135: an id counts for its owner alone; another's number replays nothing of theirs.
#[tokio::test]
async fn p135_replay_is_scoped_to_the_owner() {
    let hub = Hub::new().unwrap();
    say(&hub, "a", "secret");
    say(&hub, "b", "mine");
    let mut follower = hub.resume(&person("b"), &hub.id(0));
    assert!(text(&mut follower).await.contains("mine"));
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
