use std::pin::Pin;
use std::process::ExitStatus;

use host::{ChildProcess, ChildStdin, OutputChunk};

#[cfg(target_os = "linux")]
use crate::awaited_process::AwaitedProcess;
use crate::error::{ExceededLimit, SandboxError};

/// Resolves when a program has exceeded a limit.
pub type LimitWatch = Pin<Box<dyn Future<Output = ExceededLimit> + Send>>;

/// Returns the limit at which the kernel itself stopped the program.
pub type KernelCheck = Box<dyn Fn() -> Option<ExceededLimit> + Send + Sync>;

/// A running, supervised program. Dropping it kills the program and all its child processes.
pub struct SandboxedProgram {
    child: ChildProcess,
    watch: LimitWatch,
    kernel_check: KernelCheck,
    #[cfg(target_os = "linux")]
    awaited: Option<AwaitedProcess>,
    /// Resources that must outlive the program. Dropped after the child, which is dead by then.
    _kept: Box<dyn Send + Sync>,
}

/// Waits for the last process of a program that was ended.
#[derive(Debug, Default, Clone)]
pub struct ExitHandle {
    #[cfg(target_os = "linux")]
    awaited: Option<AwaitedProcess>,
}

impl ExitHandle {
    /// Waits for the last process of a program that has ended, was killed or was dropped.
    pub async fn all_processes_gone(&self) {
        #[cfg(target_os = "linux")]
        if let Some(awaited) = &self.awaited {
            awaited.wait_until_gone().await;
        }
    }
}

impl SandboxedProgram {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "without a sandbox nothing runs"))]
    pub(crate) fn new(
        child: ChildProcess,
        watch: LimitWatch,
        kernel_check: KernelCheck,
        kept: Box<dyn Send + Sync>,
    ) -> Self {
        Self {
            child,
            watch,
            kernel_check,
            #[cfg(target_os = "linux")]
            awaited: None,
            _kept: kept,
        }
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn with_awaited(self, awaited: Option<AwaitedProcess>) -> Self {
        Self { awaited, ..self }
    }

    /// Takes the standard input, if it was kept open.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.take_stdin()
    }

    pub fn pid(&self) -> Option<u32> {
        self.child.pid()
    }

    /// Returns the next chunk of output; `None` after the last.
    pub async fn next(&mut self) -> Result<Option<OutputChunk>, SandboxError> {
        tokio::select! {
            biased;
            exceeded = &mut self.watch => {
                self.child.kill();
                // The process is dead and must not be inspected again: its process ID may be reused.
                self.watch = Box::pin(std::future::pending());
                Err(SandboxError::LimitExceeded(exceeded))
            }
            chunk = self.child.next() => Ok(chunk?),
        }
    }

    /// Waits for the program to end. Unread output is discarded.
    pub async fn finish(self) -> Result<ExitStatus, SandboxError> {
        let Self { child, watch, kernel_check, .. } = self;
        let status = tokio::select! {
            biased;
            // Dropping the child kills it.
            exceeded = watch => return Err(SandboxError::LimitExceeded(exceeded)),
            status = child.finish() => status?,
        };
        kernel_check().map_or(Ok(status), |exceeded| Err(SandboxError::LimitExceeded(exceeded)))
    }

    /// Returns a handle to wait for the last process. It is needed if the writes went to a folder other than the one
    /// the program saw.
    pub fn exit_handle(&self) -> ExitHandle {
        ExitHandle {
            #[cfg(target_os = "linux")]
            awaited: self.awaited.clone(),
        }
    }

    pub fn kill(&mut self) {
        self.child.kill();
    }
}
