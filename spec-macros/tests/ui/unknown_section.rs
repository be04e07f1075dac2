fn main() {
    handset_spec_macros::text!(phnoe.done);
}
