//! Backup and restore: one file with all data of the data folder that cannot be recreated.
//!
//! A backup is a `.tar.gz` that any archive program opens. It begins with `manifest.json`, which lists every file with
//! its size and checksum, and holds a snapshot of the database, the settings, the token, the permissions, the soul, the
//! memories with their history, the state, skills, self-made tools, assets, and other users' files. **It holds
//! secrets**: the token and the keys in the settings. Without them a restored companion would lock out every client and
//! reach no model. The file is therefore readable by its owner alone and belongs in a private place.
//!
//! It does not hold data that can be fetched or recreated (models, cache), data that describes the running process
//! (logs, `run.json`, `home.lock`), other backups, an avatar that `vrm_model` names outside the assets, or `audit.log`:
//! a restore must not erase the record of later actions.
//!
//! A restore checks everything before it changes anything. The replaced data is kept in `backups/before-restore-TIME`,
//! and [`undo_restore`] puts it back. The crate knows files alone, and no conversations.
//!
//! Start with [`create`] and [`restore`].

mod archive;
mod disk;
mod error;
mod exchange;
mod gather;
mod journal;
mod manifest;
mod meter;
mod places;
mod unpack;
mod walk;

use std::path::{Path, PathBuf};

use config::{Environment, Flags, Folders, LiveConfig, Paths};
use jiff::Timestamp;
use serde::Serialize;
use store::Store;
use tokio::sync::watch;
use tokio::task::spawn_blocking;

use self::disk::{Rename, TempFolder};
use self::manifest::Manifest;
use self::meter::ProgressMeter;
use self::places::{BackupPartKind, DATABASE};
use self::unpack::Staging;

pub use self::error::BackupError;
pub use self::manifest::Skipped;
pub use self::meter::Progress;

/// A summary of a backup's content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupInfo {
    /// The version of the program that made it.
    pub version: String,
    pub created: Timestamp,
    pub files: u64,
    /// The size of all files, unpacked.
    pub bytes: u64,
    /// The size of the backup file.
    pub archive_bytes: u64,
    pub skipped: Vec<Skipped>,
}

impl BackupInfo {
    fn new(manifest: Manifest, archive_bytes: u64) -> Self {
        Self {
            files: manifest.file_count(),
            bytes: manifest.bytes(),
            version: manifest.version,
            created: manifest.created,
            skipped: manifest.skipped,
            archive_bytes,
        }
    }
}

/// The result of a restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Restored {
    pub info: BackupInfo,
    /// The folder with the replaced data.
    pub kept: PathBuf,
    /// Notes for the user, one or two sentences each.
    pub notes: Vec<String>,
}

