//! The server as a process: the real binary, real sockets, a real file.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the helpers of tests stand outside the tests themselves"
)]

mod alarm;
mod belongings;
mod binary;
mod calls;
mod cards;
mod chat;
mod companion;
mod contract;
mod degraded;
mod doctor;
mod drops;
mod errors;
mod escalation;
mod http;
mod lab;
mod limits;
mod live;
mod logs;
mod metrics;
mod models;
mod offer;
mod owners;
mod page;
mod people;
mod phone;
mod polls;
mod process;
mod push;
mod reading;
mod repeats;
mod restart;
mod sentences;
mod settings;
mod speech;
mod start;
mod stop;
mod streams;
mod telephone;
mod transcribe;
mod try_markers;
mod try_phone;
