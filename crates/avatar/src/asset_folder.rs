//! The user's files in the folder `assets`: lists, stores, removes and restores them.

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
const INCOMING: &str = ".coming";
const SWAPPED: &str = ".between";
const LONGEST_NAME: usize = 200;
/// The most files listed of each kind.
const MOST_FILES: usize = 1_000;

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
pub struct AssetFile {
    pub file: File,
    pub len: u64,
    pub content_type: &'static str,
    /// A tag that differs after every change.
    pub version: String,
}

/// The paths of a file, relative to the assets folder.
struct AssetPaths {
    root: RootDir,
    current: PathBuf,
    /// The path of the file that was last removed or replaced under this name.
    removed: PathBuf,
}

/// The folder of one kind of asset.
pub(super) struct AssetFolder {
    pub kind: AssetKind,
    assets: PathBuf,
}

impl AssetFolder {
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
        named.filter(wanted).take(MOST_FILES).collect()
    }

    pub fn open(&self, name: &str) -> Result<AssetFile, AssetError> {
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
        Ok(AssetFile { file, len: info.len, content_type, version: version(&info) })
    }

    /// Stores a file. An existing one of the same name is set aside and can be restored.
    pub fn put(&self, name: &str, bytes: &[u8]) -> Result<(), AssetError> {
        self.check(name)?;
        if !matches_extension(name, bytes) {
            return Err(AssetError::WrongKind(name.to_owned(), description(self.kind)));
        }
        let _moving = lock_moves();
        let AssetPaths { root, current, removed } = self.paths(name)?;
        // Written completely before the other file is moved, so that a full disk changes nothing.
        let incoming = removed.with_file_name(INCOMING);
        root.write(&incoming, bytes)?;
        if root.metadata(&current)?.is_some() {
            replace(&root, &current, &removed)?;
        }
        Ok(root.rename(incoming, current)?)
    }

    pub fn remove(&self, name: &str) -> Result<(), AssetError> {
        self.check(name)?;
        let _moving = lock_moves();
        let AssetPaths { root, current, removed } = self.paths(name)?;
        if root.metadata(&current)?.is_none() {
            return Err(AssetError::Missing(name.to_owned()));
        }
        Ok(replace(&root, &current, &removed)?)
    }

    /// Restores the file last removed or replaced, and swaps it with the current one, if there is one.
    pub fn restore(&self, name: &str) -> Result<(), AssetError> {
        self.check(name)?;
        let _moving = lock_moves();
        let AssetPaths { root, current, removed } = self.paths(name)?;
        if root.metadata(&removed)?.is_none() {
            return Err(AssetError::Missing(name.to_owned()));
        }
        if root.metadata(&current)?.is_none() {
            return Ok(root.rename(removed, current)?);
        }
        let swapped = removed.with_file_name(SWAPPED);
        replace(&root, &current, &swapped)?;
        root.rename(&removed, &current)?;
        Ok(root.rename(swapped, removed)?)
    }

    /// Opens the assets folder and creates the subfolder of this kind.
    fn root(&self) -> Result<RootDir, AssetError> {
        host::private_dir(&self.assets)?;
        let root = RootDir::open(&self.assets)?;
        root.create_dirs(folder(self.kind))?;
        Ok(root)
    }

    fn paths(&self, name: &str) -> Result<AssetPaths, AssetError> {
        let (root, folder) = (self.root()?, folder(self.kind));
        let removed = Path::new(REMOVED).join(folder);
        root.create_dirs(&removed)?;
        Ok(AssetPaths { root, current: Path::new(folder).join(name), removed: removed.join(name) })
    }

    fn check(&self, name: &str) -> Result<&'static str, AssetError> {
        if !is_name(name) {
            return Err(AssetError::BadName(name.chars().take(80).collect(), example(self.kind)));
        }
        content_type(self.kind, name)
            .ok_or_else(|| AssetError::WrongKind(name.to_owned(), description(self.kind)))
    }
}

/// Locks the moving of files, which takes several steps that must not interleave.
fn lock_moves() -> MutexGuard<'static, ()> {
    static ANIMATIONS: Mutex<()> = Mutex::new(());
    ANIMATIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Moves a file and replaces the one at the target.
fn replace(root: &RootDir, from: &Path, to: &Path) -> Result<(), RootError> {
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

fn description(kind: AssetKind) -> &'static str {
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

/// Returns the content type by extension, or `None` if such a file does not belong in this folder.
fn content_type(kind: AssetKind, name: &str) -> Option<&'static str> {
    let (_, extension) = name.rsplit_once('.')?;
    Some(match (kind, extension.to_ascii_lowercase().as_str()) {
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
fn matches_extension(name: &str, bytes: &[u8]) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref() {
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
