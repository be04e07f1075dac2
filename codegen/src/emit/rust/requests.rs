//! A struct an action with typed fields, and the enum over them.

use proc_macro2::TokenStream;
use quote::quote;

use super::{doc, ident, types, variant};
use crate::model::{Action, Phone};

pub(super) fn emit(phone: &Phone) -> TokenStream {
    let structs = phone.actions.iter().map(|action| structure(phone, action));
    let any_borrows = phone.actions.iter().any(|action| borrows(phone, action));
    let variants = phone.actions.iter().map(|action| {
        let name = variant(&action.name);
        let lifetime = borrows(phone, action).then(|| quote!(<'a>));
        let doc = doc(&format!("`{}`.", action.name));
        quote!(#doc #name(#name #lifetime),)
    });
    // The enum always borrows, so that an edit of the spec does not change its uses.
    let phantom = (!any_borrows).then(|| {
        quote! {
            #[doc(hidden)]
            #[expect(dead_code, reason = "no action of this spec borrows")]
            Borrows(std::convert::Infallible, std::marker::PhantomData<&'a ()>),
        }
    });
    let names: Vec<_> = phone.actions.iter().map(|action| variant(&action.name)).collect();
    let phantom_action = phantom.as_ref().map(|_| quote!(Self::Borrows(never, _) => match *never {},));
    quote! {
        //! A struct an action: what it reads, typed. A field that the spec checks has the type of its check; one that
        //! nothing checks holds whatever the model gave.

        use super::{Action, values};
        use crate::support::{Given, Json, Text, WriteJson, types};

        /// An action with its fields.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Request<'a> {
            #(#variants)*
            #phantom
        }

        impl Request<'_> {
            /// Which action it is.
            pub fn action(&self) -> Action {
                match self {
                    #(Self::#names(_) => Action::#names,)*
                    #phantom_action
                }
            }

            /// Appends the fields that are present, each with a comma before it.
            pub(crate) fn write_fields(&self, out: &mut String) {
                match self {
                    #(Self::#names(request) => request.write_fields(out),)*
                    #phantom_action
                }
            }
        }

        #(#structs)*
    }
}

/// Whether any field of the action borrows from the arguments.
fn borrows(phone: &Phone, action: &Action) -> bool {
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
                fn write_fields(&self, _: &mut String) {}
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
                self.#ident.write_json(out);
            }
        } else {
            quote! {
                if let Some(#ident) = &self.#ident {
                    out.push_str(#key);
                    #ident.write_json(out);
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
            fn write_fields(&self, out: &mut String) {
                #(#writes)*
            }
        }
    }
}
