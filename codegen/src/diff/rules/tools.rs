//! Changes of `tools/NAME.json`.

super::changes! { TOOLS;
    TOOL_REMOVED = "tool-removed", Client, Major {
        "A tool is gone.",
        why: "Its definition is a constant of every client, and models that have called it find it unknown.",
        todo: "Keep it, or raise MAJOR.",
        before: "tools/phone_action.json, tools/desk_action.json",
        after: "tools/phone_action.json"
    }
    TOOL_ADDED = "tool-added", Reads, Patch {
        "There is a new tool.",
        why: "Where it is offered, a model's prompt has one tool more, and begins anew in a provider's cache.",
        todo: "Nothing has to be done.",
        before: "tools/phone_action.json",
        after: "tools/phone_action.json, tools/desk_action.json"
    }
    TOOL_DESCRIPTION_CHANGED = "tool-description-changed", Reads, Patch {
        "A tool's description is worded anew.",
        why: "It stands in front of every conversation in which the tool is offered: all of it is read anew once, at the price of a prompt that no cache holds.",
        todo: "Put several such edits into one version.",
        before: "{\"description\": \"Proposes an action.\"}",
        after: "{\"description\": \"Proposes one action on the phone.\"}"
    }
    FIELD_DESCRIPTION_CHANGED = "field-description-changed", Reads, Patch {
        "A field's description is worded anew.",
        why: "It stands in the tool's schema, in front of every conversation in which the tool is offered.",
        todo: "Put several such edits into one version.",
        before: "{\"label\": {\"description\": \"Text.\"}}",
        after: "{\"label\": {\"description\": \"A short name.\"}}"
    }
    TOOL_PARAMETERS_CHANGED = "tool-parameters-changed", Reads, Patch {
        "The schema that models are given of a tool changes.",
        why: "It stands in front of every conversation in which the tool is offered. It follows every new action, field and value; told is it where no other change of what models read says so already.",
        todo: "Put several such edits into one version.",
        before: "{\"to\": {\"type\": \"array\"}}",
        after: "{\"to\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}}"
    }
    UNAVAILABLE_CHANGED = "unavailable-changed", Reads, Patch {
        "What a call is answered that can reach nobody is worded anew.",
        why: "A model reads it as the result of a call. What was said before stays as it was.",
        todo: "Nothing has to be done.",
        before: "{\"unavailable\": \"No phone.\"}",
        after: "{\"unavailable\": \"There is no phone to confirm on.\"}"
    }
}
