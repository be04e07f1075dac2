//! Rules about whole files.

super::rules! { FILES;
    NOT_UTF8 = "not-utf8" {
        "A spec file is UTF-8.",
        why: "JSON that travels is UTF-8. A file in another encoding would be read as other characters than its author saw.",
        mend: "Save the file as UTF-8, without a byte order mark.",
        bad: "a file saved as Latin-1 or UTF-16",
        good: "the same file saved as UTF-8"
    }
    NOT_JSON = "not-json" {
        "A spec file is JSON to the letter.",
        why: "Other tools read these files too: editors, validators, implementations in other languages. What only some of them accept (comments, trailing commas, single quotes) would be read differently by each.",
        mend: "Look at the marked place: the message says what was found and what was expected. Only the first such place of a file is told, because what follows it cannot be read for certain.",
        bad: "{\"actions\": [\"alarm\", \"timer\",]}",
        good: "{\"actions\": [\"alarm\", \"timer\"]}"
    }
    MISSING_FILE = "missing-file" {
        "loop.json is there, and so is the tool that `phone` needs.",
        why: "loop.json says what the loop does; its section `phone` describes the calls of the tool phone_action, whose schema stands in tools/phone_action.json.",
        mend: "Create the file, or put it back where it was.",
        bad: "specs/loop.json without specs/tools/phone_action.json",
        good: "both files"
    }
    MALFORMED_VERSION = "malformed-version" {
        "`version` is MAJOR.MINOR.PATCH, three whole numbers.",
        why: "The compiler reads the version before everything else, to know whether it can read the rest.",
        mend: "Write three whole numbers with dots between them and no leading zeros.",
        bad: "\"version\": \"3.6\"",
        good: "\"version\": \"3.6.0\""
    }
    UNKNOWN_VERSION = "unknown-version" {
        "`version` is one that this compiler knows: 3.6, with any PATCH.",
        why: "Another MAJOR or MINOR means other keys with other meanings. Reading it anyway would give a list of faults that are none, or files that are subtly wrong; so nothing else of loop.json is looked at.",
        mend: "For an older spec, follow the upgrade steps of CHANGELOG.md and set the version; for a newer one, use the compiler that came with it.",
        bad: "\"version\": \"3.7.0\"",
        good: "\"version\": \"3.6.0\""
    }
    FILE_NAME_DIFFERS = "file-name-differs" {
        "A tool has the name of its file, and so has a suite of cases.",
        why: "One finds a tool or a suite by its file. A copied file whose name was not changed inside would define the same thing twice.",
        mend: "Rename the file, or correct `name` or `suite`.",
        bad: "tools/phone_action.json: {\"name\": \"phone\"}",
        good: "tools/phone_action.json: {\"name\": \"phone_action\"}"
    }
}
