//! A file as the index lists it.

use store::IndexFileKind;

use crate::path::WorkspacePath;

/// An indexed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedFile {
    pub path: WorkspacePath,
    pub kind: IndexFileKind,
    pub bytes: u64,
    pub language: Option<String>,
    pub lines: u32,
}
