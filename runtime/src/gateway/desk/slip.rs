//! One card as a pure state machine: `(state, event, now) → (state, effects)`, without a clock, a socket or a database.
//!
//! A card is pending until the first of: an answer in time, or its deadline and the grace after it. What has closed it
//! stays; whoever comes later is told so. (Document 1, section 3.)

use handset_spec::phone::{ANSWER_GRACE_SECONDS, Answer, Status, WAIT_SECONDS, no_answer};
use serde::Serialize;

use crate::store::CardState;

/// How long a card waits, in milliseconds.
pub const WAIT_MS: i64 = WAIT_SECONDS as i64 * 1000;
/// How much later than the deadline an answer may arrive that was given before it, in milliseconds.
pub const GRACE_MS: i64 = ANSWER_GRACE_SECONDS as i64 * 1000;

/// What the machine knows of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slip {
    /// The device that shows it; none means every device of the person's.
    pub device: Option<String>,
    /// Until when it may be answered.
    pub deadline_ms: i64,
    /// Where it stands.
    pub state: CardState,
    /// What the phone said when it closed it.
    pub message: Option<String>,
}

/// What may happen to a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A device answers.
    Answered {
        /// Which device, where it says so.
        device: Option<String>,
        /// What it says.
        answer: Answer,
        /// When the person pressed, by the phone's clock; without a stamp the arrival counts.
        stamped_ms: Option<i64>,
    },
    /// Time has passed.
    Tick,
    /// The server was started again: nobody waits for this answer any more.
    Restarted,
}

/// What the one who brought the event is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The answer counts. A repetition of it is told the same.
    Accepted,
    /// Another answer closed the card before.
    AlreadyAnswered,
    /// The card's time was over; nothing was done with the answer.
    TooLate,
    /// The card is on another device.
    OtherDevice,
    /// Time has not run out yet (for a tick alone).
    Waiting,
    /// The card closes, or has closed, without an answer (for a tick or a restart alone).
    Ended,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 6] =
        [Self::Accepted, Self::AlreadyAnswered, Self::TooLate, Self::OtherDevice, Self::Waiting, Self::Ended];

    /// The word that it is kept as; the same as it is sent as.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::AlreadyAnswered => "already_answered",
            Self::TooLate => "too_late",
            Self::OtherDevice => "other_device",
            Self::Waiting => "waiting",
            Self::Ended => "ended",
        }
    }

    /// Reads the word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.word() == word)
    }
}

/// What the shell has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Tell the one who brought the event.
    Tell(Outcome),
    /// Record the new state with the result text, take the card off the device, wake the turn.
    Close {
        /// The text of the call's result.
        result: String,
    },
}

impl Slip {
    /// Until when an answer may arrive, and when the card ends without one.
    #[must_use]
    pub fn ends_ms(&self) -> i64 {
        self.deadline_ms.saturating_add(GRACE_MS)
    }

    /// Takes an event.
    #[must_use]
    pub fn on(mut self, event: Event, now_ms: i64) -> (Self, Vec<Effect>) {
        let effects = match event {
            Event::Answered { device, answer, stamped_ms } => {
                self.answered(device, answer, stamped_ms, now_ms)
            }
            Event::Tick => match self.state {
                CardState::Pending if now_ms < self.ends_ms() => vec![Effect::Tell(Outcome::Waiting)],
                _ => self.end(),
            },
            Event::Restarted => self.end(),
        };
        (self, effects)
    }

    fn answered(
        &mut self,
        device: Option<String>,
        answer: Answer,
        stamped_ms: Option<i64>,
        now_ms: i64,
    ) -> Vec<Effect> {
        if let (Some(mine), Some(theirs)) = (&self.device, &device)
            && mine != theirs
        {
            return vec![Effect::Tell(Outcome::OtherDevice)];
        }
        let state = state_of(answer.status);
        match self.state {
            CardState::Pending => {}
            CardState::NoAnswer => return vec![Effect::Tell(Outcome::TooLate)],
            closed if closed == state && self.message == answer.message => {
                return vec![Effect::Tell(Outcome::Accepted)];
            }
            _ => return vec![Effect::Tell(Outcome::AlreadyAnswered)],
        }
        // Nobody has pressed later than now: a phone whose clock is ahead is in time as long as its answer is.
        let pressed_ms = stamped_ms.map_or(now_ms, |stamped_ms| stamped_ms.min(now_ms));
        if pressed_ms > self.deadline_ms || now_ms > self.ends_ms() {
            // The person has pressed, so nothing more is to come: the card need not wait out its grace.
            let mut effects = vec![Effect::Tell(Outcome::TooLate)];
            effects.extend(self.end().into_iter().filter(|effect| matches!(effect, Effect::Close { .. })));
            return effects;
        }
        self.state = state;
        let result = answer.result();
        self.message = answer.message;
        vec![Effect::Tell(Outcome::Accepted), Effect::Close { result }]
    }

    fn end(&mut self) -> Vec<Effect> {
        let mut effects = vec![Effect::Tell(Outcome::Ended)];
        if self.state == CardState::Pending {
            self.state = CardState::NoAnswer;
            effects.push(Effect::Close { result: no_answer().to_owned() });
        }
        effects
    }
}

