//! Which texts each section has, with their holes: what the system says of its own accord.

/// A section of texts.
#[derive(Debug)]
pub(super) struct KnownSection {
    pub(super) name: &'static str,
    /// Whether a person reads it, in their language; else a model does.
    pub(super) person: bool,
    /// Whether it may have further texts.
    pub(super) open: bool,
    /// Whether it goes to a program whole, as data: nothing in Rust names one of its texts.
    pub(super) table: bool,
    pub(super) texts: &'static [KnownText],
}

/// A text that must be there.
#[derive(Debug)]
pub(super) struct KnownText {
    pub(super) key: &'static str,
    /// In the order of the generated function's arguments.
    pub(super) holes: &'static [KnownHole],
    /// Whether a model reads it, where the section's other texts are a person's.
    pub(super) for_model: bool,
}

/// A hole that a text may have.
#[derive(Debug)]
pub(super) struct KnownHole {
    pub(super) name: &'static str,
    /// Whether the text says nothing without it.
    pub(super) needed: bool,
}

const fn text(key: &'static str, holes: &'static [KnownHole]) -> KnownText {
    KnownText { key, holes, for_model: false }
}

const fn for_model(key: &'static str, holes: &'static [KnownHole]) -> KnownText {
    KnownText { key, holes, for_model: true }
}

const fn may(name: &'static str) -> KnownHole {
    KnownHole { name, needed: false }
}

const fn must(name: &'static str) -> KnownHole {
    KnownHole { name, needed: true }
}

/// Every section, in no order that matters.
pub(super) const SECTIONS: &[KnownSection] = &[
    KnownSection {
        name: "phone",
        person: false,
        open: false,
        table: false,
        texts: &[
            text("unknown_action", &[must("actions")]),
            text("missing", &[may("action"), must("fields")]),
            text("bad", &[may("action"), must("field"), must("what")]),
            text("done", &[]),
            text("declined", &[]),
            text("failed", &[]),
            text("says", &[must("message")]),
            text("no_answer", &[]),
        ],
    },
    KnownSection {
        name: "tools",
        person: false,
        open: true,
        table: false,
        texts: &[
            text("not_json", &[may("at")]),
            text("not_an_object", &[]),
            text("number_too_large", &[]),
            text("lone_surrogate", &[]),
            text("unknown_tool", &[may("name"), must("tools")]),
            text("repeated", &[]),
            text("too_many", &[]),
        ],
    },
    KnownSection {
        name: "prompt",
        person: false,
        open: false,
        table: false,
        texts: &[
            text(
                "system",
                &[
                    must("persona"),
                    must("house"),
                    must("unattended"),
                    must("plan"),
                    must("markers"),
                    must("energy"),
                    must("call"),
                    must("phone"),
                ],
            ),
            text("persona", &[]),
            text("named", &[must("name")]),
            text("house", &[]),
            text("unattended", &[]),
            text("plan", &[]),
            text("markers", &[must("rules")]),
            text("energy", &[]),
            text("call", &[]),
            text("phone", &[]),
            text("sent", &[must("weekday"), must("date"), must("time"), must("zone")]),
            text("spoken", &[must("prefix"), must("words")]),
            text("as_sent", &[]),
            text("opened", &[]),
            text("called", &[must("tool"), must("arguments")]),
        ],
    },
    KnownSection {
        name: "gateway",
        person: true,
        open: false,
        table: false,
        texts: &[
            text("unreachable", &[]),
            text("slow", &[]),
            text("refused_key", &[]),
            text("no_such_model", &[]),
            text("overloaded", &[]),
            text("refused", &[]),
            text("unreadable", &[]),
            text("broken_off", &[]),
            text("silent", &[]),
            text("astray", &[]),
            text("restarted", &[]),
            text("fault", &[]),
        ],
    },
    KnownSection {
        name: "demo",
        person: true,
        open: true,
        table: false,
        texts: &[
            text("banner", &[]),
            text("hello", &[]),
            text("help", &[may("actions")]),
            text("proposing", &[may("summary")]),
            text("done", &[may("summary")]),
            text("done_says", &[may("summary"), must("message")]),
            text("declined", &[may("summary")]),
            text("failed", &[may("summary"), must("reason")]),
            text("no_answer", &[may("summary")]),
            text("unavailable", &[]),
            text("refused", &[must("reason")]),
            text("puzzled", &[may("actions")]),
            text("ringing", &[]),
            text("ringing_because", &[must("reason")]),
            text("hanging_up", &[]),
            text("dnd_on", &[]),
            text("dnd_off", &[]),
            text("reading", &[]),
        ],
    },
    KnownSection {
        name: "call",
        person: true,
        open: false,
        table: false,
        texts: &[
            text("missed", &[must("reason")]),
            text("missed_no_reason", &[]),
            text("declined", &[must("note")]),
            text("declined_silent", &[]),
            text("cancelled", &[]),
            text("blocked", &[]),
            text("ring_title", &[may("name")]),
            text("companion", &[]),
            text("ring_body", &[must("reason")]),
            text("last_ring", &[]),
            text("test_ring", &[]),
            text("chip_busy", &[]),
            text("chip_outside", &[]),
            text("chip_text", &[]),
            text("fallback_reason", &[]),
        ],
    },
    KnownSection {
        name: "escalation",
        person: true,
        open: false,
        table: false,
        texts: &[
            for_model("reason_prompt", &[may("characters")]),
            for_model("reason_ask", &[]),
            text("fallback_reason", &[]),
        ],
    },
    KnownSection {
        name: "voice",
        person: true,
        open: false,
        table: false,
        texts: &[text("over_quota", &[must("characters")])],
    },
    KnownSection {
        name: "tone",
        person: true,
        open: false,
        table: false,
        texts: &[
            text("prefix", &[may("emotion"), may("cues")]),
            text("emotion", &[must("emotion")]),
            text("cues", &[must("cues")]),
            text("between", &[]),
            text("feeling", &[must("emotion"), must("cues")]),
            text("happy", &[]),
            text("sad", &[]),
            text("angry", &[]),
            text("fearful", &[]),
            text("disgusted", &[]),
            text("surprised", &[]),
        ],
    },
    KnownSection {
        name: "record",
        person: true,
        open: false,
        table: false,
        texts: &[
            text("call", &[must("duration")]),
            text("call_with_summary", &[must("duration"), must("summary")]),
            for_model("summary_prompt", &[]),
        ],
    },
    KnownSection {
        name: "reading",
        person: true,
        open: false,
        table: false,
        texts: &[text("nothing", &[]), text("not_found", &[must("title")]), text("ended", &[may("title")])],
    },
    KnownSection {
        name: "settings",
        person: true,
        open: false,
        table: false,
        texts: &[
            text("language", &[]),
            text("language_help", &[]),
            text("zone", &[]),
            text("zone_help", &[]),
            text("dnd", &[]),
            text("dnd_help", &[]),
            text("seconds", &[]),
            text("minutes", &[]),
            text("hours", &[]),
            text("count", &[]),
            text("factor", &[]),
            text("rings_dropped", &[may("seconds"), may("kept"), may("rings")]),
        ],
    },
    KnownSection { name: "page", person: true, open: true, table: true, texts: &[] },
];
