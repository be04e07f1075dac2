//! What each person sets for themselves, and the switches.

use super::Topic;
use super::route::{json, route};
use super::shape::{CLIENT_ID, Member, Shape, always, either, event, nullable, optional, read, sent};

const LABEL: Member = always("label", Shape::Record("form_text"), "What a settings page calls it.");
const HELP: Member = always("help", Shape::Record("form_text"), "Why it is what it is, and what bounds it.");

pub(super) const TOPIC: Topic = Topic {
    name: "settings",
    doc: "What each person sets for themselves, within the spec's bounds.",
    words: &[super::shape::words(
        "language",
        "A language in which every text for a person is written.",
        &[("en", "English."), ("zh", "Chinese.")],
    )],
    records: &[
        read(
            "clamped",
            "A setting that was not taken as it was given.",
            &[
                always("path", Shape::Text, "Section and knob, as `call.ring_interval`."),
                always("given", Shape::Json, "What was given, in the knob's unit."),
                always("used", Shape::Json, "What was taken in its place."),
                always("min", Shape::Json, "The least that it may be."),
                always("max", Shape::Json, "The greatest that it may be."),
            ],
        ),
        read(
            "note",
            "Something a person should know of their settings.",
            &[always("code", Shape::Text, "What it is about."), always("text", Shape::Text, "What it says.")],
        ),
        read(
            "personal_settings",
            "What a person has set.",
            &[
                always("settings", Shape::Settings, "The knobs, each in its own unit."),
                nullable(
                    "language",
                    Shape::Words("language"),
                    "The chosen one; null for that of the person's words.",
                ),
                always("zone", Shape::Text, "The IANA name of the time zone."),
                always("dnd", Shape::Boolean, "Whether the person does not want to be disturbed."),
                always(
                    "clamped",
                    Shape::List(&Shape::Record("clamped")),
                    "What was not taken as it was given.",
                ),
                optional(
                    "ignored",
                    Shape::List(&Shape::Text),
                    "What is kept and unknown to this version of the spec.",
                ),
                always("notes", Shape::List(&Shape::Record("note")), "What the person should know."),
            ],
        ),
        sent(
            "settings_change",
            "A change of settings: what is named, and nothing else.",
            &[
                optional("settings", Shape::Change, "By section and knob; null puts back a default."),
                either("language", Shape::Words("language"), "Null for that of the person's words."),
                either("zone", Shape::Text, "An IANA name; null for UTC."),
                optional("dnd", Shape::Boolean, "Do not disturb."),
                CLIENT_ID,
            ],
        ),
        read("flags", "The switches.", &[always("dnd", Shape::Boolean, "Do not disturb.")]),
        sent(
            "flags_change",
            "The switches, to set.",
            &[always("dnd", Shape::Boolean, "Do not disturb."), CLIENT_ID],
        ),
        read(
            "form_text",
            "A text for a person, by language.",
            &[always("en", Shape::Text, "In English."), always("zh", Shape::Text, "In Chinese.")],
        ),
        read(
            "form_choice",
            "What a person sets that is no knob of the spec.",
            &[
                always("key", Shape::Text, "Its key in a change."),
                optional("values", Shape::List(&Shape::Text), "What it may be, besides null."),
                always("default", Shape::Json, "What it is until it is set."),
                LABEL,
                HELP,
            ],
        ),
        read(
            "form_units",
            "What a page writes behind a value, by unit.",
            &[
                always("seconds", Shape::Record("form_text"), "Seconds."),
                always("minutes", Shape::Record("form_text"), "Minutes."),
                always("hours", Shape::Record("form_text"), "Hours."),
                always("count", Shape::Record("form_text"), "How many."),
                always("factor", Shape::Record("form_text"), "A multiple of what is usual."),
            ],
        ),
        read(
            "form_knob",
            "A value that each person sets.",
            &[
                always("key", Shape::Text, "Its key in the section."),
                always(
                    "unit",
                    Shape::Text,
                    "What it is measured in: `boolean`, `clock` (`HH:MM`), or a key of the units.",
                ),
                always("default", Shape::Json, "What it is until it is set."),
                optional("min", Shape::Json, "The least that it may be; a switch has none."),
                optional("max", Shape::Json, "The greatest that it may be; a switch has none."),
                LABEL,
                HELP,
            ],
        ),
        read(
            "form_section",
            "Values that belong together.",
            &[
                always("key", Shape::Text, "Its key in the settings."),
                LABEL,
                always("knobs", Shape::List(&Shape::Record("form_knob")), "In the spec's order."),
            ],
        ),
        read(
            "settings_form",
            "What a settings page needs to show and change everything.",
            &[
                always(
                    "person",
                    Shape::List(&Shape::Record("form_choice")),
                    "Language, zone and do-not-disturb.",
                ),
                always("units", Shape::Record("form_units"), "What stands behind a value."),
                always("sections", Shape::List(&Shape::Record("form_section")), "The knobs, by section."),
            ],
        ),
    ],
    events: &[
        event("settings", "personal_settings", "The person has set something."),
        event("flags", "flags", "The person has switched do-not-disturb."),
    ],
    routes: &[
        route("GET", "/api/settings", "show_settings", "What one has set.")
            .answers(&[json(200, "personal_settings", "The settings.")])
            .faults(&["not_found"]),
        route(
            "PATCH",
            "/api/settings",
            "change_settings",
            "Changes what is named, and nothing else; what is out of bounds is clamped, and told.",
        )
        .body("settings_change")
        .answers(&[json(200, "personal_settings", "The settings after it.")])
        .faults(&["client_id_reused", "unknown_setting", "unknown_zone", "not_found"]),
        route(
            "GET",
            "/api/settings/form",
            "show_settings_form",
            "Every knob with its unit, bounds, default, label and help.",
        )
        .answers(&[json(200, "settings_form", "The form.")]),
        route("GET", "/api/flags", "show_flags", "The switches.")
            .answers(&[json(200, "flags", "The switches.")])
            .faults(&["not_found"]),
        route("POST", "/api/flags", "set_flags", "Switches do-not-disturb.")
            .body("flags_change")
            .answers(&[json(200, "flags", "The switches after it.")])
            .faults(&["client_id_reused", "not_found"]),
    ],
};
