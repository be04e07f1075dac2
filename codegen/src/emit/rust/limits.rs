//! The section's constants.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::model::Phone;

pub(super) fn emit(phone: &Phone) -> TokenStream {
    let Phone { capability, wait_seconds, answer_grace_seconds, .. } = phone;
    // Characters are counted in memory: more than fit there is no limit.
    let message_max_chars = super::number(usize::try_from(phone.message_max_chars).unwrap_or(usize::MAX));
    let [wait_seconds, answer_grace_seconds] =
        [wait_seconds, answer_grace_seconds].map(|seconds| Literal::u64_unsuffixed(*seconds));
    quote! {
        /// What a client declares with a message that comes from a phone.
        pub const CAPABILITY: &str = #capability;

        /// How long a card waits for its answer, in seconds.
        pub const WAIT_SECONDS: u64 = #wait_seconds;

        /// How long after that an answer stamped in time may still arrive, in seconds.
        pub const ANSWER_GRACE_SECONDS: u64 = #answer_grace_seconds;

        /// The most characters of an answer's message.
        pub const MESSAGE_MAX_CHARS: usize = #message_max_chars;
    }
}
