//! From the checked spec to files: one emitter a target. An emitter never sees JSON, only the model.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::model::Spec;
use crate::value::Model;

mod rust;
pub mod templates;

/// Files by their path below `generated/`, with `/` between the folders.
pub type Files = BTreeMap<String, String>;

/// Every file of every target. Targets have nothing to do with each other, so each processor takes one after another, those
/// with the most to fill first.
pub fn emit(spec: &Spec) -> Files {
    let templates = templates::Filling::new(&Model::new(spec));
    let targets = templates.targets();
    let taken = AtomicUsize::new(0);
    let fill = || {
        let mut files = Files::new();
        while let Some(target) = targets.get(taken.fetch_add(1, Ordering::Relaxed)) {
            files.append(&mut templates.fill(target));
        }
        files
    };
    // This thread is one of them; it begins with Rust, which takes the longest.
    let others = thread::available_parallelism().map_or(1, NonZero::get).min(targets.len() + 1) - 1;
    let mut files = Files::new();
    thread::scope(|scope| {
        let others: Vec<_> = (0..others).map(|_| scope.spawn(fill)).collect();
        files = rust::emit(spec);
        files.append(&mut fill());
        for other in others {
            match other.join() {
                Ok(mut other) => files.append(&mut other),
                Err(panic) => resume_unwind(panic),
            }
        }
    });
    files
}
