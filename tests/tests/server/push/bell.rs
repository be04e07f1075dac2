//! The bell itself, in this process, over real sockets: bursts to services that are slow, shut, or answered meanwhile.

use std::future::{Future as _, poll_fn};
use std::sync::Arc;
use std::task::Poll;

use handset::clock::{Clock, SystemClock};
use handset::ids::{DeviceId, InviteId, PersonId};
use handset::ringer::bell::{Bell as _, Live, Ring};
use handset::ringer::push::{Guard, Push, ServerKey};
use handset::store::sqlite::Sqlite;
use handset::store::{NewDevice, NewSubscription, RingOutcome, SentRing, Store};
use handset_spec::Language;

use super::browser::Browser;
use super::service::{Answer, Gate, Service};
use crate::process::Folder;

struct House {
    store: Arc<dyn Store>,
    push: Push,
    person: PersonId,
    _data: Folder,
}

impl House {
    async fn new(service: &Service) -> Self {
        let data = Folder::new();
        std::fs::create_dir_all(data.path()).unwrap();
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(&data.path().join("handset.db")).await.unwrap());
        let person = store.create_person("Ann".to_owned(), 1).await.unwrap();
        let key = ServerKey::make().unwrap().0;
        let guard = Guard::new(Vec::new(), vec![service.origin.clone()]);
        let push = Push::new(Arc::clone(&store), Arc::new(SystemClock), key, None, guard);
        Self { store, push, person, _data: data }
    }

    async fn device(&self, service: &Service, path: &str) -> (DeviceId, Browser) {
        let new = NewDevice {
            person: self.person.clone(),
            hash: path.to_owned(),
            name: path.to_owned(),
            now_ms: 1,
        };
        let device = self.store.add_device(self.person.clone(), new, None).await.unwrap().unwrap().id;
        let browser = Browser::new();
        let (p256dh, auth) = browser.keys();
        let subscription = NewSubscription {
            person: self.person.clone(),
            device: device.clone(),
            endpoint: service.endpoint(path),
            p256dh,
            auth,
            server_key: self.push.key().to_owned(),
            site: None,
            agent: None,
            now_ms: 1,
        };
        self.store.subscribe(subscription).await.unwrap();
        self.push.forget(&self.person);
        (device, browser)
    }

    fn ring(&self, invite: &InviteId, sequence: u32, live: &Live) -> Ring {
        let now_ms = SystemClock.now_ms();
        Ring {
            person: self.person.clone(),
            invite: invite.clone(),
            sequence,
            last: sequence == 10,
            reason: "I miss you".to_owned(),
            language: Language::En,
            due_ms: now_ms,
            expires_ms: now_ms + 30_000,
            live: live.clone(),
        }
    }

    /// What became of the rings of an invite at a device, in order.
    async fn came(&self, invite: &InviteId, device: &DeviceId) -> Vec<(u32, RingOutcome)> {
        self.push.settled().await;
        let rings = self.store.rings(self.person.clone(), invite.clone()).await.unwrap();
        let of = |ring: &&SentRing| ring.device == *device;
        rings.sent.iter().filter(of).map(|ring| (ring.sequence, ring.outcome)).collect()
    }
}

fn invite() -> InviteId {
    InviteId::new(SystemClock.now_ms()).unwrap()
}

