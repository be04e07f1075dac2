//! Changes of `markers`.

super::changes! { MARKERS;
    MARKER_NAME_REMOVED = "marker-name-removed", Client, Major {
        "A marker is no longer known by a name.",
        why: "A companion that learned the name goes on writing it; it is plain text from now on, which the person reads and nobody performs. Scanners of clients that were built before still take it out.",
        todo: "Keep the name: several may stand beside each other, and `rule` teaches one of them.",
        before: "{\"names\": [\"hangup\", \"挂断\"]}",
        after: "{\"names\": [\"hangup\"]}"
    }
    MARKER_NAME_ADDED = "marker-name-added", Free, Patch {
        "A marker is known by a further name.",
        why: "What was plain text is a marker now; a scanner that was built before shows it.",
        todo: "Nothing has to be done.",
        before: "{\"names\": [\"hangup\"]}",
        after: "{\"names\": [\"hangup\", \"挂断\"]}"
    }
    MARKER_ARGUMENT_CHANGED = "marker-argument-changed", Client, Major {
        "A marker takes an argument that it did not take, or another one, or none.",
        why: "The argument is a member of the marker's type in every client.",
        todo: "Keep it, or raise MAJOR.",
        before: "{\"hangup\": {\"names\": [\"hangup\"]}}",
        after: "{\"hangup\": {\"names\": [\"hangup\"], \"argument\": \"reason\"}}"
    }
    MARKER_BUDGET_CHANGED = "marker-budget-changed", Free, Patch {
        "A marker is performed more or less often in a conversation.",
        why: "The gateway alone counts. A marker beyond the budget is taken out all the same.",
        todo: "Say the number in `rule` as well, where it names one.",
        before: "{\"per_conversation\": 1}",
        after: "{\"per_conversation\": 2}"
    }
    MARKER_RULE_CHANGED = "marker-rule-changed", Reads, Patch {
        "The sentence that teaches a marker is worded anew.",
        why: "It stands in the system prompt: every conversation is read anew once.",
        todo: "Put several such edits into one version.",
        before: "{\"rule\": \"To end a call, write ⟪hangup⟫.\"}",
        after: "{\"rule\": \"To end a call, write ⟪hangup⟫ at the very end.\"}"
    }
    DELIMITERS_REMOVED = "delimiters-removed", Client, Major {
        "Markers no longer stand between two characters.",
        why: "What a companion writes between them is plain text from now on, which the person reads and nobody performs.",
        todo: "Keep them, or raise MAJOR.",
        before: "{\"delimiters\": [[\"⟪\", \"⟫\"], [\"[\", \"]\"]]}",
        after: "{\"delimiters\": [[\"⟪\", \"⟫\"]]}"
    }
    DELIMITERS_ADDED = "delimiters-added", Free, Patch {
        "Markers stand between two further characters.",
        why: "What was plain text is a marker now; a scanner that was built before shows it.",
        todo: "Nothing has to be done.",
        before: "{\"delimiters\": [[\"⟪\", \"⟫\"]]}",
        after: "{\"delimiters\": [[\"⟪\", \"⟫\"], [\"[\", \"]\"]]}"
    }
    MARKER_MAX_CHARS_LOWERED = "marker-max-chars-lowered", Client, Major {
        "A marker may have fewer characters.",
        why: "A longer one is plain text from now on, which the person reads and nobody performs.",
        todo: "Keep the number, or raise MAJOR.",
        before: "{\"max_chars\": 200}",
        after: "{\"max_chars\": 80}"
    }
    MARKER_MAX_CHARS_RAISED = "marker-max-chars-raised", Free, Patch {
        "A marker may have more characters.",
        why: "What was plain text is a marker now; a scanner that was built before shows it.",
        todo: "Nothing has to be done.",
        before: "{\"max_chars\": 80}",
        after: "{\"max_chars\": 200}"
    }
}
