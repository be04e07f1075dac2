//! Rules about texts and the cases that prove them.

super::rules! { TEXTS;
    NULL_CHARACTER = "null-character" {
        "A text holds no character U+0000.",
        why: "Databases refuse it, C ends a text at it, and nobody sees it.",
        mend: "Remove it.",
        bad: "{\"done\": \"Done.\\u0000\"}",
        good: "{\"done\": \"Done.\"}"
    }
    MISSING_TEXT = "missing-text" {
        "A section has every text that the system speaks of its own accord.",
        why: "The runtime writes no sentence by hand: a text that is not in the spec could not be said at all.",
        mend: "Add the text under the key that the message names.",
        bad: "{\"texts\": {\"done\": \"Done.\"}}",
        good: "{\"texts\": {\"done\": \"Done.\", \"declined\": \"The person said no.\"}}"
    }
    UNKNOWN_HOLE = "unknown-hole" {
        "A text has only the holes that it may have.",
        why: "A hole is filled by the system. One that nobody fills would be read as it stands, braces and all.",
        mend: "Write one of the holes that the message lists.",
        bad: "{\"says\": \"The phone says: {{mesage}}\"}",
        good: "{\"says\": \"The phone says: {{message}}\"}"
    }
    MISSING_HOLE = "missing-hole" {
        "A text has the holes without which it says nothing.",
        why: "A list of actions that is not told, or an answer that is not passed on, leaves the reader helpless.",
        mend: "Put the hole where the sentence needs it.",
        bad: "{\"says\": \"The phone said something.\"}",
        good: "{\"says\": \"The phone says: {{message}}\"}"
    }
    MALFORMED_HOLE = "malformed-hole" {
        "A hole is written {{name}}: two braces on either side, a name between, no blanks.",
        why: "Exactly one spelling of a hole exists, so that every implementation finds the same ones. Double braces mean nothing else; a single brace is plain text.",
        mend: "Write {{name}}, or single braces where plain text was meant.",
        bad: "{\"says\": \"The phone says: {{ message }}\"}",
        good: "{\"says\": \"The phone says: {{message}}\"}"
    }
    MISSING_LANGUAGE = "missing-language" {
        "A text for a person is written in every language.",
        why: "The person's language chooses the wording, and there is no other to fall back on.",
        mend: "Add the language that is missing.",
        bad: "{\"hello\": {\"en\": \"Hello!\"}}",
        good: "{\"hello\": {\"en\": \"Hello!\", \"zh\": \"你好！\"}}"
    }
    TEXT_BY_LANGUAGE = "text-by-language" {
        "A text for a model is one string, not an object by language.",
        why: "A model's texts are written once; it answers in the person's language all the same. Two wordings would make it behave in two ways.",
        mend: "Write one string.",
        bad: "{\"declined\": {\"en\": \"The person said no.\"}}",
        good: "{\"declined\": \"The person said no.\"}"
    }
    TEXT_WITHOUT_LANGUAGES = "text-without-languages" {
        "A text for a person is an object by language, not one string.",
        why: "Whoever does not read the language of that string would be answered in one they do not know.",
        mend: "Write an object with every language.",
        bad: "{\"hello\": \"Hello!\"}",
        good: "{\"hello\": {\"en\": \"Hello!\", \"zh\": \"你好！\"}}"
    }
    REPEATED_CASE = "repeated-case" {
        "The cases of a file have different names, also as identifiers.",
        why: "Each case becomes a test of its name in every implementation. Of two with one name, one would not run.",
        mend: "Rename one of them, so that it says what sets it apart.",
        bad: "[{\"name\": \"no time\", …}, {\"name\": \"no-time\", …}]",
        good: "[{\"name\": \"no time\", …}, {\"name\": \"a blank time\", …}]"
    }
    UNKNOWN_FORM = "unknown-form" {
        "A case gives exactly one of the inputs that implementations know, with the keys that belong to it.",
        why: "An implementation that does not know the input would have to pass over the case, and nobody would notice.",
        mend: "Give one of the inputs that the message lists, and only one.",
        bad: "{\"name\": \"no time\", \"cal\": {}, \"expect\": {}}",
        good: "{\"name\": \"no time\", \"call\": {}, \"expect\": {}}"
    }
    UNKNOWN_TEXT = "unknown-text" {
        "A case expects a text that the spec has.",
        why: "A text is expected by its key and holes, so that a re-worded text breaks no case. A key that no section has would be compared with nothing.",
        mend: "Write the key of a text of `phone.texts`, or of `tools.texts` with \"section\": \"tools\".",
        bad: "{\"refused\": {\"text\": \"mising\"}}",
        good: "{\"refused\": {\"text\": \"missing\", \"action\": \"alarm\", \"fields\": \"time\"}}"
    }
}
