//! The enum over the actions' structs.

use proc_macro2::TokenStream;
use quote::quote;

use super::{doc, requests, variant};
use crate::model::Phone;

pub(super) fn emit(phone: &Phone) -> TokenStream {
    let names: Vec<_> = phone.actions.iter().map(|action| variant(&action.name)).collect();
    let variants = phone.actions.iter().zip(&names).map(|(action, name)| {
        let lifetime = requests::borrows(phone, action).then(|| quote!(<'a>));
        let doc = doc(&format!("`{}`.", action.name));
        quote!(#doc #name(requests::#name #lifetime),)
    });
    // The enum always borrows, so that an edit of the spec does not change its uses.
    let any_borrows = phone.actions.iter().any(|action| requests::borrows(phone, action));
    let (variant_that_borrows, never) = if any_borrows {
        (None, None)
    } else {
        (
            Some(quote! {
                #[doc(hidden)]
                #[expect(dead_code, reason = "no action of this spec borrows")]
                __Borrows(std::convert::Infallible, std::marker::PhantomData<&'a ()>),
            }),
            Some(quote!(Self::__Borrows(never, _) => match *never {},)),
        )
    };
    quote! {
        use super::{Action, requests};

        /// An action with its fields.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Request<'a> {
            #(#variants)*
            #variant_that_borrows
        }

        impl Request<'_> {
            /// Which action it is.
            pub fn action(&self) -> Action {
                match self {
                    #(Self::#names(_) => Action::#names,)*
                    #never
                }
            }

            /// Appends the fields that are present, each with a comma before it.
            pub(crate) fn write_fields(&self, out: &mut String) {
                match self {
                    #(Self::#names(request) => request.write_fields(out),)*
                    #never
                }
            }
        }
    }
}
