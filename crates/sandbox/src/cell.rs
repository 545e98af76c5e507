use std::pin::Pin;
use std::process::ExitStatus;

use host::{Child, ChildStdin, Chunk};

use crate::error::{Excess, SandboxError};

/// What says when a program has taken too much.
pub type Watch = Pin<Box<dyn Future<Output = Excess> + Send>>;

/// What the kernel has to say of a program that it may have ended by itself.
pub type Verdict = Box<dyn Fn() -> Option<Excess> + Send + Sync>;

/// A program that runs, and is watched. Dropping it ends it with everything that it started.
pub struct Cell {
    child: Child,
    watch: Watch,
    verdict: Verdict,
    /// What stays for as long as it runs; after the child, which is dead by then.
    _kept: Box<dyn Send + Sync>,
}

impl Cell {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "nothing runs where there are no walls"))]
    pub(crate) fn new(child: Child, watch: Watch, verdict: Verdict, kept: Box<dyn Send + Sync>) -> Self {
        Self { child, watch, verdict, _kept: kept }
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
            excess = &mut self.watch => {
                self.child.kill();
                // It is dead and must not be looked at again: its number may be somebody else's.
                self.watch = Box::pin(std::future::pending());
                Err(SandboxError::TooMuch(excess))
            }
            chunk = self.child.next() => Ok(chunk?),
        }
    }

    /// Waits for its end. Output that was not read is dropped.
    pub async fn finish(self) -> Result<ExitStatus, SandboxError> {
        let Self { child, watch, verdict, _kept } = self;
        let status = tokio::select! {
            biased;
            // The child, dropped, is killed.
            excess = watch => return Err(SandboxError::TooMuch(excess)),
            status = child.finish() => status?,
        };
        verdict().map_or(Ok(status), |excess| Err(SandboxError::TooMuch(excess)))
    }

    pub fn kill(&mut self) {
        self.child.kill();
    }
}
