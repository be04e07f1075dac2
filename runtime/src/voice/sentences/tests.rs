use proptest::prelude::*;

use super::*;

fn spoken(reply: &str) -> Vec<String> {
    split(reply, LIMIT).into_iter().map(|piece| piece.spoken).collect()
}

/// The pieces of a reply that comes in the parts between the cuts, which stand in order.
fn in_parts(reply: &str, cuts: &[usize], limit: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut splitter = Splitter::new(limit);
    let mut from = 0;
    for &cut in cuts.iter().chain([&reply.len()]) {
        splitter.push(&reply[from..cut], |piece| pieces.push(piece));
        from = cut;
    }
    splitter.finish(|piece| pieces.push(piece));
    pieces
}

#[test]
fn a_piece_comes_with_the_first_character_that_makes_it_certain() {
    let came = |reply: &str| {
        let mut splitter = Splitter::default();
        let mut at = None;
        for (index, c) in reply.char_indices() {
            splitter.push(&reply[index..index + c.len_utf8()], |_| at = at.or(Some(index)));
        }
        at
    };
    assert_eq!(came("Hi there. Then"), Some(10));
    assert_eq!(came("Hi! you"), Some(4));
    assert_eq!(came("Hi\nyou"), Some(2));
    assert_eq!(came("\u{597d}\u{3002}\u{6211}"), Some(6));
    assert_eq!(came("\u{597d}\u{3002}\u{201d}"), None);
    assert_eq!(came("Hi there."), None);
}

#[test]
fn a_piece_knows_how_far_the_reply_is_heard() {
    let heard = |reply: &str| -> Vec<String> {
        split(reply, LIMIT).iter().map(|piece| reply[..piece.shown_to].to_owned()).collect()
    };
    assert_eq!(heard("**One.** Two."), ["**One.**", "**One.** Two."]);
    assert_eq!(heard("- One\n- Two"), ["- One\n", "- One\n- Two"]);
    assert_eq!(heard("See [it](x.y). Good 😊"), ["See [it](x.y).", "See [it](x.y). Good 😊"]);
    assert_eq!(heard("One. 😊 Two."), ["One. 😊", "One. 😊 Two."]);
}

#[test]
fn p079_a_pause_ends_a_piece_only_where_a_sentence_may_end() {
    let paused = |reply: &str| {
        let mut pieces = Vec::new();
        let mut splitter = Splitter::default();
        splitter.push(reply, |piece| pieces.push(piece.spoken));
        splitter.pause(|piece| pieces.push(piece.spoken));
        pieces
    };
    for over in ["I am here.", "Really?!", "Now!", "Fine. ", "\u{597d}\u{3002}", "He said \"no.\"", "So..."] {
        assert_eq!(paused(over), [over.trim()]);
    }
    for open in ["I am", "I am,", "Dr.", "It is 3.", "1.", "at 9 a.m.", "J.", "...", "a [b."] {
        assert_eq!(paused(open), Vec::<String>::new(), "{open:?}");
    }
}

#[test]
fn after_a_pause_nothing_is_lost_and_nothing_said_twice() {
    let mut pieces = Vec::new();
    let mut splitter = Splitter::default();
    for part in ["One.", " Two", " is here!", "\u{201d} Three"] {
        splitter.push(part, |piece| pieces.push(piece.spoken));
        splitter.pause(|piece| pieces.push(piece.spoken));
    }
    splitter.finish(|piece| pieces.push(piece.spoken));
    assert_eq!(pieces, ["One.", "Two is here!", "\u{201d} Three"]);
}

#[test]
fn p073_no_piece_is_longer_than_the_limit() {
    for reply in
        ["a".repeat(2_500), "\u{6625}\u{7720}".repeat(1_300), "word ".repeat(600), ".".repeat(3_000) + "a"]
    {
        let pieces = split(&reply, 800);
        assert!(pieces.iter().all(|piece| piece.spoken.chars().count() <= 800));
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
        assert_eq!(pieces.iter().map(|piece| letters(&piece.spoken)).sum::<usize>(), letters(&reply));
    }
}

#[test]
fn what_a_short_part_leaves_is_no_longer_than_the_limit() {
    let pieces = split("https://a.b<](](Dr. Dr. ，......](Dr. …\n", 12);
    assert!(pieces.iter().all(|piece| piece.spoken.chars().count() <= 12), "{pieces:?}");
}

#[test]
fn long_replies_of_every_kind_of_mark_take_linear_time() {
    // Quadratic steps would take minutes here.
    for mark in ["[", "[a](", "<a", "*", "_a", "\\", "!", ".", "``` ", "# ", "| ", "a.b", "- ", "\u{1f600}"] {
        let reply = mark.repeat(400_000 / mark.len());
        assert!(split(&reply, LIMIT).len() <= reply.len());
    }
}

proptest! {
    #[test]
    fn any_cut_gives_the_same(
        reply in "([a-zA-Z0-9 .!?,\n*_`#>~|()\\[\\]<>\"'@:/😊✅。！？，、”“…你好\\\\-]|Dr\\. |\\.{3}|https://a\\.b|```\n|\\]\\(){0,80}",
        limit in 2_usize..40,
        cuts in proptest::collection::vec(0_usize..120, 0..6),
    ) {
        let whole = split(&reply, limit);
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| reply.is_char_boundary(*cut)).collect();
        cuts.sort_unstable();
        prop_assert_eq!(&in_parts(&reply, &cuts, limit), &whole);
        let every: Vec<usize> = reply.char_indices().map(|(at, _)| at).collect();
        prop_assert_eq!(&in_parts(&reply, &every, limit), &whole);
        let mut heard = 0;
        for piece in &whole {
            prop_assert!(piece.spoken.contains(glyphs::speakable));
            prop_assert!(piece.spoken.chars().count() <= limit);
            prop_assert_eq!(piece.spoken.trim(), &piece.spoken);
            prop_assert!(piece.shown_to > heard && reply.is_char_boundary(piece.shown_to));
            heard = piece.shown_to;
        }
    }

    /// Every word is said, in its order, and none twice: whatever marks stand between them.
    #[test]
    fn words_are_all_said(
        words in proptest::collection::vec("[a-z]{1,8}|[\u{4e00}-\u{4eff}]{1,4}", 1..20),
        marks in proptest::collection::vec("[.!?,;:…。！？，” \n*]{0,3}", 20),
    ) {
        let reply: String = words.iter().zip(&marks).map(|(word, mark)| format!("{word}{mark}")).collect();
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        prop_assert_eq!(letters(&spoken(&reply).concat()), letters(&reply));
    }
}
