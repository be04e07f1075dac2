//! The reader: arguments → call or refusal, one function an action.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::{ident, match_name, number, types, variant};
use crate::model::{Action, Field, FieldId, Kind, Phone, Shape};

/// The slots before those of the fields: `action` and `summary`.
const OWN_SLOTS: usize = 2;

pub(super) fn emit(phone: &Phone) -> TokenStream {
    let own_keys = ["action", "summary"].into_iter();
    let keys: Vec<_> = own_keys.chain(phone.fields.iter().map(|field| field.name.as_str())).collect();
    let slots = number(keys.len());
    let slot = match_name(&keys, |index| {
        let slot = number(index);
        quote!(#slot)
    });
    let arms = phone.actions.iter().map(|action| {
        let (name, function) = (variant(&action.name), function_name(action));
        quote!(Action::#name => #function(fields)?,)
    });
    let functions = phone.actions.iter().map(|action| function(phone, action));
    quote! {
        //! Arguments → call or refusal, in the order of document 1 §2: the action, what is missing, what is not what it
        //! should be.

        use super::{Action, Call, Field, Refusal, Request, requests, values};
        use crate::support::{Fields, Given, Source, arguments, check, types};

        /// `action`, `summary` and the fields.
        type Object<'m, 'a> = arguments::Read<'m, 'a, #slots>;

        /// Reads the arguments of one tool call as the model sent them and hands out every call in them: one nearly
        /// always, several where whole objects stand one after another. Empty arguments read as an object without
        /// members, a JSON string that holds JSON is unwrapped (spec-format, "phone").
        pub fn read(arguments: &[u8], mut each: impl FnMut(Result<Call<'_>, Refusal>)) {
            read_bytes(arguments, &mut each);
        }

        /// As [`read`], from arguments that are parsed already.
        pub fn read_value(arguments: &serde_json::Value, mut each: impl FnMut(Result<Call<'_>, Refusal>)) {
            read_parsed(arguments, &mut each);
        }

        // Not generic, so that they are compiled once, here.

        fn read_bytes(arguments: &[u8], each: &mut dyn FnMut(Result<Call<'_>, Refusal>)) {
            arguments::read(arguments, slot, &mut |object: Object<'_, '_>| each(object.map_err(Refusal::Arguments).and_then(call)));
        }

        fn read_parsed(arguments: &serde_json::Value, each: &mut dyn FnMut(Result<Call<'_>, Refusal>)) {
            match arguments.as_object() {
                Some(members) => each(call(&members)),
                None => arguments::read_parsed(arguments, slot, &mut |object: Object<'_, '_>| each(object.map_err(Refusal::Arguments).and_then(call))),
            }
        }

        fn slot(name: &str) -> Option<usize> {
            Some(#slot)
        }

        fn call<'a>(fields: &impl Fields<'a>) -> Result<Call<'a>, Refusal> {
            let action = fields.value(0, "action").and_then(Source::string);
            let Some(action) = action.and_then(|name| Action::from_name(&name)) else {
                return Err(Refusal::UnknownAction);
            };
            let request = match action {
                #(#arms)*
            };
            Ok(Call::new(action, fields.value(1, "summary"), request))
        }

        #(#functions)*
    }
}

/// A name that nothing else in the file has, whatever the action is called.
fn function_name(action: &Action) -> Ident {
    ident(format!("take_{}", action.name))
}

/// `fn take_alarm(fields_) -> Result<Request, Refusal>`. Its locals bear the fields' names, and a name of the spec never
/// ends in an underscore: those of ours do.
fn function(phone: &Phone, action: &Action) -> TokenStream {
    let (function, variant_name) = (function_name(action), variant(&action.name));
    if action.fields.is_empty() {
        return quote! {
            fn #function<'a>(_: &impl Fields<'a>) -> Result<Request<'a>, Refusal> {
                Ok(Request::#variant_name(requests::#variant_name))
            }
        };
    }
    let own = |id: FieldId| own(phone, id);
    let takes = action.fields.iter().map(|id| {
        let (name, slot) = (phone.field(*id).name.as_str(), number(id.0 + OWN_SLOTS));
        let field = own(*id);
        quote!(let #field = fields_.field(#slot, #name);)
    });
    let required = required(phone, action);
    // In the order of phone.check: the first field that is not what it should be is the refusal.
    let checked = phone.checks.iter().filter(|id| action.fields.contains(id));
    let checks = checked.filter_map(|id| {
        let (field, own) = (phone.field(*id), own(*id));
        let field_variant = variant(&field.name);
        let bad = quote!(ok_or_else(|| Refusal::bad(Action::#variant_name, Field::#field_variant)));
        Some(if types::is_required(action, *id) {
            let check = check(field, &own)?;
            quote!(let #own = #check.#bad?;)
        } else {
            let check = check(field, &ident("value"))?;
            quote!(let #own = #own.map(|value| #check.#bad).transpose()?;)
        })
    });
    let members = action.fields.iter().map(|id| {
        let (field, own) = (phone.field(*id), own(*id));
        if field.check.is_some() {
            return quote!(#own);
        }
        let read = match field.shape {
            Shape::String | Shape::Integer | Shape::Boolean => quote!(Given::read),
            Shape::Number | Shape::Array | Shape::Object => quote!(types::any),
        };
        if types::is_required(action, *id) {
            quote!(#own: #read(#own))
        } else {
            quote!(#own: #own.map(#read))
        }
    });
    quote! {
        fn #function<'a>(fields_: &impl Fields<'a>) -> Result<Request<'a>, Refusal> {
            #(#takes)*
            #required
            #(#checks)*
            Ok(Request::#variant_name(requests::#variant_name { #(#members,)* }))
        }
    }
}

/// The refusal of a call that lacks something; behind it a field that is required on its own is no `Option`.
fn required(phone: &Phone, action: &Action) -> TokenStream {
    let name = variant(&action.name);
    let bits = action.required.iter().enumerate().map(|(bit, entry)| {
        let absent = entry.0.iter().map(|id| {
            let field = own(phone, *id);
            quote!(#field.is_none())
        });
        let absent = quote!(u64::from(#(#absent)&&*));
        let shift = number(bit);
        if bit == 0 { absent } else { quote!(#absent << #shift) }
    });
    let singles: Vec<_> = action
        .fields
        .iter()
        .filter(|id| types::is_required(action, **id))
        .map(|id| own(phone, *id))
        .collect();
    let groups = action.required.len() - singles.len();
    match (&*singles, groups) {
        ([], 0) => quote!(),
        ([only], 0) => {
            quote!(let Some(#only) = #only else { return Err(Refusal::missing(Action::#name, 1)) };)
        }
        (singles, 0) => quote! {
            let (#(Some(#singles)),*) = (#(#singles),*) else {
                return Err(Refusal::missing(Action::#name, #(#bits)|*));
            };
        },
        (singles, _) => quote! {
            let missing_ = #(#bits)|*;
            if missing_ != 0 {
                return Err(Refusal::missing(Action::#name, missing_));
            }
            #(let Some(#singles) = #singles else { return Err(Refusal::missing(Action::#name, missing_)) };)*
        },
    }
}

fn own(phone: &Phone, id: FieldId) -> Ident {
    ident(phone.field(id).name.as_str())
}

/// The check of a field, on a value with this name.
fn check(field: &Field, value: &Ident) -> Option<TokenStream> {
    Some(match &field.check.as_ref()?.kind {
        Kind::ClockTime => quote!(check::clock_time(#value)),
        Kind::Weekdays => quote!(check::weekdays(#value)),
        Kind::Integer { min, max } => {
            let [min, max] = [min, max].map(|bound| Literal::i64_unsuffixed(*bound));
            quote!(check::integer(#value, #min, #max))
        }
        Kind::DateOrDatetime => quote!(check::date_or_datetime(#value)),
        Kind::NonEmptyStrings => quote!(check::non_empty_strings(#value)),
        Kind::PhoneNumber { min_digits } => {
            let min_digits = number(usize::try_from(*min_digits).unwrap_or(usize::MAX));
            quote!(check::phone_number(#value, #min_digits))
        }
        Kind::Place => quote!(check::place(#value)),
        Kind::Places => quote!(check::places(#value)),
        Kind::SchemaEnum { .. } => {
            let name = variant(&field.name);
            quote!(check::schema_enum(#value, values::#name::from_name))
        }
        Kind::HttpUrl => quote!(check::http_url(#value)),
        Kind::Boolean => quote!(check::boolean(#value)),
        Kind::StringMap => quote!(check::string_map(#value)),
    })
}
