//! Synchronizes a layer with the overlay: changed files are placed in it, deleted ones are hidden by it, and no other
//! workspace file remains visible in it. Ignored files stay.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use edits::TextFile;
use host::{EntryKind, RootDir};
use sandbox::{UntrustedEntry, UntrustedEntryKind, UntrustedFolder};

use super::snapshot::{ChangesByPath, LayerSnapshot, changes_by_layer_path};
use super::walk::{
    DEEPEST, EntryClass, LayerEntry, LayerFolder, LayerWalk, clear_folder, self_ignoring_rules, within,
};
use crate::change::MOST_BYTES;
use crate::overlay::Overlay;
use crate::path::WorkspacePath;
use crate::workspace::Workspace;

/// The mode of new files.
pub const DEFAULT_MODE: u32 = 0o644;

struct LayerSync<'a> {
    walk: LayerWalk<'a>,
    ground: &'a UntrustedFolder,
    workspace: &'a Workspace,
    wanted: ChangesByPath<'a>,
    /// The paths that already have the right content.
    done: BTreeSet<PathBuf>,
    snapshot: LayerSnapshot,
}

/// Places the overlay's changes in the layer.
pub fn sync(ground: &UntrustedFolder, workspace: &Workspace, overlay: &Overlay) -> io::Result<LayerSnapshot> {
    let disk = workspace.root();
    let wanted = changes_by_layer_path(overlay, disk);
    let mut sync = LayerSync {
        walk: LayerWalk::new(ground, disk, wanted.keys().cloned()),
        ground,
        workspace,
        wanted,
        done: BTreeSet::new(),
        snapshot: LayerSnapshot::new(),
    };
    sync.clean()?;
    sync.place()?;
    // The time is taken after all writes made here, so they are not mistaken for changes by others.
    let LayerSnapshot { files, placed, hiding, .. } = sync.snapshot;
    Ok(LayerSnapshot { files, placed, hiding, ..LayerSnapshot::new() })
}

