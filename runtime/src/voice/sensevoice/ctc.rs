//! The network's scores to text: the best piece of each frame, repetitions and blanks left out, behind four frames that say the
//! language, the feeling, what is to be heard, and how numbers are written.

/// The piece that is none.
const BLANK: usize = 0;
/// Frames before the words.
const HEAD: usize = 4;
/// The frame that says the feeling.
const FEELING: usize = 1;
/// What a piece begins with where a word does.
const WORD: char = '\u{2581}';

/// The pieces of text that a model knows, by their number (`tokens.txt`: a piece, a blank and its number a line).
#[derive(Clone, Debug, PartialEq)]
pub struct Pieces(Vec<String>);

impl Pieces {
    /// Reads `tokens.txt`.
    ///
    /// # Errors
    /// When a line is otherwise, with its number.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        for (line, row) in text.lines().enumerate() {
            // A piece may itself be a blank.
            let (piece, id) = row.rsplit_once([' ', '\t']).unwrap_or((row, ""));
            let id: usize = id
                .parse()
                .map_err(|_| format!("line {} of tokens.txt is no piece and its number", line + 1))?;
            if id > 1 << 20 {
                return Err(format!("line {} of tokens.txt has a number beyond any model's", line + 1));
            }
            if pieces.len() <= id {
                pieces.resize(id + 1, String::new());
            }
            pieces[id] = piece.to_owned();
        }
        Ok(Self(pieces))
    }

    /// The number of a piece.
    #[must_use]
    pub fn find(&self, piece: &str) -> Option<usize> {
        self.0.iter().position(|known| known == piece)
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, id: usize) -> &str {
        self.0.get(id).map_or("", String::as_str)
    }
}

/// Reads scores: as many a frame as the model knows pieces. Gives the tags of the first frames and then the words, as
/// [`crate::voice::tags::read`] takes them. A feeling that is not known is not an answer, so the best other is taken.
#[must_use]
pub fn decode(scores: &[f32], pieces: &Pieces) -> String {
    let width = pieces.0.len();
    if width == 0 {
        return String::new();
    }
    let unknown = pieces.find("<|EMO_UNKNOWN|>");
    let mut text = Vec::new();
    let mut last = BLANK;
    for (frame, scores) in scores.chunks_exact(width).enumerate() {
        let banned = unknown.filter(|_| frame == FEELING);
        let best = best(scores, banned);
        // In the head every frame stands for itself.
        if frame < HEAD {
            if best != BLANK {
                text.extend_from_slice(pieces.get(best).as_bytes());
            }
            continue;
        }
        if best != BLANK && best != last {
            write(pieces.get(best), &mut text);
        }
        last = best;
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The first of the highest.
fn best(scores: &[f32], banned: Option<usize>) -> usize {
    let mut best = (BLANK, f32::NEG_INFINITY);
    for (id, score) in scores.iter().enumerate() {
        if *score > best.1 && Some(id) != banned {
            best = (id, *score);
        }
    }
    best.0
}

/// Writes a piece: a byte where it stands for one, else its text with blanks where words begin.
fn write(piece: &str, text: &mut Vec<u8>) {
    let byte = piece.strip_prefix("<0x").and_then(|rest| rest.strip_suffix('>'));
    if let Some(byte) = byte.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
        text.push(byte);
        return;
    }
    text.extend_from_slice(piece.replace(WORD, " ").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voice::tags;
    use crate::voice::tone::Emotion;

    const TOKENS: &str = "<unk> 0\n<|en|> 1\n<|zh|> 2\n<|SAD|> 3\n<|EMO_UNKNOWN|> 4\n<|Speech|> 5\n<|woitn|> 6\n\u{2581}good 7\nnight 8\n\u{2581}you 9\n<0xE6> 10\n<0x99> 11\n<0x9A> 12\n";

    /// Scores in which these pieces are the best, each with another that is next.
    fn scores(best: &[(usize, usize)]) -> Vec<f32> {
        let of = |&(first, second): &(usize, usize)| {
            let mut frame = vec![-9.0; 13];
            (frame[second], frame[first]) = (0.5, 1.0);
            frame
        };
        best.iter().flat_map(of).collect()
    }

    #[test]
    fn the_head_is_tags_and_the_rest_is_words() {
        let pieces = Pieces::read(TOKENS).unwrap();
        let head = [(1, 2), (3, 4), (5, 6), (6, 5)];
        let words = [(0, 1), (7, 0), (7, 0), (0, 7), (8, 0), (8, 7), (0, 8), (8, 0), (9, 0)];
        let text = decode(&scores(&[&head[..], &words].concat()), &pieces);
        assert_eq!(text, "<|en|><|SAD|><|Speech|><|woitn|> goodnightnight you");
        let heard = tags::read(&text);
        assert_eq!((heard.text.as_str(), heard.emotion), ("goodnightnight you", Some(Emotion::Sad)));
        assert_eq!(heard.language.as_deref(), Some("en"));
    }

    #[test]
    fn a_feeling_that_is_not_known_gives_way_to_the_next() {
        let pieces = Pieces::read(TOKENS).unwrap();
        let text = decode(&scores(&[(2, 1), (4, 3), (5, 6), (6, 5), (10, 0), (11, 0), (12, 0)]), &pieces);
        assert_eq!(text, "<|zh|><|SAD|><|Speech|><|woitn|>晚");
    }

    #[test]
    fn nothing_is_nothing() {
        let pieces = Pieces::read(TOKENS).unwrap();
        assert_eq!(decode(&[], &pieces), "");
        assert_eq!(decode(&[f32::NAN; 13], &pieces), "");
        assert_eq!(decode(&[1.0; 5], &Pieces::read("").unwrap()), "");
        assert!(Pieces::read("a 0\nb\n").unwrap_err().contains("line 2"));
    }
}
