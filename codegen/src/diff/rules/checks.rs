//! Changes of what a field must be.

super::changes! { CHECKS;
    FIELD_TYPE_CHANGED = "field-type-changed", Client, Major {
        "The tool's schema gives a field another type.",
        why: "The field's type in every client follows it.",
        todo: "Keep the type, or add a field of another name. Else raise MAJOR.",
        before: "{\"label\": {\"type\": \"string\"}}",
        after: "{\"label\": {\"type\": \"array\"}}"
    }
    CHECK_ADDED = "check-added", Client, Major {
        "A field is checked that travelled as it came.",
        why: "Calls that passed are refused, and the field's type in every client becomes that of the check.",
        todo: "Leave it unchecked where a person can judge it on the card. Else raise MAJOR.",
        before: "{\"check\": []}",
        after: "{\"check\": [{\"field\": \"app\", \"is\": \"http_url\"}]}"
    }
    CHECK_REMOVED = "check-removed", Client, Major {
        "A field is no longer checked.",
        why: "It then travels as it came, of whatever type. A client that was built before reads it by the type of its check, and fails on the first value that is none.",
        todo: "Keep the check, or raise MAJOR.",
        before: "{\"check\": [{\"field\": \"time\", \"is\": \"clock_time\"}]}",
        after: "{\"check\": []}"
    }
    CHECK_KIND_CHANGED = "check-kind-changed", Client, Major {
        "A field is checked by another kind.",
        why: "Its type in every client changes, and so does which calls pass.",
        todo: "Add a field of another name, or raise MAJOR.",
        before: "{\"field\": \"start\", \"is\": \"clock_time\"}",
        after: "{\"field\": \"start\", \"is\": \"date_or_datetime\"}"
    }
    CHECK_NARROWED = "check-narrowed", Client, Major {
        "A check passes less than before.",
        why: "Who makes calls, by a generated reader of theirs or by the API, is refused what passed.",
        todo: "Keep the bound, or raise MAJOR.",
        before: "{\"field\": \"seconds\", \"is\": \"integer\", \"min\": 1, \"max\": 86400}",
        after: "{\"field\": \"seconds\", \"is\": \"integer\", \"min\": 1, \"max\": 3600}"
    }
    CHECK_WIDENED = "check-widened", Free, Patch {
        "A check passes more than before.",
        why: "The type stays. A client that was built before may get a value that its own reader would refuse; it answers `failed` where it cannot do it.",
        todo: "Say the new bound in the field's phrase and description as well.",
        before: "{\"field\": \"seconds\", \"is\": \"integer\", \"min\": 1, \"max\": 3600}",
        after: "{\"field\": \"seconds\", \"is\": \"integer\", \"min\": 1, \"max\": 86400}"
    }
    VALUE_REMOVED = "value-removed", Client, Major {
        "A field no longer takes a value.",
        why: "The value is a case of an enum in every client: code that names it does not compile any more, and calls with it are refused.",
        todo: "Keep the value, or raise MAJOR.",
        before: "{\"mode\": {\"enum\": [\"drive\", \"walk\"]}}",
        after: "{\"mode\": {\"enum\": [\"drive\"]}}"
    }
    VALUE_ADDED = "value-added", Free, Patch {
        "A field takes a new value.",
        why: "A client that does not know it keeps it as unknown, with its text.",
        todo: "Name it in the field's phrase as well.",
        before: "{\"mode\": {\"enum\": [\"drive\"]}}",
        after: "{\"mode\": {\"enum\": [\"drive\", \"walk\"]}}"
    }
    REFUSALS_REORDERED = "refusals-reordered", Reads, Patch {
        "The checks stand in another order.",
        why: "Of several wrong values a model is told the first. Which one that is follows this order, and every implementation teaches the same.",
        todo: "Append new checks at the end where the order says nothing.",
        before: "{\"check\": [{\"field\": \"time\", …}, {\"field\": \"days\", …}]}",
        after: "{\"check\": [{\"field\": \"days\", …}, {\"field\": \"time\", …}]}"
    }
    PHRASE_CHANGED = "phrase-changed", Reads, Patch {
        "The phrase that completes a refusal is worded anew.",
        why: "A model reads it in `bad`. The same calls pass, and the conformance cases, which take the phrase from the spec, hold.",
        todo: "Nothing has to be done.",
        before: "{\"what\": {\"on\": \"a boolean\"}}",
        after: "{\"what\": {\"on\": \"true or false\"}}"
    }
}