impl LayerSync<'_> {
    fn disk(&self) -> &RootDir {
        self.walk.disk
    }

    /// Removes what must not be visible.
    fn clean(&mut self) -> io::Result<()> {
        let mut waiting = vec![LayerFolder::root()];
        while let Some(folder) = waiting.pop() {
            let entries = self.entries(&folder)?;
            if folder.exceeds_limits(&entries) {
                // The whole folder is removed, and the overlay's files in it are placed anew.
                self.snapshot.hiding.remove(&folder.path);
                clear_folder(self.ground, &folder.path)?;
                continue;
            }
            for entry in entries {
                let descends = match entry.class {
                    EntryClass::Git => self.remove(&entry)?,
                    EntryClass::Ignored => self.sync_ignored(&entry)?,
                    EntryClass::Workspace => self.sync_entry(&entry)?,
                };
                if descends {
                    waiting.push(entry.as_folder(folder.depth + 1));
                }
            }
        }
        Ok(())
    }

    fn entries(&mut self, folder: &LayerFolder) -> io::Result<Vec<LayerEntry>> {
        let (wanted, ground, root) = (&self.wanted, self.ground, self.workspace.path());
        self.walk.entries(folder, |path| match wanted.get(path) {
            Some((_, change)) => change.after.clone().into(),
            None => self_ignoring_rules(ground, root, folder, path),
        })
    }

    /// Returns true if the folder contains a file of the overlay.
    fn leads_to_change(&self, folder: &Path) -> bool {
        within(&self.wanted, folder).any(|(_, change)| change.after.is_some())
    }

    fn remove(&self, entry: &LayerEntry) -> io::Result<bool> {
        self.ground.remove(&entry.path)?;
        Ok(false)
    }

    /// Handles an ignored entry: it is left alone, except for traces of folders that no longer exist on disk.
    fn sync_ignored(&mut self, entry: &LayerEntry) -> io::Result<bool> {
        let path = &entry.path;
        match entry.found.kind {
            UntrustedEntryKind::Whiteout if entry.below.is_none() => self.remove(entry),
            UntrustedEntryKind::Folder
                if !entry.is_below(EntryKind::Folder) && !self.ground.is_opaque(path)? =>
            {
                // The folder below is gone, so its whiteouts would be visible.
                self.without_whiteouts(path)?;
                self.ground.set_opaque(path, true)?;
                Ok(false)
            }
            UntrustedEntryKind::Folder => Ok(false),
            // A file of the overlay needs a folder at this path.
            _ if self.leads_to_change(path) => self.remove(entry),
            _ => Ok(false),
        }
    }

    fn without_whiteouts(&self, folder: &Path) -> io::Result<()> {
        let mut waiting = vec![(folder.to_owned(), 0)];
        while let Some((folder, depth)) = waiting.pop() {
            for (name, found) in self.ground.list(&folder, usize::MAX)? {
                let path = folder.join(name);
                match found.kind {
                    UntrustedEntryKind::Whiteout => self.ground.remove(&path)?,
                    UntrustedEntryKind::Folder if depth < DEEPEST => waiting.push((path, depth + 1)),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Handles an entry that is not ignored. Returns true if it is a folder to descend into.
    fn sync_entry(&mut self, entry: &LayerEntry) -> io::Result<bool> {
        let path = &entry.path;
        let leads_to_change = self.leads_to_change(path);
        match entry.found.kind {
            UntrustedEntryKind::Folder => {
                let replaces_file = entry.below.is_some() && !entry.is_below(EntryKind::Folder);
                let is_wanted = self.wanted.get(path).is_some_and(|(_, change)| change.after.is_some());
                if (replaces_file && !leads_to_change) || is_wanted {
                    return self.remove(entry);
                }
                if entry.is_below(EntryKind::Folder) && self.ground.is_opaque(path)? {
                    if self.hides_only_changes(path, false) {
                        self.snapshot.hiding.insert(path.clone());
                    } else {
                        self.ground.set_opaque(path, false)?;
                    }
                }
                Ok(true)
            }
            UntrustedEntryKind::File => self.file(entry).map(|()| false),
            UntrustedEntryKind::Whiteout => self.whiteout(entry, leads_to_change).map(|()| false),
            // A link created by a command is only visible to commands, so it is harmless.
            UntrustedEntryKind::Link
                if entry.below.is_none() && !leads_to_change && !self.wanted.contains_key(path) =>
            {
                self.snapshot.files.insert(path.clone(), entry.found.stamp);
                Ok(false)
            }
            UntrustedEntryKind::Link | UntrustedEntryKind::Other => self.remove(entry),
        }
    }

    fn file(&mut self, entry: &LayerEntry) -> io::Result<()> {
        let path = &entry.path;
        if let Some((_, change)) = self.wanted.get(path) {
            // Only different files are written, to avoid needless rebuilds.
            if let Some(after) = &change.after
                && has_content(self.ground, entry, after)?
            {
                self.mark_done(path, &entry.found);
                return Ok(());
            }
            return if change.after.is_none() { self.remove(entry).map(drop) } else { Ok(()) };
        }
        if self.leads_to_change(path) {
            return self.remove(entry).map(drop);
        }
        if entry.is_below(EntryKind::File) {
            return self.restore_from_disk(entry);
        }
        // A new text file would be in the overlay, so it was discarded there. Other new files stay for later commands.
        let is_undone = entry.below.is_some() || is_text(self.ground, entry)?;
        if is_undone {
            return self.remove(entry).map(drop);
        }
        self.snapshot.files.insert(path.clone(), entry.found.stamp);
        Ok(())
    }

    /// Restores the content on disk for a file whose change was dropped, but with a newer time: build tools compare
    /// times and would otherwise consider the output of the dropped change up to date.
    fn restore_from_disk(&mut self, entry: &LayerEntry) -> io::Result<()> {
        let path = &entry.path;
        let Ok(bytes) = self.disk().read(path, MOST_BYTES) else { return self.remove(entry).map(drop) };
        if !has_content(self.ground, entry, &bytes)? {
            self.ground.write(path, &bytes, mode_on_disk(self.disk(), path))?;
        }
        self.record(path)
    }

    fn whiteout(&mut self, entry: &LayerEntry, leads_to_change: bool) -> io::Result<()> {
        let path = &entry.path;
        let is_right = match &entry.below {
            Some(info) if info.kind == EntryKind::Folder => {
                !leads_to_change && self.hides_only_changes(path, true)
            }
            Some(_) => self.wanted.get(path).is_some_and(|(_, change)| change.after.is_none()),
            None => false,
        };
        if is_right {
            self.snapshot.hiding.insert(path.clone());
            self.done.insert(path.clone());
            return Ok(());
        }
        self.remove(entry).map(drop)
    }

    /// Returns true if all files of a folder on disk that are not ignored are changed, or deleted if `is_deleted`.
    fn hides_only_changes(&self, folder: &Path, is_deleted: bool) -> bool {
        let hidden = self.workspace.files_in(folder);
        hidden.iter().all(|file| {
            let change = self.wanted.get(file.path.as_ref() as &Path);
            change.is_some_and(|(_, change)| !is_deleted || change.after.is_none())
        })
    }

    fn mark_done(&mut self, path: &Path, found: &UntrustedEntry) {
        self.done.insert(path.to_owned());
        self.snapshot.files.insert(path.to_owned(), found.stamp);
    }

    fn record(&mut self, path: &Path) -> io::Result<()> {
        if let Some(found) = self.ground.look(path)? {
            self.snapshot.files.insert(path.to_owned(), found.stamp);
        }
        Ok(())
    }

    /// Writes the overlay's files that are not in place yet.
    fn place(&mut self) -> io::Result<()> {
        for (path, (name, change)) in std::mem::take(&mut self.wanted) {
            if change.after.is_some() {
                self.snapshot.placed.insert(path.clone(), name.clone());
            }
            if self.done.contains(&path) {
                continue;
            }
            match &change.after {
                Some(bytes) => {
                    create_parents(self.ground, self.disk(), &path)?;
                    let mode = match self.ground.look(&path)? {
                        Some(found) if found.kind == UntrustedEntryKind::File => found.mode,
                        _ => mode_on_disk(self.disk(), &path),
                    };
                    self.ground.write(&path, bytes, mode)?;
                    self.record(&path)?;
                }
                None => self.hide(&path)?,
            }
        }
        Ok(())
    }

    /// Hides a file on disk, unless a parent folder hides it already.
    fn hide(&mut self, path: &Path) -> io::Result<()> {
        let is_hidden = path.ancestors().skip(1).any(|folder| self.snapshot.hiding.contains(folder));
        let is_there = self.disk().metadata(path).is_ok_and(|info| info.is_some());
        if is_hidden || !is_there || self.ground.look(path)?.is_some() {
            return Ok(());
        }
        create_parents(self.ground, self.disk(), path)?;
        self.ground.white_out(path)?;
        self.snapshot.hiding.insert(path.to_owned());
        Ok(())
    }
}

/// Returns true if a file could be in an overlay. An unreadable file counts as text, because it might be.
pub fn is_text(ground: &UntrustedFolder, entry: &LayerEntry) -> io::Result<bool> {
    let is_named = entry.path.to_str().is_some_and(|path| WorkspacePath::parse(path).is_ok());
    if entry.found.len > MOST_BYTES || !is_named {
        return Ok(false);
    }
    match ground.read(&entry.path, MOST_BYTES) {
        Ok(bytes) => Ok(bytes.is_some_and(|bytes| TextFile::read(&bytes).is_ok())),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(true),
        Err(error) => Err(error),
    }
}

/// Returns true if a file has exactly these bytes.
pub fn has_content(ground: &UntrustedFolder, entry: &LayerEntry, bytes: &[u8]) -> io::Result<bool> {
    if entry.found.len != bytes.len() as u64 {
        return Ok(false);
    }
    match ground.read(&entry.path, entry.found.len) {
        Ok(found) => Ok(found.is_some_and(|found| found == bytes)),
        // A command removed the read permission, so the file is written again.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(false),
        Err(error) => Err(error),
    }
}

/// Creates the parent folders of a path with the modes that they have on disk.
pub fn create_parents(ground: &UntrustedFolder, disk: &RootDir, path: &Path) -> io::Result<()> {
    let mut parents: Vec<&Path> =
        path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()).collect();
    parents.reverse();
    for folder in parents {
        match ground.look(folder)? {
            Some(found) if found.kind == UntrustedEntryKind::Folder => continue,
            Some(_) => ground.remove(folder)?,
            None => {}
        }
        ground.make_folder(folder, mode(disk, folder).unwrap_or(0o755))?;
    }
    Ok(())
}

/// Returns the mode of a file on disk, or the default mode.
pub fn mode_on_disk(disk: &RootDir, path: &Path) -> u32 {
    mode(disk, path).unwrap_or(DEFAULT_MODE)
}

#[allow(clippy::disallowed_methods, reason = "it looks")]
fn mode(disk: &RootDir, path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    let info = std::fs::symlink_metadata(disk.path().join(path)).ok()?;
    // Perigee itself needs access as well.
    let least = if info.is_dir() { 0o700 } else { 0o600 };
    (!info.is_symlink()).then(|| info.permissions().mode() & 0o777 | least)
}
