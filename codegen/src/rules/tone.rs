//! Rules about what is said of a voice.

super::rules! { TONE;
    UNKNOWN_FEATURE = "unknown-feature" {
        "A case speaks of features that are measured.",
        why: "What is said of a voice rests on a figure that the runtime takes from the sound; of another one there is nothing to say.",
        mend: "Write one of the features that the message lists.",
        bad: "{\"cues\": [{\"feature\": \"loudness\", \"below\": 12}]}",
        good: "{\"cues\": [{\"feature\": \"energy\", \"below\": 12}]}"
    }
    TIER_OUT_OF_SIDE = "tier-out-of-side" {
        "A tier for what is lower than usual lies below the 50th percentile, one for what is higher above it.",
        why: "A tier takes every value beyond its percentile. One on the other side of the middle would be said of most of what a person says, and so of nothing in particular.",
        mend: "Move the tier to the other list, or correct its percentile.",
        bad: "{\"energy\": {\"below\": [{\"percentile\": 88, …}]}}",
        good: "{\"energy\": {\"above\": [{\"percentile\": 88, …}]}}"
    }
}
