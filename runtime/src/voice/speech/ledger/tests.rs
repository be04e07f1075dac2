use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;

use super::*;
use crate::clock::ManualClock;
use crate::store::Tune;
use crate::store::sqlite::Sqlite;

/// A store with one person in it, and a clock.
struct House {
    folder: PathBuf,
    store: Arc<dyn Store>,
    clock: Arc<ManualClock>,
    person: PersonId,
}

/// 2026-11-30, 22:00 in UTC.
const EVENING: i64 = 1_796_076_000_000;
const HOUR: i64 = 3_600_000;

impl House {
    async fn new(characters: i64) -> Self {
        let folder = std::env::temp_dir().join(format!("handset-ledger-{}", crate::ids::secret().unwrap()));
        std::fs::create_dir_all(&folder).unwrap();
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.join("s.db")).await.unwrap());
        let person = store.create_person("p".to_owned(), 1).await.unwrap();
        let house = Self { folder, store, clock: Arc::new(ManualClock::new(EVENING)), person };
        house
            .tune(Tune {
                settings: Some(json!({"voice": {"speech_characters": characters}})),
                ..Tune::default()
            })
            .await;
        house
    }

    async fn tune(&self, tune: Tune) {
        self.store.tune(self.person.clone(), tune, 2, None).await.unwrap().unwrap().unwrap();
    }

    /// A ledger as it is after a start.
    fn ledger(&self) -> Arc<Ledger> {
        Ledger::new(Arc::clone(&self.store), self.clock.clone())
    }

    async fn kept(&self, day: &str) -> (u64, bool) {
        let SpokenDay { characters, told } =
            self.store.spoken(self.person.clone(), day.to_owned()).await.unwrap();
        (characters, told)
    }

    /// Waits until this is written down.
    async fn keeps(&self, day: &str, expected: (u64, bool)) {
        let begin = Instant::now();
        while self.kept(day).await != expected {
            assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", self.kept(day).await);
            tokio::task::yield_now().await;
        }
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

async fn take(account: &Account, characters: usize) -> Result<(), Option<String>> {
    account.take(characters).await.map_err(|fault| {
        assert_eq!(fault.code, Code::OverQuota);
        fault.notice
    })
}

#[tokio::test]
async fn what_is_spoken_counts_until_it_is_enough_and_is_told() {
    let house = House::new(100).await;
    let ledger = house.ledger();
    let account = ledger.account(&house.person);
    assert_eq!(take(&account, 60).await, Ok(()));
    assert_eq!(take(&account, 40).await, Ok(()), "to the last");
    let told = take(&account, 1).await.unwrap_err().unwrap();
    assert!(told.contains("100"), "{told}");
    assert_eq!(
        take(&ledger.account(&house.person), 1).await,
        Err(Some(told.clone())),
        "also in the next reply"
    );
    house.keeps("2026-11-30", (100, true)).await;
    // A start later it is the same.
    assert_eq!(take(&house.ledger().account(&house.person), 1).await, Err(Some(told)));
}

#[tokio::test]
async fn a_day_is_one_where_the_person_lives() {
    let house = House::new(100).await;
    house.tune(Tune { zone: Some("Asia/Shanghai".to_owned()), ..Tune::default() }).await;
    let ledger = house.ledger();
    // Six in the morning of the next day.
    assert_eq!(take(&ledger.account(&house.person), 90).await, Ok(()));
    house.keeps("2026-12-01", (90, false)).await;
    house.clock.advance(17 * HOUR);
    assert!(take(&ledger.account(&house.person), 90).await.is_err(), "eleven at night");
    // The reply that goes over midnight is on the next day's account.
    let account = ledger.account(&house.person);
    house.clock.advance(HOUR);
    assert_eq!(take(&account, 90).await, Ok(()));
    house.keeps("2026-12-02", (90, false)).await;
}

#[tokio::test]
async fn a_higher_number_counts_from_the_next_reply() {
    let house = House::new(10).await;
    let ledger = house.ledger();
    assert!(take(&ledger.account(&house.person), 11).await.is_err());
    house.tune(Tune { settings: Some(json!({"voice": {"speech_characters": 20}})), ..Tune::default() }).await;
    assert_eq!(take(&ledger.account(&house.person), 11).await, Ok(()));
}

#[tokio::test]
async fn once_it_was_too_much_the_voice_does_not_come_back_for_short_sentences() {
    let house = House::new(100).await;
    let ledger = house.ledger();
    let account = ledger.account(&house.person);
    take(&account, 90).await.unwrap();
    assert!(take(&account, 20).await.unwrap_err().is_some());
    assert!(take(&ledger.account(&house.person), 5).await.unwrap_err().is_some());
    house.keeps("2026-11-30", (90, true)).await;
}

#[tokio::test]
async fn none_allowed_is_nothing_to_tell() {
    let house = House::new(0).await;
    assert_eq!(take(&house.ledger().account(&house.person), 1).await, Err(None));
}

#[tokio::test]
async fn of_two_at_once_one_is_too_much() {
    let house = House::new(100).await;
    let ledger = house.ledger();
    let (one, other) = (ledger.account(&house.person), ledger.account(&house.person));
    let (one, other) = tokio::join!(take(&one, 60), take(&other, 60));
    assert_eq!(usize::from(one.is_ok()) + usize::from(other.is_ok()), 1);
}

#[tokio::test]
async fn who_was_erased_leaves_nothing() {
    let house = House::new(100).await;
    let account = house.ledger().account(&house.person);
    take(&account, 10).await.unwrap();
    house.keeps("2026-11-30", (10, false)).await;
    house.store.erase(house.person.clone()).await.unwrap();
    house
        .store
        .add_spoken(house.person.clone(), "2026-11-30".to_owned(), SpokenDay { characters: 5, told: false })
        .await
        .unwrap();
    assert_eq!(house.kept("2026-11-30").await, (0, false));
}
