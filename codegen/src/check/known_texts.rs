//! Which texts each section has, with their holes: what the system says of its own accord.

/// A section of texts.
#[derive(Debug)]
pub(super) struct KnownSection {
    pub(super) name: &'static str,
    /// Whether a person reads it, in their language; else a model does.
    pub(super) person: bool,
    /// Whether it may have further texts.
    pub(super) open: bool,
    pub(super) texts: &'static [KnownText],
}

/// A text that must be there.
#[derive(Debug)]
pub(super) struct KnownText {
    pub(super) key: &'static str,
    /// In the order of the generated function's arguments.
    pub(super) holes: &'static [KnownHole],
}

/// A hole that a text may have.
#[derive(Debug)]
pub(super) struct KnownHole {
    pub(super) name: &'static str,
    /// Whether the text says nothing without it.
    pub(super) needed: bool,
}

const fn text(key: &'static str, holes: &'static [KnownHole]) -> KnownText {
    KnownText { key, holes }
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
        texts: &[
            text(
                "system",
                &[must("persona"), must("house"), must("unattended"), must("plan"), must("phone")],
            ),
            text("persona", &[]),
            text("house", &[]),
            text("unattended", &[]),
            text("plan", &[]),
            text("phone", &[]),
            text("as_sent", &[]),
            text("opened", &[]),
        ],
    },
    KnownSection {
        name: "gateway",
        person: true,
        open: false,
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
        ],
    },
];
