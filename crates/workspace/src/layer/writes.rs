//! Determines the writes of a command from the contents of its layer.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use edits::TextFile;
use host::EntryKind;
use sandbox::{UntrustedEntryKind, UntrustedFolder};
use serde::Serialize;

use super::snapshot::LayerSnapshot;
use super::walk::{DEEPEST, EntryClass, IgnoreFile, LayerEntry, LayerFolder, LayerWalk, MOST_IN_A_FOLDER};
use crate::change::MOST_BYTES;
use crate::overlay::Overlay;
use crate::path::WorkspacePath;
use crate::workspace::Workspace;

/// The maximum number of changed files of a command, and `MOST_IN_ALL` their total size in bytes. A larger change could
/// not be reviewed.
const MOST_FILES: usize = 5_000;
const MOST_IN_ALL: usize = 64 << 20;
/// The maximum length of the lists of paths that were not taken over.
const MOST_NAMED: usize = 100;
/// Entries of `.git` that git and the sandbox write by themselves.
const UNINTERESTING: [&str; 4] = ["index", "commondir", "hooks", "config"];

/// The writes of a command.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LayerWrites {
    /// The written files, which are in the overlay.
    pub changed: Vec<WorkspacePath>,
    pub deleted: Vec<WorkspacePath>,
    /// The changes that were refused, with the reason. They are reverted before the next command.
    pub refused: Vec<(String, String)>,
    /// New files that cannot be taken over, with the reason. They stay in the layer for later commands and are never
    /// applied.
    pub kept: Vec<(String, String)>,
}

struct WriteCollector<'a> {
    ground: &'a UntrustedFolder,
    workspace: &'a Workspace,
    snapshot: &'a LayerSnapshot,
    overlay: &'a Overlay,
    /// The changes for the overlay by path; `None` deletes the file.
    taken: BTreeMap<WorkspacePath, Option<Vec<u8>>>,
    bytes: usize,
    writes: LayerWrites,
}

/// Adds the writes of a command to the overlay.
pub fn collect(
    ground: &UntrustedFolder,
    workspace: &Workspace,
    snapshot: &LayerSnapshot,
    overlay: &mut Overlay,
) -> io::Result<LayerWrites> {
    let mut collector = WriteCollector {
        ground,
        workspace,
        snapshot,
        overlay,
        taken: BTreeMap::new(),
        bytes: 0,
        writes: LayerWrites::default(),
    };
    if let Err(error) = collector.walk().and_then(|()| collector.deleted()) {
        return match error {
            CollectError::TooMuch(why) => {
                let refused = vec![(".".to_owned(), why.to_owned())];
                Ok(LayerWrites { refused, ..LayerWrites::default() })
            }
            CollectError::Disk(error) => Err(error),
        };
    }
    let WriteCollector { taken, mut writes, .. } = collector;
    writes.refused.sort();
    writes.kept.sort();
    for (path, bytes) in taken {
        let list = if bytes.is_some() { &mut writes.changed } else { &mut writes.deleted };
        let done = match bytes {
            Some(bytes) => overlay.write(&path, bytes),
            None => overlay.delete(&path),
        };
        match done {
            Ok(()) => list.push(path),
            Err(error) => writes.refused.push((path.as_str().to_owned(), error.to_string())),
        }
    }
    Ok(writes)
}

enum CollectError {
    /// The change is too large, and none of it is taken over.
    TooMuch(&'static str),
    Disk(io::Error),
}

impl From<io::Error> for CollectError {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

const TOO_MANY: &str =
    "the command changed more files than can be looked through, so nothing of it was taken";
const TOO_LONG: &str = "the command changed more than 64 MiB of files, so nothing of it was taken";

impl WriteCollector<'_> {
    fn walk(&mut self) -> Result<(), CollectError> {
        let (ground, workspace) = (self.ground, self.workspace);
        let mut walk = LayerWalk::new(ground, workspace.root(), self.snapshot.placed.keys().cloned());
        let mut waiting = vec![LayerFolder::root()];
        while let Some(folder) = waiting.pop() {
            // The ignore files as the command left them.
            let entries = walk.entries(&folder, |path| match ground.look(path) {
                Ok(Some(found)) if found.kind == UntrustedEntryKind::File => {
                    ground.read(path, super::ignore_rules::MOST_BYTES).ok().flatten().into()
                }
                Ok(Some(_)) => IgnoreFile::Missing,
                _ => IgnoreFile::AsOnDisk,
            })?;
            if entries.len() >= MOST_IN_A_FOLDER {
                return Err(CollectError::TooMuch(TOO_MANY));
            }
            for entry in entries {
                let descends = match entry.class {
                    EntryClass::Ignored => false,
                    EntryClass::Git => self.git_entry(&entry)?,
                    EntryClass::Workspace => self.workspace_entry(&entry)?,
                };
                if descends && folder.depth + 1 >= DEEPEST {
                    self.refuse(&entry.path, "it lies too deep");
                } else if descends {
                    waiting.push(entry.as_folder(folder.depth + 1));
                }
            }
        }
        Ok(())
    }

