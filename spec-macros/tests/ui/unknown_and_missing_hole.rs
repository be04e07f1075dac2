fn main() {
    handset_spec_macros::text!(phone.bad, action = "alarm", feild = "time", what = "a time");
}
