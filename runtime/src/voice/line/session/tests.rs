use handset_spec::markers::Kind;
use proptest::prelude::*;

use super::*;
use crate::ids::{ChatId, MessageId, PersonId};
use crate::store::{InSpeech, Role};

const WINDOW_MS: i64 = 20_000;

fn turn(name: &str) -> TurnId {
    TurnId::from_text(name)
}

fn message(name: &str, text: &str, mark: Option<&str>) -> Box<Message> {
    Box::new(Message {
        id: MessageId::from_text(name),
        person: PersonId::from_text("p"),
        chat: ChatId::from_text("c"),
        turn: turn("t"),
        seq: 1,
        role: Role::Companion,
        text: text.to_owned(),
        tool: None,
        call_id: None,
        capabilities: Vec::new(),
        device: None,
        client_id: None,
        mark: mark.map(str::to_owned),
        voice: None,
        created_ms: 0,
    })
}

fn marker(number: i64, place: u64) -> NewEffect {
    NewEffect { kind: Kind::Hangup, argument: None, place, spoken: Some(InSpeech { number, heard: true }) }
}

fn over(text: &str) -> Event {
    Event::Over(turn("t"), Some(message("m", text, None)))
}

/// A session that runs events, each at the time before unless it says another.
struct Run {
    session: Session,
    now_ms: i64,
}

impl Run {
    fn new() -> Self {
        let mut run = Self { session: Session::new(WINDOW_MS, 0), now_ms: 0 };
        assert_eq!(run.on(Event::Attached), [Effect::Joined]);
        run
    }

    fn on(&mut self, event: Event) -> Vec<Effect> {
        self.session.on(event, self.now_ms)
    }

    /// A turn says something in pieces, and is over.
    fn says(&mut self, pieces: &[&str], markers: &[NewEffect]) -> Vec<Effect> {
        let mut effects = self.begins(pieces, markers);
        let words: String = pieces.concat();
        effects.extend(self.on(over(words.trim_end())));
        effects.extend(self.on(Event::Whole(turn("t"))));
        effects
    }

    fn begins(&mut self, pieces: &[&str], markers: &[NewEffect]) -> Vec<Effect> {
        let mut effects = self.on(Event::Began { turn: turn("t"), soft: false, markers: 0 });
        let mut to = 0;
        for piece in pieces {
            effects.extend(self.on(Event::Words(turn("t"), (*piece).to_owned())));
            to += piece.len();
            effects.extend(self.on(Event::Piece(turn("t"), (piece.trim().to_owned(), None), to)));
        }
        for marker in markers {
            effects.extend(self.on(Event::Marker(turn("t"), marker.clone())));
        }
        effects
    }
}

fn kinds(effects: &[Effect]) -> Vec<String> {
    let kind = |effect: &Effect| match effect {
        Effect::Tell(news) => serde_json::to_value(news).unwrap()["type"].as_str().unwrap().to_owned(),
        effect => format!("{effect:?}").split(['(', ' ']).next().unwrap().to_owned(),
    };
    effects.iter().map(kind).collect()
}

#[test]
fn a_reply_that_is_played_to_its_end_is_heard_out() {
    let mut run = Run::new();
    let effects = run.says(&["One. ", "Two."], &[marker(0, 9)]);
    assert_eq!(kinds(&effects), ["turn", "piece", "piece", "Reply"]);
    assert_eq!(kinds(&run.on(Event::Played(turn("t"), 0))), ["Hear"]);
    let effects = run.on(Event::Played(turn("t"), 1));
    // The marker is performed before the line is told that its reply was played: only then does it linger.
    assert_eq!(kinds(&effects), ["Hear", "HeardOut", "PlayedOut", "Forget"]);
    assert!(
        matches!(&effects[0], Effect::Hear(_, _, words, markers) if words == "One. Two." && markers.len() == 1)
    );
    assert_eq!(run.on(Event::Played(turn("t"), 1)), [], "a repetition");
}

/// How the call stands is looked at whenever something of it was noted: what is the same is told once, to each device that comes.
#[test]
fn a_line_that_lingers_is_told_once_a_linger() {
    let mut run = Run::new();
    let stands = |until_ms| Event::Line { state: CallState::Going, until_ms };
    assert_eq!(run.on(stands(None)), []);
    assert_eq!(kinds(&run.on(stands(Some(9_000)))), ["linger"]);
    assert_eq!(run.on(stands(Some(9_000))), []);
    run.on(Event::Attached);
    assert_eq!(kinds(&run.on(stands(Some(9_000)))), ["linger"], "another device is told as well");
    assert_eq!(kinds(&run.on(stands(None))), ["goes_on"]);
    assert_eq!(run.on(stands(None)), []);
    assert_eq!(kinds(&run.on(stands(Some(19_000)))), ["linger"]);
}

