//! The server of Handset: chats, the companion's turns, the phone desk, the store and the HTTP surface.
//!
//! | room | what lives there |
//! |---|---|
//! | [`cli`] | the command line: `handset` (serve), `handset chat`, `person`, `token`, `sign-in`, `try` and `doctor` |
//! | [`config`] | what the operator sets, in a file or the environment |
//! | [`doctor`] | a look at what is configured, reachable and missing |
//! | [`gateway`] | the trait of models, the assembler of their calls, the turn, the phone desk, the events |
//! | [`metrics`] | what is counted for whoever watches the process |
//! | [`models`] | models behind HTTP APIs |
//! | [`ringer`] | invites that ring, what comes of a call, and what it leaves |
//! | [`store`] | what is kept, behind a trait that names no database |
//! | [`voice`] | what is spoken, sentence by sentence |
//! | [`web`] | HTTP: JSON under `/api`, streams by server-sent events |
//! | [`zone`] | time zones by their names |
//!
//! No text and no number of the spec is written by hand here; they come from `handset_spec`.

pub mod cli;
pub mod clock;
pub mod config;
pub mod doctor;
pub mod gateway;
mod guarded;
pub mod ids;
pub mod metrics;
pub mod models;
pub mod ringer;
pub mod serve;
pub mod store;
pub mod tls;
pub mod voice;
pub mod web;
pub mod zone;
