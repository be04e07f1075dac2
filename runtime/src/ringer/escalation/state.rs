//! Whether the companion may call of its own accord now, and else from when on: pure, over what is known of a person.
//!
//! Document 2: silence long enough AND the local hour allowed AND not escalated today AND do-not-disturb off; never while
//! an invite is pending or a call goes on. Silence counts from the person's last message or their last call's end: who
//! never wrote is never called. Once a local day: a local day is known by its date, which zones may skip, and which their
//! clock may go back to; a date before the last one that had a call has had its own.

use std::time::Duration;

use handset_spec::settings::escalation::PER_DAY;
use handset_spec::settings::{Escalation, Settings};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use super::window::Window;

/// How many days ahead of today an escalation may be dated by a clock or zone that was put right since. Further ahead it
/// was dated by nonsense, and does not silence the companion for years.
const AHEAD_DAYS: i32 = 2;

/// How long an invite that is pending or a call that goes on is waited for before the next look, in milliseconds.
const ENGAGED_MS: i64 = 60_000;

/// What the person has set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Whether the companion may call by itself at all.
    pub enabled: bool,
    /// After how long a silence.
    pub silence: Duration,
    /// In which hours of the local day.
    pub window: Window,
}

impl From<&Settings> for Rules {
    fn from(settings: &Settings) -> Self {
        let Escalation { enabled, silence, from, until, .. } = settings.escalation;
        Self { enabled, silence, window: Window { from, until } }
    }
}

/// The last call of this kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Escalated {
    /// The local date on which it was.
    pub day: Date,
    /// How many there were on that date.
    pub times: usize,
    /// When it was, in milliseconds since the Unix epoch.
    pub at_ms: i64,
}

/// What is known of a person.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// What they have set.
    pub rules: Rules,
    /// Where they live.
    pub zone: TimeZone,
    /// Whether they do not want to be disturbed.
    pub dnd: bool,
    /// When they were last heard: their last message or the end of their last call.
    pub heard_ms: Option<i64>,
    /// When the companion last called by itself.
    pub escalated: Option<Escalated>,
    /// Whether an invite is pending.
    pub invited: bool,
    /// Whether a call goes on.
    pub in_call: bool,
}

/// What may happen.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The person wrote.
    Message,
    /// An invite is pending.
    Invited,
    /// It is not any more.
    Resolved,
    /// A call begins.
    CallBegan,
    /// It ends.
    CallEnded,
    /// Do-not-disturb is switched.
    Dnd(bool),
    /// The person has set something.
    Rules(Rules),
    /// The person lives elsewhere.
    Zone(TimeZone),
    /// Time has passed: whether to call is decided.
    Look,
}

/// The call that is to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ring {
    /// The local date that it counts for.
    pub day: Date,
}

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// To call.
    Ring(Ring),
    /// Not to call.
    Wait {
        /// Why not.
        why: Why,
        /// When to look again, in milliseconds since the Unix epoch: the first moment at which it might be otherwise while
        /// nothing happens; none where only something that happens can change it.
        until_ms: Option<i64>,
    },
}

/// Why the companion does not call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The person does not want it.
    Disabled,
    /// Do-not-disturb is on.
    Dnd,
    /// The person was never heard.
    NeverHeard,
    /// An invite is pending, or a call goes on.
    Engaged,
    /// It is too soon, the wrong hour, or this day has had its call.
    NotYet,
}

impl State {
    /// Takes an event. What a look decides is recorded at once, as the shell does in one transaction.
    #[must_use]
    pub fn on(mut self, event: Event, now_ms: i64) -> (Self, Option<Ring>) {
        match event {
            Event::Message => self.hear(now_ms),
            Event::Invited => self.invited = true,
            Event::Resolved => self.invited = false,
            Event::CallBegan => self.in_call = true,
            Event::CallEnded => {
                self.in_call = false;
                self.hear(now_ms);
            }
            Event::Dnd(on) => self.dnd = on,
            Event::Rules(rules) => self.rules = rules,
            Event::Zone(zone) => self.zone = zone,
            Event::Look => {
                if let Decision::Ring(ring) = self.decide(now_ms) {
                    self.escalated = Some(self.recorded(ring, now_ms));
                    return (self, Some(ring));
                }
            }
        }
        (self, None)
    }

