fn main() {
    handset_spec_macros::text!(demo.hello);
}
