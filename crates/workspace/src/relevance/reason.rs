//! The reasons for the relevance of a file, as text.

use std::fmt;

use crate::path::WorkspacePath;

/// A reason for the relevance of a file, displayed as a short sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The request contains its path.
    Named,
    Open,
    /// A check reported errors in it.
    Failed,
    Recent,
    /// It defines these names, which the request contains.
    Defines(Vec<String>),
    PathContains(Vec<String>),
    /// Its text contains these words.
    Contains(Vec<String>),
    /// It was changed by commits with similar messages.
    MatchingCommits {
        commits: usize,
    },
    ChangedWith {
        path: WorkspacePath,
        commits: usize,
    },
    OftenChanged {
        commits: usize,
    },
    /// It uses definitions of relevant files, or the other way round.
    SharesNames,
    SimilarText,
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let commits =
            |count: &usize| if *count == 1 { "1 commit".to_owned() } else { format!("{count} commits") };
        match self {
            Self::Named => out.write_str("the request names it"),
            Self::Open => out.write_str("it is open"),
            Self::Failed => out.write_str("a check complained of it"),
            Self::Recent => out.write_str("it was used a moment ago"),
            Self::Defines(names) => write!(out, "defines {}", quoted(names)),
            Self::PathContains(words) => write!(out, "its path says {}", quoted(words)),
            Self::Contains(words) => write!(out, "it speaks of {}", quoted(words)),
            Self::MatchingCommits { commits: count } => {
                write!(out, "changed in {} with words like these", commits(count))
            }
            Self::ChangedWith { path, commits: count } => {
                write!(out, "changed together with {path} in {}", commits(count))
            }
            Self::OftenChanged { commits: count } => write!(out, "changed in {}", commits(count)),
            Self::SharesNames => out.write_str("shares names with what was found"),
            Self::SimilarText => out.write_str("its text means something similar"),
        }
    }
}

fn quoted(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
