//! Whisper: words in a hundred languages from one network, here with all that it needs around it.
//!
//! | file | what |
//! |---|---|
//! | [`mel`] | samples to 80 figures a frame, as it was trained on |
//! | [`network`] | the network itself: what is heard, and what comes next |
//! | [`pieces`] | the pieces of text that it knows |
//! | [`greedy`] | piece by piece to the end of what was said |
//! | [`guard`] | whether it says the same again and again |
//! | [`engine`] | the recogniser over all of it |
//!
//! Its files are written by `tests/voice/convert.py` from the weights as they are published.

pub mod engine;
pub mod greedy;
pub mod guard;
pub mod mel;
pub mod network;
pub mod pieces;
