//! The spec at compile time, in hand-written code.
//!
//! [`text!`] renders a text of the spec with its holes checked while compiling; [`conformance!`] makes one named test a
//! case of a conformance file. Both read the `specs/` folder above the crate that uses them, and nothing else.

use proc_macro::TokenStream;

mod conformance;
mod spec;
mod text;

/// A text of the spec: `text!(phone.bad, action = a, field = f, what = w)`, and `text!(demo.hello in language)` for one
/// that a person reads.
///
/// It is a `String`, or a `&'static str` where the text may have no holes. A section, a text or a hole that the spec
/// does not have is an error at its place, with the nearest name that it has; so is a hole left out.
#[proc_macro]
pub fn text(input: TokenStream) -> TokenStream {
    text::expand(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// A test a case: `conformance!("phone", run)` calls `run(case)` with the JSON text of each case of
/// `specs/conformance/phone.json`, from a test that bears the case's name.
#[proc_macro]
pub fn conformance(input: TokenStream) -> TokenStream {
    conformance::expand(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}
