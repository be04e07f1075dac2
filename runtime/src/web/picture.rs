//! What a picture is, by its content: its kind and its size, whatever its name or its request says of it.

use crate::store::PictureKind;

/// How many bytes a picture may have.
pub(super) const MAX_BYTES: usize = 256 * 1024;
/// How many pixels it may have in either direction: a small file can hold more than a phone's memory.
pub(super) const MAX_SIDE: u32 = 4096;

/// Why a picture is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It has too many bytes: so many.
    Large(usize),
    /// It is no picture of a kind that is taken, or cut off within its head.
    NoPicture,
    /// It has too many pixels, or none: width and height.
    Side(u32, u32),
}

/// The kind of a picture.
pub(super) fn kind(bytes: &[u8]) -> Result<PictureKind, Fault> {
    if bytes.len() > MAX_BYTES {
        return Err(Fault::Large(bytes.len()));
    }
    let found = png(bytes)
        .map(|size| (PictureKind::Png, size))
        .or_else(|| Some((PictureKind::Jpeg, jpeg(bytes)?)))
        .or_else(|| Some((PictureKind::Webp, webp(bytes)?)));
    match found {
        Some((kind, (width, height)))
            if (1..=MAX_SIDE).contains(&width) && (1..=MAX_SIDE).contains(&height) =>
        {
            Ok(kind)
        }
        Some((_, (width, height))) => Err(Fault::Side(width, height)),
        None => Err(Fault::NoPicture),
    }
}

/// A number of two, three or four bytes, the greatest first.
fn big(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// The same, the least first.
fn little(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// PNG (ISO 15948): its signature, and the header that comes first.
fn png(bytes: &[u8]) -> Option<(u32, u32)> {
    let rest = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    (rest.get(4..8)? == b"IHDR").then_some(())?;
    Some((big(rest.get(8..12)?), big(rest.get(12..16)?)))
}

/// JPEG (ITU T.81): segments behind each other, up to the one that begins a frame.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.strip_prefix(b"\xff\xd8")?;
    loop {
        let (&mark, behind) = rest.split_first()?;
        if mark != 0xff {
            return None;
        }
        rest = behind;
        let (&kind, behind) = rest.split_first()?;
        match kind {
            // Filling before a mark.
            0xff => continue,
            // A frame of any kind; C4, C8 and CC are tables and extensions.
            0xc0..=0xcf if ![0xc4, 0xc8, 0xcc].contains(&kind) => {
                return Some((big(behind.get(5..7)?), big(behind.get(3..5)?)));
            }
            // The picture's data, or its end, before any frame.
            0x00 | 0xd8..=0xda => return None,
            // Marks without a segment.
            0x01 | 0xd0..=0xd7 => rest = behind,
            _ => {
                let length = usize::try_from(big(behind.get(..2)?)).ok().filter(|length| *length >= 2)?;
                rest = behind.get(length..)?;
            }
        }
    }
}

/// WebP (RFC 9649): a RIFF file whose first chunk is one of three.
fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    let rest = bytes.strip_prefix(b"RIFF")?.get(4..)?.strip_prefix(b"WEBP")?;
    let (chunk, data) = (rest.get(..4)?, rest.get(8..)?);
    match chunk {
        b"VP8X" => Some((little(data.get(4..7)?) + 1, little(data.get(7..10)?) + 1)),
        b"VP8L" if *data.first()? == 0x2f => {
            let bits = little(data.get(1..5)?);
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8 " if data.get(3..6)? == b"\x9d\x01\x2a" => {
            Some((little(data.get(6..8)?) & 0x3fff, little(data.get(8..10)?) & 0x3fff))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn png_of(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes
    }

    fn jpeg_of(width: u16, height: u16) -> Vec<u8> {
        let mut bytes =
            b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x02\0\0\x01\0\x01\0\0\xff\xff\xc2\0\x11\x08".to_vec();
        bytes.extend(height.to_be_bytes());
        bytes.extend(width.to_be_bytes());
        bytes
    }

    #[test]
    fn the_content_says_what_it_is() {
        let lossless = (511_u32 | 255 << 14).to_le_bytes();
        let lossless = [b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f".as_slice(), &lossless].concat();
        let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x40\x01\xf0\0".to_vec();
        let extended = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x10\0\0\0\xff\x01\0\xff\0\0".to_vec();
        for (bytes, kind_of, size) in [
            (png_of(512, 256), PictureKind::Png, (512, 256)),
            (jpeg_of(320, 240), PictureKind::Jpeg, (320, 240)),
            (lossless, PictureKind::Webp, (512, 256)),
            (lossy, PictureKind::Webp, (320, 240)),
            (extended, PictureKind::Webp, (512, 256)),
        ] {
            assert_eq!(kind(&bytes), Ok(kind_of));
            assert_eq!(png(&bytes).or_else(|| jpeg(&bytes)).or_else(|| webp(&bytes)), Some(size));
            for cut in 0..bytes.len() {
                assert_eq!(kind(&bytes[..cut]), Err(Fault::NoPicture), "{kind_of:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn what_is_no_picture_is_none_whatever_it_is_called() {
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
        for bytes in
            [b"".as_slice(), b"GIF89a\x01\0\x01\0", svg, b"\xff\xd8\xff\xda\0\0", b"RIFF\0\0\0\0WAVEfmt "]
        {
            assert_eq!(kind(bytes), Err(Fault::NoPicture));
        }
        assert_eq!(kind(&png_of(4097, 1)), Err(Fault::Side(4097, 1)));
        assert_eq!(kind(&png_of(0, 9)), Err(Fault::Side(0, 9)));
        let mut large = png_of(9, 9);
        large.resize(MAX_BYTES + 1, 0);
        assert_eq!(kind(&large), Err(Fault::Large(MAX_BYTES + 1)));
        large.pop();
        assert_eq!(kind(&large), Ok(PictureKind::Png));
    }

    proptest! {
        #[test]
        fn any_bytes_are_looked_at(head in 0..4_usize, rest in proptest::collection::vec(any::<u8>(), 0..300)) {
            let heads: [&[u8]; 4] = [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF\0\0\0\0WEBP"];
            let _ = kind(&[heads[head], &rest].concat());
        }
    }
}
