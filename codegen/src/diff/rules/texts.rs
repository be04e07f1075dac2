//! Changes of texts.

super::changes! { TEXTS;
    MODEL_TEXT_CHANGED = "model-text-changed", Reads, Patch {
        "A text for a model is worded anew.",
        why: "A text of `prompt` stands in front of every conversation, which a provider's cache then reads anew; a result is read from now on, and what was said before stays as it was.",
        todo: "Put several edits of `prompt` into one version.",
        before: "{\"declined\": \"Declined.\"}",
        after: "{\"declined\": \"The person said no.\"}"
    }
    PERSON_TEXT_CHANGED = "person-text-changed", Free, None {
        "A text for a person is worded anew.",
        why: "People read it as it is; no program compares it.",
        todo: "Look at the other languages, which say the same.",
        before: "{\"hello\": {\"en\": \"Hi!\", \"zh\": \"你好！\"}}",
        after: "{\"hello\": {\"en\": \"Hello!\", \"zh\": \"你好！\"}}"
    }
    TEXT_ADDED = "text-added", Free, Patch {
        "There is a new text.",
        why: "It is a function more in every client.",
        todo: "Nothing has to be done.",
        before: "{\"texts\": {}}",
        after: "{\"texts\": {\"goodbye\": {\"en\": \"Bye!\", \"zh\": \"再见！\"}}}"
    }
    TEXT_REMOVED = "text-removed", Client, Major {
        "A text is gone.",
        why: "It is a function in every client: code that calls it does not compile any more.",
        todo: "Keep it, or raise MAJOR.",
        before: "{\"texts\": {\"goodbye\": {\"en\": \"Bye!\", \"zh\": \"再见！\"}}}",
        after: "{\"texts\": {}}"
    }
    TEXT_RENAMED = "text-renamed", Client, Major {
        "A text has another key.",
        why: "Names are API: the key is a function's name in every client.",
        todo: "Keep the key, or raise MAJOR.",
        before: "{\"texts\": {\"goodbye\": {\"en\": \"Bye!\", \"zh\": \"再见！\"}}}",
        after: "{\"texts\": {\"farewell\": {\"en\": \"Bye!\", \"zh\": \"再见！\"}}}"
    }
    TEXT_HOLES_CHANGED = "text-holes-changed", Client, Major {
        "A text of the spec's own has other holes.",
        why: "They are the arguments of its function in every client.",
        todo: "Keep the holes, or make a new text of it. Else raise MAJOR.",
        before: "{\"limit\": \"At most {{count}}.\"}",
        after: "{\"limit\": \"At most {{count}} of {{what}}.\"}"
    }
}
