use std::path::{Path, PathBuf};

use config::Paths;

use super::BackupError;

pub(super) const DATABASE: &str = "perigee.db";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaceKind {
    File,
    Folder,
    Database,
    /// SQLite's files beside the database. They are never packed, because a snapshot needs none, and move together with
    /// the database, because they belong to it alone.
    BesideDatabase,
}

/// A part of the data folder, with a fixed name in every backup, independent of its path in the settings.
pub(super) struct Place {
    pub(super) name: &'static str,
    pub(super) kind: PlaceKind,
    pub(super) path: PathBuf,
}

type Locate = fn(&Paths) -> PathBuf;

const TABLE: &[(&str, PlaceKind, Locate)] = &[
    (DATABASE, PlaceKind::Database, |paths| paths.database.clone()),
    ("perigee.db-wal", PlaceKind::BesideDatabase, |paths| beside(&paths.database, "-wal")),
    ("perigee.db-shm", PlaceKind::BesideDatabase, |paths| beside(&paths.database, "-shm")),
    ("perigee.db-journal", PlaceKind::BesideDatabase, |paths| beside(&paths.database, "-journal")),
    ("config.toml", PlaceKind::File, |paths| paths.home.join("config.toml")),
    ("config.json", PlaceKind::File, |paths| paths.home.join("config.json")),
    ("token", PlaceKind::File, |paths| paths.home.join("token")),
    ("permissions.json", PlaceKind::File, |paths| paths.permissions.clone()),
    ("state.json", PlaceKind::File, |paths| paths.state_file.clone()),
    ("soul", PlaceKind::Folder, |paths| paths.soul.clone()),
    ("memories", PlaceKind::Folder, |paths| paths.memories.clone()),
    ("skills", PlaceKind::Folder, |paths| paths.skills.clone()),
    ("mcp_servers", PlaceKind::Folder, |paths| paths.mcp_servers.clone()),
    ("assets", PlaceKind::Folder, |paths| paths.assets.clone()),
    ("users", PlaceKind::Folder, |paths| paths.home.join("users")),
];

/// Returns the kind of place for a top-level name in a backup.
pub(super) fn packed_kind(name: &str) -> Option<PlaceKind> {
    let (_, kind, _) = TABLE.iter().find(|(known, ..)| *known == name)?;
    (*kind != PlaceKind::BesideDatabase).then_some(*kind)
}

/// Returns all places. Fails if the settings nest one place in another, or an unpacked folder in a place, because
/// moving the outer folder would move the inner one.
pub(super) fn places(paths: &Paths) -> Result<Vec<Place>, BackupError> {
    let places: Vec<Place> =
        TABLE.iter().map(|&(name, kind, locate)| Place { name, kind, path: locate(paths) }).collect();
    let apart = [&paths.home, &paths.models, &paths.backups, &paths.cache, &paths.logs, &paths.audit_log];
    for outer in places.iter().filter(|place| place.kind == PlaceKind::Folder) {
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
