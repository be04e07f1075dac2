//! `tone.cues` as tables.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{ident, named_enum, variant};
use crate::model::{Language, Tier, ToneFeature};

/// The features of which something is said, and their tiers.
pub(super) fn emit(features: &[ToneFeature]) -> TokenStream {
    let named: Vec<_> = features
        .iter()
        .map(|feature| {
            let name = &feature.feature;
            (variant(name), name.to_string(), format!("`{name}` of the figures of a voice."))
        })
        .collect();
    let feature_enum = named_enum("A figure of which something is said.", &ident("Feature"), &named);
    let idents: Vec<_> = features.iter().map(|feature| variant(&feature.feature)).collect();
    let below = features.iter().map(|feature| tiers(&feature.below));
    let above = features.iter().map(|feature| tiers(&feature.above));
    quote! {
        use super::Tier;

        #feature_enum

        impl Feature {
            /// What is said of values lower than usual, the strongest first.
            pub fn below(self) -> &'static [Tier] {
                match self {
                    #(Self::#idents => &#below,)*
                }
            }

            /// What is said of values higher than usual, the strongest first.
            pub fn above(self) -> &'static [Tier] {
                match self {
                    #(Self::#idents => &#above,)*
                }
            }
        }
    }
}

fn tiers(tiers: &[Tier]) -> TokenStream {
    let tiers = tiers.iter().map(|tier| {
        let percentile = Literal::f64_unsuffixed(tier.percentile);
        let phrase = Language::ALL.iter().map(|language| {
            let wording = tier.phrase.iter().find(|(of, _)| of == language);
            wording.map_or("", |(_, text)| text.as_str())
        });
        let soft = tier.soft;
        quote!(Tier { percentile: #percentile, phrase: [#(#phrase),*], soft: #soft })
    });
    quote!([#(#tiers,)*])
}