/// The state that an answer's status leads to.
fn state_of(status: Status) -> CardState {
    match status {
        Status::Done => CardState::Done,
        Status::Declined => CardState::Declined,
        Status::Failed => CardState::Failed,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DEADLINE: i64 = 1_000_000;

    fn slip() -> Slip {
        Slip {
            device: Some("phone".to_owned()),
            deadline_ms: DEADLINE,
            state: CardState::Pending,
            message: None,
        }
    }

    fn answer(status: &str, device: &str, stamped_ms: Option<i64>) -> Event {
        Event::Answered { device: Some(device.to_owned()), answer: Answer::read(status, None), stamped_ms }
    }

    fn told(effects: &[Effect]) -> Outcome {
        let Effect::Tell(outcome) = effects[0] else { panic!("the first effect tells") };
        outcome
    }

    #[test]
    fn an_answer_in_time_closes_once() {
        let (slip, effects) = slip().on(answer("done", "phone", None), 5);
        assert_eq!(slip.state, CardState::Done);
        assert_eq!(
            effects,
            [Effect::Tell(Outcome::Accepted), Effect::Close { result: Answer::read("done", None).result() }]
        );
        let (slip, effects) = slip.on(answer("done", "phone", None), 6);
        assert_eq!(
            effects,
            [Effect::Tell(Outcome::Accepted)],
            "a repetition is told what the first was told"
        );
        let (_, effects) = slip.on(answer("declined", "phone", None), 7);
        assert_eq!(effects, [Effect::Tell(Outcome::AlreadyAnswered)]);
    }

    #[test]
    fn the_bounds_of_the_deadline_and_the_grace() {
        let at = |now, stamped| told(&slip().on(answer("done", "phone", stamped), now).1);
        assert_eq!(at(DEADLINE, None), Outcome::Accepted);
        assert_eq!(at(DEADLINE + 1, None), Outcome::TooLate, "without a stamp the arrival counts");
        assert_eq!(at(DEADLINE + GRACE_MS, Some(DEADLINE)), Outcome::Accepted);
        assert_eq!(at(DEADLINE + GRACE_MS + 1, Some(DEADLINE)), Outcome::TooLate);
        assert_eq!(at(DEADLINE + 1, Some(DEADLINE + 1)), Outcome::TooLate);
        assert_eq!(at(DEADLINE - 1, Some(DEADLINE * 9)), Outcome::Accepted, "a phone's clock may be ahead");
    }

    /// P155: pressed after the deadline. The screen must not say that it was approved.
    #[test]
    fn p155_a_late_yes_is_too_late_and_the_card_says_no_answer() {
        let (slip, effects) = slip().on(answer("done", "phone", None), DEADLINE + 1);
        assert_eq!(slip.state, CardState::NoAnswer);
        assert_eq!(
            effects,
            [Effect::Tell(Outcome::TooLate), Effect::Close { result: no_answer().to_owned() }]
        );
        assert_eq!(slip.on(answer("done", "phone", None), DEADLINE + 2).1, [Effect::Tell(Outcome::TooLate)]);
    }

    /// P157, P159: an ignored card is no answer, not a no, and its result says that nothing was done.
    #[test]
    fn p159_no_answer_is_not_declined() {
        let (waiting, effects) = slip().on(Event::Tick, DEADLINE + GRACE_MS - 1);
        assert_eq!((waiting.state, effects), (CardState::Pending, vec![Effect::Tell(Outcome::Waiting)]));
        let (ended, effects) = waiting.on(Event::Tick, DEADLINE + GRACE_MS);
        assert_eq!(ended.state, CardState::NoAnswer);
        assert_eq!(effects, [Effect::Tell(Outcome::Ended), Effect::Close { result: no_answer().to_owned() }]);
        assert_eq!(ended.on(Event::Restarted, DEADLINE * 2).1, [Effect::Tell(Outcome::Ended)]);
    }

    #[test]
    fn another_device_changes_nothing() {
        let (after, effects) = slip().on(answer("done", "tablet", None), 5);
        assert_eq!((after, effects), (slip(), vec![Effect::Tell(Outcome::OtherDevice)]));
        let anywhere = Slip { device: None, ..slip() };
        assert_eq!(told(&anywhere.on(answer("done", "tablet", None), 5).1), Outcome::Accepted);
    }

    fn any_event() -> impl Strategy<Value = Event> {
        let answered = (
            prop::option::of("phone|tablet"),
            "done|declined|failed|maybe",
            prop::option::of("[ab]"),
            prop::option::of(DEADLINE - 10..DEADLINE + 10),
        )
            .prop_map(|(device, status, message, stamped_ms)| Event::Answered {
                device,
                answer: Answer::read(&status, message.as_deref()),
                stamped_ms,
            });
        prop_oneof![4 => answered, 2 => Just(Event::Tick), 1 => Just(Event::Restarted)]
    }

    proptest! {
        /// Whatever comes in whatever order: closed at most once, never reopened, never a success after its time.
        #[test]
        fn one_winner(events in prop::collection::vec((any_event(), 0..400i64), 1..20)) {
            let mut slip = slip();
            let mut now = DEADLINE - 1000;
            let mut closed = 0;
            for (event, later) in events {
                now += later * 20;
                let before = slip.clone();
                let theirs = match &event {
                    Event::Answered { device, .. } => device.clone(),
                    _ => None,
                };
                let (after, effects) = slip.on(event, now);
                prop_assert!(matches!(effects[0], Effect::Tell(_)));
                let closes = effects.iter().filter(|effect| matches!(effect, Effect::Close { .. })).count();
                closed += closes;
                prop_assert!(closed <= 1);
                prop_assert_eq!(closes == 1, before.state == CardState::Pending && after.state != CardState::Pending);
                if before.state != CardState::Pending {
                    prop_assert_eq!(&before, &after);
                }
                if closes == 1 && after.state != CardState::NoAnswer {
                    prop_assert!(now <= DEADLINE + GRACE_MS);
                    prop_assert!(theirs.is_none_or(|device| device == "phone"));
                }
                slip = after;
            }
        }
    }
}
