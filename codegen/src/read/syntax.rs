//! Why a text is no JSON.

use super::Span;

/// The first place where a text is no JSON.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SyntaxError {
    /// What does not belong there; empty at the end of the text.
    pub span: Span,
    /// What was found and what was expected.
    pub message: String,
    /// A few words for the marked place.
    pub label: Box<str>,
    /// What to do.
    pub help: Option<Box<str>>,
    /// Another place that matters, such as the bracket that is not closed.
    pub also: Option<(Span, Box<str>)>,
}

impl SyntaxError {
    pub(super) fn new(span: Span, message: impl Into<String>, label: impl Into<Box<str>>) -> Self {
        Self { span, message: message.into(), label: label.into(), help: None, also: None }
    }

    pub(super) fn help(mut self, help: impl Into<Box<str>>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn also(mut self, span: Span, label: impl Into<Box<str>>) -> Self {
        self.also = Some((span, label.into()));
        self
    }
}
