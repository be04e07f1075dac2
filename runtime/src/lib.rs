//! The server of Handset: chats, the companion's turns, the phone desk, the store and the HTTP surface.
//!
//! | room | what lives there |
//! |---|---|
//! | [`cli`] | the command line: `handset` (serve), `handset chat`, `person`, `token`, `sign-in` and `try` |
//! | [`gateway`] | models, the assembler of their calls, the turn, the phone desk, the events |
//! | [`store`] | what is kept, behind a trait that names no database |
//! | [`web`] | HTTP: JSON under `/api`, streams by server-sent events |
//!
//! No text and no number of the spec is written by hand here; they come from `handset_spec`.

pub mod cli;
pub mod clock;
pub mod gateway;
pub mod ids;
pub mod serve;
pub mod store;
pub mod web;
