//! Base64 without padding in the alphabet of URLs, as keys travel (RFC 7515, appendix C).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Writes bytes.
pub(super) fn write(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Reads bytes. Pages that write their keys by hand use the other alphabet, or padding: both say the same.
pub(super) fn read(text: &str) -> Option<Vec<u8>> {
    let plain = text.trim_end_matches('=').replace('+', "-").replace('/', "_");
    URL_SAFE_NO_PAD.decode(plain).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_alphabet_is_read() {
        assert_eq!(write(&[0xfb, 0xff, 0xfe, 0x01]), "-__-AQ");
        for text in ["-__-AQ", "-__-AQ==", "+//+AQ==", "+//+AQ"] {
            assert_eq!(read(text), Some(vec![0xfb, 0xff, 0xfe, 0x01]), "{text}");
        }
        for text in ["-__-A", "-__ AQ", "é"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