    fn workspace_entry(&mut self, entry: &LayerEntry) -> Result<bool, CollectError> {
        let path = &entry.path;
        match entry.found.kind {
            UntrustedEntryKind::Folder if entry.below.is_some() && !entry.is_below(EntryKind::Folder) => {
                self.refuse(path, "a folder took the place of a file");
                return Ok(false);
            }
            UntrustedEntryKind::Folder => {
                let is_hiding = entry.below.is_some() && self.ground.is_opaque(path)?;
                if is_hiding && !self.snapshot.hiding.contains(path) {
                    self.files_in(path, false)?;
                }
                return Ok(true);
            }
            UntrustedEntryKind::File if self.snapshot.files.get(path) != Some(&entry.found.stamp) => {
                self.file(entry)?;
            }
            UntrustedEntryKind::Whiteout if !self.snapshot.hiding.contains(path) => match &entry.below {
                Some(info) if info.kind == EntryKind::Folder => self.files_in(path, true)?,
                Some(info) if info.kind == EntryKind::File => self.deletion(path)?,
                Some(_) => self.refuse(path, "it is a link, which is not taken"),
                None => {}
            },
            UntrustedEntryKind::Link if self.snapshot.files.get(path) == Some(&entry.found.stamp) => {}
            UntrustedEntryKind::File | UntrustedEntryKind::Whiteout => {}
            UntrustedEntryKind::Link if entry.below.is_none() => self.keep(path, "it is a link"),
            UntrustedEntryKind::Link if entry.is_below(EntryKind::Link) => {
                self.refuse(path, "it is a link, which is not taken");
            }
            UntrustedEntryKind::Link => self.refuse(path, "a link took its place"),
            UntrustedEntryKind::Other => self.refuse(path, "it is not a file"),
        }
        Ok(false)
    }

    /// Records deletions in a deleted or replaced folder: of all its files on disk that are not ignored, or of those
    /// that are not in the layer.
    fn files_in(&mut self, folder: &Path, is_all: bool) -> Result<(), CollectError> {
        for file in self.workspace.files_in(folder) {
            let path: &Path = file.path.as_ref();
            if is_all || self.ground.look(path)?.is_none() {
                self.deletion(path)?;
            }
        }
        Ok(())
    }

