//! Reasons why an edit was refused.

use serde::Serialize;
use thiserror::Error;

use crate::closest::Closest;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RefusalReason {
    #[error(
        "the old text is empty, and the file is not. Quote what is to be replaced, or write the whole file"
    )]
    NothingQuoted,
    #[error("the old text and the new text are the same: there is nothing to change")]
    NoChange,
    #[error("the old text is not in the file")]
    NotFound,
    #[error(
        "the old text stands in {places}. Quote more lines around the one that is meant, or set replace_all"
    )]
    Ambiguous { places: String },
    #[error(
        "the old text is there, but not by the same lines, so that none of them can come or go. Quote whole lines as they \
         stand"
    )]
    Torn,
    #[error(
        "the old text is there with other blanks, and nobody can tell which blanks the new text shall have. Quote it with the \
         blanks that stand there"
    )]
    Unclear,
    #[error("the file is larger than a gigabyte, which is too large to be edited")]
    TooLarge,
    #[error(
        "the file has other lines than those that the patch takes away, so it is not deleted. Take away all of them, or delete \
         it with `*** Delete File`"
    )]
    Remains,
    #[error("the lines that were left out of the text cannot be told from those that are to go: {0}")]
    Elided(String),
}

/// The reason nothing was changed, and the closest part of the text.
#[derive(Debug, Clone, PartialEq, Serialize, Error)]
#[error("{why}")]
pub struct EditRefusal {
    #[serde(serialize_with = "in_words")]
    pub why: RefusalReason,
    pub closest: Option<Closest>,
}

impl From<RefusalReason> for EditRefusal {
    fn from(why: RefusalReason) -> Self {
        Self { why, closest: None }
    }
}

fn in_words<S: serde::Serializer>(why: &RefusalReason, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(why)
}
