use std::pin::Pin;
use std::process::ExitStatus;

use host::{Child, ChildStdin, Chunk};

use crate::error::{Excess, SandboxError};
#[cfg(target_os = "linux")]
use crate::first::First;

/// A future that resolves when a program has exceeded a limit.
pub type Watch = Pin<Box<dyn Future<Output = Excess> + Send>>;

/// A check for limits at which the kernel itself stopped the program.
pub type Verdict = Box<dyn Fn() -> Option<Excess> + Send + Sync>;

/// A running, supervised program. Dropping it kills the program and all its child processes.
pub struct Cell {
    child: Child,
    watch: Watch,
    verdict: Verdict,
    #[cfg(target_os = "linux")]
    first: Option<First>,
    /// Resources that must outlive the program. Dropped after the child, which is dead by then.
    _kept: Box<dyn Send + Sync>,
}

/// A handle to a program that was ended, for callers that must wait until none of its processes is left.
#[derive(Debug, Default, Clone)]
pub struct Remains {
    #[cfg(target_os = "linux")]
    first: Option<First>,
}

impl Remains {
    /// Waits for the last process of a program that has ended, was killed or was dropped.
    pub async fn are_gone(&self) {
        #[cfg(target_os = "linux")]
        if let Some(first) = &self.first {
            first.is_gone().await;
        }
    }
}

impl Cell {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "nothing runs where there are no walls"))]
    pub(crate) fn new(child: Child, watch: Watch, verdict: Verdict, kept: Box<dyn Send + Sync>) -> Self {
        Self {
            child,
            watch,
            verdict,
            #[cfg(target_os = "linux")]
            first: None,
            _kept: kept,
        }
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn with_first(self, first: Option<First>) -> Self {
        Self { first, ..self }
    }

    /// Returns the standard input, if it was kept open.
    pub fn input(&mut self) -> Option<ChildStdin> {
        self.child.input()
    }

    pub fn pid(&self) -> Option<u32> {
        self.child.pid()
    }

    /// Returns the next chunk of output; `None` after the last.
    pub async fn next(&mut self) -> Result<Option<Chunk>, SandboxError> {
        tokio::select! {
            biased;
            excess = &mut self.watch => {
                self.child.kill();
                // The process is dead and must not be inspected again: its process ID may be reused.
                self.watch = Box::pin(std::future::pending());
                Err(SandboxError::TooMuch(excess))
            }
            chunk = self.child.next() => Ok(chunk?),
        }
    }

    /// Waits for the program to end. Unread output is discarded.
    pub async fn finish(self) -> Result<ExitStatus, SandboxError> {
        let Self { child, watch, verdict, .. } = self;
        let status = tokio::select! {
            biased;
            // Dropping the child kills it.
            excess = watch => return Err(SandboxError::TooMuch(excess)),
            status = child.finish() => status?,
        };
        verdict().map_or(Ok(status), |excess| Err(SandboxError::TooMuch(excess)))
    }

    /// Returns a handle to wait for the last process. It is needed if the writes went to a folder other than the one
    /// the program saw.
    pub fn remains(&self) -> Remains {
        Remains {
            #[cfg(target_os = "linux")]
            first: self.first.clone(),
        }
    }

    pub fn kill(&mut self) {
        self.child.kill();
    }
}
