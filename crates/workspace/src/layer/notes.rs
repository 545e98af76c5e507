//! What lay in a layer before a command, so that it shows afterwards what that did.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use host::RootDir;
use sandbox::Stamp;

use crate::overlay::{Change, Overlay};
use crate::path::WorkspacePath;

#[derive(Debug)]
pub struct Notes {
    /// Files in play. One that has another stamp since was touched.
    pub files: BTreeMap<PathBuf, Stamp>,
    /// Files of the overlay, and those that were copied: if one of them is gone, it was deleted.
    pub placed: BTreeMap<PathBuf, WorkspacePath>,
    /// What hides something that the disk has.
    pub hiding: HashSet<PathBuf>,
    /// When it was looked at, in the seconds and nanoseconds of files.
    pub since: (i64, i64),
}

impl Notes {
    pub fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let since = (i64::try_from(now.as_secs()).unwrap_or(i64::MAX), i64::from(now.subsec_nanos()));
        Self { files: BTreeMap::new(), placed: BTreeMap::new(), hiding: HashSet::new(), since }
    }
}

/// A change, and what it is called.
pub type Wanted<'a> = BTreeMap<PathBuf, (&'a WorkspacePath, &'a Change)>;

/// The changes of an overlay, by where they lie in a layer: where a folder on the way is a link on the disk, the layer
/// must not put a folder in its place.
pub fn wanted<'a>(overlay: &'a Overlay, disk: &RootDir) -> Wanted<'a> {
    let place = |path: &WorkspacePath| {
        let own: &Path = path.as_ref();
        let (Some(folder), Some(name)) = (own.parent(), own.file_name()) else { return own.to_owned() };
        let real = disk.path().join(folder).canonicalize();
        let within = real.ok().and_then(|real| real.strip_prefix(disk.path()).ok().map(Path::to_owned));
        within.map_or_else(|| own.to_owned(), |folder| folder.join(name))
    };
    overlay.changes().iter().map(|(path, change)| (place(path), (path, change))).collect()
}
