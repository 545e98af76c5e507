use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use host::{EntryInfo, EntryKind, FileError, RootDir, RootError};

use super::BackupError;

/// An entry of a folder.
pub(super) struct WalkEntry<'a> {
    /// The path relative to the folder where the walk began.
    pub(super) path: &'a Path,
    pub(super) info: EntryInfo,
}

/// Visits everything beneath a folder, each folder before its content. Other tasks may change it meanwhile.
///
/// In a git repository the objects come last. Objects never change, so a branch that was read before them only names
/// objects that are visited; in the other order it might name newer ones. Git's lock files are left out, because in a
/// copy they would never be released.
pub(super) fn walk(
    root: &RootDir,
    visit: &mut dyn FnMut(WalkEntry<'_>) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    let (mut waiting, mut objects) = (VecDeque::from([PathBuf::new()]), VecDeque::new());
    while let Some(folder) = waiting.pop_front().or_else(|| objects.pop_front()) {
        let entries = match root.list(&folder) {
            Ok(entries) => entries,
            // The file was deleted after it had been listed.
            Err(error) if error.is_not_found() => continue,
            Err(RootError::File(error)) => return Err(error.into()),
            Err(error) => {
                let error = std::io::Error::other(error);
                return Err(FileError::new("list", root.path().join(&folder), error).into());
            }
        };
        let in_git = folder.iter().any(|name| name == ".git");
        for (name, info) in entries {
            let path = folder.join(&name);
            if in_git && path.extension().is_some_and(|ending| ending == "lock") {
                continue;
            }
            let is_folder = info.kind == EntryKind::Folder;
            visit(WalkEntry { path: &path, info })?;
            if is_folder {
                let among_objects = in_git && path.iter().any(|name| name == "objects");
                if among_objects { objects.push_back(path) } else { waiting.push_back(path) }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests lay out files and folders of their own")]

    use std::fs;

    use super::*;

    #[test]
    fn branches_come_before_what_they_name() {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ".git/HEAD",
            ".git/index.lock",
            ".git/objects/ab/cd",
            ".git/objects/pack/p.pack",
            ".git/refs/heads/main",
            ".git/refs/heads/main.lock",
            "a/b.lock",
            "objects/c",
        ];
        for file in files {
            fs::create_dir_all(folder.path().join(file).parent().unwrap()).unwrap();
            fs::write(folder.path().join(file), "").unwrap();
        }
        let mut seen = Vec::new();
        let root = RootDir::open(folder.path()).unwrap();
        let visit = &mut |found: WalkEntry<'_>| {
            if found.info.kind == EntryKind::File {
                seen.push(found.path.to_str().unwrap().to_owned());
            }
            Ok(())
        };
        walk(&root, visit).unwrap();
        let expected = [
            ".git/HEAD",
            "a/b.lock",
            "objects/c",
            ".git/refs/heads/main",
            ".git/objects/ab/cd",
            ".git/objects/pack/p.pack",
        ];
        assert_eq!(seen, expected);
    }
}
