use crate::error::StoreError;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodeIndexError {
    /// The index was damaged; by the time this is returned, it has been emptied.
    #[error("the index was damaged ({0}) and is being rebuilt. Try again")]
    Damaged(String),
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for CodeIndexError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Damaged(why) => Self::Damaged(why),
            other => Self::Store(other),
        }
    }
}

impl From<rusqlite::Error> for CodeIndexError {
    fn from(error: rusqlite::Error) -> Self {
        StoreError::from(error).into()
    }
}
