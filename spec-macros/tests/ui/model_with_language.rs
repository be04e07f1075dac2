fn main() {
    handset_spec_macros::text!(phone.done in handset_spec::Language::En);
}
