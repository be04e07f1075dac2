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
    "clients/typescript/README.md.hbs"
    "clients/typescript/example/phone.js"
    "clients/typescript/package.json.hbs"
    "clients/typescript/src/_field.hbs"
    "clients/typescript/src/_holes.hbs"
    "clients/typescript/src/_holes_type.hbs"
    "clients/typescript/src/_limits.hbs"
    "clients/typescript/src/_type.hbs"
    "clients/typescript/src/_value.hbs"
    "clients/typescript/src/_wording.hbs"
    "clients/typescript/src/answer.d.ts"
    "clients/typescript/src/answer.js"
    "clients/typescript/src/arguments.js"
    "clients/typescript/src/check.js"
    "clients/typescript/src/cleaning.js"
    "clients/typescript/src/client.d.ts"
    "clients/typescript/src/client.js"
    "clients/typescript/src/index.d.ts"
    "clients/typescript/src/index.js"
    "clients/typescript/src/json.d.ts"
    "clients/typescript/src/json.js"
    "clients/typescript/src/marker_table.js.hbs"
    "clients/typescript/src/markers.d.ts.hbs"
    "clients/typescript/src/markers.js"
    "clients/typescript/src/phone.d.ts.hbs"
    "clients/typescript/src/phone.js.hbs"
    "clients/typescript/src/reader.d.ts"
    "clients/typescript/src/reader.js.hbs"
    "clients/typescript/src/settings.d.ts.hbs"
    "clients/typescript/src/settings.js"
    "clients/typescript/src/settings_table.js.hbs"
    "clients/typescript/src/text.js"
    "clients/typescript/src/texts.d.ts.hbs"
    "clients/typescript/src/texts.js.hbs"
    "clients/typescript/src/wire.d.ts.hbs"
    "clients/typescript/src/wire.js.hbs"
}
