//! Rules about keys, types and lists, the same in every file.

super::rules! { KEYS;
    DUPLICATE_KEY = "duplicate-key" {
        "A key stands once in its object.",
        why: "JSON readers disagree about which of two values counts, so one of them would be lost without a word.",
        mend: "Remove one of the two, or give it the name that was meant.",
        bad: "{\"fields\": {\"timer\": [\"seconds\"], \"timer\": [\"label\"]}}",
        good: "{\"fields\": {\"timer\": [\"seconds\", \"label\"]}}"
    }
    UNKNOWN_KEY = "unknown-key" {
        "A key is one that the format knows.",
        why: "A misspelled key would otherwise be passed over, and the default or nothing would apply in its place.",
        mend: "Correct the spelling, or remove the key. Reasons and remarks go into specs/harness/.",
        bad: "{\"wait_secnds\": 120}",
        good: "{\"wait_seconds\": 120}"
    }
    MISSING_KEY = "missing-key" {
        "A key that the format needs is there.",
        why: "There are no silent defaults: what the system does is what the spec says.",
        mend: "Add the key. The JSON Schema named by `$schema` lets an editor offer it.",
        bad: "{\"field\": \"seconds\", \"is\": \"integer\", \"min\": 1}",
        good: "{\"field\": \"seconds\", \"is\": \"integer\", \"min\": 1, \"max\": 86400}"
    }
    WRONG_TYPE = "wrong-type" {
        "A value is of the type that its key takes.",
        why: "A number in quotes, or a string in place of a list, reads differently in every language.",
        mend: "Write the type that the message names. A whole number may be written 60 or 60.0, but not \"60\".",
        bad: "{\"wait_seconds\": \"120\"}",
        good: "{\"wait_seconds\": 120}"
    }
    NUMBER_TOO_LARGE = "number-too-large" {
        "A whole number is at most 2^53 - 1, either side of 0.",
        why: "Every target language holds such a number exactly; beyond it JavaScript would round, and others would refuse.",
        mend: "Write a number from -9007199254740991 to 9007199254740991.",
        bad: "{\"max\": 1e30}",
        good: "{\"max\": 86400}"
    }
    NOT_POSITIVE = "not-positive" {
        "A limit is greater than zero.",
        why: "A wait of no time, or a message of no characters, would switch off without a word what the limit only bounds.",
        mend: "Write a number from 1 on.",
        bad: "{\"message_max_chars\": 0}",
        good: "{\"message_max_chars\": 500}"
    }
    LIMIT_TOO_LARGE = "limit-too-large" {
        "A limit in seconds is a year at most, one in characters a million (a marker's ten thousand), one in digits or times a thousand.",
        why: "A limit beyond that bounds nothing: nobody waits a year for a card, and the number was most likely meant in another unit. Far beyond it the generated code would overflow.",
        mend: "Write a number within the bounds that the message names. Seconds are seconds, not milliseconds.",
        bad: "{\"wait_seconds\": 120000000000}",
        good: "{\"wait_seconds\": 120}"
    }
    EMPTY_LIST = "empty-list" {
        "A list that offers a choice has something in it.",
        why: "No action, no value, no field to choose from: nothing could ever pass.",
        mend: "Fill the list, or remove the key that holds it.",
        bad: "{\"required\": {\"sms_draft\": [[]]}}",
        good: "{\"required\": {\"sms_draft\": [[\"to\", \"body\"]]}}"
    }
    REPEATED_ENTRY = "repeated-entry" {
        "A list names a thing once.",
        why: "The order of these lists means something, and a second mention has no place in it: it is a slip, often for another name.",
        mend: "Remove one of the two, or write the name that was meant.",
        bad: "{\"fields\": {\"timer\": [\"seconds\", \"label\", \"seconds\"]}}",
        good: "{\"fields\": {\"timer\": [\"seconds\", \"label\"]}}"
    }
    BLANK_TEXT = "blank-text" {
        "A text says something.",
        why: "A model or a person would be answered with nothing, and take it for a fault of the system.",
        mend: "Write the sentence.",
        bad: "{\"declined\": \" \"}",
        good: "{\"declined\": \"The person said no.\"}"
    }
}
