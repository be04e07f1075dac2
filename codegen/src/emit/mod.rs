//! From the checked spec to files: one emitter a target. An emitter never sees JSON, only the model.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::thread;

use crate::model::Spec;
use crate::value::Model;

mod rust;
pub mod templates;

/// Files by their path below `generated/`, with `/` between the folders.
pub type Files = BTreeMap<String, String>;

/// Every file of every target. Targets have nothing to do with each other, so each is emitted by a thread of its own.
pub fn emit(spec: &Spec) -> Files {
    let templates = templates::Filling::new(&Model::new(spec));
    let mut files = Files::new();
    thread::scope(|scope| {
        let others: Vec<_> =
            templates.targets().map(|target| scope.spawn(|| templates.fill(target))).collect();
        files = rust::emit(spec);
        for other in others {
            match other.join() {
                Ok(mut other) => files.append(&mut other),
                Err(panic) => resume_unwind(panic),
            }
        }
    });
    files
}
