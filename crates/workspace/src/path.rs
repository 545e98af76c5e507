//! The path of a file in the workspace.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A path below the root: plain names separated by `/`, so it cannot leave the root.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WorkspacePath(String);

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PathError {
    #[error("no file is named")]
    Empty,
    #[error("{0} leads out of the workspace. Name a file in it, from its root on")]
    Outside(String),
    #[error("{0} belongs to git, which alone may change it")]
    OfGit(String),
    #[error("{0:?} has a sign in its name that no file should have")]
    Odd(String),
}

impl WorkspacePath {
    pub fn parse(text: &str) -> Result<Self, PathError> {
        if text.chars().any(char::is_control) {
            return Err(PathError::Odd(text.to_owned()));
        }
        if text.starts_with('/') {
            return Err(PathError::Outside(text.to_owned()));
        }
        let mut names: Vec<&str> = Vec::new();
        for name in text.split('/') {
            match name {
                "" | "." => {}
                ".." => drop(names.pop().ok_or_else(|| PathError::Outside(text.to_owned()))?),
                name => names.push(name),
            }
        }
        if names.is_empty() {
            return Err(PathError::Empty);
        }
        // Some file systems are case-insensitive.
        if names.iter().any(|name| name.eq_ignore_ascii_case(".git")) {
            return Err(PathError::OfGit(text.to_owned()));
        }
        Ok(Self(names.join("/")))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folder of the path, or `None` if that is the root.
    pub fn folder(&self) -> Option<&str> {
        self.0.rsplit_once('/').map(|(folder, _)| folder)
    }

    /// Returns the name without the folders.
    pub fn name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// Returns true if the path equals `part` or lies in it at any depth.
    pub fn is_in(&self, part: &Self) -> bool {
        let rest = self.0.strip_prefix(part.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl AsRef<Path> for WorkspacePath {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl fmt::Display for WorkspacePath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl TryFrom<String> for WorkspacePath {
    type Error = PathError;

    fn try_from(text: String) -> Result<Self, PathError> {
        Self::parse(&text)
    }
}

impl From<WorkspacePath> for String {
    fn from(path: WorkspacePath) -> Self {
        path.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_into_the_workspace_or_nowhere() {
        for (text, expected) in [
            ("src/main.rs", Some("src/main.rs")),
            ("./src//main.rs", Some("src/main.rs")),
            ("src/../lib.rs", Some("lib.rs")),
            ("grün/ä b.txt", Some("grün/ä b.txt")),
            (".github/x", Some(".github/x")),
            ("..x/y", Some("..x/y")),
            ("", None),
            (".", None),
            ("src/..", None),
            ("../x", None),
            ("src/../../x", None),
            ("/etc/passwd", None),
            (".git/config", None),
            ("sub/.GIT/hooks/x", None),
            ("a\nb", None),
            ("a\0b", None),
        ] {
            let parsed = WorkspacePath::parse(text);
            assert_eq!(parsed.as_ref().ok().map(WorkspacePath::as_str), expected, "{text:?}: {parsed:?}");
        }
    }
}
