//! `Action` and `Field`: what there is, what reads what, what is required.

use proc_macro2::TokenStream;
use quote::quote;

use super::{ident, named_enum, variant};
use crate::model::{Phone, Shape};

pub(super) fn emit(phone: &Phone) -> TokenStream {
    let actions: Vec<_> = phone
        .actions
        .iter()
        .map(|action| (variant(&action.name), action.name.to_string(), format!("`{}`.", action.name)))
        .collect();
    let fields: Vec<_> = phone
        .fields
        .iter()
        .map(|field| {
            (variant(&field.name), field.name.to_string(), format!("`{}`: {}", field.name, field.description))
        })
        .collect();
    let action_enum = named_enum("An action that a phone can be asked for.", &ident("Action"), &actions);
    let field_enum = named_enum("A field that an action reads.", &ident("Field"), &fields);
    let names = phone.actions.iter().map(|action| action.name.as_str()).collect::<Vec<_>>().join(", ");

    let reads = phone.actions.iter().map(|action| {
        let name = variant(&action.name);
        let fields = action.fields.iter().map(|id| variant(&phone.field(*id).name));
        quote!(Self::#name => &[#(Field::#fields,)*],)
    });
    let required = phone.actions.iter().map(|action| {
        let name = variant(&action.name);
        let entries = action.required.iter().map(|entry| {
            let fields = entry.0.iter().map(|id| variant(&phone.field(*id).name));
            quote!(&[#(Field::#fields,)*],)
        });
        quote!(Self::#name => &[#(#entries)*],)
    });
    let shapes = phone.fields.iter().map(|field| {
        let name = variant(&field.name);
        let shape = ident(match field.shape {
            Shape::String => "String",
            Shape::Integer => "Integer",
            Shape::Number => "Number",
            Shape::Boolean => "Boolean",
            Shape::Array => "Array",
            Shape::Object => "Object",
        });
        quote!(Self::#name => Shape::#shape,)
    });
    let whats = phone.fields.iter().filter_map(|field| {
        let name = variant(&field.name);
        let what = &field.check.as_ref()?.what;
        Some(quote!(Self::#name => Some(#what),))
    });
    let kinds = phone.fields.iter().filter_map(|field| {
        let name = variant(&field.name);
        let kind = field.check.as_ref()?.kind.word();
        Some(quote!(Self::#name => Some(#kind),))
    });
    let unchecked = phone.fields.iter().any(|field| field.check.is_none()).then(|| quote!(_ => None,));

    quote! {
        use super::Shape;

        #action_enum

        impl Action {
            /// Their names, joined with `, `: what fills `{{actions}}`.
            pub const NAMES: &str = #names;

            /// The fields it reads, in the spec's order.
            pub fn fields(self) -> &'static [Field] {
                match self {
                    #(#reads)*
                }
            }

            /// What must be present: entries, each one field or several of which one is enough.
            pub fn required(self) -> &'static [&'static [Field]] {
                match self {
                    #(#required)*
                }
            }
        }

        #field_enum

        impl Field {
            /// The type that the tool's schema gives it.
            pub fn shape(self) -> Shape {
                match self {
                    #(#shapes)*
                }
            }

            /// What it must be, as the sentence of a refusal says it; none for a field that nothing checks.
            pub fn what(self) -> Option<&'static str> {
                match self {
                    #(#whats)*
                    #unchecked
                }
            }

            /// The kind of its check, as the spec calls it (`phone.check`, `is`); none for a field that nothing checks.
            pub fn check(self) -> Option<&'static str> {
                match self {
                    #(#kinds)*
                    #unchecked
                }
            }
        }
    }
}
