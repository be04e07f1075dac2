//! The Rust type of a field.

use proc_macro2::TokenStream;
use quote::quote;

use super::variant;
use crate::model::{Field, Kind, Shape};

/// A field's type, and whether it borrows from the arguments.
pub(super) fn of(field: &Field) -> (TokenStream, bool) {
    let Some(check) = &field.check else {
        return match field.shape {
            Shape::String => (quote!(support::Given<'a, support::Text<'a>>), true),
            Shape::Integer => (quote!(support::Given<'a, i64>), true),
            Shape::Boolean => (quote!(support::Given<'a, bool>), true),
            Shape::Number | Shape::Array | Shape::Object => (quote!(support::Json<'a>), true),
        };
    };
    match &check.kind {
        Kind::ClockTime => (quote!(support::types::ClockTime), false),
        Kind::Weekdays => (quote!(Vec<support::types::Weekday>), false),
        Kind::Integer { .. } => (quote!(i64), false),
        Kind::DateOrDatetime => (quote!(support::types::DateOrDatetime), false),
        Kind::NonEmptyStrings => (quote!(Vec<support::Text<'a>>), true),
        Kind::PhoneNumber { .. } | Kind::HttpUrl => (quote!(support::Text<'a>), true),
        Kind::Place => (quote!(support::types::Place<'a>), true),
        Kind::Places => (quote!(Vec<support::types::Place<'a>>), true),
        Kind::SchemaEnum { .. } => {
            let name = variant(&field.name);
            (quote!(super::values::#name), false)
        }
        Kind::Boolean => (quote!(bool), false),
        Kind::StringMap => (quote!(support::types::StringMap<'a>), true),
    }
}

/// Whether a field is required on its own, so that its type needs no `Option`.
pub(super) fn is_required(action: &crate::model::Action, field: crate::model::FieldId) -> bool {
    action.required.iter().any(|entry| entry.0 == [field])
}
