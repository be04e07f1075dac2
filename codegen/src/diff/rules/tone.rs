//! Changes of `tone.cues`.

super::changes! { TONE;
    TONE_TIERS_CHANGED = "tone-tiers-changed", Free, Patch {
        "A companion is told of other values of a voice, or is not told of them any more.",
        why: "What a value is compared with is the speaker's own past, which stays as it is.",
        todo: "Run the simulation of a speaker who never changes: a third of what they say should still be without a cue.",
        before: "{\"energy\": {\"below\": [{\"percentile\": 12, …}]}}",
        after: "{\"energy\": {\"below\": [{\"percentile\": 20, …}]}}"
    }
    TONE_PHRASE_CHANGED = "tone-phrase-changed", Reads, Patch {
        "What is said of a voice is worded anew.",
        why: "It stands before what a person says in a call, where the model reads it.",
        todo: "Put several such edits into one version.",
        before: "{\"phrase\": {\"en\": \"quiet\", …}}",
        after: "{\"phrase\": {\"en\": \"very quiet\", …}}"
    }
}
