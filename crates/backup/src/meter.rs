use std::cell::Cell;
use std::io::{self, Read, Write};

use host::hex;
use sha2::{Digest as _, Sha256};

/// The number of bytes between two reports.
const STEP: u64 = 256 * 1024;
const BUFFER: usize = 64 * 1024;

/// The progress in bytes. Bytes that are read twice count twice; at the end `done` equals `total`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    pub done: u64,
    pub total: u64,
}

/// Counts bytes and reports the progress. `tell` returns whether to continue.
pub(super) struct ProgressMeter<'a> {
    tell: &'a dyn Fn(Progress) -> bool,
    done: Cell<u64>,
    total: Cell<u64>,
    told: Cell<u64>,
}

impl<'a> ProgressMeter<'a> {
    pub(super) fn new(tell: &'a dyn Fn(Progress) -> bool) -> Self {
        Self { tell, done: Cell::new(0), total: Cell::new(0), told: Cell::new(0) }
    }

    pub(super) fn done(&self) -> u64 {
        self.done.get()
    }

    pub(super) fn expect(&self, total: u64) {
        self.total.set(total);
    }

    pub(super) fn finish(&self) {
        self.done.set(self.total.get());
        (self.tell)(self.reached());
    }

    fn advance(&self, bytes: u64) -> io::Result<()> {
        self.done.set(self.done.get().saturating_add(bytes));
        if self.done.get() - self.told.get() < STEP {
            return Ok(());
        }
        self.told.set(self.done.get());
        if (self.tell)(self.reached()) { Ok(()) } else { Err(io::Error::other("it was stopped")) }
    }

    fn reached(&self) -> Progress {
        // A file may have grown since the total was computed.
        Progress { done: self.done.get(), total: self.total.get().max(self.done.get()) }
    }

    pub(super) fn reading<R: Read>(&self, inner: R) -> Metered<'_, R> {
        Metered { meter: self, inner }
    }
}

/// A reader that counts the bytes read through it.
pub(super) struct Metered<'m, R> {
    meter: &'m ProgressMeter<'m>,
    inner: R,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        self.meter.advance(count as u64)?;
        Ok(count)
    }
}

/// The side of a copy that failed. The two cases lead to different messages for the user.
pub(super) enum CopyError {
    Reading(io::Error),
    Writing(io::Error),
}

/// The result of a copy.
pub(super) struct Copied {
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

pub(super) fn copy(from: &mut dyn Read, to: &mut dyn Write) -> Result<Copied, CopyError> {
    let mut buffer = vec![0; BUFFER];
    let (mut bytes, mut sha256) = (0, Sha256::new());
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(CopyError::Reading(error)),
        };
        let piece = &buffer[..count];
        sha256.update(piece);
        to.write_all(piece).map_err(CopyError::Writing)?;
        bytes += count as u64;
    }
    Ok(Copied { bytes, sha256: hex(&sha256.finalize()) })
}
