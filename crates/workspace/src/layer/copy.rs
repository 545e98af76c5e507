//! Maintains a copy of the workspace with the overlay's changes, for systems without overlay mounts. Ignored files are
//! not copied; those created by a command stay.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use host::{EntryKind, RootDir};
use sandbox::{FileStamp, UntrustedEntryKind, UntrustedFolder};

use super::snapshot::{LayerSnapshot, changes_by_layer_path};
use super::sync::{create_parents, has_content, mode_on_disk};
use super::walk::{
    EntryClass, IgnoreFile, LayerEntry, LayerFolder, LayerWalk, clear_folder, self_ignoring_rules, within,
};
use crate::change::MOST_BYTES;
use crate::listing::ListedFile;
use crate::overlay::Overlay;
use crate::path::WorkspacePath;
use crate::workspace::Workspace;

/// The limits for copying; a larger workspace would take too long and use too much disk space.
pub const MOST_COPIED: u64 = 1 << 30;
pub const MOST_FILES: usize = 50_000;

/// The copied files: the timestamp of each copy and the state of the original at that time.
pub type CopiedFiles = HashMap<PathBuf, (FileStamp, ListedFile)>;

/// The intended content of a file in the copy.
enum IntendedContent<'a> {
    Bytes(&'a [u8]),
    OnDisk(ListedFile),
}

/// The workspace is too large to be copied.
#[derive(Debug)]
pub struct TooLarge {
    pub files: usize,
    pub bytes: u64,
}

/// Checks that the workspace is small enough to be copied.
pub fn check_size(files: &[ListedFile]) -> Result<(), TooLarge> {
    let bytes = files.iter().map(|file| file.bytes).sum();
    let is_fine = files.len() <= MOST_FILES && bytes <= MOST_COPIED;
    if is_fine { Ok(()) } else { Err(TooLarge { files: files.len(), bytes }) }
}

struct CopySync<'a> {
    walk: LayerWalk<'a>,
    ground: &'a UntrustedFolder,
    intended: BTreeMap<PathBuf, (WorkspacePath, IntendedContent<'a>)>,
    copied: &'a mut CopiedFiles,
    done: BTreeSet<PathBuf>,
    snapshot: LayerSnapshot,
}

