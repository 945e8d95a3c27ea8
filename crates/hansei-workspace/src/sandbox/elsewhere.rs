//! Systems without a sandbox: what must be locked in is refused.

use std::io;
use std::process::Command;

use super::{Captured, How, Limits, Refusal, Request};

/// One protection, and what came of the attempt against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// What is protected.
    pub protection: &'static str,
    /// What was tried.
    pub tried: &'static str,
    /// Whether it held.
    pub holds: bool,
}

/// There is nothing to try.
pub fn prove() -> Result<Vec<Proof>, Refusal> {
    Err(none())
}

/// There is none.
pub fn ready() -> Result<(), Refusal> {
    Err(none())
}

fn none() -> Refusal {
    Refusal::NoSandbox {
        reason: "it is built on Linux's namespaces".to_owned(),
        install: "run in a Linux container or virtual machine",
    }
}

/// Walls that are never put up.
#[derive(Debug)]
pub(super) enum Walls {}

/// Nobody is ever inside.
#[derive(Debug)]
pub(super) enum Inside {}

impl Walls {
    pub(super) fn around(_: &Request) -> Result<(Command, Self), Refusal> {
        Err(none())
    }

    pub(super) fn start<T>(&mut self, _: impl FnOnce() -> T) -> T {
        match *self {}
    }

    pub(super) fn close(&mut self, _: Limits) -> io::Result<Inside> {
        match *self {}
    }
}

impl Inside {
    pub(super) fn exceeded(&mut self) -> Option<How> {
        match *self {}
    }

    pub(super) fn is_watched(&self) -> bool {
        match *self {}
    }

    pub(super) fn end(&self) {
        match *self {}
    }

    pub(super) fn told(self, _: How, _: &Captured) -> Result<How, Refusal> {
        match self {}
    }
}