/// Packs the data folder into the file `to`, which must not exist, while other tasks keep reading and writing. If the
/// backup fails or is dropped, no file is left.
pub async fn create(
    store: &Store,
    paths: &Paths,
    version: &str,
    now: Timestamp,
    to: &Path,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<BackupInfo, BackupError> {
    let (backups, target) = (paths.backups.clone(), to.to_owned());
    let prepared = spawn_blocking(move || {
        archive::check_target(&target)?;
        disk::sweep(&backups, now);
        Ok(TempFolder::make(&backups)?)
    });
    let room = joined(prepared.await)?;
    store.backup_to(&room.path().join(DATABASE)).await.map_err(BackupError::from_snapshot)?;
    let (paths, version, target) = (paths.clone(), version.to_owned(), to.to_owned());
    let (told, mut heard) = watch::channel(Progress::default());
    let packing = spawn_blocking(move || {
        // The send fails when the caller has dropped the backup; packing then stops.
        let tell = |progress| told.send(progress).is_ok();
        pack(&paths, &room, version, now, &target, &ProgressMeter::new(&tell))
    });
    while heard.changed().await.is_ok() {
        let reached = *heard.borrow_and_update();
        progress(reached);
    }
    let info = joined(packing.await)?;
    let file = std::path::absolute(to).unwrap_or_else(|_| to.to_owned());
    store.note_backup(file.to_string_lossy().into_owned(), now).await.map_err(BackupError::from_snapshot)?;
    Ok(info)
}

fn joined<T>(outcome: Result<Result<T, BackupError>, tokio::task::JoinError>) -> Result<T, BackupError> {
    outcome.unwrap_or_else(|error| Err(BackupError::Internal(error.to_string())))
}

fn pack(
    paths: &Paths,
    room: &TempFolder,
    version: String,
    now: Timestamp,
    to: &Path,
    meter: &ProgressMeter<'_>,
) -> Result<BackupInfo, BackupError> {
    let places = places::places(paths)?;
    let gathered = gather::gather(&places, room, meter)?;
    let manifest = Manifest::new(version, now, gathered.entries, gathered.skipped);
    let archive_bytes = archive::write(&manifest, room, gathered.spool, to, meter)?;
    meter.finish();
    Ok(BackupInfo::new(manifest, archive_bytes))
}

/// Reads a whole backup, compares every file with its checksum and checks the database. Blocks. Changes nothing.
pub fn inspect(file: &Path, paths: &Paths, progress: &dyn Fn(Progress)) -> Result<BackupInfo, BackupError> {
    let room = TempFolder::make(&paths.backups)?;
    let (manifest, archive_bytes) = checked(file, &room, Staging::DatabaseOnly, progress)?;
    Ok(BackupInfo::new(manifest, archive_bytes))
}

/// Restores the data folder to its state at the time of the backup. Blocks. The caller holds `home.lock`.
///
/// Everything that a backup can hold is replaced. Parts that the backup does not contain are removed.
pub fn restore(
    file: &Path,
    paths: &Paths,
    now: Timestamp,
    progress: &dyn Fn(Progress),
) -> Result<Restored, BackupError> {
    restore_by(&disk::rename, file, paths, now, progress)
}

fn restore_by(
    rename: Rename<'_>,
    file: &Path,
    paths: &Paths,
    now: Timestamp,
    progress: &dyn Fn(Progress),
) -> Result<Restored, BackupError> {
    let places = places::places(paths)?;
    exchange::mend(rename, &paths.backups)?;
    disk::sweep(&paths.backups, now);
    let room = TempFolder::make(&paths.backups)?;
    let (manifest, archive_bytes) = checked(file, &room, Staging::Everything, progress)?;
    let database = room.path().join(DATABASE);
    if database.exists() {
        Store::withdraw_mcp_approvals(&database).map_err(BackupError::from_check)?;
    }
    disk::sync_tree(room.path())?;
    let kept = exchange::put_in_place(rename, &places, room.path(), &paths.backups, now)?;
    Ok(Restored { info: BackupInfo::new(manifest, archive_bytes), kept, notes: stray_notes(paths) })
}

/// Moves the database and SQLite's files beside it away, so that the next start creates an empty one. Returns the
/// folder in which it is kept; [`undo_restore`] puts it back. Blocks. The caller holds `home.lock`.
pub fn begin_anew(paths: &Paths, now: Timestamp) -> Result<PathBuf, BackupError> {
    let mut places = places::places(paths)?;
    places.retain(|place| matches!(place.kind, BackupPartKind::Database | BackupPartKind::BesideDatabase));
    exchange::mend(&disk::rename, &paths.backups)?;
    let nothing = TempFolder::make(&paths.backups)?;
    exchange::put_in_place(&disk::rename, &places, nothing.path(), &paths.backups, now)
}

/// Puts back the data that the last restore replaced, and keeps the data that it replaces in turn, so that the next
/// undo reverts this one. Returns the folder with the kept data. Blocks. The caller holds `home.lock`.
pub fn undo_restore(paths: &Paths, now: Timestamp) -> Result<PathBuf, BackupError> {
    undo_by(&disk::rename, paths, now)
}

fn undo_by(rename: Rename<'_>, paths: &Paths, now: Timestamp) -> Result<PathBuf, BackupError> {
    exchange::mend(rename, &paths.backups)?;
    exchange::undo(rename, &paths.backups, now)
}

/// Rolls back a restore that was interrupted by a crash or a power failure. Must be called at every start, before
/// anything else is opened. Returns true if there was something to roll back. Blocks. The caller holds `home.lock`.
pub fn mend_interrupted(paths: &Paths) -> Result<bool, BackupError> {
    exchange::mend(&disk::rename, &paths.backups)
}

fn checked(
    file: &Path,
    room: &TempFolder,
    staging: Staging,
    progress: &dyn Fn(Progress),
) -> Result<(Manifest, u64), BackupError> {
    let tell = |reached| {
        progress(reached);
        true
    };
    let meter = ProgressMeter::new(&tell);
    let unpacked = unpack::unpack(file, room, staging, &meter)?;
    let report = Store::check_file(&room.path().join(DATABASE)).map_err(BackupError::from_check)?;
    if !report.is_sound() {
        return Err(BackupError::BadDatabase(report.problems.join("; ")));
    }
    meter.finish();
    Ok(unpacked)
}

/// Returns a note for each part that the restored settings expect in another folder. Files are restored to the folders
/// of the current settings: if the restored settings decided, a backup file could choose which folder of the machine is
/// replaced.
fn stray_notes(used: &Paths) -> Vec<String> {
    let environment = Environment::of_process();
    let Some(folders) = Folders::choose(Some(&used.home), &environment) else { return Vec::new() };
    let looked_for = LiveConfig::open(folders, environment, Flags::default()).paths();
    let moved = [
        ("The soul files", &used.soul, &looked_for.soul),
        ("The memories", &used.memories, &looked_for.memories),
        ("The kept values", &used.state_file, &looked_for.state_file),
        ("The self-made tools", &used.mcp_servers, &looked_for.mcp_servers),
        ("The assets", &used.assets, &looked_for.assets),
    ];
    let strayed = moved.into_iter().filter(|(_, put, looked_for)| put != looked_for);
    let note = |(what, put, looked_for): (&str, &PathBuf, &PathBuf)| {
        format!(
            "{what} are in {}, but the restored settings look for them in {}. Move them there, or change the settings.",
            put.display(),
            looked_for.display()
        )
    };
    strayed.map(note).collect()
}

#[cfg(test)]
mod testbed;
#[cfg(test)]
#[path = "lib_tests.rs"]
mod tests;
