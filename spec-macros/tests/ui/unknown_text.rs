fn main() {
    handset_spec_macros::text!(phone.no_anwser);
}
