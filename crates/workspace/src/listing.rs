//! Lists the files of the workspace, without those ignored by git or by `.perigeeignore`.

use std::collections::{BTreeMap, HashSet};
use std::fs::{FileType, Metadata};
use std::path::Path;
use std::sync::Arc;

use globset::{GlobBuilder, GlobMatcher};
use ignore::{DirEntry, WalkBuilder, WalkState};
use serde::Serialize;
use thiserror::Error;

use crate::overlay::Overlay;
use crate::path::WorkspacePath;
use crate::workspace::{IGNORE_FILE, Workspace};

/// The maximum number of listed files.
const MOST_FILES: usize = 200_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListedFile {
    pub path: WorkspacePath,
    pub bytes: u64,
    /// The modification time, in milliseconds since 1970.
    pub modified: u64,
}

#[derive(Debug, Error)]
#[error("{0} is not a pattern for names: {1}")]
pub struct GlobError(String, String);

/// A file found by a walk.
#[derive(Debug)]
pub(crate) struct WalkedFile {
    pub path: WorkspacePath,
    pub info: Metadata,
}

impl WalkedFile {
    fn listed(self) -> Option<ListedFile> {
        let modified = self.info.modified().ok()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let modified = u64::try_from(modified.as_millis()).unwrap_or_default();
        Some(ListedFile { path: self.path, bytes: self.info.len(), modified })
    }
}

/// The part of the workspace to walk through.
#[derive(Debug, Clone)]
pub(crate) enum WalkScope {
    All,
    /// These files, and everything in these folders.
    Some(Arc<WantedPaths>),
}

#[derive(Debug)]
pub(crate) struct WantedPaths {
    paths: HashSet<String>,
    /// The folders that lead to the wanted paths.
    parents: HashSet<String>,
}

impl WalkScope {
    pub fn of(paths: &[WorkspacePath]) -> Self {
        let parents = paths.iter().flat_map(|path| folders_of(path.as_str())).map(str::to_owned).collect();
        let paths = paths.iter().map(|path| path.as_str().to_owned()).collect();
        Self::Some(Arc::new(WantedPaths { paths, parents }))
    }

    fn has(&self, path: &str) -> bool {
        let Self::Some(wanted) = self else { return true };
        path.is_empty()
            || wanted.parents.contains(path)
            || wanted.paths.contains(path)
            || folders_of(path).any(|folder| wanted.paths.contains(folder))
    }
}

/// Returns the parent folders of a path, outermost first.
fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

impl Workspace {
    /// Returns all included files, sorted by path.
    pub fn files(&self) -> Vec<ListedFile> {
        self.walk(&WalkScope::All, &|| false).into_iter().filter_map(WalkedFile::listed).collect()
    }

    /// Returns true if a file exists and is ignored.
    pub fn is_ignored(&self, path: &WorkspacePath) -> bool {
        let info = std::fs::symlink_metadata(self.path().join(path.as_str()));
        info.is_ok_and(|info| info.is_file())
            && self
                .entries(
                    &WalkScope::of(std::slice::from_ref(path)),
                    &|| false,
                    |kind| kind.is_file(),
                    |entry| self.path_of(entry),
                )
                .is_empty()
    }

    /// Returns all files of a folder that are not ignored, including those that may not be changed. The empty path
    /// stands for the root.
    pub(crate) fn files_in(&self, folder: &Path) -> Vec<ListedFile> {
        let scope = match folder.to_str().map(WorkspacePath::parse) {
            Some(Ok(folder)) => WalkScope::of(&[folder]),
            _ if folder.as_os_str().is_empty() => WalkScope::All,
            _ => return Vec::new(),
        };
        let found =
            |entry: &DirEntry| Some(WalkedFile { path: self.path_of(entry)?, info: entry.metadata().ok()? });
        let mut files: Vec<ListedFile> = self
            .entries(&scope, &|| false, |kind| kind.is_file(), found)
            .into_iter()
            .filter_map(WalkedFile::listed)
            .collect();
        files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        files
    }

    /// Returns all files with the unapplied changes of an overlay.
    pub fn files_over(&self, overlay: &Overlay) -> Vec<ListedFile> {
        let mut files: BTreeMap<WorkspacePath, ListedFile> =
            self.files().into_iter().map(|file| (file.path.clone(), file)).collect();
        for (path, change) in overlay.changes() {
            match &change.after {
                Some(bytes) => {
                    let (bytes, modified) = (bytes.len() as u64, 0);
                    let file = files.entry(path.clone()).or_insert_with(|| ListedFile {
                        path: path.clone(),
                        bytes,
                        modified,
                    });
                    file.bytes = bytes;
                }
                None => drop(files.remove(path)),
            }
        }
        files.into_values().collect()
    }

    /// Returns the files of a part of the workspace, sorted by path. After a cancellation the result is incomplete.
    pub(crate) fn walk(&self, scope: &WalkScope, cancel: &(dyn Fn() -> bool + Sync)) -> Vec<WalkedFile> {
        let found = |entry: &DirEntry| {
            let path = self.path_of(entry).filter(|path| self.includes(path))?;
            Some(WalkedFile { path, info: entry.metadata().ok()? })
        };
        let mut files = self.entries(scope, cancel, |kind| kind.is_file(), found);
        files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        files
    }

