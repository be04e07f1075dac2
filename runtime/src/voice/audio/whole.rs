//! Whether the bytes end where one of the container's parts does, or within one.
//!
//! A recorder that streams leaves out what it cannot know while it records: a WebM's lengths, the mark of an Ogg's last page. So
//! running out of bytes means nothing by itself.

/// Whether an Ogg's last page has less than it announces.
pub(super) fn ogg_is_cut(bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if !rest.starts_with(b"OggS") {
            // Something between the pages: the reader finds its way, and so does this.
            match memchr::memmem::find(rest, b"OggS") {
                Some(next) => at += next,
                None => return false,
            }
            continue;
        }
        let Some(segments) = rest.get(26).map(|count| usize::from(*count)) else { return true };
        let Some(table) = rest.get(27..27 + segments) else { return true };
        at += 27 + segments + table.iter().map(|length| usize::from(*length)).sum::<usize>();
    }
    at > bytes.len()
}

/// Whether an MP4 ends within one of its boxes.
pub(super) fn mp4_is_cut(bytes: &[u8]) -> bool {
    let mut at = 0_usize;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let Some((short, _)) = rest.split_first_chunk() else { return true };
        let size = match u32::from_be_bytes(*short) {
            // To the end, wherever that is.
            0 => return false,
            1 => match rest.get(8..).and_then(<[u8]>::first_chunk) {
                Some(long) => u64::from_be_bytes(*long),
                None => return true,
            },
            size => u64::from(size),
        };
        match usize::try_from(size).ok().and_then(|size| at.checked_add(size)) {
            // Less than its own head: that is damage, which the reader tells.
            Some(_) if size < 8 => return false,
            Some(next) => at = next,
            None => return true,
        }
    }
    at > bytes.len()
}

/// What holds the blocks: their inside is walked, and their own length may be unknown.
const HOLDERS: [u64; 2] = [0x1853_8067, 0x1f43_b675];

/// Whether a WebM ends within an element.
pub(super) fn webm_is_cut(bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        let Some((id, length)) = number(bytes, at, false) else { return true };
        at += length;
        let Some((size, length)) = number(bytes, at, true) else { return true };
        at += length;
        let is_unknown = size == (1 << (7 * length)) - 1;
        let end = usize::try_from(size).ok().and_then(|size| at.checked_add(size));
        match (HOLDERS.contains(&id), end) {
            (true, _) if is_unknown => {}
            (_, None) => return true,
            (_, Some(end)) if end > bytes.len() => return true,
            (true, Some(_)) => {}
            (false, Some(end)) => at = end,
        }
    }
    false
}

/// An EBML number and how many bytes it takes; with `bare`, without the bit that tells its length.
fn number(bytes: &[u8], at: usize, bare: bool) -> Option<(u64, usize)> {
    let first = *bytes.get(at)?;
    let length = first.leading_zeros() as usize + 1;
    if length > 8 {
        return None;
    }
    let value = bytes.get(at..at + length)?.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
    Some((if bare { value & !(1 << (7 * length)) } else { value }, length))
}
