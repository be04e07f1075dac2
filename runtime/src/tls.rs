//! TLS: rustls over ring, for every connection that this process opens.

/// Makes ring the process's provider of cryptography. Once is enough; again changes nothing.
pub fn install() {
    // An error means that a provider is there already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
