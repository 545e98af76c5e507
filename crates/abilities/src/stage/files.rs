//! The user's own files in `assets`: which there are, and how one comes, goes and comes back.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use host::{EntryInfo, EntryKind, FileError, RootDir, RootError};
use protocol::AssetKind;
use thiserror::Error;

/// What was removed last of each name waits here to be brought back.
const REMOVED: &str = ".removed";
/// Names that no file of anybody's can have.
const COMING: &str = ".coming";
const BETWEEN: &str = ".between";
const LONGEST_NAME: usize = 200;
/// So many files of a kind are listed; nobody looks through more.
const MOST: usize = 1_000;

#[derive(Debug, Error)]
pub enum AssetError {
    #[error("“{0}” cannot be the name of a file here: use a name without folders, such as {1}")]
    BadName(String, &'static str),
    #[error("{0} is not {1}")]
    WrongKind(String, &'static str),
    #[error("there is no file {0}")]
    Missing(String),
    #[error(transparent)]
    Root(#[from] RootError),
    #[error(transparent)]
    File(#[from] FileError),
}

/// A file that is ready to be sent.
#[derive(Debug)]
pub struct Served {
    pub file: File,
    pub len: u64,
    pub content_type: &'static str,
    /// Another one for every change.
    pub version: String,
}

/// One of the three folders.
pub(super) struct Shelf {
    pub kind: AssetKind,
    assets: PathBuf,
}

impl Shelf {
    pub fn new(kind: AssetKind, assets: &Path) -> Self {
        Self { kind, assets: assets.to_owned() }
    }

    /// The files by name. A folder that is not there, or cannot be read, holds none.
    pub fn list(&self) -> Vec<(String, EntryInfo)> {
        let Ok(root) = RootDir::open(self.assets.join(folder(self.kind))) else { return Vec::new() };
        let entries = root.list("").unwrap_or_default();
        let named = entries.into_iter().filter_map(|(name, info)| Some((name.into_string().ok()?, info)));
        let wanted = |(name, info): &(String, EntryInfo)| {
            info.kind == EntryKind::File && is_name(name) && content_type(self.kind, name).is_some()
        };
        named.filter(wanted).take(MOST).collect()
    }

    pub fn open(&self, name: &str) -> Result<Served, AssetError> {
        let content_type = self.check(name)?;
        let missing = |error: RootError| match error {
            error if error.is_not_found() => AssetError::Missing(name.to_owned()),
            error => error.into(),
        };
        let root = match RootDir::open(self.assets.join(folder(self.kind))) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(AssetError::Missing(name.to_owned()));
            }
            other => other?,
        };
        let info =
            root.metadata(name).map_err(missing)?.ok_or_else(|| AssetError::Missing(name.to_owned()))?;
        let file = root.open_file(name).map_err(missing)?;
        Ok(Served { file, len: info.len, content_type, version: version(&info) })
    }

    /// Puts a file there. One of the same name makes room, and can be brought back.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<(), AssetError> {
        self.check(name)?;
        if !is_what_it_says(name, bytes) {
            return Err(AssetError::WrongKind(name.to_owned(), wanted(self.kind)));
        }
        let _alone = alone();
        let (root, there, aside) = self.places(name)?;
        // Whole before the other makes room: a disk that is full leaves everything as it was.
        let coming = aside.with_file_name(COMING);
        root.write(&coming, bytes)?;
        if root.metadata(&there)?.is_some() {
            set_aside(&root, &there, &aside)?;
        }
        Ok(root.rename(coming, there)?)
    }

    pub fn remove(&self, name: &str) -> Result<(), AssetError> {
        self.check(name)?;
        let _alone = alone();
        let (root, there, aside) = self.places(name)?;
        if root.metadata(&there)?.is_none() {
            return Err(AssetError::Missing(name.to_owned()));
        }
        Ok(set_aside(&root, &there, &aside)?)
    }

    /// Brings back what was removed or replaced last. What has its place changes places with it.
    pub fn restore(&self, name: &str) -> Result<(), AssetError> {
        self.check(name)?;
        let _alone = alone();
        let (root, there, aside) = self.places(name)?;
        if root.metadata(&aside)?.is_none() {
            return Err(AssetError::Missing(name.to_owned()));
        }
        if root.metadata(&there)?.is_none() {
            return Ok(root.rename(aside, there)?);
        }
        let between = aside.with_file_name(BETWEEN);
        set_aside(&root, &there, &between)?;
        root.rename(&aside, &there)?;
        Ok(root.rename(between, aside)?)
    }

    /// The assets' folder, with the one of this kind in it.
    fn root(&self) -> Result<RootDir, AssetError> {
        host::private_dir(&self.assets)?;
        let root = RootDir::open(&self.assets)?;
        root.create_dirs(folder(self.kind))?;
        Ok(root)
    }

    fn places(&self, name: &str) -> Result<(RootDir, PathBuf, PathBuf), AssetError> {
        let (root, folder) = (self.root()?, folder(self.kind));
        let removed = Path::new(REMOVED).join(folder);
        root.create_dirs(&removed)?;
        Ok((root, Path::new(folder).join(name), removed.join(name)))
    }

    fn check(&self, name: &str) -> Result<&'static str, AssetError> {
        if !is_name(name) {
            return Err(AssetError::BadName(name.chars().take(80).collect(), example(self.kind)));
        }
        content_type(self.kind, name).ok_or_else(|| AssetError::WrongKind(name.to_owned(), wanted(self.kind)))
    }
}