/// P179: who speaks before the reply is complete has heard a part of it, and that part is what is stored.
#[test]
fn p179_interrupted_while_the_model_still_speaks() {
    let mut run = Run::new();
    run.begins(&["One two three. ", "Four five six. "], &[marker(0, 30)]);
    run.on(Event::Played(turn("t"), 0));
    let effects = run.on(Event::Speaking(Some((turn("t"), 1, 0.7))));
    // It is quiet before anything else is done.
    assert_eq!(kinds(&effects), ["Stop", "Spoke"]);
    assert!(matches!(&effects[0], Effect::Stop(_, extent) if extent.chars == 24 && extent.markers == 0));
    // The turn stored what was heard, and is over.
    let stored = message("m", "One two three. Four five", Some(mark::INTERRUPTED));
    let effects = run.on(Event::Over(turn("t"), Some(stored.clone())));
    let kept = vec![Kept { message: MessageId::from_text("m"), chars: 24 }];
    assert_eq!(effects, [Effect::Cut(turn("t"), kept, 0)]);
    let effects = run.on(Event::Cut(turn("t"), Some(stored)));
    assert_eq!(kinds(&effects), ["stopped", "Forget"]);
}

#[test]
fn interrupted_when_the_whole_was_stored_it_is_cut() {
    let mut run = Run::new();
    run.says(&["One. ", "Two."], &[marker(0, 0), marker(1, 9)]);
    run.on(Event::Played(turn("t"), 0));
    let effects = run.on(Event::Speaking(None));
    let kept = vec![Kept { message: MessageId::from_text("m"), chars: 5 }];
    assert_eq!(effects[1..], [Effect::Cut(turn("t"), kept, 1), Effect::Spoke]);
    assert_eq!(kinds(&run.on(Event::Cut(turn("t"), None))), ["stopped", "Forget"]);
    assert_eq!(run.on(Event::Played(turn("t"), 1)), [], "what was stopped is not heard any more");
}

/// A cough before the first word is no reason to say nothing; what is said to be answered is.
#[test]
fn a_reply_without_a_piece_yet_goes_on() {
    let mut run = Run::new();
    run.begins(&[], &[]);
    assert_eq!(kinds(&run.on(Event::Speaking(None))), ["Spoke"]);
    assert_eq!(kinds(&run.says(&["One."], &[])), ["turn", "piece", "Reply"]);
}

/// Stopped by a message that was typed: the turn is over with what was heard, and the device is told.
#[test]
fn stopped_in_another_way_the_device_is_told() {
    let mut run = Run::new();
    run.begins(&["One. ", "Two. "], &[]);
    let stored = message("m", "", Some(mark::INTERRUPTED));
    let effects = run.on(Event::Over(turn("t"), Some(stored)));
    assert_eq!(kinds(&effects), ["Stop", "Cut"]);
    assert_eq!(kinds(&run.on(Event::Cut(turn("t"), None))), ["stopped", "Forget"]);
}

/// While a card waits nothing is said: what is stopped is what was said before it, and what comes behind it is spoken.
#[test]
fn what_is_said_behind_a_card_is_spoken() {
    let mut run = Run::new();
    run.begins(&["Let me see. "], &[]);
    run.on(Event::Said(turn("t"), message("m1", "Let me see.", None)));
    assert_eq!(kinds(&run.on(Event::Speaking(Some((turn("t"), 0, 0.4))))), ["Stop", "Spoke"]);
    let effects = run.on(Event::Silent(turn("t")));
    let kept = vec![Kept { message: MessageId::from_text("m1"), chars: 3 }];
    assert_eq!(effects, [Effect::Cut(turn("t"), kept, 0)]);
    assert_eq!(kinds(&run.on(Event::Cut(turn("t"), None))), ["stopped"]);
    let effects = run.on(Event::Again { turn: turn("t"), chars: 12, markers: 0 });
    assert_eq!(kinds(&effects), ["turn"]);
    run.on(Event::Words(turn("t"), "Done.".to_owned()));
    run.on(Event::Piece(turn("t"), ("Done.".to_owned(), None), 5));
    run.on(Event::Whole(turn("t")));
    assert_eq!(kinds(&run.on(over("Done."))), ["Reply"]);
    assert_eq!(kinds(&run.on(Event::Played(turn("t"), 0))), ["Hear", "HeardOut", "PlayedOut", "Forget"]);
}

