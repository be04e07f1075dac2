//! Markers in a whole reply, by the words of spec-format ("markers"): character by character, looking ahead and back as
//! far as it takes.

use super::Spec;

/// What is left of a reply, and what was found in it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Marked {
    /// The text as it is saved.
    pub text: String,
    /// Kind and argument of each.
    pub markers: Vec<(String, Option<String>)>,
}

/// A name, folded, its kind, and whether the kind takes an argument.
struct Name {
    letters: Vec<char>,
    kind: String,
    argument: bool,
}

struct Reader<'r> {
    reply: &'r [char],
    pairs: Vec<(char, char)>,
    names: Vec<Name>,
    max: usize,
}

/// What begins at an opener.
enum Begun {
    Text,
    /// Text up to here, the inside too.
    Plain(usize),
    Cut,
    Marker(usize, String, Option<String>),
}

impl Spec {
    /// Reads a whole reply.
    pub fn marked(&self, reply: &str) -> Marked {
        let section = &self.root["markers"];
        let one =
            |value: &serde_json::Value| value.as_str().and_then(|text| text.chars().next()).unwrap_or(' ');
        let pairs = section["delimiters"].as_array().into_iter().flatten();
        let kinds = section["kinds"].as_object().into_iter().flatten();
        let names = kinds.flat_map(|(kind, of)| {
            let names = of["names"].as_array().into_iter().flatten();
            names.map(|name| Name {
                letters: name.as_str().unwrap_or_default().chars().map(fold).collect(),
                kind: kind.clone(),
                argument: of["argument"].is_string(),
            })
        });
        let reply: Vec<char> = reply.chars().collect();
        let reader = Reader {
            reply: &reply,
            pairs: pairs.map(|pair| (one(&pair[0]), one(&pair[1]))).collect(),
            names: names.collect(),
            max: usize::try_from(section["max_chars"].as_u64().unwrap_or_default()).unwrap_or_default(),
        };
        reader.read()
    }
}

/// Case does not count, and `：` is `:`.
fn fold(letter: char) -> char {
    if letter == '：' {
        return ':';
    }
    let lower: Vec<char> = letter.to_lowercase().collect();
    if lower.len() == 1 { lower[0] } else { letter }
}

fn blank(letter: char) -> bool {
    letter == ' ' || letter == '\t'
}

