//! The kinds of markers.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::emit::rust::{ident, named_enum, number, variant};
use crate::model::Markers;

pub(in crate::emit::rust) fn emit(markers: &Markers) -> TokenStream {
    let named: Vec<_> = markers
        .kinds
        .iter()
        .map(|kind| {
            let written: Vec<_> = kind.names.iter().map(|name| format!("`{name}`")).collect();
            (variant(&kind.name), kind.name.to_string(), format!("Written {}.", written.join(" or ")))
        })
        .collect();
    let kind_enum = named_enum("What a marker asks for.", &ident("Kind"), &named);
    let idents: Vec<_> = markers.kinds.iter().map(|kind| variant(&kind.name)).collect();
    let names = markers.kinds.iter().map(|kind| {
        let names = &kind.names;
        quote!(&[#(#names,)*])
    });
    let arguments = markers.kinds.iter().map(|kind| match &kind.argument {
        Some(argument) => {
            let argument = argument.as_str();
            quote!(Some(#argument))
        }
        None => quote!(None),
    });
    let budgets = markers.kinds.iter().map(|kind| match kind.per_conversation {
        Some(times) => {
            let times = Literal::u64_unsuffixed(times);
            quote!(Some(#times))
        }
        None => quote!(None),
    });
    let rules = markers.kinds.iter().map(|kind| &kind.rule);
    let max_chars = number(usize::try_from(markers.max_chars).unwrap_or(usize::MAX));
    let pairs = markers.delimiters.iter().map(|(open, close)| quote!((#open, #close)));
    quote! {
        /// The most characters of a whole marker, both delimiters too.
        pub const MAX_CHARS: usize = #max_chars;

        /// Openers and their closers.
        pub const DELIMITERS: &[(char, char)] = &[#(#pairs,)*];

        #kind_enum

        impl Kind {
            /// What a companion writes for it.
            pub fn names(self) -> &'static [&'static str] {
                match self {
                    #(Self::#idents => #names,)*
                }
            }

            /// What its argument is; none where it takes none.
            pub fn argument(self) -> Option<&'static str> {
                match self {
                    #(Self::#idents => #arguments,)*
                }
            }

            /// How often in a conversation it is performed; none for as often as it comes.
            pub fn per_conversation(self) -> Option<u64> {
                match self {
                    #(Self::#idents => #budgets,)*
                }
            }

            /// The sentence that teaches it.
            pub fn rule(self) -> &'static str {
                match self {
                    #(Self::#idents => #rules,)*
                }
            }
        }
    }
}
