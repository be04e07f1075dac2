//! Samples as a WAV, for whoever wants a file.

use super::RATE;

/// A WAV of 16 bits, mono, at [`RATE`]. What is beyond the loudest there is becomes the loudest.
#[must_use]
pub fn wav(samples: &[f32]) -> Vec<u8> {
    // At most some minutes are ever held, so that the length fits.
    let bytes = u32::try_from(samples.len() * 2).unwrap_or(u32::MAX - 36);
    let mut wav = Vec::with_capacity(44 + samples.len() * 2);
    wav.extend_from_slice(b"RIFF");
    wav.extend_from_slice(&(36 + bytes).to_le_bytes());
    wav.extend_from_slice(b"WAVEfmt ");
    wav.extend_from_slice(&16_u32.to_le_bytes());
    // PCM, one channel.
    wav.extend_from_slice(&[1, 0, 1, 0]);
    wav.extend_from_slice(&RATE.to_le_bytes());
    wav.extend_from_slice(&(RATE * 2).to_le_bytes());
    // Two bytes a sample, sixteen bits.
    wav.extend_from_slice(&[2, 0, 16, 0]);
    wav.extend_from_slice(b"data");
    wav.extend_from_slice(&bytes.to_le_bytes());
    for sample in samples {
        // A float that does not fit becomes the nearest that does.
        wav.extend_from_slice(&((sample * 32_768.0).round() as i16).to_le_bytes());
    }
    wav
}
