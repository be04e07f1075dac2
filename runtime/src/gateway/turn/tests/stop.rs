//! What a stop does with turns, and what is told of cards that nobody answered.

use std::time::Duration;

use super::*;

/// A model that speaks as long as the test holds the other end.
#[derive(Default)]
struct Held(Mutex<Option<mpsc::Sender<Result<Delta, ModelFault>>>>);

impl Model for Held {
    fn name(&self) -> &'static str {
        "held"
    }

    fn open(&self, _: Prompt) -> Deltas {
        let (sender, deltas) = mpsc::channel(4);
        sender.try_send(say("Just a ")).unwrap();
        *self.0.lock().unwrap() = Some(sender);
        deltas
    }
}

/// The house with a model that is held, and its turn once that speaks.
async fn speaking() -> (House, Arc<Gateway>, Arc<Held>, Taken) {
    let house = House::new(vec![]).await;
    let held = Arc::new(Held::default());
    let model: Arc<dyn Model> = held.clone();
    let store = Arc::clone(&house.gateway.store);
    let gateway = Gateway::new(store, house.clock.clone(), Arc::new(Hub::new().unwrap()), model);
    let mut taken = gateway.take(message(&house)).await.unwrap().unwrap();
    until(&mut taken.follower, Kind::Delta).await;
    (house, gateway, held, taken)
}

fn message(house: &House) -> NewMessage {
    NewMessage {
        voice: None,
        person: house.person.clone(),
        chat: house.chat.clone(),
        text: "hello".to_owned(),
        capabilities: vec![],
        from_phone: false,
        device: None,
        client_id: None,
        now_ms: house.clock.now_ms(),
    }
}

async fn state(house: &House, turn: &Turn) -> TurnState {
    house.gateway.store.turn(house.person.clone(), turn.id.clone()).await.unwrap().unwrap().state
}

#[tokio::test]
async fn a_stop_waits_for_what_flows() {
    let (house, gateway, held, mut taken) = speaking().await;
    let draining = {
        let gateway = Arc::clone(&gateway);
        tokio::spawn(async move { gateway.drain(Duration::from_secs(60)).await })
    };
    let sender = held.0.lock().unwrap().take().unwrap();
    sender.send(say("moment.")).await.unwrap();
    drop(sender);
    assert_eq!(draining.await.unwrap(), 0);
    until(&mut taken.follower, Kind::Reply).await;
    assert_eq!(house.messages().await.last().unwrap().text, "Just a moment.");
    // What comes afterwards is taken and kept for the next start.
    let late = gateway.take(message(&house)).await.unwrap().unwrap();
    assert_eq!(gateway.drain(Duration::from_secs(60)).await, 0);
    assert_eq!(state(&house, &late.begun.turn).await, TurnState::Running);
}

#[tokio::test]
async fn a_stop_does_not_wait_for_ever() {
    let (house, gateway, _held, taken) = speaking().await;
    assert_eq!(gateway.drain(Duration::from_millis(1)).await, 1);
    assert_eq!(state(&house, &taken.begun.turn).await, TurnState::Running);
}

/// P157, P159: who waits for a card goes home at once, the card stays open, and the next start ends it as no answer, once;
/// the model reads in so many words that nothing was done.
#[tokio::test]
async fn p157_a_stop_leaves_cards_for_the_next_start() {
    let house = House::new(vec![vec![phone_call("c1", TORCH)]]).await;
    let mut taken = house.send("torch on", true).await;
    let card = card(&house, &mut taken).await;
    assert_eq!(house.gateway.drain(Duration::from_secs(60)).await, 0);
    assert_eq!(house.gateway.desk.waiting_cards(), 0);
    assert_eq!(state(&house, &taken.begun.turn).await, TurnState::Running);
    let open = house.gateway.store.card(house.person.clone(), card.id).await.unwrap().unwrap();
    assert_eq!(open.state, CardState::Pending);
    let (gateway, script) = house.restarted(vec![vec![say("Nothing happened.")]]);
    let mut follower = gateway.hub.follow(&house.person);
    assert_eq!(gateway.recover().await.unwrap(), 1);
    until(&mut follower, Kind::Reply).await;
    assert_eq!(house.results().await, [no_answer()]);
    let prompt = script.prompts.lock().unwrap().pop().unwrap();
    let read = prompt.said.last().cloned();
    assert!(matches!(read, Some(Said::Result { text, .. }) if text == no_answer()));
}
