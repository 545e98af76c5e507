//! Detection of the end of a program's last process. Bubblewrap exits as soon as the program does or is killed;
//! processes that were left running die a moment later, with the first process of their namespace. Code that reads the
//! program's files waits for that process: the kernel reports its end only when all others are gone.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, pidfd_open, test_kill_process_group};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// The maximum wait. Killed processes are gone sooner, unless the kernel itself waits for a disk.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The interval between checks of a process group and their number, for programs without a namespace.
const CHECK_INTERVAL: Duration = Duration::from_millis(5);
const MOST_CHECKS: u32 = 200;

/// The process or process group to wait for.
#[derive(Debug, Clone)]
pub enum AwaitedProcess {
    /// The first process of a namespace.
    InNamespace(Arc<PidPipe>),
    /// A process group, which its members cannot leave.
    Group(u32),
}

/// The pipe on which bubblewrap reports that process ID.
#[derive(Debug)]
pub struct PidPipe {
    read_end: File,
    process: OnceLock<Option<Pid>>,
}

impl AwaitedProcess {
    /// Returns the process to wait for and the write end of the pipe, which bubblewrap inherits.
    pub fn pipe() -> io::Result<(Self, OwnedFd)> {
        let (ours, theirs) = io::pipe()?;
        fcntl_setfl(&ours, OFlags::NONBLOCK)?;
        let pipe = PidPipe { read_end: OwnedFd::from(ours).into(), process: OnceLock::new() };
        Ok((Self::InNamespace(Arc::new(pipe)), theirs.into()))
    }

    /// Waits until no process of the program is running. The program must have ended or been killed.
    pub async fn wait_until_gone(&self) {
        match self {
            Self::InNamespace(pipe) => {
                let process = *pipe.process.get_or_init(|| pipe.read_pid());
                if let Some(process) = process {
                    has_ended(process).await;
                }
            }
            Self::Group(group) => {
                let group = i32::try_from(*group).ok().and_then(Pid::from_raw);
                for _ in 0..MOST_CHECKS {
                    let Some(group) = group else { return };
                    if test_kill_process_group(group).is_err() {
                        return;
                    }
                    tokio::time::sleep(CHECK_INTERVAL).await;
                }
            }
        }
    }
}

impl PidPipe {
    /// Returns `None` if bubblewrap ended before it had started a process.
    fn read_pid(&self) -> Option<Pid> {
        let mut text = [0; 512];
        let length = (&self.read_end).read(&mut text).ok()?;
        let text = String::from_utf8_lossy(&text[..length]);
        let (_, rest) = text.split_once("\"child-pid\"")?;
        let digits = rest.trim_start_matches([':', ' ']);
        let end = digits.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().ok().and_then(Pid::from_raw)
    }
}

#[allow(unsafe_code)]
async fn has_ended(process: Pid) {
    // If the process cannot be opened, it is already gone.
    let Ok(process) = pidfd_open(process, PidfdFlags::NONBLOCK) else { return };
    // SAFETY: the descriptor is moved in, so nothing else closes it.
    let process = unsafe { AsyncFd::register_with_interest(process, Interest::READABLE) };
    let Ok(process) = process else { return };
    if tokio::time::timeout(TIMEOUT, process.readable()).await.is_err() {
        tracing::warn!("a stopped program is still running after {} seconds", TIMEOUT.as_secs());
    }
}
