//! Constants, and knobs as a typed struct a section beside the table from which they are read, clamped and shown.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{doc, ident, number};
use crate::model::{Constant, Fixed, Knob, Language, NumberSection, Setting, Unit, Wordings};

/// The module over the sections, with the struct of them all.
pub(super) fn root(sections: &[NumberSection]) -> TokenStream {
    let modules = sections.iter().map(|section| {
        let name = ident(&section.section);
        let doc = doc(&format!("The numbers of `{}`.", section.section));
        quote!(#doc pub mod #name;)
    });
    let tuned: Vec<_> = sections.iter().filter(|section| !section.knobs.is_empty()).collect();
    let (names, types): (Vec<_>, Vec<_>) =
        tuned.iter().map(|section| (ident(&section.section), ident(section.section.pascal()))).unzip();
    let docs =
        tuned.iter().map(|section| doc(&format!("`{}`: {}.", section.section, english(&section.label))));
    let tables = tuned.iter().map(|section| {
        let (name, key) = (ident(&section.section), section.section.as_str());
        let label = wording(&section.label);
        let pairs = section.pairs.iter().map(|(low, high)| {
            let (low, high) = (number(*low), number(*high));
            quote!((#low, #high))
        });
        quote!(Section { key: #key, label: #label, knobs: #name::KNOBS, pairs: &[#(#pairs),*] })
    });
    let places: Vec<_> = (0..tuned.len()).map(number).collect();
    quote! {
        //! Every constant and knob of the spec.

        use super::knob::{Section, Setting, Wording};

        #(#modules)*

        #(pub use #names::#types;)*

        /// What each person sets for themselves; by default what the spec says.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Settings {
            #(#docs pub #names: #types,)*
        }

        impl Settings {
            /// Every section with knobs, in the spec's order.
            pub const SECTIONS: &[Section] = &[#(#tables),*];

            /// The value of a knob, by the places of its section and of itself in [`Settings::SECTIONS`].
            pub(super) fn get(&self, section: usize, knob: usize) -> Option<Setting> {
                match section {
                    #(#places => self.#names.get(knob),)*
                    _ => None,
                }
            }

            /// Sets a knob; a value of another type changes nothing.
            pub(super) fn set(&mut self, section: usize, knob: usize, value: Setting) {
                match section {
                    #(#places => self.#names.set(knob, value),)*
                    _ => {}
                }
            }
        }
    }
}

/// One section's constants and knobs.
pub(super) fn emit(section: &NumberSection) -> TokenStream {
    let constants = section.constants.iter().map(constant);
    let knobs = (!section.knobs.is_empty()).then(|| knobs(section));
    quote! {
        #knobs
        #(#constants)*
    }
}

fn constant(Constant { key, value }: &Constant) -> TokenStream {
    let name = ident(key.as_str().to_ascii_uppercase());
    let doc = doc(&format!("`{key}`, the same for everybody."));
    match *value {
        // What is counted in memory is compared with lengths of texts and lists; what is waited, with a clock.
        Fixed::Whole(value) if value >= 0 && key.as_str().ends_with("_seconds") => {
            let value = Literal::i64_unsuffixed(value);
            quote!(#doc pub const #name: u64 = #value;)
        }
        Fixed::Whole(value) if value >= 0 => {
            let value = Literal::i64_unsuffixed(value);
            quote!(#doc pub const #name: usize = #value;)
        }
        Fixed::Whole(value) => {
            let value = Literal::i64_unsuffixed(value);
            quote!(#doc pub const #name: i64 = #value;)
        }
        Fixed::Fraction(value) => {
            let value = Literal::f64_unsuffixed(value);
            quote!(#doc pub const #name: f64 = #value;)
        }
    }
}

fn knobs(section: &NumberSection) -> TokenStream {
    let ty = ident(section.section.pascal());
    let doc_of_type = doc(&format!("`{}`: {}.", section.section, english(&section.label)));
    let has = |units: &[Unit]| section.knobs.iter().any(|knob| units.contains(&knob.unit));
    let duration = has(&[Unit::Seconds, Unit::Minutes, Unit::Hours]).then(|| {
        quote!(
            use std::time::Duration;
        )
    });
    let clock = has(&[Unit::Clock]).then(|| {
        quote!(
            use crate::support::types::ClockTime;
        )
    });
    let names: Vec<_> = section.knobs.iter().map(|knob| ident(&knob.key)).collect();
    let docs = section.knobs.iter().map(|knob| {
        let (label, help) = (english(&knob.label), english(&knob.help));
        let (title, help) = (doc(&format!("{label}, in `{}`.", knob.unit.key())), doc(help));
        quote!(#title #[doc = ""] #help)
    });
    let types = section.knobs.iter().map(|knob| type_of(knob.unit));
    let defaults = section.knobs.iter().map(|knob| plain(knob.default));
    let variants: Vec<_> = section.knobs.iter().map(|knob| variant(knob.default)).collect();
    let places: Vec<_> = (0..names.len()).map(number).collect();
    let table = section.knobs.iter().map(knob);
    quote! {
        #duration

        #clock
        use crate::settings::knob::{Knob, Setting, Unit, Wording};

        #doc_of_type
        #[derive(Clone, Debug, PartialEq)]
        pub struct #ty {
            #(#docs pub #names: #types,)*
        }

        impl Default for #ty {
            fn default() -> Self {
                Self { #(#names: #defaults,)* }
            }
        }

        impl #ty {
            pub(super) fn get(&self, knob: usize) -> Option<Setting> {
                Some(match knob {
                    #(#places => Setting::#variants(self.#names),)*
                    _ => return None,
                })
            }

            pub(super) fn set(&mut self, knob: usize, value: Setting) {
                match (knob, value) {
                    #((#places, Setting::#variants(value)) => self.#names = value,)*
                    _ => {}
                }
            }
        }

        pub(super) const KNOBS: &[Knob] = &[#(#table),*];
    }
}

/// A row of the table.
fn knob(knob: &Knob) -> TokenStream {
    let (key, unit) = (knob.key.as_str(), ident(unit_variant(knob.unit)));
    let (label, help) = (wording(&knob.label), wording(&knob.help));
    let default = setting(knob.default);
    let bounds = match knob.bounds {
        None => quote!(None),
        Some((min, max)) => {
            let (min, max) = (setting(min), setting(max));
            quote!(Some((#min, #max)))
        }
    };
    quote!(Knob { key: #key, unit: Unit::#unit, default: #default, bounds: #bounds, label: #label, help: #help })
}

fn unit_variant(unit: Unit) -> &'static str {
    match unit {
        Unit::Boolean => "Boolean",
        Unit::Seconds => "Seconds",
        Unit::Minutes => "Minutes",
        Unit::Hours => "Hours",
        Unit::Clock => "Clock",
        Unit::Count => "Count",
        Unit::Factor => "Factor",
    }
}

fn type_of(unit: Unit) -> TokenStream {
    match unit {
        Unit::Boolean => quote!(bool),
        Unit::Seconds | Unit::Minutes | Unit::Hours => quote!(Duration),
        Unit::Clock => quote!(ClockTime),
        Unit::Count => quote!(i64),
        Unit::Factor => quote!(f64),
    }
}

fn variant(value: Setting) -> proc_macro2::Ident {
    ident(match value {
        Setting::Boolean(_) => "Boolean",
        Setting::Length(_) => "Length",
        Setting::Clock(..) => "Clock",
        Setting::Count(_) => "Count",
        Setting::Factor(_) => "Factor",
    })
}

/// The value as the struct's field has it.
fn plain(value: Setting) -> TokenStream {
    match value {
        Setting::Boolean(on) => quote!(#on),
        Setting::Length(milliseconds) => {
            let milliseconds = Literal::u64_unsuffixed(milliseconds);
            quote!(Duration::from_millis(#milliseconds))
        }
        Setting::Clock(hour, minute) => {
            let (hour, minute) = (Literal::u8_unsuffixed(hour), Literal::u8_unsuffixed(minute));
            quote!(ClockTime { hour: #hour, minute: #minute })
        }
        Setting::Count(count) => {
            let count = Literal::i64_unsuffixed(count);
            quote!(#count)
        }
        Setting::Factor(factor) => {
            let factor = Literal::f64_unsuffixed(factor);
            quote!(#factor)
        }
    }
}

/// The value as the table has it.
fn setting(value: Setting) -> TokenStream {
    let (variant, value) = (variant(value), plain(value));
    quote!(Setting::#variant(#value))
}

fn wording(wordings: &Wordings) -> TokenStream {
    let text = |language: Language| {
        wordings.iter().find(|(of, _)| *of == language).map_or("", |(_, text)| text.as_str())
    };
    let (en, zh) = (text(Language::En), text(Language::Zh));
    quote!(Wording { en: #en, zh: #zh })
}

fn english(wordings: &Wordings) -> &str {
    wordings.iter().find(|(language, _)| *language == Language::En).map_or("", |(_, text)| text.as_str())
}
