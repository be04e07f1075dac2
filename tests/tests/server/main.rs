//! The server as a process: the real binary, real sockets, a real file.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the helpers of tests stand outside the tests themselves"
)]

mod alarm;
mod binary;
mod cards;
mod degraded;
mod doctor;
mod errors;
mod http;
mod logs;
mod metrics;
mod models;
mod offer;
mod owners;
mod process;
mod restart;
mod sentences;
mod start;
mod stop;
mod streams;
mod try_phone;
