//! `conformance!`.

use handset_codegen::nearest::proposal;
use handset_codegen::read::{self, Node};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Error, LitStr, Path, Token};

use crate::spec;

/// `"suite", run`.
struct Call {
    suite: LitStr,
    run: Path,
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let suite = input.parse()?;
        input.parse::<Token![,]>()?;
        let run = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Self { suite, run })
    }
}

pub(crate) fn expand(input: TokenStream) -> syn::Result<TokenStream> {
    let Call { suite, run } = syn::parse2(input)?;
    let fault = |message: String| Error::new(suite.span(), message);
    let folder = spec::folder().map_err(fault)?.join("conformance");
    let path = folder.join(suite.value() + ".json");
    let text = std::fs::read_to_string(&path).map_err(|error| {
        let there = suites(&folder);
        let names: Vec<_> = there.iter().map(String::as_str).collect();
        let help = proposal(&suite.value(), &names);
        fault(format!("specs/conformance/{}.json cannot be read ({}): {help}", suite.value(), error.kind()))
    })?;
    let root = read::parse(&text).map_err(|_| {
        fault(format!("specs/conformance/{}.json is not JSON: `cargo spec check` shows where", suite.value()))
    })?;
    let cases = root.get("cases").and_then(Node::as_array).unwrap_or_default();
    if cases.is_empty() {
        return Err(fault(format!("specs/conformance/{}.json holds no cases", suite.value())));
    }
    let tests = cases.iter().map(|case| {
        let name = case.get("name").and_then(Node::as_str).unwrap_or_default();
        let ident = test_name(name).ok_or_else(|| fault(format!("`{name}` cannot name a test")))?;
        let case = &text[case.span.start..case.span.end];
        Ok(quote! {
            #[test]
            fn #ident() {
                #run(#case)
            }
        })
    });
    let tests = tests.collect::<syn::Result<Vec<_>>>()?;
    let (count, path) = (tests.len(), path.to_string_lossy());
    Ok(quote! {
        /// How many cases the suite has, each of them a test beside this.
        pub const CASES: usize = #count;

        // So that the compiler looks again when the file has changed.
        const _: &[u8] = include_bytes!(#path);

        #(#tests)*
    })
}

/// The words of a case's name as a Rust identifier; a word that Rust keeps for itself is none.
fn test_name(name: &str) -> Option<Ident> {
    let fits = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    let ident = fits.then(|| name.replace('-', "_"))?;
    syn::parse_str::<Ident>(&ident).ok().map(|ident| Ident::new(&ident.to_string(), Span::call_site()))
}

fn suites(folder: &std::path::Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = files
        .filter_map(|file| file.file_name().to_str()?.strip_suffix(".json").map(str::to_owned))
        .collect();
    names.sort();
    names
}
