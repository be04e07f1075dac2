//! Speaking: a reply, as it comes and without its markers, becomes numbered pieces and their audio, in order.
//!
//! | file | what |
//! |---|---|
//! | [`service`] | what a speech service is, and how it fails |
//! | `queue` | which piece is asked for when, and what is told in which order: pure |
//! | [`speaker`] | one reply being spoken: the queue, with tasks that ask |
//! | [`command`] | a service that is a program of this machine's; those behind APIs are in `models::speech` |
//! | [`meter`], [`ledger`] | who may have how many characters spoken |
//! | [`mouth`] | what the server speaks with |
//!
//! Where no service is configured the browser's own voice speaks: pieces are told, and no audio comes with them.

pub mod command;
pub mod ledger;
pub mod meter;
pub mod mouth;
mod queue;
pub mod service;
pub mod speaker;
pub mod wav;

pub use ledger::Ledger;
pub use meter::{Free, Meter};
pub use mouth::Mouth;
pub use service::{Code, Fault, Format, Speaking, Speech, Utterance};
pub use speaker::{Event, Events, Manner, Piece, Speaker};
