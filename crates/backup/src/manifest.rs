use std::collections::HashMap;
use std::path::{Component, Path};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::places::{BackupPartKind, DATABASE, packed_kind};

pub(super) const NAME: &str = "manifest.json";
pub(super) const FORMAT: u64 = 1;
/// The greatest number of files, folders and links together.
pub(super) const MOST_ENTRIES: usize = 200_000;
pub(super) const LARGEST_MANIFEST: u64 = 64 << 20;
pub(super) const LONGEST_PATH: usize = 4096;
/// The greatest size of all files together: one tebibyte.
const MOST_BYTES: u64 = 1 << 40;

/// The first entry of a backup. It lists all other entries in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) format: u64,
    /// The version of the program.
    pub(super) version: String,
    pub(super) created: Timestamp,
    pub(super) skipped: Vec<Skipped>,
    pub(super) files: Vec<BackupEntry>,
}

/// A file within the packed folders that is not in the backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    pub path: String,
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BackupEntry {
    /// The path with `/` between the names, the first of which is the name of a place.
    pub(super) path: String,
    #[serde(flatten)]
    pub(super) kind: BackupEntryKind,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum BackupEntryKind {
    File {
        size: u64,
        sha256: String,
        modified: Timestamp,
        executable: bool,
    },
    /// A folder, listed before its content.
    Folder,
    Link {
        to: String,
    },
}

/// The part of a manifest that tells whether the rest can be read.
#[derive(Deserialize)]
struct FormatOnly {
    format: u64,
}

pub(super) enum Unreadable {
    Newer(u64),
    Unclear(String),
}

impl Manifest {
    pub(super) fn new(
        version: String,
        created: Timestamp,
        files: Vec<BackupEntry>,
        mut skipped: Vec<Skipped>,
    ) -> Self {
        for note in &mut skipped {
            note.path = note.path.replace(char::is_control, "\u{fffd}");
        }
        Self { format: FORMAT, version, created, skipped, files }
    }

    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Unreadable> {
        let unclear = |error: serde_json::Error| Unreadable::Unclear(format!("{NAME}: {error}"));
        let FormatOnly { format } = serde_json::from_slice(bytes).map_err(unclear)?;
        if format > FORMAT {
            return Err(Unreadable::Newer(format));
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(unclear)?;
        manifest.check().map_err(Unreadable::Unclear)?;
        Ok(manifest)
    }

    pub(super) fn file_count(&self) -> u64 {
        self.files.iter().filter(|entry| matches!(entry.kind, BackupEntryKind::File { .. })).count() as u64
    }

    pub(super) fn bytes(&self) -> u64 {
        self.files.iter().map(BackupEntry::size).fold(0, u64::saturating_add)
    }

    /// Checks the limits that every genuine backup satisfies, since the file may come from another source.
    fn check(&self) -> Result<(), String> {
        if self.files.len() > MOST_ENTRIES {
            return Err(format!("it lists more than {MOST_ENTRIES} files"));
        }
        if self.bytes() > MOST_BYTES {
            return Err("it claims to hold more than a tebibyte".into());
        }
        let words = self.skipped.iter().flat_map(|note| [&note.path, &note.why]).chain([&self.version]);
        if words.into_iter().any(|words| words.contains(char::is_control)) {
            return Err("its description holds control characters".into());
        }
        let mut seen: HashMap<&str, &BackupEntryKind> = HashMap::with_capacity(self.files.len());
        for entry in &self.files {
            let shown = entry.path.escape_debug();
            entry.check().map_err(|why| format!("{shown} {why}"))?;
            if let Some((parent, _)) = entry.path.rsplit_once('/')
                && !matches!(seen.get(parent), Some(BackupEntryKind::Folder))
            {
                return Err(format!("{shown} lies in no folder"));
            }
            if seen.insert(&entry.path, &entry.kind).is_some() {
                return Err(format!("{shown} is there twice"));
            }
        }
        match seen.get(DATABASE) {
            Some(BackupEntryKind::File { size: 1.., .. }) => Ok(()),
            _ => Err("it has no database".into()),
        }
    }
}

impl BackupEntry {
    pub(super) fn size(&self) -> u64 {
        match self.kind {
            BackupEntryKind::File { size, .. } => size,
            BackupEntryKind::Folder | BackupEntryKind::Link { .. } => 0,
        }
    }

    fn check(&self) -> Result<(), &'static str> {
        if self.path.len() > LONGEST_PATH {
            return Err("is too long a name");
        }
        if !self.path.split('/').all(is_plain_name) {
            return Err("leads out of its folder");
        }
        let (place, inside) = match self.path.split_once('/') {
            Some((place, _)) => (place, true),
            None => (self.path.as_str(), false),
        };
        match (packed_kind(place), &self.kind) {
            (Some(BackupPartKind::Folder), BackupEntryKind::Link { to }) if inside => {
                if stays_inside(&self.path, to) {
                    Ok(())
                } else {
                    Err("is a link that leads out of its folder")
                }
            }
            (Some(BackupPartKind::Folder), BackupEntryKind::File { .. }) if inside => Ok(()),
            (Some(BackupPartKind::Folder), BackupEntryKind::Folder) => Ok(()),
            (Some(BackupPartKind::File | BackupPartKind::Database), BackupEntryKind::File { .. })
                if !inside =>
            {
                Ok(())
            }
            (None, _) => Err("is unknown"),
            _ => Err("is not what its name says"),
        }
    }
}

/// Returns true if the text is a single file name on any operating system.
pub(super) fn is_plain_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let single =
        matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name);
    single && !name.contains('\0')
}

/// Returns true if a link at `path` stays within its place, even through other such links. No `..` may follow a plain
/// name: that name may itself be a link, and the target of `..` would be unknown.
pub(super) fn stays_inside(path: &str, to: &str) -> bool {
    let mut height = path.split('/').count().saturating_sub(2);
    let mut named = false;
    if to.is_empty() || to.len() > LONGEST_PATH || to.contains('\0') {
        return false;
    }
    for part in Path::new(to).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if !named && height > 0 => height -= 1,
            Component::Normal(_) => named = true,
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
#[path = "manifest_tests.rs"]
mod tests;
