//! The `handset` binary; everything is in the library, where tests can hold it.

fn main() -> std::process::ExitCode {
    handset::cli::main()
}