    /// Records the deletion of files that were placed in the layer and are gone.
    fn deleted(&mut self) -> Result<(), CollectError> {
        for path in self.snapshot.placed.keys() {
            let is_gone = match self.ground.look(path)?.map(|found| found.kind) {
                None | Some(UntrustedEntryKind::Whiteout) => true,
                // If the file exists on disk, the folder in its place was already refused.
                Some(UntrustedEntryKind::Folder) => !self.workspace.path().join(path).is_file(),
                Some(_) => false,
            };
            if is_gone {
                self.deletion(path)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, entry: &LayerEntry) -> Result<(), CollectError> {
        let path = &entry.path;
        let is_new = entry.below.is_none() && !self.snapshot.placed.contains_key(path);
        let not_taken =
            |this: &mut Self, why: &str| if is_new { this.keep(path, why) } else { this.refuse(path, why) };
        let Some(name) = self.name(path) else {
            not_taken(self, "no file should have such a name");
            return Ok(());
        };
        if let Some(why) = self.refusal(&name, path) {
            self.refuse(path, &why);
            return Ok(());
        }
        let bytes = match self.ground.read(path, MOST_BYTES) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => {
                not_taken(self, "it is longer than 16 MiB");
                return Ok(());
            }
            Err(error) => {
                self.refuse(path, &format!("it cannot be read: {error}"));
                return Ok(());
            }
        };
        let before = self.overlay.read(&name).ok().flatten();
        if before.as_ref() == Some(&bytes) {
            self.mode(entry);
            return Ok(());
        }
        if TextFile::read(&bytes).is_err() {
            not_taken(self, "it is not text");
            return Ok(());
        }
        self.mode(entry);
        self.take(name, Some(bytes))
    }

    /// Reports a changed executable bit, which is not taken over but stays in the layer.
    fn mode(&mut self, entry: &LayerEntry) {
        let path = &entry.path;
        let runs = |mode: u32| mode & 0o111 != 0;
        let was = super::sync::mode_on_disk(self.workspace.root(), path);
        if runs(entry.found.mode) != runs(was) {
            self.keep(path, "whether it can be run was changed, and only contents are taken");
        }
    }

    fn deletion(&mut self, path: &Path) -> Result<(), CollectError> {
        let Some(name) = self.name(path) else {
            self.refuse(path, "no file should have such a name");
            return Ok(());
        };
        if let Some(why) = self.refusal(&name, path) {
            self.refuse(path, &why);
            return Ok(());
        }
        match self.overlay.read(&name) {
            Ok(None) => Ok(()),
            // If the file was moved, the copy at its new path would not be taken over either, and it would be lost.
            Ok(Some(bytes)) if TextFile::read(&bytes).is_err() => {
                self.refuse(path, "it is not text, and stays");
                Ok(())
            }
            Ok(Some(_)) => self.take(name, None),
            Err(error) => {
                self.refuse(path, &error.to_string());
                Ok(())
            }
        }
    }

    fn take(&mut self, name: WorkspacePath, bytes: Option<Vec<u8>>) -> Result<(), CollectError> {
        self.bytes += bytes.as_ref().map_or(0, Vec::len);
        self.taken.insert(name, bytes);
        if self.taken.len() > MOST_FILES {
            return Err(CollectError::TooMuch(TOO_MANY));
        }
        if self.bytes > MOST_IN_ALL {
            return Err(CollectError::TooMuch(TOO_LONG));
        }
        Ok(())
    }

    /// Returns the path of the file in the overlay.
    fn name(&self, path: &Path) -> Option<WorkspacePath> {
        let placed = self.snapshot.placed.get(path).cloned();
        placed.or_else(|| WorkspacePath::parse(path.to_str()?).ok())
    }

    fn refusal(&self, name: &WorkspacePath, path: &Path) -> Option<String> {
        if let Err(error) = self.workspace.is_edit_allowed(name) {
            return Some(error.to_string());
        }
        // The command worked on the earlier content, so its version would undo the change made on disk since.
        let is_known = self.overlay.changes().contains_key(name);
        (!is_known && self.changed_meanwhile(path))
            .then(|| "it was changed on the disk while the command ran. Run the command again".to_owned())
    }

    fn changed_meanwhile(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        let info = std::fs::symlink_metadata(self.workspace.path().join(path));
        info.is_ok_and(|info| (info.ctime(), info.ctime_nsec()) > self.snapshot.since)
    }

    /// Refuses the writes of git: commits and branches are up to the user.
    fn git_entry(&mut self, entry: &LayerEntry) -> Result<bool, CollectError> {
        let is_interesting = match entry.found.kind {
            UntrustedEntryKind::Folder => {
                let inner = self.ground.list(&entry.path, MOST_IN_A_FOLDER)?;
                let names: BTreeSet<_> = inner.iter().filter_map(|(name, _)| name.to_str()).collect();
                names.iter().any(|name| !UNINTERESTING.contains(name))
            }
            _ => true,
        };
        if is_interesting {
            self.refuse(
                &entry.path,
                "what git keeps of the work is the user's, and is as it was before the next command",
            );
        }
        Ok(false)
    }

    fn refuse(&mut self, path: &Path, why: &str) {
        named(&mut self.writes.refused, path, why);
    }

    fn keep(&mut self, path: &Path, why: &str) {
        named(&mut self.writes.kept, path, why);
    }
}

fn named(list: &mut Vec<(String, String)>, path: &Path, why: &str) {
    let path: PathBuf = path.to_owned();
    match list.len() {
        length if length < MOST_NAMED => list.push((path.to_string_lossy().into_owned(), why.to_owned())),
        MOST_NAMED => list.push(("…".to_owned(), "and more".to_owned())),
        _ => {}
    }
}
