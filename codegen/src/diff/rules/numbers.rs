//! Changes of knobs and constants.

super::changes! { NUMBERS;
    KNOB_REMOVED = "knob-removed", Stored, Major {
        "A knob is gone.",
        why: "What people set there is kept and means nothing any more. A client that names it in a change of settings is refused.",
        todo: "Keep it, or raise MAJOR.",
        before: "{\"call\": {\"ring_interval\": {…}, \"extra_rings\": {…}}}",
        after: "{\"call\": {\"ring_interval\": {…}}}"
    }
    KNOB_RENAMED = "knob-renamed", Stored, Major {
        "A knob has another name.",
        why: "What people set is kept under the old name, so everybody has the default again. Names are API: a client that names the old one in a change of settings is refused.",
        todo: "Keep the name; what people read is its label. Else raise MAJOR.",
        before: "{\"ring_interval\": {…}}",
        after: "{\"ring_pause\": {…}}"
    }
    KNOB_TYPE_CHANGED = "knob-type-changed", Stored, Major {
        "A knob holds another kind of value.",
        why: "What people set is of the old kind and cannot be read, so everybody has the default again; and its type in every client changes.",
        todo: "Add a knob of another name. Else raise MAJOR.",
        before: "{\"default\": true, \"unit\": \"boolean\", …}",
        after: "{\"default\": 3, \"min\": 0, \"max\": 9, \"unit\": \"count\", …}"
    }
    KNOB_BOUNDS_NARROWED = "knob-bounds-narrowed", Stored, Patch {
        "A knob may be set to less than before.",
        why: "A value that somebody set and that is out of the bounds now is brought to the nearest bound when it is read: they find another value than they chose. The settings page says so, and the value is kept.",
        todo: "Give the reason in `help`, and raise PATCH.",
        before: "{\"default\": 2, \"min\": 1, \"max\": 60, …}",
        after: "{\"default\": 2, \"min\": 2, \"max\": 60, …}"
    }
    KNOB_BOUNDS_WIDENED = "knob-bounds-widened", Free, Patch {
        "A knob may be set to more than before.",
        why: "Every value that somebody set is within the bounds still.",
        todo: "Nothing has to be done.",
        before: "{\"default\": 2, \"min\": 2, \"max\": 60, …}",
        after: "{\"default\": 2, \"min\": 1, \"max\": 60, …}"
    }
    KNOB_DEFAULT_CHANGED = "knob-default-changed", Free, Patch {
        "A knob is something else until it is set.",
        why: "Whoever never set it has the new value from now on. So has whoever set it to the old default: kept is what differs from the default.",
        todo: "Nothing has to be done.",
        before: "{\"default\": 10, …}",
        after: "{\"default\": 8, …}"
    }
    KNOB_UNIT_CHANGED = "knob-unit-changed", Client, Major {
        "A length of time is measured in another unit.",
        why: "Clients read and set the value in its unit: one that was built before sets 30 hours for 30 minutes. What people set is kept in seconds and does not change.",
        todo: "Keep the unit, or raise MAJOR.",
        before: "{\"default\": 180, \"unit\": \"minutes\", …}",
        after: "{\"default\": 3, \"unit\": \"hours\", …}"
    }
    KNOB_ADDED = "knob-added", Free, Patch {
        "There is a new knob.",
        why: "Everybody has its default.",
        todo: "Nothing has to be done.",
        before: "{\"call\": {}}",
        after: "{\"call\": {\"snooze\": {…}}}"
    }
    KNOB_WORDS_CHANGED = "knob-words-changed", Free, None {
        "A knob's label or help is worded anew.",
        why: "People read it on a settings page.",
        todo: "Look at the other languages, which say the same.",
        before: "{\"label\": {\"en\": \"Rings\", \"zh\": \"铃声\"}}",
        after: "{\"label\": {\"en\": \"Rings after the first\", \"zh\": \"再响几次\"}}"
    }
    SECTION_LABEL_CHANGED = "section-label-changed", Free, None {
        "The title of a section of the settings page is worded anew.",
        why: "People read it on a settings page.",
        todo: "Look at the other languages, which say the same.",
        before: "{\"label\": {\"en\": \"Ringing\", \"zh\": \"铃声\"}}",
        after: "{\"label\": {\"en\": \"Calls\", \"zh\": \"通话\"}}"
    }
    CONSTANT_REMOVED = "constant-removed", Client, Major {
        "A constant is gone.",
        why: "It is a constant of every client: code that names it does not compile any more.",
        todo: "Keep it, or raise MAJOR.",
        before: "{\"call\": {\"most_callers\": 3}}",
        after: "{\"call\": {}}"
    }
    CONSTANT_RENAMED = "constant-renamed", Client, Major {
        "A constant has another name.",
        why: "Names are API: it is a constant of this name in every client.",
        todo: "Keep the name, or raise MAJOR.",
        before: "{\"call\": {\"most_callers\": 3}}",
        after: "{\"call\": {\"max_callers\": 3}}"
    }
    CONSTANT_ADDED = "constant-added", Free, Patch {
        "There is a new constant.",
        why: "It is a constant more in every client.",
        todo: "Nothing has to be done.",
        before: "{\"call\": {}}",
        after: "{\"call\": {\"most_callers\": 3}}"
    }
    CONSTANT_CHANGED = "constant-changed", Free, Patch {
        "A constant is another number.",
        why: "The server keeps to the new one. A client that was built before has the old one compiled in, and goes on showing it.",
        todo: "Raise PATCH, so that clients can tell.",
        before: "{\"note_max_chars\": 60}",
        after: "{\"note_max_chars\": 80}"
    }
    CONSTANT_TYPE_CHANGED = "constant-type-changed", Client, Major {
        "A constant becomes a fraction, or a whole number.",
        why: "Its type in every client changes.",
        todo: "Add a constant of another name. Else raise MAJOR.",
        before: "{\"most_callers\": 3}",
        after: "{\"most_callers\": 2.5}"
    }
}
