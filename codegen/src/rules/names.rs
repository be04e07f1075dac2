//! Rules about names, which become identifiers in six languages.

super::rules! { NAMES;
    NOT_A_NAME = "not-a-name" {
        "A name is words of lower-case ASCII letters and digits joined by single underscores, beginning with a letter.",
        why: "Names become types, members and functions in every target language. This one shape has one spelling in each of them, and none is invented by the generator.",
        mend: "Write the name in that shape.",
        bad: "{\"actions\": [\"Open-App\"]}",
        good: "{\"actions\": [\"open_app\"]}"
    }
    COLLIDING_NAMES = "colliding-names" {
        "Names of one list stay different once they are identifiers, and so do those that become types beside each other.",
        why: "`add_2` and `add2` are both `Add2` as a type. One would hide the other in the generated code, or it would not compile. The values of a field become a type of its name, which stands beside those of the actions.",
        mend: "Rename one of the two.",
        bad: "{\"actions\": [\"add_2\", \"add2\"]}",
        good: "{\"actions\": [\"add_second\", \"add_two\"]}"
    }
    RESERVED_NAME = "reserved-name" {
        "A name is none that a target language, or the call itself, keeps for itself.",
        why: "`class` cannot be a member's name in Kotlin, nor `self` in Rust. `voice` cannot name an action, whose type in clients is `VoiceCall`, which they have already. Escaping it in each language would give each client another name for the same thing; and names are API. `action` and `summary` are the call's own keys, next to which its fields stand.",
        mend: "Choose another name; the message proposes one.",
        bad: "{\"fields\": {\"open_app\": [\"class\"]}}",
        good: "{\"fields\": {\"open_app\": [\"class_name\"]}}"
    }
}
