//! Rules about `phone`: actions, their fields, what is required and checked.

super::rules! { PHONE;
    ACTION_WITHOUT_FIELDS = "action-without-fields" {
        "Each action has its list of fields in `phone.fields`, be it an empty one.",
        why: "An action reads only its fields, and everything else of a call is dropped. Without a list nobody could tell an action that reads nothing from one that was forgotten.",
        mend: "Add the action to `phone.fields`; an action that reads nothing has `[]`.",
        bad: "{\"actions\": [\"torch\"], \"fields\": {}}",
        good: "{\"actions\": [\"torch\"], \"fields\": {\"torch\": [\"on\"]}}"
    }
    UNKNOWN_ACTION = "unknown-action" {
        "`phone.fields` and `phone.required` speak of actions that `phone.actions` lists.",
        why: "What is said of an action that does not exist is never read, and was most likely meant for another.",
        mend: "Correct the name, or add the action to `phone.actions` and to the tool's enum.",
        bad: "{\"actions\": [\"alarm\"], \"fields\": {\"alarn\": [\"time\"]}}",
        good: "{\"actions\": [\"alarm\"], \"fields\": {\"alarm\": [\"time\"]}}"
    }
    UNREAD_FIELD = "unread-field" {
        "A field that is required, checked or described is one that the action, or some action, reads.",
        why: "A required field that the action does not read can never be present: every call would be refused. A check of a field that no action reads never runs.",
        mend: "Correct the field's name, or add the field to the action in `phone.fields`.",
        bad: "{\"fields\": {\"timer\": [\"seconds\"]}, \"required\": {\"timer\": [\"second\"]}}",
        good: "{\"fields\": {\"timer\": [\"seconds\"]}, \"required\": {\"timer\": [\"seconds\"]}}"
    }
    TOO_MANY_REQUIRED = "too-many-required" {
        "An action has at most 64 required entries.",
        why: "The generated reader keeps a bit for each of them in one machine word.",
        mend: "Put fields of which one is enough into one group, or split the action.",
        bad: "{\"required\": {\"form\": [\"field_1\", \"…\", \"field_65\"]}}",
        good: "{\"required\": {\"form\": [[\"field_1\", \"…\", \"field_65\"]]}}"
    }
    NEEDLESS_GROUP = "needless-group" {
        "A group in `phone.required` has several fields, none of which is required alone as well.",
        why: "A group says that one of its fields is enough. With one field it is that field; with a field that is required in any case it is always fulfilled. Either way something else was most likely meant.",
        mend: "Write a single field without the brackets, and each field either alone or in groups.",
        bad: "{\"required\": {\"sms_draft\": [\"to\", [\"to\", \"body\"]]}}",
        good: "{\"required\": {\"sms_draft\": [[\"to\", \"body\"]]}}"
    }
    CHECK_WITHOUT_WHAT = "check-without-what" {
        "A checked field has its phrase in `phone.what`.",
        why: "The phrase fills {{what}} in the refusal: it is all that a model learns of what it did wrong.",
        mend: "Add the field to `phone.what`, with a phrase that goes on from “must be”.",
        bad: "{\"check\": [{\"field\": \"on\", \"is\": \"boolean\"}], \"what\": {}}",
        good: "{\"check\": [{\"field\": \"on\", \"is\": \"boolean\"}], \"what\": {\"on\": \"true or false\"}}"
    }
    WHAT_WITHOUT_CHECK = "what-without-check" {
        "A phrase in `phone.what` belongs to a field that is checked.",
        why: "A field without a check never refuses, so its phrase would never be read; most likely the check was forgotten.",
        mend: "Add a check for the field to `phone.check`, or remove the phrase.",
        bad: "{\"check\": [], \"what\": {\"label\": \"a short text\"}}",
        good: "{\"check\": [], \"what\": {}}"
    }
    UNKNOWN_KIND = "unknown-kind" {
        "`is` is a kind of check that the compiler knows.",
        why: "Data says what, kinds say how: a kind is code in every target language, and only the compiler can add one.",
        mend: "Write one of the known kinds. A new kind needs new compiler code.",
        bad: "{\"field\": \"time\", \"is\": \"clok_time\"}",
        good: "{\"field\": \"time\", \"is\": \"clock_time\"}"
    }
    UNFIT_KEY = "unfit-key" {
        "A key of a check belongs to its kind.",
        why: "A bound that its kind does not read would be parsed and then silently not enforced.",
        mend: "Remove the key, or write the kind that takes it.",
        bad: "{\"field\": \"on\", \"is\": \"boolean\", \"min\": 1}",
        good: "{\"field\": \"on\", \"is\": \"boolean\"}"
    }
    REVERSED_BOUNDS = "reversed-bounds" {
        "The lower bound is not above the upper one.",
        why: "No number lies between such bounds: nothing could ever pass.",
        mend: "Swap the two, or correct one.",
        bad: "{\"field\": \"seconds\", \"is\": \"integer\", \"min\": 86400, \"max\": 1}",
        good: "{\"field\": \"seconds\", \"is\": \"integer\", \"min\": 1, \"max\": 86400}"
    }
}
