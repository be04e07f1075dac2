//! One call invite as a pure machine: `(state, event, now) → (state, effects)`, without a clock, a socket or a database.
//!
//! An invite is pending until the first of: an answer, the caller's change of mind, its end. What has closed it stays, and
//! whoever comes later is told so. Its end is one absolute instant, the same for the device that shows it and for the server:
//! an answer that comes then or later is too late, whether or not anybody has performed the expiry yet. (Document 2: invites,
//! expiry, answers.)

use serde::Serialize;

use crate::store::InviteState;

/// What the machine knows of an invite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invite {
    /// When it ends unanswered, in milliseconds since the Unix epoch.
    pub expires_ms: i64,
    /// Where it stands.
    pub state: InviteState,
    /// Who answered, once somebody has.
    pub answered_by: Option<String>,
    /// What was said with a decline.
    pub note: Option<String>,
}

/// What a device says to an invite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It takes the call.
    Accept,
    /// It does not.
    Decline {
        /// The person's words, cleaned; none where they said nothing.
        note: Option<String>,
    },
}

/// What may happen to an invite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A device answers.
    Answered {
        /// Which device, where that is known.
        device: Option<String>,
        /// What it says.
        answer: Answer,
    },
    /// The caller takes it back.
    Cancelled,
    /// Time has passed.
    Tick,
}

/// What the one who brought the event is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The call is taken. The same device is told the same again.
    Accepted,
    /// The call is declined. The same device with the same words is told the same again.
    Declined,
    /// The invite is taken back, now or before.
    Cancelled,
    /// This device has answered otherwise before.
    AlreadyAnswered,
    /// Another device has answered.
    AnsweredElsewhere,
    /// The invite's time was over.
    TooLate,
    /// It is still pending (for a tick alone).
    Waiting,
    /// It ends, or has ended, unanswered (for a tick alone).
    Ended,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 8] = [
        Self::Accepted,
        Self::Declined,
        Self::Cancelled,
        Self::AlreadyAnswered,
        Self::AnsweredElsewhere,
        Self::TooLate,
        Self::Waiting,
        Self::Ended,
    ];

    /// The word that it is kept as; the same as it is sent as.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::AlreadyAnswered => "already_answered",
            Self::AnsweredElsewhere => "answered_elsewhere",
            Self::TooLate => "too_late",
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
    /// Record the new state, let nothing ring any more, and leave what it comes to.
    Close(Left),
}

/// What a closed invite leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Left {
    /// A call begins.
    Call,
    /// The trace of a decline and, where there is one, the note as the person's words.
    Note(Option<String>),
    /// The companion's voicemail.
    Voicemail,
    /// The trace of a call that was taken back.
    Trace,
}

impl Invite {
    /// Takes an event.
    #[must_use]
    pub fn on(mut self, event: Event, now_ms: i64) -> (Self, Vec<Effect>) {
        // Whatever comes at its end or later finds it expired.
        let over = self.state == InviteState::Pending && now_ms >= self.expires_ms;
        let mut effects = Vec::with_capacity(2);
        if over {
            self.state = InviteState::Expired;
        }
        let outcome = match event {
            Event::Answered { device, answer } => self.answered(device, answer, &mut effects),
            Event::Cancelled => self.cancelled(&mut effects),
            Event::Tick if self.state == InviteState::Pending => Outcome::Waiting,
            Event::Tick => Outcome::Ended,
        };
        if over {
            effects.push(Effect::Close(Left::Voicemail));
        }
        effects.insert(0, Effect::Tell(outcome));
        (self, effects)
    }

    fn answered(&mut self, device: Option<String>, answer: Answer, effects: &mut Vec<Effect>) -> Outcome {
        let (state, note) = match answer {
            Answer::Accept => (InviteState::Accepted, None),
            Answer::Decline { note } => (InviteState::Declined, note),
        };
        match self.state {
            InviteState::Pending => {
                let left = match state {
                    InviteState::Accepted => Left::Call,
                    _ => Left::Note(note.clone()),
                };
                effects.push(Effect::Close(left));
                (self.state, self.answered_by, self.note) = (state, device, note);
            }
            InviteState::Expired => return Outcome::TooLate,
            InviteState::Cancelled => return Outcome::Cancelled,
            InviteState::Accepted | InviteState::Declined => {
                if let (Some(winner), Some(device)) = (&self.answered_by, &device)
                    && winner != device
                {
                    return Outcome::AnsweredElsewhere;
                }
                if self.state != state || self.note != note {
                    return Outcome::AlreadyAnswered;
                }
            }
        }
        if state == InviteState::Accepted { Outcome::Accepted } else { Outcome::Declined }
    }

