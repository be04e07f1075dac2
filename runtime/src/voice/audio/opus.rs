//! Opus, straight to one channel at the rate of listening: the codec itself resamples and mixes, and better.

use ropus::{Channels, DecodeMode, Decoder};

use super::{Container, RATE};

/// Samples that count in OpusHead are of this rate, whatever the sound's is.
const HEAD_RATE: u32 = 48_000;

/// A decoder of one track.
pub(super) struct Opus {
    decoder: Decoder,
    /// What the encoder needed to begin: samples at [`RATE`] that are not part of the sound.
    skip: usize,
    out: Vec<f32>,
}

impl Opus {
    /// A decoder after the track's OpusHead; without one nothing is skipped. An error says what cannot be decoded.
    pub(super) fn new(head: Option<&[u8]>, container: Container) -> Result<Self, String> {
        let mut decoder = Decoder::new(RATE, Channels::Mono).map_err(|error| error.to_string())?;
        // MP4 keeps the same fields in its own byte order.
        let number = |at: usize| {
            let bytes: [u8; 2] = head?.get(at..at + 2)?.try_into().ok()?;
            Some(if container == Container::Mp4 {
                u16::from_be_bytes(bytes)
            } else {
                u16::from_le_bytes(bytes)
            })
        };
        let channels = head.and_then(|head| head.get(9)).copied().unwrap_or(1);
        let family = head.and_then(|head| head.get(18)).copied().unwrap_or(0);
        if family != 0 || channels > 2 {
            return Err(format!("Opus of {channels} channels"));
        }
        let skip = number(10).map_or(0, |skip| u32::from(skip) * RATE / HEAD_RATE) as usize;
        if let Some(gain) = number(16).filter(|gain| *gain != 0) {
            // A gain that the decoder does not take is a loudness that nobody chose.
            let _ = decoder.set_gain(i32::from(gain.cast_signed()));
        }
        let out = vec![0.0; decoder.max_frame_samples_per_channel()];
        Ok(Self { decoder, skip, out })
    }

    /// Decodes a packet behind `sound`. `trim` is how many samples at [`HEAD_RATE`] do not count at its end.
    pub(super) fn packet(&mut self, packet: &[u8], trim: u64, sound: &mut Vec<f32>) -> Result<(), ()> {
        // An empty packet would ask for a concealment of any length.
        if packet.is_empty() {
            return Err(());
        }
        let count = self.decoder.decode_float(packet, &mut self.out, DecodeMode::Normal).map_err(drop)?;
        let trim = usize::try_from(trim * u64::from(RATE) / u64::from(HEAD_RATE)).unwrap_or(usize::MAX);
        let decoded = self.out.get(..count).unwrap_or_default();
        let skip = self.skip.min(decoded.len());
        self.skip -= skip;
        let end = decoded.len().saturating_sub(trim).max(skip);
        sound.extend_from_slice(&decoded[skip..end]);
        Ok(())
    }
}
