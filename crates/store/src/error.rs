use std::fmt;

use rusqlite::ErrorCode;

/// An error of the store, with a message for the user. A failed operation changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The object never existed, was deleted, or belongs to another user. The error is the same in each case.
    #[error("there is no such {0}")]
    NotFound(ObjectKind),
    #[error("{0}")]
    Conflict(&'static str),
    /// Only the user or program that saved it may change it.
    #[error("{0}")]
    NotYours(&'static str),
    /// The given data cannot be stored.
    #[error("{0}")]
    Invalid(String),
    #[error(
        "the database was written by a newer Perigee (format {found}, this one knows {known}). Nothing was changed. \
         Update Perigee, or choose another data folder"
    )]
    Newer { found: i64, known: i64 },
    #[error(
        "this file is a database, but not one of Perigee's. Nothing was changed. Choose another data folder"
    )]
    Foreign,
    #[error("the database is damaged ({0}). Nothing was changed. Restore a backup: perigee restore FILE")]
    Damaged(String),
    #[error(
        "the disk is full. The last change was not saved, but everything before it was. Free some space, then try again"
    )]
    DiskFull,
    #[error(
        "the database cannot be reached ({0}). Check that its folder exists, can be written to, and has space left"
    )]
    Unreachable(String),
    #[error("another program is using the database. Close it, then try again")]
    Busy,
    #[error("the database is closed, because Perigee is stopping")]
    Closed,
    #[error("the database failed: {0}")]
    Internal(String),
}

/// The kind of object that was looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    User,
    Token,
    Session,
    Conversation,
    Message,
    Turn,
    Attachment,
    Act,
    Grant,
    Fact,
    Entry,
    CodeRoot,
    Proposal,
    CodeNote,
    Checkpoint,
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ObjectKind::User => "user",
            ObjectKind::Token => "token",
            ObjectKind::Session => "session",
            ObjectKind::Conversation => "conversation",
            ObjectKind::Message => "message",
            ObjectKind::Turn => "turn",
            ObjectKind::Attachment => "attachment",
            ObjectKind::Act => "tool call",
            ObjectKind::Fact => "fact",
            ObjectKind::Entry => "entry",
            ObjectKind::Grant => "grant",
            ObjectKind::CodeRoot => "workspace",
            ObjectKind::Proposal => "proposal",
            ObjectKind::CodeNote => "note",
            ObjectKind::Checkpoint => "checkpoint",
        })
    }
}

pub(crate) type Result<T, E = StoreError> = std::result::Result<T, E>;

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let text = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::DiskFull,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged(text),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
            Some(
                ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::ReadOnly
                | ErrorCode::SystemIoFailure
                | ErrorCode::FileLockingProtocolFailed,
            ) => StoreError::Unreachable(text),
            Some(ErrorCode::TooBig) => StoreError::Invalid("that is too large to be stored".into()),
            _ => StoreError::Internal(text),
        }
    }
}

/// Converts a missing row into an error for the object that was looked up.
pub(crate) trait OrNotFound<T> {
    fn or_not_found(self, thing: ObjectKind) -> Result<T>;
}

impl<T> OrNotFound<T> for rusqlite::Result<T> {
    fn or_not_found(self, thing: ObjectKind) -> Result<T> {
        self.map_err(|error| match error {
            rusqlite::Error::QueryReturnedNoRows => StoreError::NotFound(thing),
            other => other.into(),
        })
    }
}

impl<T> OrNotFound<T> for Option<T> {
    fn or_not_found(self, thing: ObjectKind) -> Result<T> {
        self.ok_or(StoreError::NotFound(thing))
    }
}
