//! Starts programs that outlive this process: an application that the user asked for, or a clipboard owner.

use std::process::{ExitStatus, Stdio};

use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use super::{ProcessError, Program};

impl Program {
    /// Starts the program in its own session and detaches it, so it is not killed with this process. Waits for its exit
    /// up to the time limit; returns `None` if it is still running then. Its output is dropped.
    pub async fn run_detached(self) -> Result<Option<ExitStatus>, ProcessError> {
        let mut command = self.command();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        own_session(&mut command);
        let mut child = command.spawn().map_err(|source| self.not_started(source))?;
        let stdin = child.stdin.take();
        let ended = tokio::time::timeout(self.time_limit, async {
            if let Some(mut stdin) = stdin {
                // Errors are ignored: a program may close its input.
                let _ = stdin.write_all(&self.input).await;
            }
            child.wait().await
        });
        match ended.await {
            Ok(status) => {
                status.map(Some).map_err(|source| ProcessError::Lost { program: self.shown_name(), source })
            }
            Err(_) => Ok(None),
        }
    }
}

#[cfg(unix)]
#[allow(unsafe_code)]
fn own_session(command: &mut Command) {
    // SAFETY: between fork and exec the closure makes one system call and neither allocates nor locks.
    unsafe {
        command.pre_exec(|| {
            rustix::process::setsid()?;
            Ok(())
        });
    }
}

#[cfg(not(unix))]
fn own_session(_: &mut Command) {}