/// P083: one dead endpoint among three ends nothing; each has its own result, and each ring of the burst is tried anew.
#[tokio::test(flavor = "multi_thread")]
async fn p083_one_that_fails_ends_no_burst() {
    let service = Service::start();
    let house = House::new(&service).await;
    let (well, browser) = house.device(&service, "/well").await;
    let (failing, _) = house.device(&service, "/failing").await;
    let (gone, _) = house.device(&service, "/gone").await;
    service.answer("/failing", Answer::Status(500, ""));
    service.answer("/gone", Answer::Status(410, ""));
    let (id, live) = (invite(), Live::new());
    for sequence in 0..=10 {
        house.push.ring(house.ring(&id, sequence, &live)).await;
    }
    let all = |outcome| (0..=10).map(|sequence| (sequence, outcome)).collect::<Vec<_>>();
    assert_eq!(house.came(&id, &well).await, all(RingOutcome::Accepted));
    assert_eq!(house.came(&id, &failing).await, all(RingOutcome::ServiceFailed));
    assert_eq!(house.came(&id, &gone).await, [(0, RingOutcome::Gone)], "and no other was sent there");
    assert_eq!(service.pushed("/gone").len(), 1);
    let mut topics = Vec::new();
    for (sequence, push) in service.wait("/well", 11).iter().enumerate() {
        let said = browser.open(push);
        assert_eq!((&said["kind"], &said["sequence"]), (&"call".into(), &sequence.into()));
        assert_eq!(said["last"], sequence == 10);
        assert_eq!(said["body"], if sequence == 10 { "I miss you ·last ring" } else { "I miss you" });
        topics.push(push.header("topic").unwrap().to_owned());
    }
    topics.dedup();
    assert_eq!(topics.len(), 11, "no ring takes another's place on its way");
}

/// A slow service: what is overtaken is dropped, the last one goes, and no other device waits.
#[tokio::test(flavor = "multi_thread")]
async fn rings_to_a_slow_service_do_not_pile_up() {
    let service = Service::start();
    let house = House::new(&service).await;
    let (slow, browser) = house.device(&service, "/slow").await;
    let (quick, _) = house.device(&service, "/quick").await;
    let gate = Arc::new(Gate::default());
    service.answer("/slow", Answer::Held(Arc::clone(&gate)));
    let (id, live) = (invite(), Live::new());
    let mut rings = Vec::new();
    for sequence in 0..5 {
        let (push, ring) = (house.push.clone(), house.ring(&id, sequence, &live));
        rings.push(tokio::spawn(async move { push.ring(ring).await }));
        let service = &service;
        tokio::task::block_in_place(|| {
            service.wait("/quick", usize::try_from(sequence).unwrap() + 1);
            service.wait("/slow", 1);
        });
    }
    assert_eq!(service.pushed("/slow").len(), 1, "one at a time");
    gate.open();
    for ring in rings {
        ring.await.unwrap();
    }
    use RingOutcome::{Accepted, Overtaken};
    let came = house.came(&id, &slow).await;
    assert_eq!(came, [(0, Accepted), (1, Overtaken), (2, Overtaken), (3, Overtaken), (4, Accepted)]);
    assert_eq!(browser.open(&service.wait("/slow", 2)[1])["sequence"], 4);
    assert!(house.came(&id, &quick).await.iter().all(|(_, outcome)| *outcome == Accepted));
}

/// Nothing is sent once the call is answered, and nothing past its time; what waited for its turn meanwhile included.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_rings_after_the_answer() {
    let service = Service::start();
    let house = House::new(&service).await;
    let (device, _) = house.device(&service, "/push").await;
    let gate = Arc::new(Gate::default());
    service.answer("/push", Answer::Held(Arc::clone(&gate)));
    let (id, live) = (invite(), Live::new());
    let first = {
        let (push, ring) = (house.push.clone(), house.ring(&id, 0, &live));
        tokio::spawn(async move { push.ring(ring).await })
    };
    tokio::task::block_in_place(|| service.wait("/push", 1));
    // It waits behind the first, and the answer comes meanwhile.
    let second = {
        let (push, ring) = (house.push.clone(), house.ring(&id, 1, &live));
        let mut ring = Box::pin(async move { push.ring(ring).await });
        let is_pending = poll_fn(|context| Poll::Ready(ring.as_mut().poll(context).is_pending())).await;
        assert!(is_pending);
        ring
    };
    live.end();
    gate.open();
    first.await.unwrap();
    second.await;
    house.push.ring(house.ring(&id, 2, &live)).await;
    let over = Ring { expires_ms: SystemClock.now_ms(), ..house.ring(&id, 3, &Live::new()) };
    house.push.ring(over).await;
    let came = house.came(&id, &device).await;
    let outcomes: Vec<RingOutcome> = came.into_iter().map(|(_, outcome)| outcome).collect();
    use RingOutcome::{Accepted, Answered, Expired};
    assert_eq!(outcomes, [Accepted, Answered, Answered, Expired]);
    assert_eq!(service.pushed("/push").len(), 1);
}
