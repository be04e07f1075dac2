//! Words that a point belongs to.

/// What a point behind a word says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Point {
    /// The sentence goes on: `Dr.`, `e.g.`, an initial.
    GoesOn,
    /// It goes on where a number follows: `No. 5`, `Fig. 2`, `Jan. 3`.
    GoesOnToNumber,
    /// It ends where a capital follows: `at 9 a.m. Then`, `and so on, etc. We`.
    MayEnd,
    /// The point is the sentence's.
    Ends,
}

const GOES_ON: &[&str] = &[
    "adm", "approx", "assn", "assoc", "asst", "ave", "bldg", "blvd", "bros", "ca", "capt", "cf", "cmdr",
    "co", "col", "corp", "cpl", "dept", "dir", "dr", "drs", "ed", "eds", "est", "esq", "fr", "gen", "gov",
    "hon", "inc", "incl", "insp", "intl", "jr", "lt", "ltd", "maj", "messrs", "misc", "mlle", "mme", "mr",
    "mrs", "ms", "msgr", "mt", "mx", "natl", "pres", "prof", "rd", "ref", "rep", "repr", "resp", "rev",
    "sen", "sgt", "sr", "sra", "srta", "st", "supt", "tel", "univ", "viz", "vs",
    // German and French ones that are no words of English.
    "bzw", "evtl", "ggf", "usw", "zb",
];

const GOES_ON_TO_NUMBER: &[&str] = &[
    "apr", "art", "aug", "ch", "chap", "dec", "eq", "feb", "fig", "figs", "jan", "jul", "jun", "mar", "no",
    "nos", "nov", "nr", "oct", "op", "p", "pag", "par", "pp", "pt", "sec", "sect", "sep", "sept", "tab", "v",
    "ver", "vol", "vols",
];

const MAY_END: &[&str] = &["al", "etc", "ff"];

/// What the point behind `word` says; `word` is what stands before it, as far back as a blank.
pub(super) fn point(word: &str) -> Point {
    let mut letters = word.chars();
    let Some(first) = letters.next() else { return Point::Ends };
    if letters.next().is_none() && first.is_alphabetic() && first.is_uppercase() {
        return Point::GoesOn;
    }
    let lower = word.to_lowercase();
    let known = |list: &[&str]| list.contains(&lower.as_str());
    if known(GOES_ON) {
        return Point::GoesOn;
    }
    if known(GOES_ON_TO_NUMBER) {
        return Point::GoesOnToNumber;
    }
    if known(MAY_END) {
        return Point::MayEnd;
    }
    dotted(word)
}

/// `a.m`, `e.g`, `U.S`, `Ph.D`: short parts of letters with points between them.
fn dotted(word: &str) -> Point {
    let short = |part: &str| {
        !part.is_empty()
            && part.chars().count() <= 2
            && part.chars().all(|c| c.is_alphabetic() && c.is_ascii())
    };
    if !word.contains('.') || !word.split('.').all(short) {
        return Point::Ends;
    }
    match word.to_ascii_lowercase().as_str() {
        "a.m" | "p.m" | "a.d" | "b.c" | "c.e" | "b.c.e" => Point::MayEnd,
        _ => Point::GoesOn,
    }
}
