//! SenseVoice: words, language and feeling from one small network, here with all that it needs around it.
//!
//! | file | what |
//! |---|---|
//! | [`fbank`] | samples to 80 figures a frame, as Kaldi counts them |
//! | [`stack`] | seven frames to one of 560 figures, normalised as in training |
//! | [`ctc`] | the network's scores to pieces of text and the tags before them |
//! | [`engine`] | the network itself, and the recogniser over all of it |

pub mod ctc;
pub mod engine;
pub mod fbank;
pub mod stack;
