//! The user's files in `assets`: lists, stores, removes and restores them.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use host::{EntryInfo, EntryKind, FileError, RootDir, RootError};
use protocol::AssetKind;
use thiserror::Error;

/// The folder that keeps the last removed file of each name.
const REMOVED: &str = ".removed";
/// Temporary names, which no user file can have.
const COMING: &str = ".coming";
const BETWEEN: &str = ".between";
const LONGEST_NAME: usize = 200;
/// The most files listed of each kind.
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

/// An open file, ready to be sent.
#[derive(Debug)]
pub struct Served {
    pub file: File,
    pub len: u64,
    pub content_type: &'static str,
    /// A tag that differs after every change.
    pub version: String,
}

/// The folder of one kind of asset.
pub(super) struct Shelf {
    pub kind: AssetKind,
    assets: PathBuf,
}

impl Shelf {
    pub fn new(kind: AssetKind, assets: &Path) -> Self {
        Self { kind, assets: assets.to_owned() }
    }

    /// Lists the files by name. A folder that is missing or unreadable counts as empty.
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

    /// Stores a file. An existing one of the same name is set aside and can be restored.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<(), AssetError> {
        self.check(name)?;
        if !is_what_it_says(name, bytes) {
            return Err(AssetError::WrongKind(name.to_owned(), wanted(self.kind)));
        }
        let _alone = alone();
        let (root, there, aside) = self.places(name)?;
        // Written completely before the other file is moved, so that a full disk changes nothing.
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

    /// Restores the file last removed or replaced, and swaps it with the current one, if there is one.
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

    /// Opens the assets folder and creates the subfolder of this kind.
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

/// Locks the moving of files, which takes several steps that must not interleave.
fn alone() -> MutexGuard<'static, ()> {
    static MOVING: Mutex<()> = Mutex::new(());
    MOVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Moves a file and replaces the one at the target.
fn set_aside(root: &RootDir, from: &Path, to: &Path) -> Result<(), RootError> {
    if root.metadata(to)?.is_some() {
        root.remove(to)?;
    }
    root.rename(from, to)
}

/// Returns a tag that differs after every change of the file.
pub(super) fn version(info: &EntryInfo) -> String {
    format!("{:x}-{:x}", info.modified.as_millisecond(), info.len)
}

/// Returns the name without its extension.
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

/// Returns the content type by extension, or `None` if such a file does not belong into this folder.
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

/// Returns true if the first bytes match the extension, so that a renamed file is refused before use.
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
