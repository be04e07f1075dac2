//! The compiler's own templates, in the program itself: nothing but specs is read while it compiles.

/// A table of files below `codegen/templates/`, by where they go below `generated/`.
macro_rules! templates {
    ($($path:literal)*) => {
        /// Path below `codegen/templates/`, text.
        pub(super) const TEMPLATES: &[(&str, &str)] =
            &[$(($path, include_str!(concat!("../../../templates/", $path)))),*];
    };
}

templates! {
}
