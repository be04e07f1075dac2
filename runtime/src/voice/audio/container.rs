//! Which container the bytes are.

use super::Fault;

/// A container that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// Matroska, of which WebM is a part: what most browsers record.
    WebM,
    /// Ogg.
    Ogg,
    /// MP4, M4A and QuickTime: what an iPhone records.
    Mp4,
    /// RIFF WAVE.
    Wav,
    /// FLAC by itself.
    Flac,
    /// MPEG audio by itself.
    Mp3,
    /// AAC by itself (ADTS).
    Aac,
}

/// What begins every WebM.
const EBML: [u8; 4] = [0x1a, 0x45, 0xdf, 0xa3];
/// The pieces of a WebM after its head: a cluster, a block of one.
const WEBM_PIECES: [&[u8]; 2] = [&[0x1f, 0x43, 0xb6, 0x75], &[0xa3]];

impl Container {
    /// Its name, for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::WebM => "WebM",
            Self::Ogg => "Ogg",
            Self::Mp4 => "MP4",
            Self::Wav => "WAV",
            Self::Flac => "FLAC",
            Self::Mp3 => "MP3",
            Self::Aac => "AAC",
        }
    }

    /// Looks at the bytes; gives the container and where it begins, since a tag may stand before it.
    ///
    /// # Errors
    /// When there are no bytes, when they are none of these containers, and when they are a recording whose beginning is
    /// missing or comes later.
    pub(super) fn of(bytes: &[u8]) -> Result<(Self, usize), Fault> {
        if bytes.is_empty() {
            return Err(Fault::Empty);
        }
        let from = after_tag(bytes);
        let rest = &bytes[from.min(bytes.len())..];
        let box_kind = rest.get(4..8).unwrap_or_default();
        let found = match rest {
            [0x1a, 0x45, 0xdf, 0xa3, ..] => Self::WebM,
            [b'O', b'g', b'g', b'S', _, flags, ..] if flags & 2 == 0 => {
                return Err(Fault::WrongOrder { container: Self::Ogg, at: later(bytes, b"OggS\0\x02") });
            }
            [b'O', b'g', b'g', b'S', ..] => Self::Ogg,
            [b'f', b'L', b'a', b'C', ..] => Self::Flac,
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => Self::Wav,
            // What is cut within the first twelve bytes says no more than this.
            [b'R', b'I', b'F', b'F', ..] if rest.len() < 12 => Self::Wav,
            _ if [b"moof", b"styp", b"sidx"].iter().any(|kind| box_kind == *kind) => {
                return Err(Fault::WrongOrder { container: Self::Mp4, at: later(bytes, b"ftyp") });
            }
            _ if [b"ftyp", b"moov", b"mdat", b"wide"].iter().any(|kind| box_kind == *kind) => Self::Mp4,
            [0xff, second, third, ..] if second & 0xf6 == 0xf0 && third & 0x3c < 0x34 => Self::Aac,
            [0xff, second, third, ..]
                if second & 0xe0 == 0xe0
                    && second & 0x06 != 0
                    && second & 0x18 != 0x08
                    && third & 0xf0 != 0xf0 =>
            {
                Self::Mp3
            }
            _ => {
                // A recorder's pieces put together in the wrong order, or without the first (P115).
                let at = later(bytes, &EBML);
                if at.is_some() || WEBM_PIECES[..1].iter().any(|piece| rest.starts_with(piece)) {
                    return Err(Fault::WrongOrder { container: Self::WebM, at });
                }
                return Err(Fault::UnknownContainer {
                    first: bytes[..bytes.len().min(8)].to_vec(),
                    known: known(rest),
                });
            }
        };
        Ok((found, from))
    }
}

/// Where an ID3 tag at the beginning ends: it says its own length.
fn after_tag(bytes: &[u8]) -> usize {
    let mut at = 0;
    // More than a few are no music.
    for _ in 0..4 {
        let Some([b'I', b'D', b'3', _, _, flags, a, b, c, d]) = bytes.get(at..at + 10) else { break };
        let length = [a, b, c, d].iter().fold(0, |length, byte| length << 7 | usize::from(**byte & 0x7f));
        at += 10 + length + if flags & 0x10 == 0 { 0 } else { 10 };
    }
    at
}

fn later(bytes: &[u8], magic: &[u8]) -> Option<usize> {
    memchr::memmem::find(bytes, magic)
}

/// What bytes are that cannot be read here, where they say it.
fn known(bytes: &[u8]) -> Option<&'static str> {
    let starts: &[(&[u8], &str)] = &[
        (b"#!AMR", "AMR"),
        (b"FORM", "AIFF"),
        (b"caff", "Apple's CAF"),
        (b"RF64", "a WAV over 4 GB"),
        (b"RIFF", "a RIFF file without sound, such as AVI or WebP"),
        (&[0x30, 0x26, 0xb2, 0x75], "Windows Media"),
        (b".snd", "Sun's au"),
        (b"MThd", "MIDI"),
        (b"%PDF", "a PDF"),
        (b"PK\x03\x04", "a ZIP file"),
        (&[0x89, b'P', b'N', b'G'], "a PNG picture"),
        (&[0xff, 0xd8, 0xff], "a JPEG picture"),
        (b"{", "JSON"),
        (b"<", "HTML or XML"),
        (b"data:", "a data URL: send the bytes that it stands for"),
        (&[0], "bytes that begin with zeros"),
    ];
    starts.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, name)| *name)
}
