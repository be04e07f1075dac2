//! Rules about `markers`: what a companion writes into its reply for the gateway to do.

super::rules! { MARKERS;
    NOT_A_DELIMITER = "not-a-delimiter" {
        "An entry of `delimiters` is two characters that no text around a marker needs.",
        why: "A marker is found by the one character that opens it. A letter, a blank or a colon would open one in the midst of any sentence; a backtick, a tilde and the round brackets mean something else already.",
        mend: "Write an opener and its closer, one character each.",
        bad: "{\"delimiters\": [[\"<<\", \">>\"]]}",
        good: "{\"delimiters\": [[\"⟪\", \"⟫\"]]}"
    }
    COLLIDING_DELIMITERS = "colliding-delimiters" {
        "A character is one delimiter.",
        why: "Where one character opens two pairs, or opens and closes, nobody could tell which closer ends the marker.",
        mend: "Remove one of the two pairs, or write another character.",
        bad: "{\"delimiters\": [[\"|\", \"|\"]]}",
        good: "{\"delimiters\": [[\"⟪\", \"⟫\"], [\"[\", \"]\"]]}"
    }
    NOT_A_MARKER_NAME = "not-a-marker-name" {
        "A marker's name is words that can stand between its delimiters.",
        why: "Blanks may stand round a name anyway, a colon begins the argument, a delimiter ends the marker, a line break ends it unread: a name with one of them would never be found.",
        mend: "Write it as the companion shall write it between the delimiters, without them; a colon or a space stands between two words.",
        bad: "{\"names\": [\"dial:\"]}",
        good: "{\"names\": [\"dial\"]}"
    }
    COLLIDING_MARKER_NAMES = "colliding-marker-names" {
        "No two names of markers are read alike.",
        why: "Case does not count, nor whether a colon is narrow or wide; and a name with a colon begins like a shorter one with an argument. One of two such names would never be found.",
        mend: "Remove one of the two, or rename it.",
        bad: "{\"dnd_on\": {\"names\": [\"DND:on\"]}, \"dnd_off\": {\"names\": [\"dnd\"]}}",
        good: "{\"dnd_on\": {\"names\": [\"dnd:on\"]}, \"dnd_off\": {\"names\": [\"dnd:off\"]}}"
    }
    MARKER_TOO_LONG = "marker-too-long" {
        "Every name fits into a marker of `max_chars` characters.",
        why: "A marker longer than that is plain text, so a name that leaves no room for its delimiters would never be found.",
        mend: "Raise `max_chars`, or shorten the name.",
        bad: "{\"max_chars\": 5, \"kinds\": {\"hangup\": {\"names\": [\"hangup\"]}}}",
        good: "{\"max_chars\": 200, \"kinds\": {\"hangup\": {\"names\": [\"hangup\"]}}}"
    }
    RULE_WITHOUT_MARKER = "rule-without-marker" {
        "A marker's rule shows how the marker is written.",
        why: "The rule is all that a companion learns of the power: its restraint and how it is used stand in one breath. After a renaming the old spelling would go on being taught, and be read by the person as text.",
        mend: "Write the marker, with its delimiters, into the sentence.",
        bad: "{\"names\": [\"hangup\"], \"rule\": \"You may end a call.\"}",
        good: "{\"names\": [\"hangup\"], \"rule\": \"To end a call, write ⟪hangup⟫ at the very end of a reply.\"}"
    }
    UNKNOWN_MARKER = "unknown-marker" {
        "A case expects markers of kinds that the spec has.",
        why: "A kind that loop.json does not have can never be found: the case could not pass in any implementation.",
        mend: "Write a key of `markers.kinds`.",
        bad: "{\"markers\": [{\"kind\": \"hang_up\"}]}",
        good: "{\"markers\": [{\"kind\": \"hangup\"}]}"
    }
}
