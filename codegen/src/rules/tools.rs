//! Rules about tools/NAME.json and how a tool and `phone` fit together.

super::rules! { TOOLS;
    UNKNOWN_VALUE = "unknown-value" {
        "`scope`, `sessions`, `requires`, `confirm` and `risk` have a value that the compiler knows.",
        why: "These are the gate before a tool. A value that nobody knows would have to be taken for open or for shut, and either is wrong.",
        mend: "Write one of the known values. A new one needs new compiler code.",
        bad: "{\"confirm\": \"allways\"}",
        good: "{\"confirm\": \"always\"}"
    }
    UNSUPPORTED_TYPE = "unsupported-type" {
        "A property's `type` is string, integer, number, boolean, array or object.",
        why: "The property becomes a typed member in every target language. A list of types, or null, has no such type; a field may be null or left out in any case.",
        mend: "Write one of the six types.",
        bad: "{\"label\": {\"type\": [\"string\", \"null\"]}}",
        good: "{\"label\": {\"type\": \"string\"}}"
    }
    UNFIT_CHECK = "unfit-check" {
        "A check fits the type that the tool's schema gives the field.",
        why: "The schema tells the model what to send, the check refuses it. When the two disagree, a model that does as it is told is always refused.",
        mend: "Correct the property's `type`, or write another kind of check.",
        bad: "{\"field\": \"seconds\", \"is\": \"integer\"} with {\"seconds\": {\"type\": \"string\"}}",
        good: "{\"field\": \"seconds\", \"is\": \"integer\"} with {\"seconds\": {\"type\": \"integer\"}}"
    }
    SCHEMA_ENUM_WITHOUT_ENUM = "schema-enum-without-enum" {
        "A field checked by `schema_enum` has an `enum` in the tool's schema.",
        why: "The values stand in one place only, the schema, where the model reads them too. Without them the check has nothing to compare with.",
        mend: "Add `enum` to the property, or write another kind of check.",
        bad: "{\"field\": \"mode\", \"is\": \"schema_enum\"} with {\"mode\": {\"type\": \"string\"}}",
        good: "{\"field\": \"mode\", \"is\": \"schema_enum\"} with {\"mode\": {\"type\": \"string\", \"enum\": [\"drive\", \"walk\"]}}"
    }
    FIELD_WITHOUT_PROPERTY = "field-without-property" {
        "Each field that an action reads is a property of the tool's schema.",
        why: "A model sends what the schema offers. It would never send a field that it is not told of.",
        mend: "Add the property to `parameters.properties` of the tool, or correct the field's name.",
        bad: "{\"fields\": {\"torch\": [\"on\", \"level\"]}} with the property `on` alone",
        good: "{\"fields\": {\"torch\": [\"on\"]}}"
    }
    UNREAD_PROPERTY = "unread-property" {
        "Each property of the tool's schema is read by some action; `action` and `summary` are the call's own.",
        why: "A model would fill it in and never learn that it was dropped.",
        mend: "Add it to the fields of an action, or remove the property.",
        bad: "{\"properties\": {\"level\": {…}}} with no action that reads `level`",
        good: "{\"fields\": {\"torch\": [\"on\", \"level\"]}}"
    }
    ACTIONS_DIFFER = "actions-differ" {
        "The enum of the tool's `action` is `phone.actions`, in the same order.",
        why: "The schema tells the model which actions exist, `phone.actions` decides. An action in only one of the two is either never called or always refused; one order keeps the two easy to compare.",
        mend: "Make the two lists the same.",
        bad: "{\"actions\": [\"alarm\", \"timer\"]} with {\"action\": {\"enum\": [\"timer\", \"alarm\"]}}",
        good: "{\"actions\": [\"alarm\", \"timer\"]} with {\"action\": {\"enum\": [\"alarm\", \"timer\"]}}"
    }
}