#[test]
fn a_device_that_comes_back_gets_what_it_has_not_played() {
    let mut run = Run::new();
    run.says(&["One. ", "Two. ", "Three."], &[]);
    run.on(Event::Audio(turn("t"), 1, Ok("audio/wav")));
    run.on(Event::Played(turn("t"), 0));
    run.on(Event::Detached);
    run.now_ms = WINDOW_MS - 1;
    assert_eq!(run.on(Event::Tick), [], "the line waits");
    let effects = run.on(Event::Attached);
    assert_eq!(kinds(&effects), ["Joined", "turn", "piece", "audio", "Sound", "piece", "Reply"]);
    run.now_ms *= 10;
    assert_eq!(run.on(Event::Tick), []);
}

#[test]
fn a_device_that_does_not_come_back_has_left() {
    let mut run = Run::new();
    run.says(&["One. ", "Two."], &[marker(0, 9)]);
    run.on(Event::Detached);
    run.now_ms = WINDOW_MS;
    // What was not heard is cut before the call ends, so that its record tells what was.
    assert_eq!(kinds(&run.on(Event::Tick)), ["Leave", "Stop", "Cut"]);
    let effects = run.on(Event::Cut(turn("t"), None));
    assert_eq!(effects.last(), Some(&Effect::End(By::Server)));
    assert_eq!(run.session.wakes_ms(), None);
    assert_eq!(kinds(&run.on(Event::Ended(None))), ["ended", "Close"]);
    assert!(run.session.is_over());
}

/// P177: only the marker ends a call, and here only the ringer, which has counted its window.
#[test]
fn p177_the_companion_hangs_up_where_the_ringer_says_so() {
    let mut run = Run::new();
    run.says(&["Say goodbye to long queues."], &[]);
    assert!(!kinds(&run.on(Event::Played(turn("t"), 0))).contains(&"End".to_owned()));
    let lingers = run.on(Event::Line { state: CallState::Going, until_ms: Some(9) });
    assert_eq!(lingers, [Effect::Tell(News::Linger { until_ms: 9 })]);
    assert_eq!(run.on(Event::Line { state: CallState::Going, until_ms: None }), [Effect::Tell(News::GoesOn)]);
    assert_eq!(run.on(Event::Line { state: CallState::Going, until_ms: None }), []);
    let effects = run.on(Event::Line { state: CallState::HungUp, until_ms: None });
    assert_eq!(effects, [Effect::Leave, Effect::End(By::Companion)]);
    assert_eq!(run.on(Event::HangUp), [], "it ends once");
}

#[test]
fn ended_on_another_device_nothing_is_ended_again() {
    let mut run = Run::new();
    run.begins(&["One. "], &[]);
    let effects = run.on(Event::Line { state: CallState::Ended, until_ms: None });
    assert_eq!(kinds(&effects), ["Leave", "Stop", "ended", "Close"]);
}

/// What the person has said stands in the chat before the record does, where it is understood in time; the record waits for no longer.
#[test]
fn the_end_waits_for_what_was_said_and_not_for_ever() {
    for in_time in [true, false] {
        let mut run = Run::new();
        run.on(Event::Uttered);
        run.on(Event::Uttered);
        assert_eq!(kinds(&run.on(Event::HangUp)), ["Leave"]);
        assert_eq!(run.on(Event::Understood), [], "there is more");
        assert_eq!(run.session.wakes_ms(), Some(WORDS_MS));
        run.now_ms = WORDS_MS - 1;
        assert_eq!(run.on(Event::Tick), []);
        run.now_ms += i64::from(!in_time);
        let effects = run.on(if in_time { Event::Understood } else { Event::Tick });
        assert_eq!(effects, [Effect::End(By::Person)]);
        assert_eq!(run.session.ending_ms(), Some(0), "what was waited for is none of the call");
    }
}

/// Hung up before the answer has begun to be said: it is given in the chat, and not dropped.
#[test]
fn an_answer_of_which_nothing_was_told_is_released() {
    let mut run = Run::new();
    run.begins(&[], &[]);
    let effects = run.on(Event::HangUp);
    assert_eq!(effects, [Effect::Leave, Effect::Release(turn("t")), Effect::End(By::Person)]);
    assert_eq!(run.on(Event::Words(turn("t"), "Hello.".to_owned())), []);
    let began = Event::Began { turn: turn("u"), soft: false, markers: 0 };
    assert_eq!(run.on(began), [Effect::Release(turn("u"))], "it began before the line was left");
}

