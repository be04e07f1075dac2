//! A call that is alive, over a real WebSocket: understood, answered piece by piece, interrupted, hung up by either side.

mod client;
mod edges;
mod phone;
mod returns;
mod stops;
mod talk;
mod words;
