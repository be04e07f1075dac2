//! A client whose connection breaks again and again while replies flow.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::http::Event;
use crate::process::{Folder, Server};

const DROPS: usize = 200;

/// A small generator with a seed, so that a failure can be had again.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % limit
    }
}

/// Dropped 200 times at random places and resumed by its last id each time: nothing is lost, nothing comes twice (P133,
/// P141), and what was said in the end is what is stored.
#[test]
fn dropped_two_hundred_times_and_nothing_lost_or_twice() {
    let data = Folder::new();
    let server = Server::start(&data);
    let chat = server.chat();
    let mut whole = server.follow("pixel", None);
    let seed = 0x5EED_2026;
    let mut dice = Dice(seed);
    let enough = AtomicBool::new(false);
    let (events, last) = std::thread::scope(|scope| {
        let talking = scope.spawn(|| {
            // Until the other has broken off often enough, and then one more, so that it has an end to wait for.
            loop {
                let over = enough.load(Ordering::Acquire);
                let reply = server.send(&chat, &json!({"text": "hello", "device": "pixel"})).until("reply");
                if over {
                    return reply.id;
                }
            }
        });
        let mut events: Vec<Event> = Vec::new();
        let mut id = server.get("/api/events/poll?device=pixel")["last_id"].as_str().unwrap().to_owned();
        for drop in 1..=DROPS {
            let mut stream = server.follow("pixel", Some(&id));
            for _ in 0..dice.below(9) {
                let event = stream.next().unwrap();
                id.clone_from(&event.id);
                events.push(event);
            }
            if drop == DROPS {
                enough.store(true, Ordering::Release);
            }
            // Here the connection breaks: the socket closes with whatever was under way.
        }
        let last = talking.join().unwrap();
        let mut stream = server.follow("pixel", Some(&id));
        while events.last().is_none_or(|event| event.id != last) {
            events.push(stream.next().unwrap());
        }
        (events, last)
    });
    assert!(events.iter().all(|event| event.kind != "resync"), "seed {seed:x}");
    let mut expected = Vec::new();
    while expected.last().is_none_or(|event: &Event| event.id != last) {
        expected.push(whole.next().unwrap());
    }
    // The first place was asked for when some events might have come already.
    let begin = expected.iter().position(|event| event.id == events[0].id).unwrap();
    assert!(begin <= 1, "seed {seed:x}");
    assert_eq!(events.len(), expected.len() - begin, "seed {seed:x}");
    assert!(events.iter().eq(&expected[begin..]), "seed {seed:x}");
    // The pieces of each reply, joined, are the reply that is stored.
    let mut words = String::new();
    let mut replies = 0;
    for event in &expected {
        match event.kind.as_str() {
            "delta" => words += event.data["text"].as_str().unwrap(),
            "reply" => {
                assert_eq!(event.data["message"]["text"], json!(words));
                words.clear();
                replies += 1;
            }
            _ => {}
        }
    }
    assert!(replies > 10, "replies flowed while it broke: {replies}");
}