    /// What is to be recorded of a call that is made.
    #[must_use]
    pub fn recorded(&self, ring: Ring, now_ms: i64) -> Escalated {
        let before = self.escalated.filter(|last| last.day == ring.day).map_or(0, |last| last.times);
        Escalated { day: ring.day, times: before + 1, at_ms: now_ms }
    }

    /// Whether to call now.
    #[must_use]
    pub fn decide(&self, now_ms: i64) -> Decision {
        let wait = |why, until_ms| Decision::Wait { why, until_ms };
        if !self.rules.enabled {
            return wait(Why::Disabled, None);
        }
        if self.dnd {
            return wait(Why::Dnd, None);
        }
        let Some(heard_ms) = self.heard_ms else { return wait(Why::NeverHeard, None) };
        if self.invited || self.in_call {
            return wait(Why::Engaged, Some(now_ms.saturating_add(ENGAGED_MS)));
        }
        // A moment beyond the calendar's end is none.
        let Some(first) = self.first(heard_ms, now_ms) else { return wait(Why::NotYet, None) };
        if first.as_millisecond() > now_ms {
            return wait(Why::NotYet, Some(first.as_millisecond()));
        }
        Decision::Ring(Ring { day: self.zone.to_datetime(first).date() })
    }

    fn hear(&mut self, now_ms: i64) {
        self.heard_ms = Some(self.heard_ms.map_or(now_ms, |before| before.max(now_ms)));
    }

    /// The first moment from now on at which silence, hour and day allow a call.
    fn first(&self, heard_ms: i64, now_ms: i64) -> Option<Timestamp> {
        let silence = i64::try_from(self.rules.silence.as_millis()).unwrap_or(i64::MAX);
        let quiet = |since_ms: i64| Timestamp::from_millisecond(since_ms.saturating_add(silence)).ok();
        let mut moment = quiet(heard_ms)?.max(Timestamp::from_millisecond(now_ms).ok()?);
        // Each round goes past an hour or a day that does not do; two days that had theirs are the most there can be.
        for _ in 0..8 {
            let today = self.zone.to_datetime(moment).date();
            let next = match self.escalated.filter(|last| had(last, today)) {
                // Where a day may have several, the silence between them counts as well.
                Some(last) if last.day == today && last.times < PER_DAY => moment.max(quiet(last.at_ms)?),
                Some(_) => self.after(moment)?,
                None => moment,
            };
            let next = self.rules.window.next(next, &self.zone)?;
            if next == moment {
                return Some(moment);
            }
            moment = next;
        }
        Some(moment)
    }

    /// The first moment of a later local date.
    fn after(&self, moment: Timestamp) -> Option<Timestamp> {
        let tomorrow = self.zone.to_datetime(moment).date().tomorrow().ok()?;
        let start =
            self.zone.to_ambiguous_zoned_datetime(tomorrow.to_datetime(jiff::civil::Time::midnight()));
        let (earlier, later) = (start.clone().earlier().ok()?.timestamp(), start.later().ok()?.timestamp());
        // A midnight that is left out is where the clock lands; one that comes twice has begun with the first.
        let date = |moment: Timestamp| self.zone.to_datetime(moment).date();
        let jump = self.zone.following(moment).next().map(|jump| jump.timestamp());
        let day = moment.checked_add(1.minute()).ok()?;
        [Some(earlier), Some(later), jump]
            .into_iter()
            .flatten()
            .filter(|&at| at > moment && date(at) >= tomorrow)
            .min()
            .or(Some(day))
    }
}

/// Whether the day has had a call, the last one being this: its own date has, and so has one that the clock has gone back to.
fn had(last: &Escalated, today: Date) -> bool {
    let ahead = today.checked_add(AHEAD_DAYS.days());
    today <= last.day && ahead.is_ok_and(|ahead| last.day <= ahead)
}
