//! The last step before a program starts, already inside the sandbox: drops every privilege the program could misuse,
//! and then executes the program.

mod limits;
mod mounts;
mod paths;
mod syscalls;

use std::convert::Infallible;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use rustix::process::{Signal, getpid, set_child_subreaper, set_parent_process_death_signal};

use crate::handover;
use crate::order::Order;

#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    #[error("the order cannot be read: {0}")]
    Order(#[from] serde_json::Error),
    #[error("no program was named")]
    Nothing,
    #[error("{what}: {source}")]
    System { what: &'static str, source: io::Error },
    #[error("{} was moved while it began. Try again", .0.display())]
    Moved(PathBuf),
    #[error("landlock: {0}")]
    Landlock(#[from] landlock::RulesetError),
    #[error("landlock is not there")]
    NoLandlock,
    #[error("seccomp: {0}")]
    Seccomp(#[from] seccompiler::Error),
    #[error("{program}: {source}")]
    Start { program: String, source: io::Error },
}

/// Replaces this process with the program. Returns only on failure.
pub fn launch(order: &str, mut command: impl Iterator<Item = OsString>) -> Result<Infallible, LaunchError> {
    let order: Order = serde_json::from_str(order)?;
    let program = command.next().ok_or(LaunchError::Nothing)?;
    if order.walled {
        mounts::check(&order.guarded, &order.covered)?;
    } else {
        // Inside namespaces, bubblewrap takes care of both: it dies with this process, and orphaned processes stay
        // below it.
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(system("the death signal"))?;
        set_child_subreaper(Some(getpid())).map_err(system("what is left behind"))?;
    }
    if let Some(line) = order.line {
        handover::hand_over(line, handover::PORT).map_err(system("its network"))?;
    }
    limits::set(&order.limits)?;
    limits::give_up_privileges()?;
    limits::close_files()?;
    paths::restrict(&order)?;
    // Last, because the previous steps need some of the calls that it blocks.
    syscalls::restrict(&order)?;
    let source = Command::new(&program).args(command).exec();
    Err(LaunchError::Start { program: program.to_string_lossy().into_owned(), source })
}

pub fn system<E: Into<io::Error>>(what: &'static str) -> impl Fn(E) -> LaunchError {
    move |source| LaunchError::System { what, source: source.into() }
}
