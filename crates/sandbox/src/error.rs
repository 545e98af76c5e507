use std::path::PathBuf;

use host::ProcessError;

#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    #[error("there is no sandbox on this machine: {0}")]
    Missing(String),
    #[error("it cannot be let onto the network on this machine, since it could reach every host: {0}")]
    NoNetwork(String),
    #[error("{} cannot be used as a work folder: {why}", path.display())]
    WorkFolder { path: PathBuf, why: &'static str },
    #[error("{} {why}, so commands could change what git runs. Remove it, or replace it by the folder or file itself", path.display())]
    Unguarded { path: PathBuf, why: &'static str },
    #[error("it was stopped because it {0}")]
    LimitExceeded(ExceededLimit),
    #[error(transparent)]
    Process(#[from] ProcessError),
}

/// The limit that a program, including its child processes, exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ExceededLimit {
    #[error("used more memory than allowed")]
    Memory,
    #[error("started more processes than allowed")]
    Processes,
    #[error("stored more on the disk than allowed")]
    Storage,
    #[error("left too little free space on the disk")]
    Disk,
    #[error("watched more files than allowed")]
    Watches,
}
