//! The version itself.

super::changes! { VERSION;
    VERSION_NOT_RAISED = "version-not-raised", Client, None {
        "`version` does not have the number that the changes ask for.",
        why: "The version is how a client, a stored setting or a bug report says which spec it means. Two different specs of one number cannot be told apart.",
        todo: "Raise the number that is named. It stands under the worst class that asks for it.",
        before: "{\"version\": \"3.6.0\", \"phone\": {\"actions\": [\"alarm\", \"timer\"]}}",
        after: "{\"version\": \"3.6.0\", \"phone\": {\"actions\": [\"alarm\"]}}"
    }
    VERSION_LOWERED = "version-lowered", Client, None {
        "`version` is less than it was.",
        why: "Whoever compares two versions takes the newer spec for the older one.",
        todo: "Write the old number, or a greater one.",
        before: "{\"version\": \"3.6.2\"}",
        after: "{\"version\": \"3.6.1\"}"
    }
    VERSION_RAISED = "version-raised", Free, None {
        "`version` is greater than it was.",
        why: "It says that something changed, and how much.",
        todo: "Nothing has to be done.",
        before: "{\"version\": \"3.6.1\"}",
        after: "{\"version\": \"3.6.2\"}"
    }
}