    /// Returns the folders of a part of the workspace that can contain included files, without the root.
    pub(crate) fn folders(&self, scope: &WalkScope) -> Vec<WorkspacePath> {
        self.entries(scope, &|| false, |kind| kind.is_dir(), |entry| self.path_of(entry))
    }

    fn path_of(&self, entry: &DirEntry) -> Option<WorkspacePath> {
        let path = entry.path().strip_prefix(self.path()).ok()?;
        WorkspacePath::parse(path.to_str()?).ok()
    }

    fn entries<T: Send>(
        &self,
        scope: &WalkScope,
        cancel: &(dyn Fn() -> bool + Sync),
        kind: impl Fn(FileType) -> bool + Sync,
        take: impl Fn(&DirEntry) -> Option<T> + Sync,
    ) -> Vec<T> {
        let (sender, receiver) = std::sync::mpsc::channel();
        let (within, root) = (scope.clone(), self.path().to_owned());
        let threads = match scope {
            WalkScope::All => std::thread::available_parallelism().map_or(2, usize::from).min(8),
            WalkScope::Some(_) => 1,
        };
        let walk = WalkBuilder::new(self.path())
            .hidden(false)
            .follow_links(false)
            .require_git(false)
            .add_custom_ignore_filename(IGNORE_FILE)
            .filter_entry(move |entry| {
                let path = entry.path().strip_prefix(&root).ok().and_then(Path::to_str);
                !entry.file_name().eq_ignore_ascii_case(".git") && path.is_none_or(|path| within.has(path))
            })
            .threads(threads)
            .build_parallel();
        walk.run(|| {
            let (sender, kind, take) = (sender.clone(), &kind, &take);
            Box::new(move |entry| {
                if let Ok(entry) = entry
                    && entry.file_type().is_some_and(kind)
                    && let Some(taken) = take(&entry)
                {
                    let _ = sender.send(taken);
                }
                if cancel() { WalkState::Quit } else { WalkState::Continue }
            })
        });
        drop(sender);
        receiver.into_iter().take(MOST_FILES).collect()
    }
}

/// A file pattern such as `*.rs` (in any folder), `src/**/*.rs` or `{a,b}.txt`.
pub struct Glob {
    matcher: GlobMatcher,
    /// True if the pattern has no folder and matches the file name alone.
    is_name: bool,
}

impl Glob {
    pub fn new(pattern: &str) -> Result<Self, GlobError> {
        let text = pattern.strip_prefix("./").unwrap_or(pattern);
        let glob = GlobBuilder::new(text).literal_separator(true).build();
        let glob = glob.map_err(|error| GlobError(pattern.to_owned(), error.kind().to_string()))?;
        Ok(Self { matcher: glob.compile_matcher(), is_name: !text.contains('/') })
    }

    pub fn matches(&self, path: &WorkspacePath) -> bool {
        let path: &Path = path.as_ref();
        if self.is_name {
            path.file_name().is_some_and(|name| self.matcher.is_match(name))
        } else {
            self.matcher.is_match(path)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn fixture(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let workspace = Workspace::open(folder.path(), &[]).unwrap();
        (folder, workspace)
    }

    fn names(files: &[ListedFile]) -> Vec<&str> {
        files.iter().map(|file| file.path.as_str()).collect()
    }

    #[test]
    fn what_is_ignored_is_not_listed() {
        let (folder, workspace) = fixture(&[
            ("src/main.rs", "fn main() {}"),
            (".gitignore", "target/\n*.log\n!keep.log\n"),
            (".perigeeignore", "secret.txt\n"),
            ("target/out", ""),
            ("a.log", ""),
            ("keep.log", ""),
            ("secret.txt", ""),
            (".git/config", ""),
            ("sub/.git/HEAD", ""),
            ("sub/.gitignore", "x\n"),
            ("sub/x", ""),
            (".env", ""),
        ]);
        std::os::unix::fs::symlink("/etc", folder.path().join("etc")).unwrap();
        let files = workspace.files();
        let expected = [".env", ".gitignore", ".perigeeignore", "keep.log", "src/main.rs", "sub/.gitignore"];
        assert_eq!(names(&files), expected);
        assert_eq!(files[4].bytes, 12);
        let some = workspace.including(&["src".into()]).unwrap();
        assert_eq!(names(&some.files()), ["src/main.rs"]);
    }

    #[test]
    fn patterns_mean_what_people_mean_by_them() {
        for (pattern, path, is) in [
            ("*.rs", "src/deep/main.rs", true),
            ("*.rs", "main.rs", true),
            ("src/*.rs", "src/main.rs", true),
            ("src/*.rs", "src/deep/main.rs", false),
            ("src/**/*.rs", "src/deep/main.rs", true),
            ("src/**/*.rs", "src/main.rs", true),
            ("**/test_*.py", "a/b/test_x.py", true),
            ("./src/*.rs", "src/main.rs", true),
            ("{a,b}.txt", "c/b.txt", true),
            ("Main.rs", "main.rs", false),
        ] {
            let glob = Glob::new(pattern).unwrap();
            assert_eq!(glob.matches(&WorkspacePath::parse(path).unwrap()), is, "{pattern}: {path}");
        }
        assert!(Glob::new("a[").is_err());
    }
}
