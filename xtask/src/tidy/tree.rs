//! The files of the repository: those that git tracks, and untracked ones that it does not ignore.

use std::fs;
use std::path::Path;

use crate::failure::{ErrorContext, TaskResult};
use crate::process;

/// A text file with its path relative to the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub path: String,
    pub text: String,
}

impl File {
    /// Returns the extension.
    pub fn kind(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(_, kind)| kind)
    }

    pub fn name(&self) -> &str {
        self.path.rsplit_once('/').map_or(self.path.as_str(), |(_, name)| name)
    }

    /// Returns the folder without a trailing slash; it is empty at the root.
    pub fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Returns the lines with their numbers, counted from one.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

#[derive(Debug, Default)]
pub struct SourceTree {
    /// The text files, sorted by path.
    pub files: Vec<File>,
    /// The paths of all other files, such as images and fonts.
    pub others: Vec<String>,
}

impl SourceTree {
    pub fn read(root: &Path) -> TaskResult<Self> {
        let mut git = process::command("git", root);
        git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let mut paths: Vec<String> = process::output(&mut git)?
            .split('\0')
            .filter(|path| !path.is_empty())
            .map(str::to_owned)
            .collect();
        paths.sort();
        paths.dedup();
        let mut tree = Self::default();
        // A deleted file may still be in git's index.
        for path in paths.into_iter().filter(|path| root.join(path).is_file()) {
            match String::from_utf8(fs::read(root.join(&path)).named(&path)?) {
                Ok(text) => tree.files.push(File { path, text }),
                Err(_) => tree.others.push(path),
            }
        }
        Ok(tree)
    }

    pub fn file(&self, path: &str) -> Option<&File> {
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        self.files.get(at)
    }

    /// Returns true if a file or folder has that path.
    pub fn exists(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        let mut paths = self.files.iter().map(|file| &file.path).chain(&self.others);
        paths.any(|known| known == path || known.starts_with(&folder))
    }

    #[cfg(test)]
    pub fn of(files: &[(&str, &str)]) -> Self {
        let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
        let mut files: Vec<File> = files.iter().map(file).collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Self { files, others: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn untracked_files_count_and_ignored_ones_do_not() {
        let folder = Scratch::new("tree");
        folder.write(".gitignore", "built/\n");
        folder.write("built/page.js", "");
        folder.write("src/a.rs", "//! A.\n");
        fs::write(folder.path("moon.png"), [0xff, 0xfe, 0x00]).unwrap();
        process::run(process::command("git", folder.root()).args(["init", "--quiet"])).unwrap();
        let tree = SourceTree::read(folder.root()).unwrap();
        let paths: Vec<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, [".gitignore", "src/a.rs"]);
        assert_eq!(tree.others, ["moon.png"]);
        assert!(tree.exists("src") && tree.exists("moon.png") && !tree.exists("built") && !tree.exists("sr"));
    }
}
