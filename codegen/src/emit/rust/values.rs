//! An enum a field whose values the tool's schema lists.

use proc_macro2::TokenStream;
use quote::quote;

use super::{named_enum, variant};
use crate::model::{Check, Kind, Phone};

pub(super) fn emit(phone: &Phone) -> TokenStream {
    let enums: Vec<_> = phone
        .fields
        .iter()
        .filter_map(|field| {
            let Some(Check { kind: Kind::SchemaEnum { values }, .. }) = &field.check else { return None };
            let ty = variant(&field.name);
            let values: Vec<_> = values
                .iter()
                .map(|value| (variant(value), value.to_string(), format!("`{value}`.")))
                .collect();
            let doc = format!("The values of `{}`: {}", field.name, field.description);
            let declaration = named_enum(&doc, &ty, &values);
            Some(quote! {
                #declaration

                impl crate::support::WriteJson for #ty {
                    fn write_json(&self, out: &mut String) {
                        crate::support::WriteJson::write_json(self.name(), out);
                    }
                }
            })
        })
        .collect();
    quote! {
        //! The values of the fields that take one of a list.

        #(#enums)*
    }
}
