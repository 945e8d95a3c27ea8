//! Systems without a sandbox: what must be locked in is refused.

use std::io;
use std::process::Command;
use std::time::Duration;

use super::run::Entrance;
use super::{Captured, Ended, How, Limits, Refusal, Request};

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
    pub(super) fn around(_: &Request, _: Entrance<'_>) -> Result<(Command, Self), Refusal> {
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

    pub(super) fn end(&self, _: u32) {
        match *self {}
    }

    pub(super) fn told(&mut self, _: How, _: &Captured) -> Result<How, Refusal> {
        match *self {}
    }
}

/// Nothing stands here.
#[derive(Debug)]
pub(super) struct Standing;

#[expect(clippy::unused_self, reason = "as where there is a sandbox")]
impl Standing {
    pub(super) fn new(_: &Request) -> Self {
        Self
    }

    pub(super) fn is_down(&self) -> bool {
        true
    }

    pub(super) fn send_away(&mut self) {}

    pub(super) fn expect(&self) {}

    pub(super) fn run(&self, _: &str, _: Duration) -> Option<Result<Ended, Refusal>> {
        None
    }
}
