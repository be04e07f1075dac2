//! What SenseVoice needs around its network: what it hears with, and how its answer is read.
//!
//! | file | what |
//! |---|---|
//! | [`fbank`] | samples to 80 figures a frame, as Kaldi counts them |
//! | [`stack`] | seven frames to one of 560 figures, normalised as in training |
//! | [`ctc`] | the network's scores to pieces of text and the tags before them |

pub mod ctc;
pub mod fbank;
pub mod stack;
