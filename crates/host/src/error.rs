use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// An error of an operation on a file or folder.
#[derive(Debug)]
pub struct FileError {
    action: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl FileError {
    /// Wraps a system error. `action` is the verb, such as `write` or `make the folder`.
    pub fn new(action: &'static str, path: impl Into<PathBuf>, source: impl Into<io::Error>) -> Self {
        Self { action, path: path.into(), source: source.into() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "could not {} {}: {}", self.action, self.path.display(), self.source)?;
        f.write_str(match self.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ". Free some space and try again",
            io::ErrorKind::PermissionDenied => ". Check that the folder belongs to you",
            io::ErrorKind::ReadOnlyFilesystem => ". Choose a folder that can be written",
            _ => "",
        })
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}
