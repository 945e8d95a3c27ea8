//! What the doctor says of the sandbox: which of its protections hold here, each tried.

use std::fmt::Write as _;

use hansei_workspace::sandbox::{Proof, Refusal, prove};
use serde_json::{Value, json};

/// The sandbox on this machine.
pub struct Sandbox(Result<Vec<Proof>, Refusal>);

/// Tries it.
pub fn examined() -> Sandbox {
    Sandbox(prove())
}

impl Sandbox {
    /// Whether nothing is wrong with it. Where it is missing nothing is wrong: what needs it refuses to run.
    pub fn is_well(&self) -> bool {
        self.0.as_ref().map_or(true, |proofs| proofs.iter().all(|proof| proof.holds))
    }

    pub fn told(&self) -> String {
        let mut page = "Sandbox\n".to_owned();
        match &self.0 {
            Ok(proofs) => {
                let held: Vec<_> =
                    proofs.iter().filter(|proof| proof.holds).map(|proof| proof.protection).collect();
                // Writing to a String cannot fail, here and below.
                let _ = writeln!(page, "  proven     {}", held.join(", "));
                for proof in proofs.iter().filter(|proof| !proof.holds) {
                    let _ =
                        writeln!(page, "  wrong      {}: it was possible {}", proof.protection, proof.tried);
                    page.push_str("             do not let agents run commands here unattended\n");
                }
            }
            Err(refusal) => {
                let _ = writeln!(page, "  missing    {refusal}: commands are refused");
                if let Refusal::NoSandbox { install, .. } = refusal {
                    let _ = writeln!(page, "             {install}");
                }
            }
        }
        page
    }

    pub fn json(&self) -> Value {
        match &self.0 {
            Ok(proofs) => {
                let rows = proofs.iter().map(|proof| {
                    json!({ "protection": proof.protection, "tried": proof.tried, "holds": proof.holds })
                });
                json!({ "active": true, "protections": rows.collect::<Vec<_>>() })
            }
            Err(refusal) => json!({ "active": false, "reason": refusal.to_string() }),
        }
    }
}
