use std::path::PathBuf;

use host::FileError;
use store::StoreError;

/// The reason why a backup or a restore failed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("there is already something at {}. No backup was made. Choose another name", .0.display())]
    Exists(PathBuf),
    #[error("{} lies inside {}, so the one cannot be packed or replaced without the other. Nothing was changed. \
             Choose a folder of its own for each in the settings", inner.display(), outer.display())]
    Overlap { outer: PathBuf, inner: PathBuf },
    #[error(
        "there are more than {limit} files to pack. No backup was made. Move what you do not need elsewhere"
    )]
    TooManyFiles { limit: usize },
    #[error("the database could not be copied: {0}. No backup was made, and your data is as it was")]
    Snapshot(StoreError),
    #[error(
        "the disk is full. No backup was made, and your data is as it was. Free some space, then try again"
    )]
    DiskFull,

    #[error("{} is not a backup of Perigee. Nothing was changed. Choose a file that `perigee backup` made", .0.display())]
    NotABackup(PathBuf),
    #[error("{} is damaged or cut short ({why}). Nothing was changed. Try another copy of it, or an older backup",
        file.display())]
    Damaged { file: PathBuf, why: String },
    /// The file is undamaged, but has content that Perigee never writes.
    #[error("{} was not made by Perigee, or was altered: {why}. Nothing was changed. Do not use this file", file.display())]
    Refused { file: PathBuf, why: String },
    #[error(
        "this backup was made by a newer Perigee (format {found}, this one knows {known}). Nothing was changed. \
             Update Perigee, then try again"
    )]
    NewerFormat { found: u64, known: u64 },
    #[error(
        "the database in this backup was written by a newer Perigee (format {found}, this one knows {known}). \
             Nothing was changed. Update Perigee, then try again"
    )]
    NewerDatabase { found: i64, known: i64 },
    #[error("the database in this backup is damaged ({0}). Nothing was changed. Try an older backup")]
    BadDatabase(String),
    #[error("unpacking this backup takes {} MB, and {} MB are free. Nothing was changed. Free some space, then try again",
        needed.div_ceil(1_000_000), free / 1_000_000)]
    NoRoom { needed: u64, free: u64 },

    #[error("there is no restore to undo. Nothing was changed")]
    NothingToUndo,
    #[error("{} is not whole ({why}), so it was not put back. Nothing was changed", folder.display())]
    BadSet { folder: PathBuf, why: String },
    #[error("{cause}. Everything was put back as it was. Fix the cause, then try again")]
    PutBack { cause: FileError },
    #[error("{cause}, and not everything could be put back: {again}. Nothing is lost: what is missing is in {}. \
             Fix the cause; the next start of Perigee puts it back", folder.display())]
    Stuck { cause: FileError, again: FileError, folder: PathBuf },

    #[error("{0}. Nothing was changed")]
    File(#[from] FileError),
    #[error("the work was broken off: {0}. Nothing was changed")]
    Internal(String),
}

impl BackupError {
    pub(super) fn from_snapshot(error: StoreError) -> Self {
        match error {
            StoreError::DiskFull => Self::DiskFull,
            other => Self::Snapshot(other),
        }
    }

    pub(super) fn from_check(error: StoreError) -> Self {
        match error {
            StoreError::Newer { found, known } => Self::NewerDatabase { found, known },
            StoreError::Foreign => Self::BadDatabase("it is not one of Perigee's".into()),
            StoreError::Damaged(why) => Self::BadDatabase(why),
            other => Self::BadDatabase(other.to_string()),
        }
    }
}