/// Updates the copy to the workspace with the overlay's changes.
pub fn sync(
    ground: &UntrustedFolder,
    workspace: &Workspace,
    files: Vec<ListedFile>,
    overlay: &Overlay,
    copied: &mut CopiedFiles,
) -> io::Result<LayerSnapshot> {
    let disk = workspace.root();
    let on_disk = files.into_iter().map(|file| {
        let path: PathBuf = (file.path.as_ref() as &Path).to_owned();
        (path, (file.path.clone(), IntendedContent::OnDisk(file)))
    });
    let mut intended: BTreeMap<PathBuf, (WorkspacePath, IntendedContent<'_>)> = on_disk.collect();
    for (path, (name, change)) in changes_by_layer_path(overlay, disk) {
        match &change.after {
            Some(after) => drop(intended.insert(path, (name.clone(), IntendedContent::Bytes(after)))),
            None => drop(intended.remove(&path)),
        }
    }
    let walk = LayerWalk::new(ground, disk, intended.keys().cloned());
    let mut copy =
        CopySync { walk, ground, intended, copied, done: BTreeSet::new(), snapshot: LayerSnapshot::new() };
    copy.clean()?;
    copy.place()?;
    copy.repository()?;
    let LayerSnapshot { files, placed, hiding, .. } = copy.snapshot;
    Ok(LayerSnapshot { files, placed, hiding, ..LayerSnapshot::new() })
}

impl CopySync<'_> {
    fn clean(&mut self) -> io::Result<()> {
        let mut waiting = vec![LayerFolder::root()];
        while let Some(folder) = waiting.pop() {
            let (intended, ground, root) = (&self.intended, self.ground, self.walk.disk.path());
            let entries = self.walk.entries(&folder, |path| match intended.get(path) {
                Some((_, IntendedContent::Bytes(bytes))) => IgnoreFile::Text(bytes.to_vec()),
                Some(_) => IgnoreFile::AsOnDisk,
                // A file on disk without an entry here is deleted in the overlay.
                None if folder.is_below => IgnoreFile::Missing,
                None => self_ignoring_rules(ground, root, &folder, path),
            })?;
            if folder.exceeds_limits(&entries) {
                clear_folder(self.ground, &folder.path)?;
                continue;
            }
            for entry in entries {
                if self.entry(&entry)? {
                    waiting.push(entry.as_folder(folder.depth + 1));
                }
            }
        }
        Ok(())
    }

    /// Returns true if the entry is a folder to descend into.
    fn entry(&mut self, entry: &LayerEntry) -> io::Result<bool> {
        let path = &entry.path;
        let leads_to_intended = within(&self.intended, path).next().is_some();
        let is_intended = self.intended.contains_key(path);
        let is_removed = match (entry.class, entry.found.kind) {
            (EntryClass::Git, _) => true,
            (_, UntrustedEntryKind::Folder) => is_intended,
            (EntryClass::Ignored, _) => leads_to_intended,
            (_, UntrustedEntryKind::File) if is_intended => return self.file(entry).map(|()| false),
            (_, UntrustedEntryKind::File) => {
                leads_to_intended || entry.below.is_some() || super::sync::is_text(self.ground, entry)?
            }
            (_, UntrustedEntryKind::Link) => leads_to_intended || is_intended || entry.below.is_some(),
            (_, UntrustedEntryKind::Whiteout | UntrustedEntryKind::Other) => true,
        };
        if is_removed {
            self.ground.remove(path)?;
        } else if entry.class == EntryClass::Workspace && entry.found.kind != UntrustedEntryKind::Folder {
            self.snapshot.files.insert(path.clone(), entry.found.stamp);
        }
        Ok(!is_removed
            && entry.class == EntryClass::Workspace
            && entry.found.kind == UntrustedEntryKind::Folder)
    }

    /// Marks a file as done if its content is already right, so only different files are written.
    fn file(&mut self, entry: &LayerEntry) -> io::Result<()> {
        let path = &entry.path;
        let Some((_, content)) = self.intended.get(path) else { return Ok(()) };
        let is_right = match content {
            IntendedContent::Bytes(bytes) => has_content(self.ground, entry, bytes)?,
            IntendedContent::OnDisk(listed) => {
                let known = self.copied.get(path);
                let is_known =
                    known.is_some_and(|(stamp, then)| *stamp == entry.found.stamp && then == listed);
                is_known || (known.is_none() && equals_disk(self.ground, self.walk.disk, entry)?)
            }
        };
        if is_right {
            self.done.insert(path.clone());
            self.record(path.clone())?;
        }
        Ok(())
    }

    fn place(&mut self) -> io::Result<()> {
        let paths: Vec<PathBuf> =
            self.intended.keys().filter(|path| !self.done.contains(*path)).cloned().collect();
        let disk = self.walk.disk;
        for path in paths {
            let Some((_, content)) = self.intended.get(&path) else { continue };
            create_parents(self.ground, disk, &path)?;
            let mode = mode_on_disk(disk, &path);
            match content {
                IntendedContent::Bytes(bytes) => self.ground.write(&path, bytes, mode)?,
                // The file was deleted in the meantime.
                IntendedContent::OnDisk(_) => match disk.open_file(&path) {
                    // A copy that replaces an older source must be newer than what was built from it.
                    Ok(mut file) => {
                        let keeps_time = self.ground.look(&path)?.is_none();
                        self.ground.copy(&path, &mut file, mode, keeps_time)?;
                    }
                    Err(_) => continue,
                },
            }
            self.record(path)?;
        }
        let placed = std::mem::take(&mut self.intended).into_iter().map(|(path, (name, _))| (path, name));
        self.snapshot.placed = placed.filter(|(path, _)| self.snapshot.files.contains_key(path)).collect();
        Ok(())
    }

    fn record(&mut self, path: PathBuf) -> io::Result<()> {
        let Some(found) = self.ground.look(&path)? else { return Ok(()) };
        match self.intended.get(&path) {
            Some((_, IntendedContent::OnDisk(listed))) => {
                self.copied.insert(path.clone(), (found.stamp, listed.clone()));
            }
            _ => drop(self.copied.remove(&path)),
        }
        self.snapshot.files.insert(path, found.stamp);
        Ok(())
    }

    /// Creates the mount point for the real repository.
    fn repository(&self) -> io::Result<()> {
        let git = Path::new(".git");
        match self.walk.disk.metadata(git).ok().flatten().map(|info| info.kind) {
            Some(EntryKind::Folder) => self.ground.make_folder(git, 0o755),
            Some(EntryKind::File) => self.ground.write(git, b"", 0o644),
            _ => Ok(()),
        }
    }
}

/// Returns true if an unrecorded copy equals the file on disk. For large files only the length is compared.
fn equals_disk(ground: &UntrustedFolder, disk: &RootDir, entry: &LayerEntry) -> io::Result<bool> {
    let Some(below) = &entry.below else { return Ok(false) };
    if below.len > MOST_BYTES {
        return Ok(below.len == entry.found.len);
    }
    match disk.read(&entry.path, MOST_BYTES) {
        Ok(bytes) => has_content(ground, entry, &bytes),
        Err(_) => Ok(false),
    }
}
