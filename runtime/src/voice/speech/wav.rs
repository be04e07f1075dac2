//! WAVs as programs write them into a pipe: mended, and joined.

use std::ops::Range;

/// Where a WAV's format and its samples stand.
struct Parts {
    format: Range<usize>,
    /// As far as there are bytes, whatever the header says.
    samples: Range<usize>,
}

/// Writes the true lengths into a WAV: who writes into a pipe cannot know them, and players believe them. False where it is no WAV.
#[must_use]
pub fn mend(wav: &mut [u8]) -> bool {
    let Some(Parts { samples, .. }) = parts(wav) else { return false };
    write_lengths(wav, samples.start, samples.len());
    true
}

/// Several WAVs one behind the other; nothing where one is none, or of another format than the first.
#[must_use]
pub fn join(wavs: &[impl AsRef<[u8]>]) -> Option<Vec<u8>> {
    let (first, others) = wavs.split_first()?;
    let first = first.as_ref();
    let Parts { format, samples } = parts(first)?;
    let start = samples.start;
    let mut joined = first.get(..samples.end)?.to_vec();
    for other in others {
        let other = other.as_ref();
        let parts = parts(other)?;
        if other[parts.format] != first[format.clone()] {
            return None;
        }
        joined.extend_from_slice(&other[parts.samples]);
    }
    let length = joined.len() - start;
    write_lengths(&mut joined, start, length);
    Some(joined)
}

/// `start` is behind the head of the chunk with the samples, so at least 20.
fn write_lengths(wav: &mut [u8], start: usize, length: usize) {
    let bytes = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
    let whole = bytes(wav.len() - 8);
    wav[4..8].copy_from_slice(&whole);
    wav[start - 4..start].copy_from_slice(&bytes(length));
}

fn parts(wav: &[u8]) -> Option<Parts> {
    if wav.get(..4)? != b"RIFF" || wav.get(8..12)? != b"WAVE" {
        return None;
    }
    let (mut at, mut format) = (12, None);
    loop {
        let size = u32::from_le_bytes(*wav.get(at + 4..at + 8)?.first_chunk()?);
        let (start, size) = (at + 8, usize::try_from(size).ok()?);
        match &wav[at..at + 4] {
            b"fmt " => format = Some(start..start.checked_add(size).filter(|end| *end <= wav.len())?),
            b"data" => {
                let end = start.saturating_add(size).min(wav.len());
                return Some(Parts { format: format?, samples: start..end });
            }
            _ => {}
        }
        // Chunks begin at even places.
        at = start.checked_add(size)?.checked_next_multiple_of(2)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voice::audio;

    fn piped(samples: &[f32]) -> Vec<u8> {
        let mut wav = audio::wav(samples);
        // As espeak-ng does.
        wav[4..8].copy_from_slice(&0x7fff_f024_u32.to_le_bytes());
        wav[40..44].copy_from_slice(&0x7fff_f000_u32.to_le_bytes());
        wav
    }

    #[test]
    fn lengths_that_nobody_knew_are_mended() {
        let mut wav = piped(&[0.5; 100]);
        assert!(mend(&mut wav));
        assert_eq!(wav, audio::wav(&[0.5; 100]));
    }

    #[test]
    fn wavs_are_joined() {
        let joined = join(&[piped(&[0.5; 100]), audio::wav(&[0.25; 50])]).unwrap();
        let samples: Vec<f32> = [[0.5; 100].as_slice(), &[0.25; 50]].concat();
        assert_eq!(joined, audio::wav(&samples));
        let mut other = audio::wav(&[0.5; 10]);
        other[24] = 1;
        assert_eq!(join(&[audio::wav(&[0.5; 10]), other]), None);
    }

    #[test]
    fn what_is_no_wav_is_not_touched() {
        for bytes in [&b""[..], b"RIFF", b"RIFF\0\0\0\0WAVE", b"RIFF\0\0\0\0WAVEdata\xff\xff\xff\xff", b"ID3"]
        {
            let mut same = bytes.to_vec();
            assert!(!mend(&mut same));
            assert_eq!(same, bytes);
        }
        let wav = audio::wav(&[0.5; 10]);
        for end in 0..44 {
            assert!(!mend(&mut wav[..end].to_vec()), "{end}");
        }
    }
}
