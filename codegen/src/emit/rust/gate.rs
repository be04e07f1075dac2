//! The enums of the tool gate.

use proc_macro2::TokenStream;
use quote::quote;

use super::{ident, named_enum};
use crate::model::{Confirm, Requirement, Risk, Scope, Session};

pub(super) fn emit() -> TokenStream {
    fn list<T>(all: &[(T, &str, &str, &str)]) -> Vec<(proc_macro2::Ident, String, String)> {
        all.iter()
            .map(|(_, key, variant, doc)| (ident(variant), (*key).to_owned(), format!("`{key}`: {doc}")))
            .collect()
    }
    let enums = [
        named_enum("Who offers a tool.", &ident("Scope"), &list(Scope::ALL)),
        named_enum("Where a tool is offered.", &ident("Session"), &list(Session::ALL)),
        named_enum("What a session must have shown first.", &ident("Requirement"), &list(Requirement::ALL)),
        named_enum("When the person is asked.", &ident("Confirm"), &list(Confirm::ALL)),
        named_enum("What a call puts at stake.", &ident("Risk"), &list(Risk::ALL)),
    ];
    quote!(#(#enums)*)
}
