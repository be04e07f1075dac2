//! The tools as models' APIs take them.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::{doc, ident};
use crate::model::{Confirm, Requirement, Risk, Scope, Session, Tool};

pub(super) fn emit(tools: &[Tool]) -> TokenStream {
    let constants: Vec<_> = tools.iter().map(|tool| ident(tool.name.as_str().to_uppercase())).collect();
    let definitions = tools.iter().zip(&constants).map(|(tool, constant)| {
        let Tool { description, parameters, unavailable, .. } = tool;
        let name = tool.name.as_str();
        let doc = doc(&format!("`{name}`."));
        let scope = gate(tool.scope, Scope::ALL);
        let sessions = gate(tool.sessions, Session::ALL);
        let requires = gate(tool.requires, Requirement::ALL);
        let confirm = gate(tool.confirm, Confirm::ALL);
        let risk = gate(tool.risk, Risk::ALL);
        let (name_json, description_json) = (Value::from(name), Value::from(description.as_str()));
        let openai = format!(
            r#"{{"type":"function","function":{{"name":{name_json},"description":{description_json},"parameters":{parameters}}}}}"#
        );
        let anthropic =
            format!(r#"{{"name":{name_json},"description":{description_json},"input_schema":{parameters}}}"#);
        quote! {
            #doc
            pub const #constant: Tool = Tool {
                name: #name,
                description: #description,
                parameters: #parameters,
                scope: Scope::#scope,
                sessions: Session::#sessions,
                requires: Requirement::#requires,
                confirm: Confirm::#confirm,
                risk: Risk::#risk,
                unavailable: #unavailable,
                openai: #openai,
                anthropic: #anthropic,
            };
        }
    });
    quote! {
        use super::{Confirm, Requirement, Risk, Scope, Session, Tool};

        #(#definitions)*

        /// Every tool, by name.
        pub const ALL: &[Tool] = &[#(#constants,)*];
    }
}

/// The identifier of a gate's value.
fn gate<T: PartialEq>(value: T, all: &[(T, &str, &'static str, &str)]) -> proc_macro2::Ident {
    ident(all.iter().find(|(other, ..)| *other == value).map_or("Unlisted", |(_, _, variant, _)| variant))
}
