use std::pin::Pin;
use std::process::ExitStatus;

use host::{Child, ChildStdin, Chunk};

use crate::error::{Excess, SandboxError};
#[cfg(target_os = "linux")]
use crate::first::First;

/// What says when a program has taken too much.
pub type Watch = Pin<Box<dyn Future<Output = Excess> + Send>>;

/// What the kernel has to say of a program that it may have ended by itself.
pub type Verdict = Box<dyn Fn() -> Option<Excess> + Send + Sync>;

/// A program that runs, and is watched. Dropping it ends it with everything that it started.
pub struct Cell {
    child: Child,
    watch: Watch,
    verdict: Verdict,
    #[cfg(target_os = "linux")]
    first: Option<First>,
    /// What stays for as long as it runs; after the child, which is dead by then.
    _kept: Box<dyn Send + Sync>,
}

/// What is left of a program that was ended, for whoever has to wait until nothing of it runs any more.
#[derive(Debug, Default, Clone)]
pub struct Remains {
    #[cfg(target_os = "linux")]
    first: Option<First>,
}

impl Remains {
    /// Waits for the last process of a program that has ended, or was killed or dropped.
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
        let Self { child, watch, verdict, .. } = self;
        let status = tokio::select! {
            biased;
            // The child, dropped, is killed.
            excess = watch => return Err(SandboxError::TooMuch(excess)),
            status = child.finish() => status?,
        };
        verdict().map_or(Ok(status), |excess| Err(SandboxError::TooMuch(excess)))
    }

    /// What to wait for once it has ended, where its writes went to another folder than it saw.
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
