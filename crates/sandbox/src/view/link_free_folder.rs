//! Access to files below a folder that other processes may change at the same time: all operations stay below it, and
//! no link leads anywhere else.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, fstat, mkdirat, openat2, unlinkat};

/// The maximum number of bytes read. Settings files and the like are shorter.
const MOST_READ: u64 = 1 << 20;
const WITHOUT_LINKS: ResolveFlags = ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS);

#[derive(Debug)]
pub struct LinkFreeFolder {
    root: OwnedFd,
}

impl LinkFreeFolder {
    pub fn open(folder: &Path) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = rustix::fs::openat(CWD, folder, flags, Mode::empty())?;
        Ok(Self { root })
    }

    fn open_at(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        Ok(openat2(&self.root, path, flags, Mode::empty(), WITHOUT_LINKS)?)
    }

    /// Returns the type of the entry at a path, without following a link. `None` if there is none or a link is in the
    /// way.
    pub fn kind(&self, path: &Path) -> Option<FileType> {
        let found = self.open_at(path, OFlags::PATH).ok()?;
        Some(FileType::from_raw_mode(fstat(&found).ok()?.st_mode))
    }

    /// Returns the beginning of a regular file as text. Rejects files that are endless or would block.
    pub fn read(&self, path: &Path) -> Option<String> {
        let file = File::from(self.open_at(path, OFlags::RDONLY | OFlags::NONBLOCK).ok()?);
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        let mut text = Vec::new();
        file.take(MOST_READ).read_to_end(&mut text).ok()?;
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    fn parent(&self, path: &Path) -> io::Result<OwnedFd> {
        self.open_at(path.parent().unwrap_or(Path::new("")), OFlags::PATH | OFlags::DIRECTORY)
    }

    pub fn make_folder(&self, path: &Path) -> io::Result<()> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        Ok(mkdirat(self.parent(path)?, name, Mode::from_raw_mode(0o755))?)
    }

    /// Creates a file if there is nothing at the path, not even a link.
    pub fn make_file(&self, path: &Path, text: &str) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let made = openat2(&self.root, path, flags, Mode::from_raw_mode(0o644), WITHOUT_LINKS)?;
        File::from(made).write_all(text.as_bytes())
    }

    pub fn remove_file(&self, path: &Path) -> io::Result<()> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        Ok(unlinkat(self.parent(path)?, name, AtFlags::empty())?)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn no_link_leads_out() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(outside.path().join("secret"), "it").unwrap();
        symlink(outside.path(), folder.path().join("out")).unwrap();
        symlink(outside.path().join("made"), folder.path().join("dangling")).unwrap();
        std::fs::create_dir(folder.path().join("in")).unwrap();
        symlink("in", folder.path().join("within")).unwrap();
        let beneath = LinkFreeFolder::open(folder.path()).unwrap();
        assert_eq!(beneath.kind(Path::new("out")), Some(FileType::Symlink));
        assert_eq!(beneath.kind(Path::new("out/secret")), None);
        assert_eq!(beneath.read(Path::new("out/secret")), None);
        assert!(beneath.make_file(Path::new("dangling"), "x").is_err());
        assert!(beneath.make_file(Path::new("within/file"), "x").is_err(), "not even to what lies within");
        assert!(beneath.make_folder(Path::new("out/folder")).is_err());
        assert!(beneath.remove_file(Path::new("out/secret")).is_err());
        assert!(beneath.make_file(Path::new("in/file"), "x").is_ok());
        assert_eq!(beneath.read(Path::new("in/file")).as_deref(), Some("x"));
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_never_ends_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let beneath = LinkFreeFolder::open(folder.path()).unwrap();
        let fifo = folder.path().join("fifo");
        rustix::fs::mkfifoat(CWD, &fifo, Mode::from_raw_mode(0o600)).unwrap();
        symlink("/dev/zero", folder.path().join("zero")).unwrap();
        let large = File::create(folder.path().join("large")).unwrap();
        large.set_len(3 << 30).unwrap();
        assert_eq!(beneath.read(Path::new("fifo")), None);
        assert_eq!(beneath.read(Path::new("zero")), None);
        assert_eq!(beneath.read(Path::new("large")).map(|text| text.len() as u64), Some(MOST_READ));
    }
}
