//! A struct an action with typed fields.

use proc_macro2::TokenStream;
use quote::quote;

use super::{doc, ident, types, variant};
use crate::model::{Action, Phone};

pub(super) fn emit(phone: &Phone) -> TokenStream {
    let structs = phone.actions.iter().map(|action| structure(phone, action));
    quote! {
        //! A struct an action: what it reads, typed. A field that the spec checks has the type of its check; one that
        //! nothing checks holds whatever the model gave.

        // Everything else by its path: the actions' names are the spec's to choose.
        use crate::support;

        #(#structs)*
    }
}

/// Whether any field of the action borrows from the arguments.
pub(super) fn borrows(phone: &Phone, action: &Action) -> bool {
    action.fields.iter().any(|id| types::of(phone.field(*id)).1)
}

fn structure(phone: &Phone, action: &Action) -> TokenStream {
    let name = variant(&action.name);
    let struct_doc = doc(&format!("What `{}` reads.", action.name));
    if action.fields.is_empty() {
        return quote! {
            #struct_doc
            #[derive(Clone, Debug, PartialEq)]
            pub struct #name;

            impl #name {
                pub(super) fn write_fields(&self, _: &mut String) {}
            }
        };
    }
    let (generics, anonymous) =
        if borrows(phone, action) { (quote!(<'a>), quote!(<'_>)) } else { Default::default() };
    let members = action.fields.iter().map(|id| {
        let field = phone.field(*id);
        let (ident, doc) = (ident(field.name.as_str()), doc(&field.description));
        let (ty, _) = types::of(field);
        let ty = if types::is_required(action, *id) { ty } else { quote!(Option<#ty>) };
        quote!(#doc pub #ident: #ty,)
    });
    let writes = action.fields.iter().map(|id| {
        let field = phone.field(*id);
        let ident = ident(field.name.as_str());
        let key = format!(",\"{}\":", field.name);
        if types::is_required(action, *id) {
            quote! {
                out.push_str(#key);
                support::WriteJson::write_json(&self.#ident, out);
            }
        } else {
            quote! {
                if let Some(value) = &self.#ident {
                    out.push_str(#key);
                    support::WriteJson::write_json(value, out);
                }
            }
        }
    });
    quote! {
        #struct_doc
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name #generics {
            #(#members)*
        }

        impl #name #anonymous {
            pub(super) fn write_fields(&self, out: &mut String) {
                #(#writes)*
            }
        }
    }
}
