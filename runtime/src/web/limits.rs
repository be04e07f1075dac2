//! How much of everything one client may have.

use std::time::Duration;

/// How large a request's body may be, in bytes. Words, not files, come here.
pub(super) const MAX_BODY: usize = 256 * 1024;
/// How many lines a call's transcript may have, and how many characters in all. An hour of quick talk has 10,000 words.
pub(super) const MAX_LINES: usize = 5_000;
pub(super) const MAX_TRANSCRIPT: usize = 200_000;
/// How large the body may be that brings a transcript, in bytes: JSON may write a character in twelve, and a line has its
/// `{"who":"companion","text":""},` around it.
pub(super) const MAX_TRANSCRIPT_BODY: usize = 3 * 1024 * 1024;
const _: () = assert!(MAX_TRANSCRIPT * 12 + MAX_LINES * 64 + 4096 <= MAX_TRANSCRIPT_BODY);
/// How large the body may be that brings a text to read from: JSON may write a character in twelve bytes, which nobody's editor
/// does for a whole text.
pub(super) const MAX_TEXT_BODY: usize = super::readings::MAX_TEXT * 2 + 4096;
/// How deep a body's objects and lists may stand in each other. The deepest that means anything has four.
pub(super) const MAX_DEPTH: usize = 32;

/// Limits that tests need smaller.
#[derive(Debug, Clone)]
pub struct Limits {
    /// How long a request's head may take, from its first byte, or a connection wait for its next request.
    pub head: Duration,
    /// How long a request's body may take.
    pub body: Duration,
    /// How many connections may be open at once, from everywhere.
    pub connections: usize,
    /// How many event streams and long polls a person may have open at once.
    pub streams: usize,
    /// Tokens that are not known, from one address.
    pub unknown_tokens: Rate,
    /// Sign-in and pairing codes that are tried, from one address.
    pub codes: Rate,
    /// Sign-in and pairing codes that are tried, from everywhere.
    pub codes_in_all: Rate,
    /// Codes and tokens that a person makes.
    pub made: Rate,
    /// Test rings of a person.
    pub tested: Rate,
    /// What a person says in a call, utterance by utterance.
    pub utterances: Rate,
}

/// So many at once, and one more each so often.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    /// How many at once.
    pub burst: u32,
    /// After how many milliseconds one more.
    pub every_ms: i64,
}

impl Default for Limits {
    /// A pairing code is one of 30⁸ = 6.6 × 10¹¹ and holds ten minutes, in which all the world together tries 1,400: with
    /// a hundred codes open the whole time, one is hit once in 90 years.
    fn default() -> Self {
        Self {
            head: Duration::from_secs(30),
            body: Duration::from_secs(30),
            // Far below the 20,000 files that a service may open as a rule, far above a household's devices.
            connections: 8192,
            streams: 64,
            unknown_tokens: Rate { burst: 20, every_ms: 3_000 },
            codes: Rate { burst: 10, every_ms: 10_000 },
            codes_in_all: Rate { burst: 200, every_ms: 500 },
            made: Rate { burst: 30, every_ms: 20_000 },
            tested: Rate { burst: 10, every_ms: 10_000 },
            // Nobody says more than a sentence a second for a minute.
            utterances: Rate { burst: 60, every_ms: 1_000 },
        }
    }
}
