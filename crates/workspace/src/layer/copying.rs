//! Maintains a copy of the workspace with the overlay's changes, for systems without overlay mounts. Ignored files are
//! not copied; those created by a command stay.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use host::{EntryKind, RootDir};
use sandbox::{Ground, Kind, Stamp};

use super::notes::{Notes, wanted};
use super::sync::{holds, make_way_to, mode_on_disk};
use super::walk::{Entry, Folder, Saying, Walk, Whose, beneath, empty, rules_of_its_own};
use crate::listing::Listed;
use crate::overlay::{MOST_BYTES, Overlay};
use crate::path::WorkspacePath;
use crate::root::Workspace;

/// The limits for copying; a larger workspace would take too long and use too much disk space.
pub const MOST_COPIED: u64 = 1 << 30;
pub const MOST_FILES: usize = 50_000;

/// The copied files: the timestamp of each copy and the state of the original at that time.
pub type Copied = HashMap<PathBuf, (Stamp, Listed)>;

/// The intended content of a file in the copy.
enum Wish<'a> {
    Bytes(&'a [u8]),
    OnDisk(Listed),
}

/// The workspace is too large to be copied.
#[derive(Debug)]
pub struct TooLarge {
    pub files: usize,
    pub bytes: u64,
}

/// Checks that the workspace is small enough to be copied.
pub fn measured(files: &[Listed]) -> Result<(), TooLarge> {
    let bytes = files.iter().map(|file| file.bytes).sum();
    let is_fine = files.len() <= MOST_FILES && bytes <= MOST_COPIED;
    if is_fine { Ok(()) } else { Err(TooLarge { files: files.len(), bytes }) }
}

struct Copying<'a> {
    walk: Walk<'a>,
    ground: &'a Ground,
    wishes: BTreeMap<PathBuf, (WorkspacePath, Wish<'a>)>,
    copied: &'a mut Copied,
    done: BTreeSet<PathBuf>,
    notes: Notes,
}

