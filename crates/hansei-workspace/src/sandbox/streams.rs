//! Our own standard streams, handed to a command without what lies behind them.
//!
//! A file or a folder that somebody redirected to us would be a way out: whoever has it open can open it again, for
//! writing too, or walk up from it. So only terminals and pipes are passed on as they are; for everything else bytes are
//! carried over.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;

use rustix::fs::FileType;

/// Streams that are being carried over. Dropping it waits until the last byte is over.
#[derive(Debug)]
pub(super) struct Passed {
    carriers: Vec<JoinHandle<()>>,
}

impl Passed {
    /// Gives our streams to a command.
    pub(super) fn on(command: &mut Command) -> io::Result<Self> {
        let mut carriers = Vec::new();
        command.stdin(input()?);
        command.stdout(output(io::stdout(), &mut carriers)?);
        command.stderr(output(io::stderr(), &mut carriers)?);
        Ok(Self { carriers })
    }
}

impl Drop for Passed {
    fn drop(&mut self) {
        for carrier in self.carriers.drain(..) {
            let _ = carrier.join();
        }
    }
}

fn input() -> io::Result<Stdio> {
    let ours = io::stdin();
    let kind = kind(&ours);
    if is_harmless(kind) {
        return Ok(Stdio::inherit());
    }
    if kind == FileType::Directory {
        return Ok(Stdio::null());
    }
    let (reader, writer) = io::pipe()?;
    let ours = File::from(ours.as_fd().try_clone_to_owned()?);
    // Not waited for: a command need not read to the end, and whoever feeds us need not stop.
    std::thread::spawn(move || carry(ours, writer));
    Ok(reader.into())
}

fn output(ours: impl AsFd, carriers: &mut Vec<JoinHandle<()>>) -> io::Result<Stdio> {
    let ours: OwnedFd = ours.as_fd().try_clone_to_owned()?;
    if is_harmless(kind(&ours)) {
        return Ok(ours.into());
    }
    let (reader, writer) = io::pipe()?;
    carriers.push(std::thread::spawn(move || carry(reader, File::from(ours))));
    Ok(writer.into())
}

fn carry(mut from: impl Read, mut to: impl Write) {
    // Not `io::copy`: it lets the kernel move the bytes, to where the file ended when the waiting began, and two streams
    // into one file would write over each other.
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes) {
        if to.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
}

fn kind(stream: &impl AsFd) -> FileType {
    rustix::fs::fstat(stream).map_or(FileType::Unknown, |stat| FileType::from_raw_mode(stat.st_mode))
}

fn is_harmless(kind: FileType) -> bool {
    matches!(kind, FileType::Fifo | FileType::CharacterDevice)
}
