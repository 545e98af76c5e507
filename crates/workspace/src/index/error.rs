//! The errors of the index.

use std::path::PathBuf;

use store::CodeIndexError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum IndexError {
    #[error("reading the files was stopped. What was read so far is kept")]
    Stopped,
    #[error("the folder {} no longer exists. Its index is kept", .0.display())]
    Gone(PathBuf),
    #[error(transparent)]
    Code(#[from] CodeIndexError),
}