    fn cancelled(&mut self, effects: &mut Vec<Effect>) -> Outcome {
        match self.state {
            InviteState::Pending => {
                self.state = InviteState::Cancelled;
                effects.push(Effect::Close(Left::Trace));
                Outcome::Cancelled
            }
            InviteState::Cancelled => Outcome::Cancelled,
            InviteState::Expired => Outcome::TooLate,
            InviteState::Accepted | InviteState::Declined => Outcome::AlreadyAnswered,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const END: i64 = 30_000;

    fn pending() -> Invite {
        Invite { expires_ms: END, state: InviteState::Pending, answered_by: None, note: None }
    }

    fn accept(device: &str) -> Event {
        Event::Answered { device: Some(device.to_owned()), answer: Answer::Accept }
    }

    fn decline(device: &str, note: Option<&str>) -> Event {
        let answer = Answer::Decline { note: note.map(str::to_owned) };
        Event::Answered { device: Some(device.to_owned()), answer }
    }

    fn told(effects: &[Effect]) -> Outcome {
        let Effect::Tell(outcome) = effects[0] else { panic!("the first effect tells") };
        outcome
    }

    /// P169: answered elsewhere, the timer still armed. It changes nothing, and leaves nothing.
    #[test]
    fn p169_a_tick_behind_the_answer_does_nothing() {
        let (taken, effects) = pending().on(accept("phone"), 5);
        assert_eq!(effects, [Effect::Tell(Outcome::Accepted), Effect::Close(Left::Call)]);
        for now in [6, END, END * 9] {
            assert_eq!(
                taken.clone().on(Event::Tick, now),
                (taken.clone(), vec![Effect::Tell(Outcome::Ended)])
            );
        }
    }

    /// P173: answered on one device, it is no missed call on the others.
    #[test]
    fn p173_answered_on_one_device_is_missed_on_none() {
        let (taken, _) = pending().on(decline("phone", None), 5);
        let (after, effects) = taken.clone().on(accept("tablet"), 6);
        assert_eq!((after, effects), (taken.clone(), vec![Effect::Tell(Outcome::AnsweredElsewhere)]));
        assert_eq!(taken.on(accept("tablet"), END + 1).1, [Effect::Tell(Outcome::AnsweredElsewhere)]);
    }

    /// P175: the caller stops after two rings. A trace is left, and who answers then is told.
    #[test]
    fn p175_a_call_that_was_taken_back_leaves_a_trace() {
        let (cancelled, effects) = pending().on(Event::Cancelled, 4_000);
        assert_eq!(effects, [Effect::Tell(Outcome::Cancelled), Effect::Close(Left::Trace)]);
        assert_eq!(cancelled.clone().on(accept("phone"), 4_001).1, [Effect::Tell(Outcome::Cancelled)]);
        assert_eq!(cancelled.on(Event::Cancelled, 4_002).1, [Effect::Tell(Outcome::Cancelled)]);
    }

    #[test]
    fn an_answer_at_the_end_loses_and_performs_the_expiry() {
        assert_eq!(told(&pending().on(accept("phone"), END - 1).1), Outcome::Accepted);
        for event in [accept("phone"), decline("phone", Some("busy")), Event::Cancelled] {
            let (expired, effects) = pending().on(event, END);
            assert_eq!(expired.state, InviteState::Expired);
            assert_eq!((expired.answered_by.as_ref(), expired.note.as_ref()), (None, None));
            assert_eq!(effects, [Effect::Tell(Outcome::TooLate), Effect::Close(Left::Voicemail)]);
        }
    }

    #[test]
    fn the_same_answer_is_told_the_same_and_another_is_not() {
        let (declined, _) = pending().on(decline("phone", Some("busy")), 5);
        assert_eq!(told(&declined.clone().on(decline("phone", Some("busy")), 9).1), Outcome::Declined);
        assert_eq!(told(&declined.clone().on(decline("phone", Some("out")), 9).1), Outcome::AlreadyAnswered);
        assert_eq!(told(&declined.clone().on(accept("phone"), 9).1), Outcome::AlreadyAnswered);
        assert_eq!(told(&declined.on(decline("tablet", Some("busy")), 9).1), Outcome::AnsweredElsewhere);
    }

    fn any_event() -> impl Strategy<Value = Event> {
        let answered = (prop::option::of("phone|tablet"), any::<bool>(), prop::option::of("[ab]")).prop_map(
            |(device, accept, note)| Event::Answered {
                device,
                answer: if accept { Answer::Accept } else { Answer::Decline { note } },
            },
        );
        prop_oneof![4 => answered, 1 => Just(Event::Cancelled), 3 => Just(Event::Tick)]
    }

    proptest! {
        /// Whatever comes in whatever order: closed at most once, at most one voicemail, nothing taken at the end or later.
        #[test]
        fn one_winner(events in prop::collection::vec((any_event(), 0..9_000i64), 1..20)) {
            let (mut invite, mut now, mut closed) = (pending(), 0, 0);
            for (event, later) in events {
                now += later;
                let before = invite.clone();
                let (after, effects) = invite.on(event, now);
                prop_assert!(matches!(effects[0], Effect::Tell(_)));
                prop_assert!(effects[1..].iter().all(|effect| matches!(effect, Effect::Close(_))));
                closed += effects.len() - 1;
                prop_assert!(closed <= 1);
                let closes = before.state == InviteState::Pending && after.state != InviteState::Pending;
                prop_assert_eq!(effects.len() == 2, closes);
                let missed = effects.contains(&Effect::Close(Left::Voicemail));
                prop_assert_eq!(missed, closes && now >= END);
                if before.state != InviteState::Pending {
                    prop_assert_eq!(&before, &after);
                }
                prop_assert!(now < END || after.state != InviteState::Pending);
                invite = after;
            }
        }
    }
}