/// Updates the copy to the workspace with the overlay's changes.
pub fn sync(
    ground: &Ground,
    workspace: &Workspace,
    files: Vec<Listed>,
    overlay: &Overlay,
    copied: &mut Copied,
) -> io::Result<Notes> {
    let disk = workspace.root();
    let on_disk = files.into_iter().map(|file| {
        let path: PathBuf = (file.path.as_ref() as &Path).to_owned();
        (path, (file.path.clone(), Wish::OnDisk(file)))
    });
    let mut wishes: BTreeMap<PathBuf, (WorkspacePath, Wish<'_>)> = on_disk.collect();
    for (path, (name, change)) in wanted(overlay, disk) {
        match &change.after {
            Some(after) => drop(wishes.insert(path, (name.clone(), Wish::Bytes(after)))),
            None => drop(wishes.remove(&path)),
        }
    }
    let walk = Walk::new(ground, disk, wishes.keys().cloned());
    let mut copying = Copying { walk, ground, wishes, copied, done: BTreeSet::new(), notes: Notes::new() };
    copying.clean()?;
    copying.place()?;
    copying.repository()?;
    let Notes { files, placed, hiding, .. } = copying.notes;
    Ok(Notes { files, placed, hiding, ..Notes::new() })
}

impl Copying<'_> {
    fn clean(&mut self) -> io::Result<()> {
        let mut waiting = vec![Folder::root()];
        while let Some(folder) = waiting.pop() {
            let (wishes, ground, root) = (&self.wishes, self.ground, self.walk.disk.path());
            let entries = self.walk.entries(&folder, |path| match wishes.get(path) {
                Some((_, Wish::Bytes(bytes))) => Saying::Text(bytes.to_vec()),
                Some(_) => Saying::AsOnDisk,
                // A file on disk without an entry here is deleted in the overlay.
                None if folder.is_below => Saying::Nothing,
                None => rules_of_its_own(ground, root, &folder, path),
            })?;
            if folder.is_odd(&entries) {
                empty(self.ground, &folder.path)?;
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
    fn entry(&mut self, entry: &Entry) -> io::Result<bool> {
        let path = &entry.path;
        let is_way = beneath(&self.wishes, path).next().is_some();
        let is_wished = self.wishes.contains_key(path);
        let goes = match (entry.whose, entry.found.kind) {
            (Whose::Gits, _) => true,
            (_, Kind::Folder) => is_wished,
            (Whose::Nobodys, _) => is_way,
            (_, Kind::File) if is_wished => return self.file(entry).map(|()| false),
            (_, Kind::File) => is_way || entry.below.is_some() || super::sync::is_text(self.ground, entry)?,
            (_, Kind::Link) => is_way || is_wished || entry.below.is_some(),
            (_, Kind::Whiteout | Kind::Other) => true,
        };
        if goes {
            self.ground.remove(path)?;
        } else if entry.whose == Whose::Works && entry.found.kind != Kind::Folder {
            self.notes.files.insert(path.clone(), entry.found.stamp);
        }
        Ok(!goes && entry.whose == Whose::Works && entry.found.kind == Kind::Folder)
    }

    /// Marks a file as done if its content is already right, so only different files are written.
    fn file(&mut self, entry: &Entry) -> io::Result<()> {
        let path = &entry.path;
        let Some((_, wish)) = self.wishes.get(path) else { return Ok(()) };
        let is_right = match wish {
            Wish::Bytes(bytes) => holds(self.ground, entry, bytes)?,
            Wish::OnDisk(listed) => {
                let known = self.copied.get(path);
                let is_known =
                    known.is_some_and(|(stamp, then)| *stamp == entry.found.stamp && then == listed);
                is_known || (known.is_none() && same(self.ground, self.walk.disk, entry)?)
            }
        };
        if is_right {
            self.done.insert(path.clone());
            self.note(path.clone())?;
        }
        Ok(())
    }

    fn place(&mut self) -> io::Result<()> {
        let paths: Vec<PathBuf> =
            self.wishes.keys().filter(|path| !self.done.contains(*path)).cloned().collect();
        let disk = self.walk.disk;
        for path in paths {
            let Some((_, wish)) = self.wishes.get(&path) else { continue };
            make_way_to(self.ground, disk, &path)?;
            let mode = mode_on_disk(disk, &path);
            match wish {
                Wish::Bytes(bytes) => self.ground.write(&path, bytes, mode)?,
                // The file was deleted in the meantime.
                Wish::OnDisk(_) => match disk.open_file(&path) {
                    // A copy that replaces an older source must be newer than what was built from it.
                    Ok(mut file) => {
                        let keeps_time = self.ground.look(&path)?.is_none();
                        self.ground.copy(&path, &mut file, mode, keeps_time)?;
                    }
                    Err(_) => continue,
                },
            }
            self.note(path)?;
        }
        let placed = std::mem::take(&mut self.wishes).into_iter().map(|(path, (name, _))| (path, name));
        self.notes.placed = placed.filter(|(path, _)| self.notes.files.contains_key(path)).collect();
        Ok(())
    }

    fn note(&mut self, path: PathBuf) -> io::Result<()> {
        let Some(found) = self.ground.look(&path)? else { return Ok(()) };
        match self.wishes.get(&path) {
            Some((_, Wish::OnDisk(listed))) => {
                self.copied.insert(path.clone(), (found.stamp, listed.clone()));
            }
            _ => drop(self.copied.remove(&path)),
        }
        self.notes.files.insert(path, found.stamp);
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
fn same(ground: &Ground, disk: &RootDir, entry: &Entry) -> io::Result<bool> {
    let Some(below) = &entry.below else { return Ok(false) };
    if below.len > MOST_BYTES {
        return Ok(below.len == entry.found.len);
    }
    match disk.read(&entry.path, MOST_BYTES) {
        Ok(bytes) => holds(ground, entry, &bytes),
        Err(_) => Ok(false),
    }
}
