//! The pieces of text that a model knows: bytes in the alphabet in which GPT-2 wrote them, and signs such as `<|en|>`.

use std::collections::BTreeMap;

/// What the network is told and what it tells, by its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Signs {
    /// Where everything begins.
    pub start: u32,
    /// What ends what was said.
    pub end: u32,
    /// That words in the same language are wanted.
    pub transcribe: u32,
    /// That nobody speaks.
    pub no_speech: u32,
    /// That no times are wanted. All that come behind it are times.
    pub no_times: u32,
    /// The languages by their code; none in a model that knows English alone.
    pub languages: BTreeMap<String, u32>,
}

/// The pieces, by their number.
#[derive(Clone, Debug, PartialEq)]
pub struct Pieces {
    /// The bytes of each; none for a sign.
    bytes: Vec<Vec<u8>>,
    /// The signs.
    pub signs: Signs,
}

impl Pieces {
    /// Reads `tokens.txt`: a piece a line, in the order of their numbers. `multilingual` is whether the model takes a language.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str, multilingual: bool) -> Result<Self, String> {
        let lines: Vec<&str> = text.lines().collect();
        let find = |sign: &str| {
            let place = lines.iter().rposition(|line| *line == sign);
            place
                .and_then(|place| u32::try_from(place).ok())
                .ok_or_else(|| format!("tokens.txt has no {sign}"))
        };
        let (start, end) = (find("<|startoftranscript|>")?, find("<|endoftext|>")?);
        let (transcribe, no_times) = (find("<|transcribe|>")?, find("<|notimestamps|>")?);
        let no_speech = find("<|nospeech|>").or_else(|_| find("<|nocaptions|>"))?;
        let mut languages = BTreeMap::new();
        if multilingual {
            // They stand between the beginning and what is to be done.
            for (line, id) in lines.iter().zip(0..transcribe).skip(start as usize + 1) {
                let code = line.strip_prefix("<|").and_then(|line| line.strip_suffix("|>"));
                if let Some(code) = code.filter(|code| (2..=3).contains(&code.len())) {
                    languages.insert(code.to_owned(), id);
                }
            }
            if languages.is_empty() {
                return Err("tokens.txt has no languages".to_owned());
            }
        }
        let alphabet = alphabet();
        let read = |(line, piece): (usize, &&str)| {
            if line >= end as usize || is_sign(piece) {
                return Ok(Vec::new());
            }
            let byte = |c: char| alphabet.get(&c).copied();
            let bytes: Option<Vec<u8>> = piece.chars().map(byte).collect();
            bytes.ok_or_else(|| format!("line {} of tokens.txt holds what is no byte: {piece:?}", line + 1))
        };
        let bytes = lines.iter().enumerate().map(read).collect::<Result<_, String>>()?;
        Ok(Self { bytes, signs: Signs { start, end, transcribe, no_speech, no_times, languages } })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The text of these, with the blanks that it begins with. A character of which only a part was said is left out.
    #[must_use]
    pub fn text(&self, said: &[u32]) -> String {
        let bytes = said.iter().filter_map(|id| self.bytes.get(*id as usize)).flatten();
        let bytes: Vec<u8> = bytes.copied().collect();
        String::from_utf8_lossy(&bytes).replace(char::REPLACEMENT_CHARACTER, "")
    }
}

fn is_sign(piece: &str) -> bool {
    piece.len() > 4 && piece.starts_with("<|") && piece.ends_with("|>")
}

/// Which character stands for which byte: what can be printed for itself, and the others in their order from 256 on.
fn alphabet() -> BTreeMap<char, u8> {
    let mut next = 256;
    let mut alphabet = BTreeMap::new();
    for byte in 0..=u8::MAX {
        let itself = matches!(byte, 33..=126 | 161..=172 | 174..=255);
        let stands = if itself { u32::from(byte) } else { next };
        next += u32::from(!itself);
        // All of them are below the surrogates.
        alphabet.extend(char::from_u32(stands).map(|c| (c, byte)));
    }
    alphabet
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The few pieces with which tests speak.
    pub(in crate::voice::whisper) const TOKENS: &str = "\u{120}good\n\u{120}night\n.\næ\u{13b}\n\u{13c}\n<|endoftext|>\n<|startoftranscript|>\n<|en|>\n<|zh|>\n<|translate|>\n<|transcribe|>\n<|startoflm|>\n<|startofprev|>\n<|nospeech|>\n<|notimestamps|>\n<|0.00|>\n";

    #[test]
    fn signs_are_known_by_their_names() {
        let signs = Pieces::read(TOKENS, true).unwrap().signs;
        assert_eq!(
            (signs.end, signs.start, signs.transcribe, signs.no_speech, signs.no_times),
            (5, 6, 10, 13, 14)
        );
        assert_eq!(
            signs.languages.into_iter().collect::<Vec<_>>(),
            [("en".to_owned(), 7), ("zh".to_owned(), 8)]
        );
        assert!(Pieces::read(TOKENS, false).unwrap().signs.languages.is_empty());
    }

    #[test]
    fn pieces_are_bytes_and_signs_are_nothing() {
        let pieces = Pieces::read(TOKENS, true).unwrap();
        assert_eq!(pieces.text(&[0, 1, 2, 5, 7, 15, 99]), " good night.");
        assert_eq!(pieces.text(&[3, 4]), "晚");
        assert_eq!(pieces.text(&[0, 3]), " good", "half a character is none");
    }

    #[test]
    fn every_byte_has_one_character() {
        let alphabet = alphabet();
        assert_eq!(alphabet.len(), 256);
        assert_eq!(alphabet[&'\u{120}'], b' ');
        assert_eq!(alphabet[&'\u{10a}'], b'\n');
        assert_eq!(alphabet[&'A'], b'A');
    }

    #[test]
    fn what_is_no_vocabulary_is_told() {
        assert!(Pieces::read("a\n", true).unwrap_err().contains("no <|startoftranscript|>"));
        let strange = TOKENS.replacen("\u{120}night", "晚", 1);
        assert!(Pieces::read(&strange, true).unwrap_err().contains("line 2"));
        let none = TOKENS.replace("<|en|>\n<|zh|>\n", "");
        assert!(Pieces::read(&none, true).unwrap_err().contains("no languages"));
    }
}
