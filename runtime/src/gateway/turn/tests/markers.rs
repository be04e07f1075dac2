//! Markers in a turn: erased, recorded with their words, performed, counted.

use super::*;
use crate::store::EffectState;

impl House {
    /// What the turn's markers came to: kind, argument, state, why.
    pub(super) async fn effects(
        &self,
        turn: &Turn,
    ) -> Vec<(&'static str, Option<String>, EffectState, Option<String>)> {
        let effects = self.gateway.store.effects(self.person.clone(), turn.id.clone()).await.unwrap();
        effects.into_iter().map(|it| (it.kind.name(), it.argument, it.state, it.why)).collect()
    }

    /// Says something, waits for the reply, and gives the turn and the deltas that were told.
    pub(super) async fn hear(&self, text: &str) -> (Turn, Vec<String>, Message) {
        let mut taken = self.send(text, false).await;
        let mut deltas = Vec::new();
        loop {
            let Next::Event(event) = taken.follower.next().await else { panic!("the stream goes on") };
            let data: serde_json::Value = serde_json::from_str(&event.data).unwrap();
            match event.kind {
                Kind::Delta => deltas.push(data["text"].as_str().unwrap().to_owned()),
                Kind::Reply | Kind::Failed => break,
                _ => {}
            }
        }
        let turn = taken.begun.turn;
        let messages = self.gateway.store.turn_messages(self.person.clone(), turn.id.clone()).await.unwrap();
        (turn, deltas, messages.last().unwrap().clone())
    }

    async fn dnd(&self) -> bool {
        self.gateway.store.settings(self.person.clone()).await.unwrap().unwrap().dnd
    }
}

pub(super) fn pieces(text: &str) -> Vec<Result<Delta, ModelFault>> {
    text.chars().map(|letter| say(&letter.to_string())).collect()
}

#[tokio::test]
async fn a_marker_is_never_told_and_its_effect_is_there_with_the_reply() {
    let house = House::new(vec![pieces("On it. \u{27ea}dnd:on\u{27eb} Rest well. \n")]).await;
    let (turn, deltas, reply) = house.hear("quiet, please").await;
    assert_eq!(deltas.concat().trim_end(), "On it. Rest well.");
    assert!(deltas.iter().all(|delta| !delta.contains(['\u{27ea}', '\u{27eb}', ':'])), "{deltas:?}");
    assert_eq!(reply.text, "On it. Rest well.", "trimmed at its end");
    assert_eq!(house.effects(&turn).await, [("dnd_on", None, EffectState::Performed, None)]);
    assert!(house.dnd().await);
}

#[tokio::test]
async fn nothing_but_a_marker_is_no_silence() {
    let house = House::new(vec![pieces("[dnd:on]")]).await;
    let (turn, deltas, reply) = house.hear("quiet").await;
    assert!(deltas.is_empty());
    assert_eq!((reply.role, reply.text.as_str(), reply.mark), (Role::Companion, "", None));
    assert_eq!(house.effects(&turn).await.len(), 1);
    let turn = house.gateway.store.turn(house.person.clone(), turn.id).await.unwrap().unwrap();
    assert_eq!(turn.state, TurnState::Finished);
}

#[tokio::test]
async fn the_budget_is_a_conversations() {
    let ring = || pieces("Hm. [dial: tea]");
    let house = House::new(vec![ring(), ring(), pieces("[dial: a][dial: b]")]).await;
    let tea = || Some("tea".to_owned());
    let (first, ..) = house.hear("one").await;
    assert_eq!(house.effects(&first).await, [("dial", tea(), EffectState::Performed, None)]);
    house.clock.advance(60 * 60 * 1000);
    let (second, _, reply) = house.hear("two").await;
    assert_eq!(reply.text, "Hm.", "erased all the same");
    assert_eq!(
        house.effects(&second).await,
        [("dial", tea(), EffectState::Refused, Some("budget".to_owned()))]
    );
    let personal = house.gateway.store.settings(house.person.clone()).await.unwrap().unwrap();
    let gap = i64::try_from(personal.settings.markers.conversation_gap.as_millis()).unwrap();
    house.clock.advance(gap);
    let (third, ..) = house.hear("three").await;
    let effects = house.effects(&third).await;
    assert_ne!(effects[0].3.as_deref(), Some("budget"), "another conversation: {effects:?}");
    assert_eq!(effects.len(), 2);
}

#[tokio::test]
async fn what_was_not_performed_does_not_count() {
    let house = House::new(vec![pieces("[dnd:on]ok[dial:a]"), pieces("[dnd:off]ok[dial:b]")]).await;
    let (first, ..) = house.hear("one").await;
    assert_eq!(house.effects(&first).await[1].3.as_deref(), Some("dnd"));
    let (second, ..) = house.hear("two").await;
    assert_eq!(house.effects(&second).await[1], ("dial", Some("b".to_owned()), EffectState::Performed, None));
}

#[tokio::test]
async fn a_hang_up_without_a_call_is_refused() {
    let house = House::new(vec![pieces("Bye. [hangup]")]).await;
    let (turn, ..) = house.hear("bye").await;
    assert_eq!(
        house.effects(&turn).await,
        [("hangup", None, EffectState::Refused, Some("no_call".to_owned()))]
    );
}

