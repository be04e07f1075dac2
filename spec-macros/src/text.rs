//! `text!`.

use handset_codegen::model::{Audience, Language, Spec, Text, TextSection};
use handset_codegen::nearest::proposal;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, Token, ext::IdentExt};

use crate::spec;

/// `section.key`, `in language`, `hole = value, …`.
struct Call {
    section: Ident,
    key: Ident,
    language: Option<Expr>,
    holes: Vec<(Ident, Expr)>,
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let section = input.call(Ident::parse_any)?;
        input.parse::<Token![.]>()?;
        let key = input.call(Ident::parse_any)?;
        let language = match input.parse::<Option<Token![in]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        let mut holes = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let name = input.call(Ident::parse_any)?;
            input.parse::<Token![=]>()?;
            holes.push((name, input.parse()?));
        }
        Ok(Self { section, key, language, holes })
    }
}

pub(crate) fn expand(input: TokenStream) -> syn::Result<TokenStream> {
    let call: Call = syn::parse2(input)?;
    let spec = spec::spec().map_err(|message| Error::new(call.section.span(), message))?;
    let section = find_section(spec, &call.section)?;
    if section.table {
        let message =
            format!("`{}` goes whole to who reads it: `texts::{0}::table(language)`", section.section);
        return Err(Error::new(call.section.span(), message));
    }
    let text = find_text(section, &call.key)?;
    let language = language(section, text, &call)?;
    let holes = holes(section, text, &call)?;
    let (section, key) = (&call.section, &call.key);
    Ok(quote!(::handset_spec::texts::#section::#key(#language #(#holes),*)))
}

fn find_section<'s>(spec: &'s Spec, name: &Ident) -> syn::Result<&'s TextSection> {
    let wanted = name.to_string();
    let found = spec.texts.iter().find(|section| section.section.as_str() == wanted);
    found.ok_or_else(|| {
        let known: Vec<_> = spec.texts.iter().map(|section| section.section.as_str()).collect();
        Error::new(
            name.span(),
            format!("loop.json has no texts under `{wanted}`: {}", proposal(&wanted, &known)),
        )
    })
}

fn find_text<'s>(section: &'s TextSection, name: &Ident) -> syn::Result<&'s Text> {
    let wanted = name.to_string();
    section.texts.iter().find(|text| text.key.as_str() == wanted).ok_or_else(|| {
        let known: Vec<_> = section.texts.iter().map(|text| text.key.as_str()).collect();
        let message = format!("{}.texts has no `{wanted}`: {}", section.section, proposal(&wanted, &known));
        Error::new(name.span(), message)
    })
}

/// The language argument of a text for a person.
fn language(section: &TextSection, text: &Text, call: &Call) -> syn::Result<Option<TokenStream>> {
    let name = format!("{}.{}", section.section, text.key);
    match (&text.audience, &call.language) {
        (Audience::Person(_), Some(language)) => Ok(Some(quote!(#language,))),
        (Audience::Model(_), None) => Ok(None),
        (Audience::Person(_), None) => {
            let languages = Language::ALL.map(Language::key).join(", ");
            let message =
                format!("a person reads `{name}` ({languages}): write `text!({name} in language, …)`");
            Err(Error::new(call.key.span(), message))
        }
        (Audience::Model(_), Some(_)) => {
            let message = format!("a model reads `{name}`, which has one wording: leave `in …` out");
            Err(Error::new(call.key.span(), message))
        }
    }
}

/// The values of the holes, in the order of the generated function's arguments.
fn holes<'c>(section: &TextSection, text: &Text, call: &'c Call) -> syn::Result<Vec<&'c Expr>> {
    let known: Vec<_> = text.holes.iter().map(|hole| hole.as_str()).collect();
    let name = format!("{}.{}", section.section, text.key);
    let mut faults: Vec<Error> = Vec::new();
    for (at, (hole, _)) in call.holes.iter().enumerate() {
        let given = hole.to_string();
        if !known.contains(&&*given) {
            let help = if known.is_empty() { "it has none".to_owned() } else { proposal(&given, &known) };
            faults.push(Error::new(hole.span(), format!("`{name}` has no hole `{given}`: {help}")));
        } else if call.holes[..at].iter().any(|(earlier, _)| *earlier == given) {
            faults.push(Error::new(hole.span(), format!("`{given}` is filled twice")));
        }
    }
    let value = |hole: &&str| call.holes.iter().find(|(name, _)| name == hole).map(|(_, value)| value);
    let missing: Vec<_> =
        known.iter().filter(|hole| value(hole).is_none()).map(|hole| format!("`{hole}`")).collect();
    if !missing.is_empty() {
        faults
            .push(Error::new(call.key.span(), format!("`{name}` lacks a value for {}", missing.join(", "))));
    }
    match faults.into_iter().reduce(|mut all, fault| {
        all.combine(fault);
        all
    }) {
        Some(faults) => Err(faults),
        None => Ok(known.iter().filter_map(value).collect()),
    }
}
