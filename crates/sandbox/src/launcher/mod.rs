//! The last step before a program starts, already inside the sandbox: drops every privilege the program could misuse,
//! and then executes the program.

mod error;
mod limits;
mod mounts;
mod paths;
mod syscalls;

use std::convert::Infallible;
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use rustix::process::{Signal, getpid, set_child_subreaper, set_parent_process_death_signal};

pub use self::error::{LaunchError, system};
use crate::handover;
use crate::launch_order::LaunchOrder;

/// Replaces this process with the program. Returns only on failure.
pub fn launch(order: &str, mut command: impl Iterator<Item = OsString>) -> Result<Infallible, LaunchError> {
    let order: LaunchOrder = serde_json::from_str(order)?;
    let program = command.next().ok_or(LaunchError::Nothing)?;
    if order.in_namespaces {
        mounts::check(&order.guarded, &order.covered)?;
    } else {
        // Inside namespaces, bubblewrap takes care of both: it dies with this process, and orphaned processes stay
        // below it.
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(system("the death signal"))?;
        set_child_subreaper(Some(getpid())).map_err(system("orphaned processes"))?;
    }
    if let Some(socket) = order.listener_socket {
        handover::hand_over(socket, handover::PORT).map_err(system("the network"))?;
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
