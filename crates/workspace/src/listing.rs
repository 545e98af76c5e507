//! Which files there are, as somebody would list them who works here: without what git ignores, and without what is none
//! of anybody's business.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};
use ignore::{WalkBuilder, WalkState};
use serde::Serialize;
use thiserror::Error;

use crate::path::WorkspacePath;
use crate::root::{IGNORE_FILE, Workspace};

/// Beyond this, a list is of no use to anybody.
const MOST_FILES: usize = 200_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    pub path: WorkspacePath,
    pub bytes: u64,
    /// When it was changed, in milliseconds since 1970.
    pub changed: u64,
}

#[derive(Debug, Error)]
#[error("{0} is no pattern for names: {1}")]
pub struct GlobError(String, String);

impl Workspace {
    /// All files that are in play, by name.
    pub fn files(&self) -> Vec<Listed> {
        let mut files = self.files_in(Path::new(""));
        files.retain(|file| self.includes(&file.path));
        files.truncate(MOST_FILES);
        files
    }

    /// All files of a folder that are not ignored, whether they may be changed or not.
    pub(crate) fn files_in(&self, folder: &Path) -> Vec<Listed> {
        let (sender, receiver) = std::sync::mpsc::channel();
        let walk = WalkBuilder::new(self.path().join(folder))
            .hidden(false)
            .follow_links(false)
            .require_git(false)
            .add_custom_ignore_filename(IGNORE_FILE)
            .filter_entry(|entry| !entry.file_name().eq_ignore_ascii_case(".git"))
            .threads(std::thread::available_parallelism().map_or(2, usize::from).min(8))
            .build_parallel();
        walk.run(|| {
            let sender = sender.clone();
            Box::new(move |entry| {
                if let Ok(entry) = entry
                    && entry.file_type().is_some_and(|kind| kind.is_file())
                    && let Some(listed) = self.listed(&entry)
                {
                    let _ = sender.send(listed);
                }
                WalkState::Continue
            })
        });
        drop(sender);
        let mut files: Vec<Listed> = receiver.into_iter().collect();
        files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        files
    }

    fn listed(&self, entry: &ignore::DirEntry) -> Option<Listed> {
        let path = entry.path().strip_prefix(self.path()).ok()?;
        let path = WorkspacePath::parse(path.to_str()?).ok()?;
        let info = entry.metadata().ok()?;
        let changed = info.modified().ok()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Some(Listed {
            path,
            bytes: info.len(),
            changed: u64::try_from(changed.as_millis()).unwrap_or_default(),
        })
    }
}

/// A pattern for names: `*.rs` wherever they lie, `src/**/*.rs`, `{a,b}.txt`.
pub struct Glob {
    matcher: GlobMatcher,
    /// It says nothing of folders, and so means the name alone.
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

    fn bed(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let workspace = Workspace::open(folder.path(), &[]).unwrap();
        (folder, workspace)
    }

    fn names(files: &[Listed]) -> Vec<&str> {
        files.iter().map(|file| file.path.as_str()).collect()
    }

    #[test]
    fn what_is_ignored_is_not_listed() {
        let (folder, workspace) = bed(&[
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
