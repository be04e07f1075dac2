//! Phone actions (document 1): what a model may ask of a phone, read, refused, and answered.

mod answer;
mod call;
mod refusal;

#[rustfmt::skip]
mod actions;
#[rustfmt::skip]
mod limits;
#[rustfmt::skip]
#[allow(unused_imports, reason = "which kinds of check there are is the spec's to say")]
mod reader;
#[rustfmt::skip]
mod request;
#[rustfmt::skip]
#[allow(unused_imports, reason = "which kinds of field there are is the spec's to say")]
pub mod requests;
#[rustfmt::skip]
mod sentences;
#[rustfmt::skip]
pub mod values;

pub use actions::{Action, Field};
pub use answer::{Answer, Status, no_answer};
pub use call::{Call, Shape};
pub use limits::{ANSWER_GRACE_SECONDS, CAPABILITY, MESSAGE_MAX_CHARS, WAIT_SECONDS};
pub use reader::{read, read_value};
pub use refusal::Refusal;
pub use request::Request;
