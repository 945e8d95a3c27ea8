//! The thresholds that this program was built with.

use std::fmt::Write as _;

use hansei_core::experiment::registration::Registration;
use sha2::{Digest as _, Sha256};

use crate::failure::Failure;

const FILE: &str = include_str!("../../../../../experiments/preregistration.toml");

/// The registered thresholds, and their digest.
pub fn registered() -> Result<Registration, Failure> {
    let thresholds = toml::from_str(FILE).map_err(|error| {
        Failure::environment(format!("experiments/preregistration.toml cannot be read: {error}"))
    })?;
    Ok(Registration { thresholds, digest: hexadecimal(&Sha256::digest(FILE.as_bytes())) })
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
