//! From the checked spec to files: one emitter a target. An emitter never sees JSON, only the model.

use std::collections::BTreeMap;

use crate::model::Spec;
use crate::value::Model;

mod rust;
pub mod templates;

/// Files by their path below `generated/`, with `/` between the folders.
pub type Files = BTreeMap<String, String>;

/// Every file of every target.
pub fn emit(spec: &Spec) -> Files {
    let mut files = rust::emit(spec);
    files.append(&mut templates::emit(&Model::new(spec)));
    files
}
