//! The compiled spec against the documents: the conformance cases, and a second reading of loop.json.

mod compiled;
mod conformance;
mod differential;
mod edits;
