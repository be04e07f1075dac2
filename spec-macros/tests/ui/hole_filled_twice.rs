fn main() {
    handset_spec_macros::text!(phone.says, message = "a", message = "b");
}
