//! Which characters mean what to a sentence.

/// Ends a sentence, alone or in a run.
pub(super) fn ends(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '\u{2025}') || ends_wide(c)
}

/// Ends a sentence with no blank behind it.
pub(super) fn ends_wide(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '．' | '‼' | '⁇' | '⁈' | '⁉' | '।' | '॥' | '؟' | '۔')
}

/// Three dots, or one sign for them.
pub(super) fn trails_off(c: char) -> bool {
    matches!(c, '…' | '\u{2025}')
}

/// Separates clauses; the narrow ones only with a blank behind them.
pub(super) fn parts_clauses(c: char) -> bool {
    matches!(c, ',' | ';' | ':') || parts_clauses_wide(c)
}

pub(super) fn parts_clauses_wide(c: char) -> bool {
    matches!(c, '，' | '、' | '；' | '：' | '､' | '—' | '،' | '؛')
}

/// Closes what a sentence stands in, and goes with it.
pub(super) fn closes(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '”'
            | '’'
            | '»'
            | '›'
            | ')'
            | ']'
            | '}'
            | '）'
            | '］'
            | '｝'
            | '」'
            | '』'
            | '】'
            | '》'
            | '〉'
            | '〕'
            | '｣'
            | '〗'
            | '〞'
            | '＂'
            | '＇'
    )
}

/// Opens what a sentence stands in.
pub(super) fn opens(c: char) -> bool {
    matches!(
        c,
        '“' | '‘'
            | '«'
            | '‹'
            | '('
            | '['
            | '{'
            | '（'
            | '［'
            | '｛'
            | '「'
            | '『'
            | '【'
            | '《'
            | '〈'
            | '〔'
            | '｢'
            | '〖'
            | '〝'
            | '¿'
            | '¡'
    )
}

/// Written without blanks between words: Han, kana, bopomofo.
pub(super) fn unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{3005}'..='\u{3007}'
            | '\u{3040}'..='\u{30ff}'
            | '\u{3100}'..='\u{312f}'
            | '\u{31a0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff66}'..='\u{ff9f}'
            | '\u{20000}'..='\u{3ffff}'
    )
}

/// A voice can say it.
pub(super) fn speakable(c: char) -> bool {
    c.is_alphanumeric()
}

/// Sits on the character before it: a piece never begins with it.
pub(super) fn clings(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36f}'
            | '\u{483}'..='\u{489}'
            | '\u{591}'..='\u{5bd}'
            | '\u{610}'..='\u{61a}'
            | '\u{64b}'..='\u{65f}'
            | '\u{900}'..='\u{903}'
            | '\u{93a}'..='\u{94f}'
            | '\u{e31}'
            | '\u{e34}'..='\u{e3a}'
            | '\u{e47}'..='\u{e4e}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{200c}'..='\u{200d}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{3099}'..='\u{309a}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{fe20}'..='\u{fe2f}'
            | '\u{1f3fb}'..='\u{1f3ff}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// A picture or a sign whose name a voice would read out: emoji with what joins and colours them, arrows, boxes, ticks,
/// stars. Signs that are words stay: ° © ® ™ and those of currencies and sums.
pub(super) fn is_picture(c: char) -> bool {
    matches!(
        c,
        '\u{200b}'..='\u{200f}'
            | '\u{2060}'..='\u{2064}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{2190}'..='\u{21ff}'
            | '\u{2300}'..='\u{23ff}'
            | '\u{2400}'..='\u{243f}'
            | '\u{2500}'..='\u{27bf}'
            | '\u{27f0}'..='\u{27ff}'
            | '\u{2800}'..='\u{28ff}'
            | '\u{2900}'..='\u{297f}'
            | '\u{2b00}'..='\u{2bff}'
            | '\u{3004}' | '\u{3012}' | '\u{3020}' | '\u{3030}' | '\u{3036}' | '\u{303d}' | '\u{303e}'
            | '\u{3297}' | '\u{3299}'
            | '\u{e000}'..='\u{f8ff}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{fffc}'..='\u{fffd}'
            | '\u{1f000}'..='\u{1faff}'
            | '\u{e0000}'..='\u{e0fff}'
            | '\u{f0000}'..='\u{10ffff}'
    )
}
