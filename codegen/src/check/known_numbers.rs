//! Which constants and knobs the runtime needs: a section may have others besides.

use crate::model::Unit;

/// A section with the numbers that must be in it.
#[derive(Debug)]
pub(super) struct KnownNumbers {
    pub(super) section: &'static str,
    pub(super) numbers: &'static [KnownNumber],
}

/// A number that must be there.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownNumber {
    pub(super) key: &'static str,
    pub(super) sort: Sort,
}

/// What a number is for whoever uses it. The spec may measure a length of time in any unit of time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Sort {
    /// A constant: a whole number from 1 on.
    Limit,
    /// A knob that is a switch.
    Switch,
    /// A knob that is a length of time.
    Length,
    /// A knob that is a time of day.
    Clock,
    /// A knob that is a whole number.
    Count,
    /// A knob that is a multiple.
    Factor,
}

impl Sort {
    /// The units in which a knob of this sort may be measured; none for a constant.
    pub(super) fn units(self) -> &'static [Unit] {
        match self {
            Self::Limit => &[],
            Self::Switch => &[Unit::Boolean],
            Self::Length => &[Unit::Seconds, Unit::Minutes, Unit::Hours],
            Self::Clock => &[Unit::Clock],
            Self::Count => &[Unit::Count],
            Self::Factor => &[Unit::Factor],
        }
    }
}

const fn number(key: &'static str, sort: Sort) -> KnownNumber {
    KnownNumber { key, sort }
}

/// Every section with such numbers, in no order that matters.
pub(super) const NUMBERS: &[KnownNumbers] = &[
    KnownNumbers {
        section: "call",
        numbers: &[
            number("ring_enabled", Sort::Switch),
            number("ring_interval", Sort::Length),
            number("extra_rings", Sort::Count),
            number("invite_expires", Sort::Length),
            number("poll_interval", Sort::Length),
            number("note_max_chars", Sort::Limit),
        ],
    },
    KnownNumbers { section: "markers", numbers: &[number("conversation_gap", Sort::Length)] },
    KnownNumbers {
        section: "escalation",
        numbers: &[
            number("enabled", Sort::Switch),
            number("silence", Sort::Length),
            number("from", Sort::Clock),
            number("until", Sort::Clock),
            number("per_day", Sort::Limit),
            number("reason_max_chars", Sort::Limit),
            number("reason_messages", Sort::Limit),
            number("reason_seconds", Sort::Limit),
        ],
    },
    KnownNumbers {
        section: "voice",
        numbers: &[
            number("soft_volume", Sort::Factor),
            number("linger_min", Sort::Length),
            number("linger_max", Sort::Length),
            number("speech_characters", Sort::Count),
        ],
    },
    KnownNumbers {
        section: "tone",
        numbers: &[
            number("baseline_keep", Sort::Count),
            number("baseline_min", Sort::Count),
            number("max_cues", Sort::Count),
        ],
    },
    KnownNumbers {
        section: "record",
        numbers: &[
            number("min_call", Sort::Length),
            number("min_summary", Sort::Length),
            number("summary_timeout", Sort::Length),
        ],
    },
    KnownNumbers {
        section: "reading",
        numbers: &[
            number("passage", Sort::Length),
            number("letters_a_minute", Sort::Limit),
            number("han_a_minute", Sort::Limit),
            number("most_texts", Sort::Limit),
            number("most_kilobytes", Sort::Limit),
        ],
    },
];

/// The numbers that a section must have.
pub(super) fn of(section: &str) -> &'static [KnownNumber] {
    NUMBERS.iter().find(|known| known.section == section).map_or(&[], |known| known.numbers)
}
