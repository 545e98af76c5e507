//! The index of the workspace: its files, their definitions and how they are related.
//!
//! [`WorkspaceIndex::refresh`] scans all files; [`WorkspaceIndex::update`] scans given files, for example those reported
//! by [`FileWatch`]. Results are stored in a [`store::CodeIndex`], a database of its own for each folder, so the next
//! start reads only changed files. All of it can be read from the files again. It is therefore not backed up, has no
//! migrations, and is rebuilt if it is damaged or has another format.

mod catalogue;
mod encoding;
mod error;
mod indexed_file;
mod reading;
mod refresh;
mod watch;
pub(crate) mod words;
mod workspace_index;

pub(crate) use self::catalogue::FileCatalogue;
pub use self::error::IndexError;
pub use self::indexed_file::IndexedFile;
pub use self::refresh::{RefreshCounts, RefreshProgress};
pub use self::watch::{FileEvents, FileWatch, WatchError};
pub use self::workspace_index::{FoundSymbol, WorkspaceIndex};

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
