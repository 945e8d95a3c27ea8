//! Encryption on the way to a server: with the certificates that this machine trusts.

use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls_platform_verifier::ConfigVerifierExt as _;
use tokio_postgres_rustls::MakeRustlsConnect;

pub(crate) fn connector() -> Result<MakeRustlsConnect, rustls::Error> {
    // Whoever else speaks TLS in this process chose the same one; only the first choice counts.
    let _ = ring::default_provider().install_default();
    let config = ClientConfig::with_platform_verifier()?;
    Ok(MakeRustlsConnect::new(config))
}