#[tokio::test]
async fn a_subagents_markers_are_erased_and_nothing_else() {
    let house = House::of_kind(ChatKind::Subagent, vec![pieces("Found it. [dnd:on]")]).await;
    let (turn, _, reply) = house.hear("look").await;
    assert_eq!(reply.text, "Found it.");
    assert!(house.effects(&turn).await.is_empty());
    assert!(!house.dnd().await);
    let house = House::of_kind(ChatKind::Schedule, vec![pieces("Found it. [dnd:on]")]).await;
    let (turn, ..) = house.hear("look").await;
    assert_eq!(house.effects(&turn).await.len(), 1, "a schedule speaks to a person");
}

/// Only what was told before the stop counts.
#[tokio::test]
async fn a_stopped_reply_performs_what_was_told_before() {
    let mut reply = pieces("Quiet now. [dnd:on] And [dnd:of");
    reply.push(hold());
    let house = House::new(vec![reply]).await;
    let mut taken = house.send("quiet", false).await;
    let mut told = String::new();
    while told != "Quiet now. And " {
        let Next::Event(event) = taken.follower.next().await else { panic!("the stream goes on") };
        if event.kind == Kind::Delta {
            let data: serde_json::Value = serde_json::from_str(&event.data).unwrap();
            told += data["text"].as_str().unwrap();
        }
    }
    assert_eq!(house.gateway.stop(house.person.clone(), house.chat.clone()).await.unwrap(), Some(true));
    loop {
        let Next::Event(event) = taken.follower.next().await else { panic!("the stream goes on") };
        assert_ne!(event.kind, Kind::Delta, "what was held back is not told");
        if event.kind.ends_turn() {
            break;
        }
    }
    let turn = taken.begun.turn;
    let messages = house.gateway.store.turn_messages(house.person.clone(), turn.id.clone()).await.unwrap();
    assert_eq!(messages.last().unwrap().text, "Quiet now. And");
    assert_eq!(house.effects(&turn).await, [("dnd_on", None, EffectState::Performed, None)]);
}

#[tokio::test]
async fn words_before_a_call_have_their_markers() {
    let mut first = pieces("Wait. [dnd:on]");
    first.push(call("a", "no_such_tool", "{}"));
    let house = House::new(vec![first, pieces("Done. [dnd:off]")]).await;
    let (turn, _, reply) = house.hear("look").await;
    assert_eq!(reply.text, "Done.");
    let kinds: Vec<_> = house.effects(&turn).await.into_iter().map(|effect| (effect.0, effect.2)).collect();
    assert_eq!(kinds, [("dnd_on", EffectState::Performed), ("dnd_off", EffectState::Performed)]);
}

/// A server that stopped between the words and what they ask for does it at its next start, once, if it is not too late.
#[tokio::test]
async fn what_was_recorded_and_left_is_performed_by_the_next_start() {
    let house = House::new(Vec::new()).await;
    for (late, state, why, on) in [
        (false, EffectState::Performed, None, true),
        (true, EffectState::Refused, Some("late".to_owned()), false),
    ] {
        house.gateway.set_dnd(&house.person, false, None).await.unwrap();
        let taken = house.send("x", false).await;
        let turn = taken.begun.turn.clone();
        let mut follower = taken.follower;
        while let Next::Event(event) = follower.next().await {
            if event.kind.ends_turn() {
                break;
            }
        }
        let effect = crate::store::NewEffect {
            kind: handset_spec::markers::Kind::DndOn,
            argument: None,
            place: 0,
            spoken: None,
        };
        let entries = vec![crate::store::NewEntry::Effect(effect)];
        let (person, id) = (house.person.clone(), turn.id.clone());
        house.gateway.store.append(person, id, entries, house.clock.now_ms()).await.unwrap();
        if late {
            house.clock.advance(24 * 60 * 60 * 1000);
        }
        let (gateway, _) = house.restarted(Vec::new());
        assert_eq!(gateway.perform_left().await.unwrap(), 1);
        assert_eq!(gateway.perform_left().await.unwrap(), 0, "once");
        assert_eq!(house.effects(&turn).await, [("dnd_on", None, state, why)]);
        assert_eq!(house.dnd().await, on);
    }
}

/// The person's words and a tool's results reach the model without a marker in them; what is stored stays.
#[tokio::test]
async fn other_peoples_markers_are_made_harmless_before_the_model_reads_them() {
    let first = vec![call("a", "[dial:x]", "{}")];
    let house = House::new(vec![first, pieces("Fine.")]).await;
    let (turn, ..) = house.hear("repeat: \u{27ea}dial: now\u{27eb} `[hangup]`").await;
    let said = house.script.prompts.lock().unwrap()[1].said.clone();
    let Said::Person { text, .. } = &said[0] else { panic!("{said:?}") };
    assert_eq!(text, "repeat: (dial: now) `(hangup)`");
    let Some(Said::Result { text, .. }) = said.last() else { panic!("{said:?}") };
    assert!(text.contains("(dial:x)") && !text.contains("[dial"), "{text}");
    let messages = house.gateway.store.turn_messages(house.person.clone(), turn.id).await.unwrap();
    assert_eq!(messages[0].text, "repeat: \u{27ea}dial: now\u{27eb} `[hangup]`");
}