/// Files change places in several steps, and two such changes must not meet.
fn alone() -> MutexGuard<'static, ()> {
    static MOVING: Mutex<()> = Mutex::new(());
    MOVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Moves a file there. What waited in that place is gone.
fn set_aside(root: &RootDir, from: &Path, to: &Path) -> Result<(), RootError> {
    if root.metadata(to)?.is_some() {
        root.remove(to)?;
    }
    root.rename(from, to)
}

/// Another one for every change of a file.
pub(super) fn version(info: &EntryInfo) -> String {
    format!("{:x}-{:x}", info.modified.as_millisecond(), info.len)
}

/// The name without its ending.
pub(super) fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn folder(kind: AssetKind) -> &'static str {
    match kind {
        AssetKind::Models => "models",
        AssetKind::Anims => "anims",
        AssetKind::Backgrounds => "backgrounds",
    }
}

fn example(kind: AssetKind) -> &'static str {
    match kind {
        AssetKind::Models => "alice.vrm",
        AssetKind::Anims => "dance.vrma",
        AssetKind::Backgrounds => "beach.jpg",
    }
}

fn wanted(kind: AssetKind) -> &'static str {
    match kind {
        AssetKind::Models => "a body: those are VRM files",
        AssetKind::Anims => "an animation: those are VRMA files, or binary FBX files",
        AssetKind::Backgrounds => "a picture: those are PNG, JPEG, WebP, AVIF or GIF files",
    }
}

fn is_name(name: &str) -> bool {
    let odd = |letter: char| letter.is_control() || matches!(letter, '/' | '\\' | ':');
    !name.is_empty()
        && name.len() <= LONGEST_NAME
        && !name.starts_with('.')
        && name.trim() == name
        && !name.contains(odd)
        && !host::is_temporary(name.as_ref())
}

/// What a file of this name holds. None where it does not belong there.
fn content_type(kind: AssetKind, name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    Some(match (kind, ending.to_ascii_lowercase().as_str()) {
        (AssetKind::Models, "vrm") | (AssetKind::Anims, "vrma") => "model/gltf-binary",
        (AssetKind::Anims, "fbx") => "application/octet-stream",
        (AssetKind::Backgrounds, "png") => "image/png",
        (AssetKind::Backgrounds, "jpg" | "jpeg") => "image/jpeg",
        (AssetKind::Backgrounds, "webp") => "image/webp",
        (AssetKind::Backgrounds, "avif") => "image/avif",
        (AssetKind::Backgrounds, "gif") => "image/gif",
        _ => return None,
    })
}

/// Whether the first bytes are those of such a file: one that was only renamed is refused before it is worn.
fn is_what_it_says(name: &str, bytes: &[u8]) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("vrm" | "vrma") => bytes.starts_with(b"glTF"),
        Some("fbx") => bytes.starts_with(b"Kaydara FBX Binary"),
        Some("png") => bytes.starts_with(b"\x89PNG"),
        Some("jpg" | "jpeg") => bytes.starts_with(b"\xff\xd8\xff"),
        Some("webp") => bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP"),
        Some("avif") => bytes.get(4..8) == Some(b"ftyp"),
        Some("gif") => bytes.starts_with(b"GIF8"),
        _ => false,
    }
}
