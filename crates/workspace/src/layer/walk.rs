//! Walks through a layer and classifies its entries: part of the workspace, ignored, or git's.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use host::{EntryInfo, EntryKind, RootDir};
use sandbox::{UntrustedEntry, UntrustedEntryKind, UntrustedFolder};

use super::ignore_rules::{self, IgnoreRules};
use crate::workspace::IGNORE_FILES;

/// The maximum folder depth of a workspace.
pub const DEEPEST: usize = 64;
/// The maximum number of entries of a folder.
pub const MOST_IN_A_FOLDER: usize = 100_000;

/// The class of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryClass {
    /// Part of the workspace: a modification by a command is a change.
    Workspace,
    /// Ignored: it stays in the layer and is never taken over.
    Ignored,
    /// Written by git: it is dropped after the command.
    Git,
}

/// The content of an ignore file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IgnoreFile {
    AsOnDisk,
    /// The file does not exist, or will not.
    Missing,
    Text(Vec<u8>),
}

impl From<Option<Vec<u8>>> for IgnoreFile {
    fn from(text: Option<Vec<u8>>) -> Self {
        text.map_or(Self::Missing, Self::Text)
    }
}

/// A folder of the layer.
#[derive(Debug, Clone)]
pub struct LayerFolder {
    pub path: PathBuf,
    pub depth: usize,
    /// True if a folder of the disk shows through.
    pub is_below: bool,
    /// The state of its parents: ignored in the layer, or on disk.
    ignored: Ignored,
}

impl LayerFolder {
    pub fn root() -> Self {
        Self { path: PathBuf::new(), depth: 0, is_below: true, ignored: Ignored::default() }
    }

    /// Returns true if the folder is too full or too deep to be part of a workspace.
    pub fn exceeds_limits(&self, entries: &[LayerEntry]) -> bool {
        entries.len() >= MOST_IN_A_FOLDER || self.depth >= DEEPEST
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Ignored {
    here: bool,
    on_disk: bool,
}

#[derive(Debug, Clone)]
pub struct LayerEntry {
    pub path: PathBuf,
    pub found: UntrustedEntry,
    pub class: EntryClass,
    /// The entry on disk at the same path.
    pub below: Option<EntryInfo>,
    ignored: Ignored,
}

impl LayerEntry {
    pub fn is_below(&self, kind: EntryKind) -> bool {
        self.below.as_ref().is_some_and(|info| info.kind == kind)
    }

    /// Returns the entry as a folder, for the next step of the walk.
    pub fn as_folder(&self, depth: usize) -> LayerFolder {
        let is_below = self.is_below(EntryKind::Folder);
        LayerFolder { path: self.path.clone(), depth, is_below, ignored: self.ignored }
    }
}

/// A walk through a layer, from its root down.
pub struct LayerWalk<'a> {
    pub ground: &'a UntrustedFolder,
    pub disk: &'a RootDir,
    /// The paths of the overlay, which are never ignored.
    known: BTreeSet<PathBuf>,
    /// The rules including the ignore files of the layer; `on_disk` has those of the disk alone.
    here: IgnoreRules,
    on_disk: IgnoreRules,
}

impl<'a> LayerWalk<'a> {
    pub fn new(ground: &'a UntrustedFolder, disk: &'a RootDir, known: impl Iterator<Item = PathBuf>) -> Self {
        let rules = || IgnoreRules::new(disk.path());
        Self { ground, disk, known: known.collect(), here: rules(), on_disk: rules() }
    }

    /// Returns the entries of a folder. `rules` returns the final content of an ignore file.
    pub fn entries(
        &mut self,
        folder: &LayerFolder,
        rules: impl Fn(&Path) -> IgnoreFile,
    ) -> io::Result<Vec<LayerEntry>> {
        let disk = self.disk;
        let on_disk =
            |path: &Path| disk.read(path, ignore_rules::MOST_BYTES).ok().filter(|_| folder.is_below);
        self.on_disk.enter(&folder.path, on_disk);
        self.here.enter(&folder.path, |path| match rules(path) {
            IgnoreFile::AsOnDisk => on_disk(path),
            IgnoreFile::Missing => None,
            IgnoreFile::Text(text) => Some(text),
        });
        let listed = self.ground.list(&folder.path, MOST_IN_A_FOLDER)?;
        Ok(listed
            .into_iter()
            .map(|(name, found)| self.entry(folder, &folder.path.join(name), found))
            .collect())
    }

    fn entry(&self, folder: &LayerFolder, path: &Path, found: UntrustedEntry) -> LayerEntry {
        // The disk does not show through a link.
        let below = folder.is_below.then(|| self.disk.metadata(path).ok().flatten()).flatten();
        let is_folder = found.kind == UntrustedEntryKind::Folder;
        let was_folder = below.as_ref().is_some_and(|info| info.kind == EntryKind::Folder);
        let ignored = Ignored {
            here: folder.ignored.here
                || self.here.is_ignored(
                    path,
                    is_folder || (found.kind == UntrustedEntryKind::Whiteout && was_folder),
                ),
            on_disk: folder.ignored.on_disk || self.on_disk.is_ignored(path, was_folder),
        };
        // Rules written by a command must not hide files of the workspace, and the ignore files themselves must stay
        // visible.
        let after = (Bound::Excluded(path), Bound::Unbounded);
        let next = self.known.range::<Path, _>(after).next();
        let leads_to_known = is_folder && next.is_some_and(|next| next.starts_with(path));
        let is_known = (below.is_some() && !ignored.on_disk) || leads_to_known || self.known.contains(path);
        let name = path.file_name().unwrap_or_default();
        let is_ignore_file =
            folder.is_below && !folder.ignored.here && IGNORE_FILES.iter().any(|rule| name == *rule);
        let class = if name.eq_ignore_ascii_case(".git") {
            EntryClass::Git
        } else if ignored.here && !is_known && !is_ignore_file {
            EntryClass::Ignored
        } else {
            EntryClass::Workspace
        };
        LayerEntry { path: path.to_owned(), found, class, below, ignored }
    }
}

/// Returns the content of an ignore file in a folder that exists only in the layer, if the file ignores itself, as
/// those in tool caches do. Such a file stays in the layer; any other is removed or replaced by that of the overlay.
pub fn self_ignoring_rules(
    ground: &UntrustedFolder,
    root: &Path,
    folder: &LayerFolder,
    path: &Path,
) -> IgnoreFile {
    let text = ground.read(path, ignore_rules::MOST_BYTES).ok().flatten();
    let Some(text) = text.filter(|_| !folder.is_below) else { return IgnoreFile::AsOnDisk };
    let mut rules = IgnoreRules::new(root);
    rules.enter(&folder.path, |other| (other == path).then(|| text.clone()));
    if rules.is_ignored(path, false) { IgnoreFile::Text(text) } else { IgnoreFile::Missing }
}

/// Removes a folder with its contents; of the root, only the contents.
pub fn clear_folder(ground: &UntrustedFolder, folder: &Path) -> io::Result<()> {
    if folder.as_os_str().is_empty() { ground.clear() } else { ground.remove(folder) }
}

/// Returns the values of all paths within a folder.
pub fn within<'m, T>(paths: &'m BTreeMap<PathBuf, T>, folder: &'m Path) -> impl Iterator<Item = &'m T> {
    // Paths are ordered by components, so the contents of a folder follow it directly.
    let after = (Bound::Excluded(folder), Bound::Unbounded);
    paths
        .range::<Path, _>(after)
        .take_while(move |(path, _)| path.starts_with(folder))
        .map(|(_, value)| value)
}
