//! The voice: what is heard and how, what is spoken and how.

pub mod audio;
pub mod gate;
pub mod hearing;
pub mod line;
pub mod reading;
pub mod recogniser;
pub mod sensevoice;
pub mod sentences;
pub mod speech;
pub mod tags;
pub mod tone;
pub mod transcript;
