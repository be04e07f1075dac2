//! `markers`: the kinds with what is said of them, and the tables that the scanner runs on.

mod kinds;
mod tables;

pub(super) use kinds::emit as kinds;
pub(super) use tables::emit as tables;
