//! Makes a layer agree with the overlay: what was changed lies in it, what was deleted is hidden by it, and of the rest
//! of the work it holds nothing that could be seen. What is ignored stays.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use edits::TextFile;
use host::{EntryKind, RootDir};
use sandbox::{Found, Ground, Kind};

use super::notes::{Notes, Wanted, wanted};
use super::walk::{DEEPEST, Entry, Folder, Walk, Whose, beneath, empty, rules_of_its_own};
use crate::overlay::{MOST_BYTES, Overlay};
use crate::path::WorkspacePath;
use crate::root::Workspace;

/// How a file that is new is made.
pub const USUAL: u32 = 0o644;

struct Sync<'a> {
    walk: Walk<'a>,
    ground: &'a Ground,
    workspace: &'a Workspace,
    wanted: Wanted<'a>,
    /// What is in its place already.
    done: BTreeSet<PathBuf>,
    notes: Notes,
}

/// Lays the overlay's changes into what lies over the disk.
pub fn sync(ground: &Ground, workspace: &Workspace, overlay: &Overlay) -> io::Result<Notes> {
    let disk = workspace.root();
    let wanted = wanted(overlay, disk);
    let mut sync = Sync {
        walk: Walk::new(ground, disk, wanted.keys().cloned()),
        ground,
        workspace,
        wanted,
        done: BTreeSet::new(),
        notes: Notes::new(),
    };
    sync.clean()?;
    sync.place()?;
    // Nothing that was made here is older: it is not what somebody else did meanwhile.
    let Notes { files, placed, hiding, .. } = sync.notes;
    Ok(Notes { files, placed, hiding, ..Notes::new() })
}

