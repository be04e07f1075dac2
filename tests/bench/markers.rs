//! The marker scanner beside its rivals: the `regex` crate with as near a grammar as it can have, and the pieces pushed
//! into a string alone.
//!
//! The rival knows names, delimiters, colons, blanks and the limit. It knows no fenced code, no quotes, no links, no
//! abandoned openers, and takes what it finds out of a whole text, not of a stream.

#![allow(clippy::expect_used, reason = "a benchmark without its rivals is none")]

mod rounds;

use std::hint::black_box;

use handset_spec::markers::{ByteScanner, DELIMITERS, Event, Kind, MAX_CHARS, Scanner, read};
use regex::Regex;
use rounds::{Candidate, report};

/// How long the texts are, and how large the pieces of a stream.
const LENGTH: usize = 100_000;
const PIECE: usize = 16;

const ENGLISH: &str = "I was out by the river this morning, and the light did that thing you like, where the whole bank \
    goes gold for about a minute and then thinks better of it. I thought of you. How did the talk go? You said you would \
    try it without notes (brave!), and I want to hear all of it - the good part, the bad part, and what they asked.\n\n";
const CHINESE: &str = "今天早上我在河边走了走，天光刚好是你喜欢的那种：整片岸都亮成金色，只有一分钟，然后又淡下去。我想起了你。\
    那场演讲怎么样？你说这次不看稿子——真勇敢！好的、不好的，还有他们问了什么，我都想听。晚上我们再把《诗经》里那一页读完，好吗？\n\n";

fn main() {
    let english = ENGLISH.repeat(LENGTH / ENGLISH.len());
    let chinese = CHINESE.repeat(LENGTH / CHINESE.len());
    // One marker in two kilobytes is far more than a companion writes.
    let marked = |paragraph: &str, marker: &str| {
        let some = paragraph.repeat((2_000 / paragraph.len()).max(1)) + marker;
        some.repeat(LENGTH / some.len())
    };
    println!("texts of {LENGTH} bytes; a whole text, then pieces of {PIECE} bytes at most\n");
    for (title, text) in [
        ("English without markers", english),
        ("Chinese without markers", chinese),
        ("English, a marker in 2 kB", marked(ENGLISH, "Ring me. ⟪dial: because I would like to hear you⟫\n")),
        ("Chinese, a marker in 2 kB", marked(CHINESE, "给我打个电话吧。【拨号：想听听你的声音】\n")),
    ] {
        compare(title, &text);
    }
}

fn compare(title: &str, text: &str) {
    let regex = rival();
    let expected = read(text);
    let theirs = regex.replace_all(text, "");
    assert_eq!(regex.find_iter(text).count(), expected.markers.len(), "both find the same");
    drop(theirs);
    let pieces = pieces(text);
    let bytes: Vec<&[u8]> = text.as_bytes().chunks(PIECE).collect();
    println!("  {title}: {} bytes, {} markers", text.len(), expected.markers.len());
    report(
        "whole text, the bytes looked at once (time a kilobyte)",
        text.len() / 1000,
        vec![
            Candidate::new("scanner, whole", || {
                let mut length = 0;
                let mut scanner = Scanner::new();
                let mut take = |event: Event<'_>| length += weight(event);
                scanner.push(black_box(text), &mut take);
                scanner.finish(&mut take);
                black_box(length);
            }),
            Candidate::new("regex, find_iter", || {
                let mut length = 0;
                let mut from = 0;
                for found in regex.find_iter(black_box(text)) {
                    length += found.start() - from;
                    from = found.end();
                }
                black_box(length + text.len() - from);
            }),
        ],
    );
    report(
        "whole text to a string (time a kilobyte)",
        text.len() / 1000,
        vec![
            Candidate::new("scanner, read", || drop(black_box(read(black_box(text))))),
            Candidate::new("regex, replace_all", || {
                let left = regex.replace_all(black_box(text), "");
                drop(black_box(left.trim_end().to_owned()));
            }),
        ],
    );
    report(
        "pieces into a string (time a piece)",
        pieces.len(),
        vec![
            Candidate::new("the pieces alone", || {
                let mut out = String::with_capacity(text.len());
                for piece in &pieces {
                    out.push_str(black_box(piece));
                }
                drop(black_box(out));
            }),
            Candidate::new("scanner", || {
                let mut out = String::with_capacity(text.len());
                let mut take = |event: Event<'_>| {
                    if let Event::Text(text) = event {
                        out.push_str(text);
                    }
                };
                let mut scanner = Scanner::new();
                for piece in &pieces {
                    scanner.push(black_box(piece), &mut take);
                }
                scanner.finish(&mut take);
                drop(black_box(out));
            }),
            Candidate::new("scanner of bytes, cut anywhere", || {
                let mut out = String::with_capacity(text.len());
                let mut take = |event: Event<'_>| {
                    if let Event::Text(text) = event {
                        out.push_str(text);
                    }
                };
                let mut scanner = ByteScanner::new();
                for piece in &bytes {
                    scanner.push(black_box(piece), &mut take);
                }
                scanner.finish(&mut take);
                drop(black_box(out));
            }),
        ],
    );
}

fn weight(event: Event<'_>) -> usize {
    match event {
        Event::Text(text) => text.len(),
        Event::Marker { .. } => 0,
    }
}

/// The text in pieces of [`PIECE`] bytes at most, cut between characters.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(rest.floor_char_boundary(PIECE));
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// The grammar as far as a regular expression has it.
fn rival() -> Regex {
    let class = |of: fn(&(char, char)) -> char| -> String {
        DELIMITERS.iter().map(|pair| format!("\\x{{{:x}}}", u32::from(of(pair)))).collect()
    };
    let (open, close) = (class(|pair| pair.0), class(|pair| pair.1));
    let names = Kind::ALL.iter().flat_map(|kind| kind.names());
    let names = names.map(|name| name.replace(':', "[:：]")).collect::<Vec<_>>().join("|");
    let pattern =
        format!("(?i)[{open}][ \\t]*(?:{names})[ \\t]*(?:[:：][^\\n{close}]{{0,{MAX_CHARS}}})?[{close}]");
    Regex::new(&pattern).expect("a pattern")
}
