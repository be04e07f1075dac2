//! Changes of `phone`: actions, what they read and need, the section's own numbers.

super::changes! { PHONE;
    ACTION_REMOVED = "action-removed", Client, Major {
        "An action is gone.",
        why: "Every client has it as a type. Code that names it does not compile any more, and a card of it that waits, or stands in a history, belongs to nothing.",
        todo: "Keep it, or raise MAJOR and tell the authors of clients.",
        before: "{\"actions\": [\"alarm\", \"timer\"]}",
        after: "{\"actions\": [\"alarm\"]}"
    }
    ACTION_RENAMED = "action-renamed", Client, Major {
        "An action has another name.",
        why: "Names are API: the action, its type, its constructor and its tests bear the name in every client. A phone that knows the old one answers `failed` to the new one.",
        todo: "Keep the name; what a person reads of it stands in texts. Else raise MAJOR.",
        before: "{\"actions\": [\"torch\"]}",
        after: "{\"actions\": [\"flashlight\"]}"
    }
    ACTION_ADDED = "action-added", Free, Patch {
        "There is a new action.",
        why: "A client that does not know it keeps it as unknown, with its name, and its phone answers `failed`, which is the truth.",
        todo: "Nothing has to be done. Raise PATCH, so that clients can tell which actions they know.",
        before: "{\"actions\": [\"alarm\"]}",
        after: "{\"actions\": [\"alarm\", \"torch\"]}"
    }
    ACTIONS_REORDERED = "actions-reordered", Reads, Patch {
        "The actions are listed in another order.",
        why: "The order is that of the tool's schema and of `unknown_action`, both of which a model reads. Nothing else depends on it.",
        todo: "Append new actions at the end, where the order says nothing.",
        before: "{\"actions\": [\"alarm\", \"timer\"]}",
        after: "{\"actions\": [\"timer\", \"alarm\"]}"
    }
    FIELD_REMOVED = "field-removed", Client, Major {
        "An action no longer reads a field.",
        why: "Its member is gone from the action's type in every client. What a model still sends there is dropped, and the person never sees it.",
        todo: "Keep reading it, or raise MAJOR.",
        before: "{\"fields\": {\"timer\": [\"seconds\", \"label\"]}}",
        after: "{\"fields\": {\"timer\": [\"seconds\"]}}"
    }
    FIELD_RENAMED = "field-renamed", Client, Major {
        "A field has another name.",
        why: "Names are API: the field is a key of every card and a member of a type in every client.",
        todo: "Keep the name. Else raise MAJOR.",
        before: "{\"fields\": {\"timer\": [\"seconds\"]}}",
        after: "{\"fields\": {\"timer\": [\"duration\"]}}"
    }
    FIELD_ADDED = "field-added", Free, Patch {
        "An action reads a new field.",
        why: "Clients pass over keys that they do not know, and the action goes without it as it did before. Where the field is also required, that is a change of its own.",
        todo: "Nothing has to be done.",
        before: "{\"fields\": {\"timer\": [\"seconds\"]}}",
        after: "{\"fields\": {\"timer\": [\"seconds\", \"label\"]}}"
    }
    FIELDS_REORDERED = "fields-reordered", Free, None {
        "An action's fields stand in another order.",
        why: "The order is that in which a card's keys are written. No client may depend on the order of keys.",
        todo: "Nothing has to be done.",
        before: "{\"fields\": {\"timer\": [\"seconds\", \"label\"]}}",
        after: "{\"fields\": {\"timer\": [\"label\", \"seconds\"]}}"
    }
    FIELD_NEWLY_REQUIRED = "field-newly-required", Client, Major {
        "An action requires a field that it did not require.",
        why: "A call without it passed before and is refused now. In clients its type changes from one that may be absent to one that may not.",
        todo: "Leave it optional and say in its description when it belongs in. Else raise MAJOR.",
        before: "{\"required\": {\"timer\": [\"seconds\"]}}",
        after: "{\"required\": {\"timer\": [\"seconds\", \"label\"]}}"
    }
    FIELD_NO_LONGER_REQUIRED = "field-no-longer-required", Client, Major {
        "An action no longer requires a field.",
        why: "A client takes a required field for granted: its type has no room for an absent one. The first card without it cannot be read by a client that was built before.",
        todo: "Keep it required, or make a new action of it. Else raise MAJOR.",
        before: "{\"required\": {\"calendar_event\": [\"title\", \"start\"]}}",
        after: "{\"required\": {\"calendar_event\": [\"title\"]}}"
    }
    REQUIREMENT_GROUP_CHANGED = "requirement-group-changed", Client, Major {
        "Of other fields than before one is enough.",
        why: "A smaller group refuses calls that passed; a greater one sends cards with none of the fields that a client looks for.",
        todo: "Keep the group, or raise MAJOR.",
        before: "{\"required\": {\"email_draft\": [[\"to\", \"subject\", \"body\"]]}}",
        after: "{\"required\": {\"email_draft\": [[\"to\", \"body\"]]}}"
    }
    REQUIREMENTS_REORDERED = "requirements-reordered", Reads, Patch {
        "What an action requires is listed in another order.",
        why: "The order is that in which `missing` names them to a model. The same calls pass.",
        todo: "Nothing has to be done.",
        before: "{\"required\": {\"calendar_event\": [\"title\", \"start\"]}}",
        after: "{\"required\": {\"calendar_event\": [\"start\", \"title\"]}}"
    }
    CAPABILITY_RENAMED = "capability-renamed", Client, Major {
        "The capability has another name.",
        why: "A phone declares the old one. From now on every call it could confirm is answered with `unavailable`.",
        todo: "Keep the name. Else raise MAJOR.",
        before: "{\"capability\": \"phone_actions\"}",
        after: "{\"capability\": \"phone\"}"
    }
    PHONE_LIMIT_CHANGED = "phone-limit-changed", Free, Patch {
        "`wait_seconds`, `answer_grace_seconds` or `message_max_chars` is another number.",
        why: "A card bears its own deadline, and a message that is too long is cut, not refused: no client has to know the number. One that was built before goes on showing the old one.",
        todo: "Nothing has to be done.",
        before: "{\"wait_seconds\": 120}",
        after: "{\"wait_seconds\": 90}"
    }
}
