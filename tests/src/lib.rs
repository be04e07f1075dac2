//! Parts that the tests share: above all a second, slow reading of the spec, which knows nothing of the first.

pub mod second;
