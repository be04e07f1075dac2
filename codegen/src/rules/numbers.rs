//! Rules about constants and knobs.

super::rules! { NUMBERS;
    MISSING_NUMBER = "missing-number" {
        "A section has every constant and knob that the runtime needs.",
        why: "The runtime writes no number by hand: how often a phone rings stands in the spec or nowhere.",
        mend: "Add it under the key that the message names: a constant as a number, a knob as an object.",
        bad: "{\"call\": {\"note_max_chars\": 60}}",
        good: "{\"call\": {\"note_max_chars\": 60, \"ring_interval\": {\"default\": 2, …}}}"
    }
    CONSTANT_EXPECTED = "constant-expected" {
        "A number that must be the same for everybody is no knob.",
        why: "Some limits are hard, as one call a day is: a settings page must not offer to move them.",
        mend: "Write the number alone.",
        bad: "{\"per_day\": {\"default\": 1, \"min\": 1, \"max\": 24, …}}",
        good: "{\"per_day\": 1}"
    }
    KNOB_EXPECTED = "knob-expected" {
        "A number that each person sets is a knob, with bounds, a unit, a label and a word of help.",
        why: "The runtime asks for the person's own value. A plain number would take the choice away, and no settings page could show it.",
        mend: "Write an object with `default`, `min`, `max`, `unit`, `label` and `help`.",
        bad: "{\"ring_interval\": 2}",
        good: "{\"ring_interval\": {\"default\": 2, \"min\": 2, \"max\": 60, \"unit\": \"seconds\", …}}"
    }
    UNKNOWN_UNIT = "unknown-unit" {
        "A knob's unit is one that the compiler knows.",
        why: "The unit decides the type, and what a settings page shows: a length of time, a count, a time of day.",
        mend: "Write one of the units that the message lists.",
        bad: "{\"default\": 2, \"unit\": \"secs\", …}",
        good: "{\"default\": 2, \"unit\": \"seconds\", …}"
    }
    WRONG_UNIT = "wrong-unit" {
        "A knob that the runtime needs has a unit of the kind that it needs.",
        why: "A length of time may be given in seconds, minutes or hours, but a number of rings is no length of time.",
        mend: "Write one of the units that the message lists.",
        bad: "{\"extra_rings\": {\"default\": 10, \"unit\": \"seconds\", …}}",
        good: "{\"extra_rings\": {\"default\": 10, \"unit\": \"count\", …}}"
    }
    DEFAULT_OUT_OF_BOUNDS = "default-out-of-bounds" {
        "A knob's default lies within its bounds.",
        why: "A value that nobody may set cannot be what everybody has.",
        mend: "Move the default or the bound.",
        bad: "{\"default\": 1, \"min\": 2, \"max\": 60, …}",
        good: "{\"default\": 2, \"min\": 2, \"max\": 60, …}"
    }
    NO_LENGTH_OF_TIME = "no-length-of-time" {
        "A length of time is from 0 to a year, and no finer than a millisecond.",
        why: "Lengths are kept in milliseconds. A longer one was most likely meant in another unit.",
        mend: "Write a number within these bounds, or choose another unit.",
        bad: "{\"default\": -2, \"unit\": \"seconds\", …}",
        good: "{\"default\": 2, \"unit\": \"seconds\", …}"
    }
    NO_TIME_OF_DAY = "no-time-of-day" {
        "A time of day is HH:MM on the 24-hour clock, from 00:00 to 23:59.",
        why: "Exactly one spelling exists, so that every implementation reads the same. Midnight is 00:00; a window that ends then wraps.",
        mend: "Write two digits each with a colon between.",
        bad: "{\"default\": \"9:00\", \"unit\": \"clock\", …}",
        good: "{\"default\": \"09:00\", \"unit\": \"clock\", …}"
    }
    CROSSED_KNOBS = "crossed-knobs" {
        "Of two knobs NAME_min and NAME_max, the first is never the greater: neither their defaults nor their bounds.",
        why: "They are the ends of one range. Where a person sets them crosswise, one end is moved to the other, and must then be within its own bounds.",
        mend: "Exchange the two values, or move one of them.",
        bad: "{\"linger_min\": {\"default\": 20, …}, \"linger_max\": {\"default\": 15, …}}",
        good: "{\"linger_min\": {\"default\": 15, …}, \"linger_max\": {\"default\": 20, …}}"
    }
}
