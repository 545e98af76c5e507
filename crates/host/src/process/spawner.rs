//! Starts programs so that they die with this process, even after a crash.
//!
//! Linux sends the death signal when the *thread* that started the program ends, and a thread of tokio's blocking pool
//! may end at any time. Therefore a single thread that never ends starts all programs.

use std::io;

use tokio::process::{Child, Command};

#[cfg(not(target_os = "linux"))]
pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
    command.spawn()
}

#[cfg(target_os = "linux")]
pub(super) use linux::spawn;

#[cfg(target_os = "linux")]
mod linux {
    use std::sync::{OnceLock, mpsc};
    use std::thread;

    use rustix::process::{Pid, Signal, getpid, getppid, set_parent_process_death_signal};
    use tokio::runtime::Handle;

    use super::{Child, Command, io};

    struct SpawnRequest {
        command: Command,
        runtime: Handle,
        answer: mpsc::Sender<io::Result<Child>>,
    }

    static THREAD: OnceLock<Option<mpsc::Sender<SpawnRequest>>> = OnceLock::new();

    pub(in super::super) fn spawn(mut command: Command) -> io::Result<Child> {
        let runtime = Handle::try_current().map_err(io::Error::other)?;
        die_with(&mut command, getpid());
        let (answer, answered) = mpsc::channel();
        let gone = || io::Error::other("the thread that starts programs is gone");
        let thread = THREAD.get_or_init(start_thread).as_ref().ok_or_else(gone)?;
        thread.send(SpawnRequest { command, runtime, answer }).map_err(|_| gone())?;
        answered.recv().map_err(|_| gone())?
    }

    fn start_thread() -> Option<mpsc::Sender<SpawnRequest>> {
        let (sender, requests) = mpsc::channel::<SpawnRequest>();
        thread::Builder::new()
            .name("spawner".into())
            .spawn(move || {
                for mut request in requests {
                    let _runtime = request.runtime.enter();
                    let _ = request.answer.send(request.command.spawn());
                }
            })
            .ok()?;
        Some(sender)
    }

    #[allow(unsafe_code)]
    fn die_with(command: &mut Command, parent: Pid) {
        // SAFETY: between fork and exec the closure makes two system calls and neither allocates nor locks.
        unsafe {
            command.pre_exec(move || {
                set_parent_process_death_signal(Some(Signal::KILL))?;
                // If the parent died before the call above, no signal will come.
                if getppid() == Some(parent) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
            });
        }
    }
}
