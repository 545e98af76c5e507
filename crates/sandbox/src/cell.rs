use std::pin::Pin;
use std::process::ExitStatus;

use host::{Child, ChildStdin, Chunk};

use crate::error::{Excess, SandboxError};
use crate::policy::Policy;

/// A program that runs, and is watched. Dropping it ends it with everything that it started.
pub struct Cell {
    child: Child,
    watch: Pin<Box<dyn Future<Output = Excess> + Send>>,
}

impl Cell {
    pub(crate) fn new(child: Child, policy: &Policy) -> Self {
        let watch: Pin<Box<dyn Future<Output = Excess> + Send>> = match child.pid() {
            #[cfg(target_os = "linux")]
            Some(root) => Box::pin(crate::watch::until_too_much(root, policy.limits, policy.writes.clone())),
            _ => Box::pin(std::future::pending()),
        };
        Self { child, watch }
    }

    /// Where it reads, if that was kept open.
    pub fn input(&mut self) -> Option<ChildStdin> {
        self.child.input()
    }

    pub fn pid(&self) -> Option<u32> {
        self.child.pid()
    }

    /// The next piece of output; `None` after the last.
    pub async fn next(&mut self) -> Result<Option<Chunk>, SandboxError> {
        tokio::select! {
            biased;
            excess = &mut self.watch => Err(self.end(excess)),
            chunk = self.child.next() => Ok(chunk?),
        }
    }

    /// Waits for its end. Output that was not read is dropped.
    pub async fn finish(self) -> Result<ExitStatus, SandboxError> {
        let Self { child, watch } = self;
        tokio::select! {
            biased;
            // The child, dropped, is killed.
            excess = watch => Err(SandboxError::TooMuch(excess)),
            status = child.finish() => Ok(status?),
        }
    }

    pub fn kill(&mut self) {
        self.child.kill();
    }

    fn end(&mut self, excess: Excess) -> SandboxError {
        self.child.kill();
        // It is dead and must not be looked at again: its number may be somebody else's.
        self.watch = Box::pin(std::future::pending());
        SandboxError::TooMuch(excess)
    }
}
