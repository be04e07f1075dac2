fn main() {
    handset_spec_macros::text!(phone.done, message = "a");
}
