//! The refusals' sentences, rendered here as far as they can be: most calls are refused without an allocation.

use proc_macro2::TokenStream;
use quote::quote;

use super::{number, variant};
use crate::model::{Action, Audience, Part, Phone, Spec, Template};

/// With more entries than this the subsets are too many to be rendered ahead.
const MOST_ENTRIES: usize = 3;

pub(super) fn emit(spec: &Spec) -> TokenStream {
    let phone = &spec.phone;
    let actions = phone.actions.iter().map(|action| action.name.as_str()).collect::<Vec<_>>().join(", ");
    let unknown_action = render(spec, "unknown_action", &[("actions", &actions)]);
    let bad = phone.actions.iter().flat_map(|action| {
        let fields = action.fields.iter().filter_map(|id| {
            let field = phone.field(*id);
            let what = &field.check.as_ref()?.what;
            let holes = [("action", action.name.as_str()), ("field", field.name.as_str()), ("what", what)];
            let (sentence, action, field) =
                (render(spec, "bad", &holes), variant(&action.name), variant(&field.name));
            Some(quote!((Action::#action, Field::#field) => #sentence,))
        });
        fields.collect::<Vec<_>>()
    });
    let missing =
        phone.actions.iter().filter(|action| action.required.len() <= MOST_ENTRIES).flat_map(|action| {
            let subsets = 1..1usize << action.required.len();
            let sentences = subsets.map(|entries| {
                let fields = missing(phone, action, entries);
                let sentence =
                    render(spec, "missing", &[("action", action.name.as_str()), ("fields", &fields)]);
                let (action, entries) = (variant(&action.name), number(entries));
                quote!((Action::#action, #entries) => #sentence,)
            });
            sentences.collect::<Vec<_>>()
        });
    quote! {
        use super::{Action, Field};

        /// The sentence for an action that is none.
        pub(super) const UNKNOWN_ACTION: &str = #unknown_action;

        /// The sentence for a field that is not what it should be.
        pub(super) fn bad(action: Action, field: Field) -> Option<&'static str> {
            Some(match (action, field) {
                #(#bad)*
                _ => return None,
            })
        }

        /// The sentence for these missing entries, a bit each.
        pub(super) fn missing(action: Action, entries: u64) -> Option<&'static str> {
            Some(match (action, entries) {
                #(#missing)*
                _ => return None,
            })
        }
    }
}

/// A field by its name, a group as its names joined with `or`, the entries with `and`.
fn missing(phone: &Phone, action: &Action, entries: usize) -> String {
    let entries = action.required.iter().enumerate().filter(|(bit, _)| entries >> bit & 1 == 1);
    let entries = entries.map(|(_, entry)| {
        entry.0.iter().map(|id| phone.field(*id).name.as_str()).collect::<Vec<_>>().join(" or ")
    });
    entries.collect::<Vec<_>>().join(" and ")
}

/// A text of the section `phone` with its holes filled. The checker has made sure that it is there.
fn render(spec: &Spec, key: &str, holes: &[(&str, &str)]) -> String {
    let section = spec.texts.iter().find(|section| section.section.as_str() == "phone");
    let text = section.and_then(|section| section.texts.iter().find(|text| text.key.as_str() == key));
    match text.map(|text| &text.audience) {
        Some(Audience::Model(Template { parts })) => parts
            .iter()
            .map(|part| match part {
                Part::Literal(literal) => literal,
                Part::Hole(name) => {
                    holes.iter().find(|(hole, _)| *hole == name.as_str()).map_or("", |(_, value)| value)
                }
            })
            .collect(),
        _ => String::new(),
    }
}
