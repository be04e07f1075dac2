//! The scanner's tables: which bytes may begin an opener, which character is which delimiter, and the names as a
//! machine that takes one folded character at a time.

use std::collections::BTreeMap;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::emit::rust::{ident, number, variant};
use crate::model::{Markers, folded};

/// A state of the machine: what stands of a name so far.
#[derive(Default)]
struct State {
    next: BTreeMap<char, usize>,
    /// The kind whose name is whole here, by its index.
    whole: Option<usize>,
}

pub(in crate::emit::rust) fn emit(markers: &Markers) -> TokenStream {
    let states = states(markers);
    let lacks = lacks(&states);
    let may_open = may_open(markers);
    let classes = classes(markers);
    let delimiters = markers.delimiters.iter().enumerate().flat_map(|(pair, (open, close))| {
        let pair = number(pair);
        [quote!(#open => Delimiter::Open(#pair)), quote!(#close => Delimiter::Close(#pair))]
    });
    let steps = states.iter().enumerate().flat_map(|(from, state)| {
        state.next.iter().map(move |(character, to)| {
            let (from, to) = (number(from), number(*to));
            quote!((#from, #character) => #to)
        })
    });
    let whole = states.iter().enumerate().filter_map(|(at, state)| {
        let kind = variant(&markers.kinds[state.whole?].name);
        let at = number(at);
        Some(quote!(#at => Kind::#kind))
    });
    let lacks = lacks.iter().map(|lack| number(*lack));
    let count = number(states.len());
    let link = match markers.delimiters.iter().position(|pair| *pair == ('[', ']')) {
        Some(pair) => {
            let pair = number(pair);
            quote!(Some(#pair))
        }
        None => quote!(None),
    };
    quote! {
        use super::Kind;
        use super::delimiter::Delimiter;

        /// The pair that Markdown writes links with.
        pub(super) const LINK: Option<u8> = #link;

        /// Whether an opener may begin with these bytes, 1 or 0: its first and its last are looked at.
        #[inline(always)]
        pub(super) const fn may_open(bytes: [u8; 4]) -> u8 {
            #may_open
        }

        /// What a byte is to an opener: [`ALONE`], [`FIRST`], [`LAST`]; and which is a line break.
        pub(super) const CLASSES: [u8; 256] = {
            let mut classes = [0; 256];
            classes[b'\n' as usize] |= BREAK;
            #(#classes)*
            classes
        };

        /// It is an opener.
        pub(super) const ALONE: u8 = 1;
        /// An opener may begin with it.
        pub(super) const FIRST: u8 = 2;
        /// An opener may end with it.
        pub(super) const LAST: u8 = 4;
        /// It is a line break.
        pub(super) const BREAK: u8 = 8;

        /// Which delimiter a character is.
        #[inline]
        pub(super) const fn delimiter(character: char) -> Delimiter {
            match character {
                #(#delimiters,)*
                _ => Delimiter::None,
            }
        }

        /// Where a folded character leads from a state; the first state is 0.
        #[inline]
        pub(super) const fn step(state: u16, character: char) -> Option<u16> {
            Some(match (state, character) {
                #(#steps,)*
                _ => return None,
            })
        }

        /// The kind whose name is whole in a state.
        #[inline]
        pub(super) const fn whole(state: u16) -> Option<Kind> {
            Some(match state {
                #(#whole,)*
                _ => return None,
            })
        }

        /// How many characters a name still lacks in a state, at least.
        pub(super) const LACKS: [usize; #count] = [#(#lacks,)*];
    }
}

/// The names, folded, as one tree.
fn states(markers: &Markers) -> Vec<State> {
    let mut states = vec![State::default()];
    for (kind, names) in markers.kinds.iter().map(|kind| &kind.names).enumerate() {
        for name in names {
            let mut at = 0;
            for character in name.chars().map(folded) {
                let fresh = states.len();
                let next = *states[at].next.entry(character).or_insert(fresh);
                if next == fresh {
                    states.push(State::default());
                }
                at = next;
            }
            states[at].whole = Some(kind);
        }
    }
    states
}

/// How many characters are missing to the nearest whole name, state by state.
fn lacks(states: &[State]) -> Vec<usize> {
    let mut lacks = vec![0; states.len()];
    // A state's successors come behind it.
    for (at, state) in states.iter().enumerate().rev() {
        let behind = state.next.values().map(|next| lacks[*next] + 1).min();
        lacks[at] = if state.whole.is_some() { 0 } else { behind.unwrap_or(0) };
    }
    lacks
}

/// A condition without branches, so that many places are looked at in one go.
fn may_open(markers: &Markers) -> TokenStream {
    let mut by_first: BTreeMap<(u8, usize), Vec<u8>> = BTreeMap::new();
    for (open, _) in &markers.delimiters {
        let mut bytes = [0; 4];
        let bytes = open.encode_utf8(&mut bytes).as_bytes();
        by_first.entry((bytes[0], bytes.len())).or_default().push(bytes[bytes.len() - 1]);
    }
    let conditions = by_first.iter().map(|((first, length), lasts)| {
        let literal = |byte: &u8| Literal::byte_character(*byte);
        let (first, last) = (literal(first), number(length - 1));
        let lasts = lasts.iter().map(literal);
        match length {
            1 => quote!((bytes[0] == #first) as u8),
            _ => quote!(((bytes[0] == #first) as u8 & (#((bytes[#last] == #lasts) as u8)|*))),
        }
    });
    quote!(#(#conditions)|*)
}

/// What each byte of an opener is to it.
fn classes(markers: &Markers) -> Vec<TokenStream> {
    let mut classes = Vec::new();
    for (open, _) in &markers.delimiters {
        let mut bytes = [0; 4];
        let mut class = |byte: u8, class: &str| {
            let (byte, class) = (number(usize::from(byte)), ident(class));
            classes.push(quote!(classes[#byte] |= #class;));
        };
        match open.encode_utf8(&mut bytes).as_bytes() {
            [alone] => class(*alone, "ALONE"),
            [first, .., last] => {
                class(*first, "FIRST");
                class(*last, "LAST");
            }
            [] => {}
        }
    }
    classes
}
