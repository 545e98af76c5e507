use std::io;
use std::path::PathBuf;

/// The reason a program could not be started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    #[error("the instructions cannot be read: {0}")]
    LaunchOrder(#[from] serde_json::Error),
    #[error("no program was given")]
    Nothing,
    #[error("{what}: {source}")]
    System { what: &'static str, source: io::Error },
    #[error("{} was moved while the program was being started. Try again", .0.display())]
    Moved(PathBuf),
    #[error("landlock: {0}")]
    Landlock(#[from] landlock::RulesetError),
    #[error("landlock is not available")]
    NoLandlock,
    #[error("seccomp: {0}")]
    Seccomp(#[from] seccompiler::Error),
    #[error("{program}: {source}")]
    Start { program: String, source: io::Error },
}

/// Adds to a system error what it is about.
pub fn system<E: Into<io::Error>>(what: &'static str) -> impl Fn(E) -> LaunchError {
    move |source| LaunchError::System { what, source: source.into() }
}
