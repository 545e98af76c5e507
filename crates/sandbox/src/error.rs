use std::path::PathBuf;

use host::ProcessError;

#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    #[error("there is no sandbox on this machine: {0}")]
    Missing(String),
    #[error("it cannot be let onto the network on this machine, where it would reach everybody: {0}")]
    NoNetwork(String),
    #[error("{} cannot be a work folder: {why}", path.display())]
    WorkFolder { path: PathBuf, why: &'static str },
    #[error("{} {why}, and so what git runs cannot be kept from commands. Remove it, or put the thing itself there", path.display())]
    Unguarded { path: PathBuf, why: &'static str },
    #[error("it was ended, since it {0}")]
    TooMuch(Excess),
    #[error(transparent)]
    Process(#[from] ProcessError),
}

/// The limit that a program, including its child processes, exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    #[error("took more memory than it may have")]
    Memory,
    #[error("started more processes than it may have")]
    Processes,
    #[error("put more on the disk than it may")]
    Storage,
    #[error("left too little room on the disk")]
    Disk,
    #[error("watched files in more places than it may")]
    Watches,
}
