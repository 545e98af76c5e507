//! The root of a workspace and its included parts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use host::{RootDir, RootError};
use thiserror::Error;

use crate::path::{PathError, WorkspacePath};

/// The name of Perigee's own ignore file, in the format of `.gitignore`, over which it has precedence.
pub const IGNORE_FILE: &str = ".perigeeignore";
/// The names of ignore files, in order of precedence.
pub const IGNORE_FILES: [&str; 3] = [IGNORE_FILE, ".ignore", ".gitignore"];

#[derive(Debug, Clone)]
pub struct Workspace {
    root: Arc<RootDir>,
    /// The included files and folders; an empty list includes everything.
    include: Vec<WorkspacePath>,
}

#[derive(Debug, Error)]
pub enum WorkspaceError {
    #[error("{} cannot be a workspace: {why}", path.display())]
    Unfit { path: PathBuf, why: String },
    #[error("{0} is not among the files that may be changed here. Include it first")]
    NotIncluded(WorkspacePath),
    #[error("{0} is ignored here, by .gitignore or .perigeeignore: it is neither read nor changed")]
    Ignored(WorkspacePath),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Root(#[from] RootError),
}

impl Workspace {
    /// Opens a workspace. `apart` are folders that it must neither contain nor lie in, such as the data directory.
    pub fn open(path: &Path, apart: &[&Path]) -> Result<Self, WorkspaceError> {
        let unfit = |why: String| WorkspaceError::Unfit { path: path.to_owned(), why };
        let policy = sandbox::Policy::shell(path).map_err(|error| match error {
            sandbox::SandboxError::WorkFolder { why, .. } => unfit(why.to_owned()),
            other => unfit(other.to_string()),
        })?;
        let root = policy.folder;
        for other in apart {
            let other = other.canonicalize().unwrap_or_else(|_| (*other).to_owned());
            if root.starts_with(&other) || other.starts_with(&root) {
                return Err(unfit("it contains Perigee's own data or lies in it".to_owned()));
            }
        }
        let root = RootDir::open(root).map_err(|error| unfit(error.to_string()))?;
        Ok(Self { root: Arc::new(root), include: Vec::new() })
    }

    /// Restricts the workspace to these files and folders.
    pub fn including(self, include: &[String]) -> Result<Self, WorkspaceError> {
        let include = include.iter().map(|path| WorkspacePath::parse(path)).collect::<Result<_, _>>()?;
        Ok(Self { include, ..self })
    }

    pub fn root(&self) -> &Arc<RootDir> {
        &self.root
    }

    pub fn path(&self) -> &Path {
        self.root.path()
    }

    pub fn include(&self) -> &[WorkspacePath] {
        &self.include
    }

    /// Returns true if a file belongs to the included parts.
    pub fn includes(&self, path: &WorkspacePath) -> bool {
        self.include.is_empty() || self.include.iter().any(|part| path.is_in(part))
    }

    pub fn is_edit_allowed(&self, path: &WorkspacePath) -> Result<(), WorkspaceError> {
        if self.includes(path) { Ok(()) } else { Err(WorkspaceError::NotIncluded(path.clone())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_everything_or_our_own_is_no_workspace() {
        let folder = tempfile::tempdir().unwrap();
        let (data, inner) = (folder.path().join("data"), folder.path().join("data/inner"));
        std::fs::create_dir_all(&inner).unwrap();
        for path in [Path::new("/"), Path::new("/nowhere"), folder.path(), &data, &inner] {
            assert!(Workspace::open(path, &[&data]).is_err(), "{}", path.display());
        }
        let beside = folder.path().join("beside");
        std::fs::create_dir(&beside).unwrap();
        assert!(Workspace::open(&beside, &[&data]).is_ok());
    }

    #[test]
    fn only_what_is_included_may_be_changed() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(folder.path(), &[]).unwrap();
        let path = |text| WorkspacePath::parse(text).unwrap();
        assert!(workspace.is_edit_allowed(&path("any/thing")).is_ok());
        let some = workspace.clone().including(&["src".into(), "./README.md".into()]).unwrap();
        for (text, allowed) in [
            ("src/main.rs", true),
            ("src/deep/er.rs", true),
            ("README.md", true),
            ("srcs/main.rs", false),
            ("README.md.bak", false),
            ("tests/a.rs", false),
        ] {
            assert_eq!(some.is_edit_allowed(&path(text)).is_ok(), allowed, "{text}");
        }
        assert!(workspace.including(&["../out".into()]).is_err());
    }
}