impl Sync<'_> {
    fn disk(&self) -> &RootDir {
        self.walk.disk
    }

    /// Takes away what is not to be seen.
    fn clean(&mut self) -> io::Result<()> {
        let mut waiting = vec![Folder::root()];
        while let Some(folder) = waiting.pop() {
            let entries = self.entries(&folder)?;
            if folder.is_odd(&entries) {
                // All of it goes, and what is wanted there is put there anew.
                self.notes.hiding.remove(&folder.path);
                empty(self.ground, &folder.path)?;
                continue;
            }
            for entry in entries {
                let goes_on = match entry.whose {
                    Whose::Gits => self.remove(&entry)?,
                    Whose::Nobodys => self.of_nobody(&entry)?,
                    Whose::Works => self.of_work(&entry)?,
                };
                if goes_on {
                    waiting.push(entry.as_folder(folder.depth + 1));
                }
            }
        }
        Ok(())
    }

    fn entries(&mut self, folder: &Folder) -> io::Result<Vec<Entry>> {
        let (wanted, ground, root) = (&self.wanted, self.ground, self.workspace.path());
        self.walk.entries(folder, |path| match wanted.get(path) {
            Some((_, change)) => change.after.clone().into(),
            None => rules_of_its_own(ground, root, folder, path),
        })
    }

    /// Whether a file of the overlay lies in it.
    fn is_way(&self, folder: &Path) -> bool {
        beneath(&self.wanted, folder).any(|(_, change)| change.after.is_some())
    }

    fn remove(&self, entry: &Entry) -> io::Result<bool> {
        self.ground.remove(&entry.path)?;
        Ok(false)
    }

    /// Something that is ignored. It is left alone, but for what the disk does not have any more.
    fn of_nobody(&mut self, entry: &Entry) -> io::Result<bool> {
        let path = &entry.path;
        match entry.found.kind {
            Kind::Whiteout if entry.below.is_none() => self.remove(entry),
            Kind::Folder if !entry.is_below(EntryKind::Folder) && !self.ground.is_opaque(path)? => {
                // It lay over a folder that is gone, and what hid parts of that would be seen.
                self.without_whiteouts(path)?;
                self.ground.set_opaque(path, true)?;
                Ok(false)
            }
            Kind::Folder => Ok(false),
            // A file of the overlay lies in it.
            _ if self.is_way(path) => self.remove(entry),
            _ => Ok(false),
        }
    }

    fn without_whiteouts(&self, folder: &Path) -> io::Result<()> {
        let mut waiting = vec![(folder.to_owned(), 0)];
        while let Some((folder, depth)) = waiting.pop() {
            for (name, found) in self.ground.list(&folder, usize::MAX)? {
                let path = folder.join(name);
                match found.kind {
                    Kind::Whiteout => self.ground.remove(&path)?,
                    Kind::Folder if depth < DEEPEST => waiting.push((path, depth + 1)),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Something that is in play. Whether it is a folder to go on in.
    fn of_work(&mut self, entry: &Entry) -> io::Result<bool> {
        let path = &entry.path;
        let is_way = self.is_way(path);
        match entry.found.kind {
            Kind::Folder => {
                let takes_a_place = entry.below.is_some() && !entry.is_below(EntryKind::Folder);
                let is_wanted = self.wanted.get(path).is_some_and(|(_, change)| change.after.is_some());
                if (takes_a_place && !is_way) || is_wanted {
                    return self.remove(entry);
                }
                if entry.is_below(EntryKind::Folder) && self.ground.is_opaque(path)? {
                    if self.hides_rightly(path, false) {
                        self.notes.hiding.insert(path.clone());
                    } else {
                        self.ground.set_opaque(path, false)?;
                    }
                }
                Ok(true)
            }
            Kind::File => self.file(entry).map(|()| false),
            Kind::Whiteout => self.whiteout(entry, is_way).map(|()| false),
            // A link that a command made leads nobody but commands.
            Kind::Link if entry.below.is_none() && !is_way && !self.wanted.contains_key(path) => {
                self.notes.files.insert(path.clone(), entry.found.stamp);
                Ok(false)
            }
            Kind::Link | Kind::Other => self.remove(entry),
        }
    }

    fn file(&mut self, entry: &Entry) -> io::Result<()> {
        let path = &entry.path;
        if let Some((_, change)) = self.wanted.get(path) {
            // Only what differs is written, so that nothing is built anew that need not be.
            if let Some(after) = &change.after
                && holds(self.ground, entry, after)?
            {
                self.keep(path, &entry.found);
                return Ok(());
            }
            return if change.after.is_none() { self.remove(entry).map(drop) } else { Ok(()) };
        }
        if self.is_way(path) {
            return self.remove(entry).map(drop);
        }
        if entry.is_below(EntryKind::File) {
            return self.as_on_disk(entry);
        }
        // Of what is new, a text would have joined the overlay. The rest stays for later commands.
        let can_join = entry.below.is_some() || is_text(self.ground, entry)?;
        if can_join {
            return self.remove(entry).map(drop);
        }
        self.notes.files.insert(path.clone(), entry.found.stamp);
        Ok(())
    }

    /// A file that was changed and is not any more has what the disk has, and keeps a younger time: tools that build
    /// look at times, and would take what they made of the change for up to date.
    fn as_on_disk(&mut self, entry: &Entry) -> io::Result<()> {
        let path = &entry.path;
        let Ok(bytes) = self.disk().read(path, MOST_BYTES) else { return self.remove(entry).map(drop) };
        if !holds(self.ground, entry, &bytes)? {
            self.ground.write(path, &bytes, mode_on_disk(self.disk(), path))?;
        }
        self.note(path)
    }

    fn whiteout(&mut self, entry: &Entry, is_way: bool) -> io::Result<()> {
        let path = &entry.path;
        let is_right = match &entry.below {
            Some(info) if info.kind == EntryKind::Folder => !is_way && self.hides_rightly(path, true),
            Some(_) => self.wanted.get(path).is_some_and(|(_, change)| change.after.is_none()),
            None => false,
        };
        if is_right {
            self.notes.hiding.insert(path.clone());
            self.done.insert(path.clone());
            return Ok(());
        }
        self.remove(entry).map(drop)
    }

    /// Whether all that the disk has in play in a folder is changed, or even deleted.
    fn hides_rightly(&self, folder: &Path, is_deleted: bool) -> bool {
        let hidden = self.workspace.files_in(folder);
        hidden.iter().all(|file| {
            let change = self.wanted.get(file.path.as_ref() as &Path);
            change.is_some_and(|(_, change)| !is_deleted || change.after.is_none())
        })
    }

    fn keep(&mut self, path: &Path, found: &Found) {
        self.done.insert(path.to_owned());
        self.notes.files.insert(path.to_owned(), found.stamp);
    }

    fn note(&mut self, path: &Path) -> io::Result<()> {
        if let Some(found) = self.ground.look(path)? {
            self.notes.files.insert(path.to_owned(), found.stamp);
        }
        Ok(())
    }

    /// Puts what is wanted where it is not yet.
    fn place(&mut self) -> io::Result<()> {
        for (path, (name, change)) in std::mem::take(&mut self.wanted) {
            if change.after.is_some() {
                self.notes.placed.insert(path.clone(), name.clone());
            }
            if self.done.contains(&path) {
                continue;
            }
            match &change.after {
                Some(bytes) => {
                    make_way_to(self.ground, self.disk(), &path)?;
                    let mode = match self.ground.look(&path)? {
                        Some(found) if found.kind == Kind::File => found.mode,
                        _ => mode_on_disk(self.disk(), &path),
                    };
                    self.ground.write(&path, bytes, mode)?;
                    self.note(&path)?;
                }
                None => self.hide(&path)?,
            }
        }
        Ok(())
    }

    /// Hides what the disk has there, unless a folder on the way does so.
    fn hide(&mut self, path: &Path) -> io::Result<()> {
        let is_hidden = path.ancestors().skip(1).any(|folder| self.notes.hiding.contains(folder));
        let is_there = self.disk().metadata(path).is_ok_and(|info| info.is_some());
        if is_hidden || !is_there || self.ground.look(path)?.is_some() {
            return Ok(());
        }
        make_way_to(self.ground, self.disk(), path)?;
        self.ground.white_out(path)?;
        self.notes.hiding.insert(path.to_owned());
        Ok(())
    }
}

/// Whether a file could join an overlay. One that is shut could be anything.
pub fn is_text(ground: &Ground, entry: &Entry) -> io::Result<bool> {
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

/// Whether a file has these bytes.
pub fn holds(ground: &Ground, entry: &Entry, bytes: &[u8]) -> io::Result<bool> {
    if entry.found.len != bytes.len() as u64 {
        return Ok(false);
    }
    match ground.read(&entry.path, entry.found.len) {
        Ok(found) => Ok(found.is_some_and(|found| found == bytes)),
        // Somebody shut it: it is made anew.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes the folders on the way, as the disk has them.
pub fn make_way_to(ground: &Ground, disk: &RootDir, path: &Path) -> io::Result<()> {
    let mut way: Vec<&Path> =
        path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()).collect();
    way.reverse();
    for folder in way {
        match ground.look(folder)? {
            Some(found) if found.kind == Kind::Folder => continue,
            Some(_) => ground.remove(folder)?,
            None => {}
        }
        ground.make_folder(folder, mode(disk, folder).unwrap_or(0o755))?;
    }
    Ok(())
}

/// How a file may be used on the disk, of which only that counts.
pub fn mode_on_disk(disk: &RootDir, path: &Path) -> u32 {
    mode(disk, path).unwrap_or(USUAL)
}

#[allow(clippy::disallowed_methods, reason = "it looks")]
fn mode(disk: &RootDir, path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    let info = std::fs::symlink_metadata(disk.path().join(path)).ok()?;
    // We must be able to work with it, too.
    let least = if info.is_dir() { 0o700 } else { 0o600 };
    (!info.is_symlink()).then(|| info.permissions().mode() & 0o777 | least)
}
