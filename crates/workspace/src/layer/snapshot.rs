//! The recorded state of a layer before a command, to determine afterwards what the command changed.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use host::RootDir;
use sandbox::FileStamp;

use crate::change::PendingChange;
use crate::overlay::Overlay;
use crate::path::WorkspacePath;

#[derive(Debug)]
pub struct LayerSnapshot {
    /// The timestamps of the files that are not ignored. A file with another one was modified.
    pub files: BTreeMap<PathBuf, FileStamp>,
    /// The files placed for the overlay or copied. One that is missing was deleted.
    pub placed: BTreeMap<PathBuf, WorkspacePath>,
    /// The paths that hide something on disk.
    pub hiding: HashSet<PathBuf>,
    /// The time of recording, in seconds and nanoseconds as in file metadata.
    pub since: (i64, i64),
}

impl LayerSnapshot {
    pub fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let since = (i64::try_from(now.as_secs()).unwrap_or(i64::MAX), i64::from(now.subsec_nanos()));
        Self { files: BTreeMap::new(), placed: BTreeMap::new(), hiding: HashSet::new(), since }
    }
}

/// The changes by their path in the layer, each with its path in the overlay.
pub type ChangesByPath<'a> = BTreeMap<PathBuf, (&'a WorkspacePath, &'a PendingChange)>;

/// Returns the changes of an overlay by their path in the layer. Links to folders are resolved, because the layer must
/// not replace such a link with a folder.
pub fn changes_by_layer_path<'a>(overlay: &'a Overlay, disk: &RootDir) -> ChangesByPath<'a> {
    let place = |path: &WorkspacePath| {
        let own: &Path = path.as_ref();
        let (Some(folder), Some(name)) = (own.parent(), own.file_name()) else { return own.to_owned() };
        let real = disk.path().join(folder).canonicalize();
        let within = real.ok().and_then(|real| real.strip_prefix(disk.path()).ok().map(Path::to_owned));
        within.map_or_else(|| own.to_owned(), |folder| folder.join(name))
    };
    overlay.changes().iter().map(|(path, change)| (place(path), (path, change))).collect()
}
