//! The voice: what is heard and how, what is spoken and how.

pub mod audio;
pub mod gate;
pub mod sentences;
pub mod tone;
