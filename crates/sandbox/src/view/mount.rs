//! Entries of the file system that a program sees.

use std::path::{Path, PathBuf};

/// An entry in the program's file system. Later entries lie over earlier ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mount {
    /// A path of the machine, readable and executable.
    Read(PathBuf),
    /// A path of the machine, writable.
    Write(PathBuf),
    /// A path of the machine, shown at another path, writable.
    Moved { from: PathBuf, at: PathBuf },
    /// A link, as on the machine.
    Link { at: PathBuf, to: PathBuf },
    /// An empty folder that disappears with the program.
    Scratch(PathBuf),
    /// An empty file or folder that hides what is there.
    Covered(PathBuf),
}

impl Mount {
    /// Returns the path at which the program sees the entry.
    pub fn at(&self) -> &Path {
        match self {
            Self::Read(path) | Self::Write(path) | Self::Scratch(path) | Self::Covered(path) => path,
            Self::Link { at, .. } | Self::Moved { at, .. } => at,
        }
    }
}