impl Reader<'_> {
    fn read(&self) -> Marked {
        let code = self.code();
        let mut marked = Marked::default();
        let mut at = 0;
        while at < self.reply.len() {
            let letter = self.reply[at];
            let pair = self.pairs.iter().find(|pair| pair.0 == letter);
            let begun = match pair {
                Some(pair) if !code[at] => self.begun(at, *pair),
                _ => Begun::Text,
            };
            match begun {
                Begun::Text => {
                    marked.text.push(letter);
                    at += 1;
                }
                Begun::Plain(end) => {
                    marked.text.extend(&self.reply[at..end]);
                    at = end;
                }
                Begun::Cut => break,
                Begun::Marker(end, kind, argument) => {
                    marked.markers.push((kind, argument));
                    at = self.behind_the_scar(end, &marked.text);
                }
            }
        }
        marked.text = marked.text.trim_end().to_owned();
        marked
    }

    /// Which characters stand in a fenced code block.
    fn code(&self) -> Vec<bool> {
        let mut code = Vec::new();
        let mut open: Option<(char, usize)> = None;
        for line in self.reply.split_inclusive(|letter| *letter == '\n') {
            let spaces = line.iter().take_while(|letter| **letter == ' ').count();
            let marks = &line[spaces..];
            let mark = marks.first().copied().filter(|mark| *mark == '`' || *mark == '~');
            let count = mark.map_or(0, |mark| marks.iter().take_while(|letter| **letter == mark).count());
            let nothing_behind = marks[count..].iter().all(|letter| " \t\r\n".contains(*letter));
            let mut inside = open.is_some();
            match (open, mark) {
                (None, Some(mark)) if spaces <= 3 && count >= 3 => {
                    open = Some((mark, count));
                    inside = true;
                }
                (Some((own, least)), Some(mark))
                    if spaces <= 3 && mark == own && count >= least && nothing_behind =>
                {
                    open = None;
                }
                _ => {}
            }
            code.extend(line.iter().map(|_| inside));
        }
        code
    }

    fn at(&self, at: usize) -> Option<char> {
        self.reply.get(at).copied()
    }

    fn past_blanks(&self, mut at: usize) -> usize {
        while self.at(at).is_some_and(blank) {
            at += 1;
        }
        at
    }

    /// Where a name ends that begins here; none where it does not stand here.
    fn name(&self, name: &Name, mut at: usize) -> Option<usize> {
        for (index, letter) in name.letters.iter().enumerate() {
            // Blanks may stand round a colon, and so round the name's own.
            if *letter == ':' || index > 0 && name.letters[index - 1] == ':' {
                at = self.past_blanks(at);
            }
            if self.at(at).map(fold) != Some(*letter) {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    fn begun(&self, opener: usize, (open, close): (char, char)) -> Begun {
        let inner = self.past_blanks(opener + 1);
        let line_end = (opener..self.reply.len()).find(|at| self.reply[*at] == '\n');
        // No marker goes on behind this, exclusive.
        let limit = line_end.unwrap_or(self.reply.len()).min(opener + self.max);
        let mut begun = Begun::Text;
        for name in &self.names {
            let Some(end) = self.name(name, inner) else { continue };
            let end = self.past_blanks(end);
            // The reply ends in it, on one line and still shorter than it may be.
            let cut = line_end.is_none() && self.reply.len() - opener < self.max;
            match self.at(end) {
                None if cut => begun = Begun::Cut,
                Some(closer) if end < limit && self.is_closer(closer) => {
                    return self.judged(opener, end, (open, close), name, None);
                }
                Some(':' | '：') if end < limit => {
                    let own = (end + 1..limit).find(|at| self.reply[*at] == close);
                    let any = (end + 1..limit).find(|at| self.is_closer(self.reply[*at]));
                    let Some(closer) = own.or(any) else {
                        return if cut { Begun::Cut } else { Begun::Text };
                    };
                    if self.reply[end + 1..closer].contains(&open) {
                        return Begun::Text;
                    }
                    let argument: String = self.reply[end + 1..closer].iter().collect();
                    let argument = argument.trim_matches(blank).to_owned();
                    return self.judged(opener, closer, (open, close), name, Some(argument));
                }
                _ => {}
            }
        }
        begun
    }

    fn is_closer(&self, letter: char) -> bool {
        self.pairs.iter().any(|pair| pair.1 == letter)
    }

    fn judged(
        &self,
        opener: usize,
        closer: usize,
        pair: (char, char),
        name: &Name,
        argument: Option<String>,
    ) -> Begun {
        let before = opener.checked_sub(1).and_then(|at| self.at(at));
        let behind = self.at(closer + 1);
        let quoted = before == Some('`') && behind == Some('`');
        let link = pair == ('[', ']') && self.reply[closer] == ']' && behind == Some('(');
        if quoted || link {
            return Begun::Plain(closer + 1);
        }
        let argument = name.argument.then(|| argument.unwrap_or_default());
        Begun::Marker(closer + 1, name.kind.clone(), argument)
    }

    fn behind_the_scar(&self, mut at: usize, shown: &str) -> usize {
        if shown.is_empty() || shown.ends_with('\n') {
            while self.at(at).is_some_and(|letter| blank(letter) || letter == '\r') {
                at += 1;
            }
            if self.at(at) == Some('\n') {
                at += 1;
            }
        } else if shown.ends_with(blank) {
            at = self.past_blanks(at);
        }
        at
    }
}