/// Who speaks cancels the lingering, also while nobody knows yet what they said: a goodbye that plays on meanwhile ends nothing.
#[test]
fn nothing_lingers_while_something_is_being_understood() {
    let mut run = Run::new();
    let stands = |until_ms| Event::Line { state: CallState::Going, until_ms };
    run.on(Event::Uttered);
    assert_eq!(run.on(stands(Some(9_000))), [Effect::Spoke]);
    assert_eq!(run.on(stands(None)), [], "nobody was told of it");
    run.on(Event::Understood);
    assert_eq!(kinds(&run.on(stands(Some(9_000)))), ["linger"]);
}

fn any_event() -> impl Strategy<Value = Event> {
    let t = || prop_oneof![Just(turn("a")), Just(turn("b"))];
    prop_oneof![
        Just(Event::Attached),
        Just(Event::Detached),
        prop::option::of((t(), 0..4_usize, 0.0..1.0_f64)).prop_map(Event::Speaking),
        (t(), 0..4_usize).prop_map(|(turn, piece)| Event::Played(turn, piece)),
        t().prop_map(|turn| Event::Began { turn, soft: false, markers: 0 }),
        t().prop_map(|turn| Event::Again { turn, chars: 0, markers: 0 }),
        t().prop_map(|turn| Event::Words(turn, "Word. ".to_owned())),
        (t(), 0..4_i64, 0..20_u64)
            .prop_map(|(turn, number, place)| Event::Marker(turn, marker(number, place))),
        (t(), 0..40_usize).prop_map(|(turn, to)| Event::Piece(turn, ("Word.".to_owned(), None), to)),
        t().prop_map(Event::Whole),
        t().prop_map(|turn| Event::Said(turn, message("m1", "Word.", None))),
        (t(), prop::option::of(prop::option::of(Just(mark::INTERRUPTED))))
            .prop_map(|(turn, text)| { Event::Over(turn, text.map(|mark| message("m2", "Word.", mark))) }),
        t().prop_map(Event::Silent),
        t().prop_map(|turn| Event::Cut(turn, None)),
        Just(Event::HangUp),
        Just(Event::Uttered),
        Just(Event::Understood),
        prop::option::of(Just(9_i64)).prop_map(|until_ms| Event::Line { state: CallState::Going, until_ms }),
        Just(Event::Line { state: CallState::HungUp, until_ms: None }),
        Just(Event::Ended(None)),
        Just(Event::Tick),
    ]
}

proptest! {
    /// Whatever comes in whatever order: a call is ended once and its device told once; nothing follows; who speaks is answered
    /// by quiet before anything else; and what is stopped is not spoken on.
    #[test]
    fn whatever_happens(events in prop::collection::vec((any_event(), 0..30_000_i64), 1..60)) {
        let mut session = Session::new(WINDOW_MS, 0);
        let (mut now_ms, mut ends, mut ended) = (0, 0, 0);
        let mut quiet: std::collections::BTreeSet<String> = std::collections::BTreeSet::new();
        for (event, later) in events {
            now_ms += later;
            let closed = session.is_over();
            let speaks = matches!(event, Event::Speaking(_));
            let effects = session.on(event, now_ms);
            prop_assert!(!closed || effects.is_empty());
            if speaks && !closed {
                let spoke = effects.iter().position(|effect| *effect == Effect::Spoke);
                let stop = effects.iter().rposition(|effect| matches!(effect, Effect::Stop(..)));
                prop_assert!(stop.is_none_or(|stop| Some(stop) < spoke));
            }
            for effect in &effects {
                match effect {
                    Effect::End(_) => ends += 1,
                    Effect::Tell(News::Ended { .. }) => ended += 1,
                    Effect::Stop(turn, _) => {
                        quiet.insert(turn.to_string());
                    }
                    Effect::Tell(News::Turn { turn, .. }) => {
                        quiet.remove(turn);
                    }
                    Effect::Tell(News::Piece { turn, .. } | News::Audio { turn, .. }) => {
                        prop_assert!(!quiet.contains(turn), "{turn} is spoken on");
                    }
                    Effect::Reply(turn, ..) => {
                        prop_assert!(!quiet.contains(turn.as_str()), "{turn} is spoken on");
                    }
                    Effect::Hear(_, extent, words, markers) => {
                        prop_assert!(extent.chars >= words.chars().count() as u64);
                        prop_assert!(markers.iter().all(|marker| marker.place <= words.chars().count() as u64
                            || extent.bytes == words.len()));
                    }
                    _ => {}
                }
            }
        }
        prop_assert!(ends <= 1 && ended <= 1);
    }
}
