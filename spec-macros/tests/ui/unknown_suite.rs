handset_spec_macros::conformance!("phones", run);

fn main() {}
