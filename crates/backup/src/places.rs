use std::path::{Path, PathBuf};

use config::Paths;

use super::BackupError;

pub(super) const DATABASE: &str = "perigee.db";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BackupPartKind {
    File,
    Folder,
    Database,
    /// SQLite's files beside the database. They are never packed, because a snapshot needs none, and move together with
    /// the database, because they belong to it alone.
    BesideDatabase,
}

/// A part of the data folder, with a fixed name in every backup, independent of its path in the settings.
pub(super) struct BackupPart {
    pub(super) name: &'static str,
    pub(super) kind: BackupPartKind,
    pub(super) path: PathBuf,
}

type Locate = fn(&Paths) -> PathBuf;

const TABLE: &[(&str, BackupPartKind, Locate)] = &[
    (DATABASE, BackupPartKind::Database, |paths| paths.database.clone()),
    ("perigee.db-wal", BackupPartKind::BesideDatabase, |paths| beside(&paths.database, "-wal")),
    ("perigee.db-shm", BackupPartKind::BesideDatabase, |paths| beside(&paths.database, "-shm")),
    ("perigee.db-journal", BackupPartKind::BesideDatabase, |paths| beside(&paths.database, "-journal")),
    ("config.toml", BackupPartKind::File, |paths| paths.home.join("config.toml")),
    ("config.json", BackupPartKind::File, |paths| paths.home.join("config.json")),
    ("token", BackupPartKind::File, |paths| paths.home.join("token")),
    ("permissions.json", BackupPartKind::File, |paths| paths.permissions.clone()),
    ("state.json", BackupPartKind::File, |paths| paths.state_file.clone()),
    ("soul", BackupPartKind::Folder, |paths| paths.soul.clone()),
    ("memories", BackupPartKind::Folder, |paths| paths.memories.clone()),
    ("skills", BackupPartKind::Folder, |paths| paths.skills.clone()),
    ("mcp_servers", BackupPartKind::Folder, |paths| paths.mcp_servers.clone()),
    ("assets", BackupPartKind::Folder, |paths| paths.assets.clone()),
    ("users", BackupPartKind::Folder, |paths| paths.home.join("users")),
];

/// Returns the kind of place for a top-level name in a backup.
pub(super) fn packed_kind(name: &str) -> Option<BackupPartKind> {
    let (_, kind, _) = TABLE.iter().find(|(known, ..)| *known == name)?;
    (*kind != BackupPartKind::BesideDatabase).then_some(*kind)
}

/// Returns all places. Fails if the settings nest one place in another, or an unpacked folder in a place, because
/// moving the outer folder would move the inner one.
pub(super) fn places(paths: &Paths) -> Result<Vec<BackupPart>, BackupError> {
    let places: Vec<BackupPart> =
        TABLE.iter().map(|&(name, kind, locate)| BackupPart { name, kind, path: locate(paths) }).collect();
    let apart = [&paths.home, &paths.models, &paths.backups, &paths.cache, &paths.logs, &paths.audit_log];
    for outer in places.iter().filter(|place| place.kind == BackupPartKind::Folder) {
        let others = places.iter().filter(|place| place.name != outer.name).map(|place| &place.path);
        let around = [resolved(&outer.path), resolved_folder(&outer.path)];
        let holds = |inner: &Path| {
            let inner = [resolved(inner), resolved_folder(inner)];
            around.iter().any(|around| inner.iter().any(|inner| inner.starts_with(around)))
        };
        if let Some(inner) = others.chain(apart).find(|inner| holds(inner)) {
            return Err(BackupError::Overlap { outer: outer.path.clone(), inner: inner.clone() });
        }
    }
    Ok(places)
}

fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Resolves all links in a path, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let real = |known: &Path| {
        let rest = path.strip_prefix(known).ok()?;
        Some(std::fs::canonicalize(known).ok()?.join(rest))
    };
    path.ancestors().find_map(real).unwrap_or_else(|| path.to_path_buf())
}

/// Resolves the links in a path except in its last component.
fn resolved_folder(path: &Path) -> PathBuf {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => resolved(parent).join(name),
        _ => resolved(path),
    }
}
