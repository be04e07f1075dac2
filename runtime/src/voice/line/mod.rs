//! A call that is alive, as a pure machine: `(state, event, now) → (state, effects)`.
//!
//! | file | what |
//! |---|---|
//! | [`frames`] | what goes over its socket, as types |
//! | [`reply`] | one reply that is being spoken: what of it was heard |
//! | [`session`] | the call: who is there, what is being said, how it ends |
//! | [`finder`] | where an utterance begins and ends in sound that flows |
//!
//! Sockets, clocks, recognisers and speech are the shell's (`web/live/`). docs/voice.md, "The live call".

pub mod finder;
pub mod frames;
pub mod reply;
pub mod session;
