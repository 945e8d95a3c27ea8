//! The scripted model: an HTTP server on loopback that replaces the model and nothing else, so that a real agent can be
//! run without one.
//!
//! It speaks the wire formats of the providers ([`wire`]) and takes its answers from a readable [`Script`]. A request is
//! read into what all formats share ([`request::Asked`]), the script decides ([`answer`]), names of tools are translated
//! to those that the agent offers ([`tool`]), and the answer goes back in the format in which it was asked for.
//!
//! What never lives here: knowledge of Hansei's own records, a call to anything outside.

pub mod answer;
mod breaking;
mod record;
mod reply;
pub mod request;
pub mod route;
pub mod script;
mod server;
mod signals;
pub mod tool;
pub mod wire;

pub use record::Recorded;
pub use script::{Script, ScriptError};
pub use server::{ModelServer, Options, StartError};
pub use signals::TerminationSignals;
