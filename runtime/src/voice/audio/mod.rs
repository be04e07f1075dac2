//! Sound that arrives, in whatever container a recorder made: read by its bytes alone, never by its name or its declared
//! type (facts of the field, "Audio that arrives").
//!
//! [`container`] looks at the first bytes, [`decode`] takes the samples out and mixes them to one channel, [`resample`] brings
//! them to the rate at which everything here listens. Whatever the bytes are, the outcome is samples or a [`Fault`].

mod container;
mod decode;
mod fault;
mod opus;
mod resample;
mod wav;
mod whole;

pub use container::Container;
pub use decode::{Limits, Sound, decode};
pub use fault::Fault;
pub use resample::resample;
pub use wav::wav;

/// Samples a second, of everything that listens.
pub const RATE: u32 = super::tone::RATE as u32;

#[cfg(test)]
mod tests;
