//! A function a text: its holes are the arguments, so that a text can be re-worded without touching its callers. A section
//! that a program reads whole is one table by language instead.

use proc_macro2::TokenStream;
use quote::quote;

use super::{doc, ident};
use crate::model::{Audience, Language, Part, Template, Text, TextSection};

/// The module over the sections.
pub(super) fn root(sections: &[TextSection]) -> TokenStream {
    let modules = sections.iter().map(|section| {
        let name = ident(section.section.as_str());
        let doc = doc(&format!("`{}.texts`.", section.section));
        quote!(#doc pub mod #name;)
    });
    quote! {
        //! Every text of the spec.

        #(#modules)*
    }
}

/// One section's texts.
pub(super) fn emit(section: &TextSection) -> TokenStream {
    if section.table {
        return table(section);
    }
    let person = section.texts.iter().any(|text| matches!(text.audience, Audience::Person(_)));
    let language = person.then(|| {
        quote!(
            use crate::Language;
        )
    });
    let holes = section.texts.iter().any(|text| !text.holes.is_empty());
    let display = holes.then(|| {
        quote!(
            use std::fmt::Display;
        )
    });
    let functions = section.texts.iter().map(function);
    quote! {
        #display
        #language
        #(#functions)*
    }
}

/// A section as data: a JSON object a language, its holes as they are written.
fn table(section: &TextSection) -> TokenStream {
    let arms = Language::ALL.iter().map(|language| {
        let lines = section.texts.iter().filter_map(|text| {
            let Audience::Person(wordings) = &text.audience else { return None };
            let (_, template) = wordings.iter().find(|(of, _)| of == language)?;
            Some(format!("{}:{}", json(text.key.as_str()), json(&written(template))))
        });
        let table = format!("{{{}}}", lines.collect::<Vec<_>>().join(",\n"));
        let language = ident(match language {
            Language::En => "En",
            Language::Zh => "Zh",
        });
        quote!(Language::#language => #table,)
    });
    quote! {
        use crate::Language;

        /// The section's texts as one JSON object: key → text, whose holes stand as `{{name}}`.
        pub const fn table(language: Language) -> &'static str {
            match language { #(#arms)* }
        }
    }
}

/// A template as the spec writes it.
fn written(template: &Template) -> String {
    let part = |part: &Part| match part {
        Part::Literal(text) => text.clone(),
        Part::Hole(name) => format!("{{{{{name}}}}}"),
    };
    template.parts.iter().map(part).collect()
}

/// A JSON string.
fn json(text: &str) -> String {
    let mut json = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            c if c.is_control() => json.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

fn function(text: &Text) -> TokenStream {
    let name = ident(text.key.as_str());
    let holes: Vec<_> = text.holes.iter().map(|hole| ident(hole.as_str())).collect();
    let (docs, language, body) = match &text.audience {
        Audience::Model(template) => (vec![wording(template)], None, template_body(text, template)),
        Audience::Person(wordings) => {
            let docs = wordings.iter().map(|(_, template)| wording(template)).collect::<Vec<_>>();
            let arms = wordings.iter().map(|(language, template)| {
                let language = ident(match language {
                    Language::En => "En",
                    Language::Zh => "Zh",
                });
                let body = template_body(text, template);
                quote!(Language::#language => #body,)
            });
            (docs, Some(quote!(language: Language,)), quote!(match language { #(#arms)* }))
        }
    };
    if holes.is_empty() {
        quote! {
            #(#docs)*
            pub const fn #name(#language) -> &'static str {
                #body
            }
        }
    } else {
        let unused = holes
            .iter()
            .zip(&text.holes)
            .filter(|(_, hole)| !uses(text, hole.as_str()))
            .map(|(hole, _)| hole);
        // A text has as many holes as it has; beyond seven the lint would have them in a struct.
        let many = (holes.len() + usize::from(language.is_some()) > 7)
            .then(|| quote!(#[allow(clippy::too_many_arguments)]));
        quote! {
            #(#docs)*
            #many
            pub fn #name(#language #(#holes: impl Display),*) -> String {
                #(let _ = #unused;)*
                #body
            }
        }
    }
}

/// The wording as a line of documentation.
fn wording(template: &Template) -> TokenStream {
    let text: String = template
        .parts
        .iter()
        .map(|part| match part {
            Part::Literal(text) => text.replace('\n', " "),
            Part::Hole(name) => format!("{{{{{name}}}}}"),
        })
        .collect();
    doc(&format!("> {text}"))
}

fn template_body(text: &Text, template: &Template) -> TokenStream {
    let literal: String = template
        .parts
        .iter()
        .map(|part| match part {
            Part::Literal(literal) if text.holes.is_empty() => literal.clone(),
            Part::Literal(literal) => literal.replace('{', "{{").replace('}', "}}"),
            Part::Hole(name) => format!("{{{name}}}"),
        })
        .collect();
    if text.holes.is_empty() { quote!(#literal) } else { quote!(format!(#literal)) }
}

/// Whether any wording uses a hole.
fn uses(text: &Text, hole: &str) -> bool {
    let in_template = |template: &Template| {
        template.parts.iter().any(|part| matches!(part, Part::Hole(name) if name.as_str() == hole))
    };
    match &text.audience {
        Audience::Model(template) => in_template(template),
        Audience::Person(wordings) => wordings.iter().any(|(_, template)| in_template(template)),
    }
}
