//! Lists the folders of this machine for choosing a workspace. No file is opened or listed.

use std::io;
use std::path::Path;

use protocol::{Folder, FolderList};

/// The maximum number of listed folders.
const MOST: usize = 1000;

/// Entries that mark a folder as a project.
const SIGNS: [&str; 14] = [
    ".git",
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "requirements.txt",
    "go.mod",
    "CMakeLists.txt",
    "Makefile",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Gemfile",
    "composer.json",
    "deno.json",
];

/// Lists the subfolders of a folder, without hidden ones and those whose name is not valid UTF-8.
pub fn folders(path: &Path) -> io::Result<FolderList> {
    let path = path.canonicalize()?;
    let mut folders: Vec<Folder> = std::fs::read_dir(&path)?
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
            // Symbolic links to folders are included.
            let path = entry.path();
            path.is_dir().then(|| Folder { project: false, path: path.display().to_string(), name })
        })
        .collect();
    folders.sort_by_cached_key(|folder| (folder.name.to_lowercase(), folder.name.clone()));
    let more = folders.len() > MOST;
    folders.truncate(MOST);
    for folder in &mut folders {
        folder.project = SIGNS.iter().any(|sign| Path::new(&folder.path).join(sign).exists());
    }
    let parent = path.parent().map(|parent| parent.display().to_string());
    Ok(FolderList { path: path.display().to_string(), parent, folders, more })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_listed_without_files_and_hidden_ones() {
        let place = tempfile::tempdir().unwrap();
        for folder in ["Zoo", "apple", ".hidden", "made/.git", "built"] {
            std::fs::create_dir_all(place.path().join(folder)).unwrap();
        }
        std::fs::write(place.path().join("built/package.json"), "{}").unwrap();
        std::fs::write(place.path().join("letter.txt"), "").unwrap();
        std::os::unix::fs::symlink(place.path().join("Zoo"), place.path().join("link")).unwrap();
        std::os::unix::fs::symlink(place.path().join("nowhere"), place.path().join("broken")).unwrap();
        let list = folders(place.path()).unwrap();
        let shown: Vec<_> =
            list.folders.iter().map(|folder| (folder.name.as_str(), folder.project)).collect();
        assert_eq!(
            shown,
            [("apple", false), ("built", true), ("link", false), ("made", true), ("Zoo", false)]
        );
        assert!(!list.more);
        let below = folders(Path::new(&list.folders[1].path)).unwrap();
        assert_eq!(below.parent.as_deref(), Some(list.path.as_str()));
        assert!(below.folders.is_empty());
        assert_eq!(folders(Path::new("/")).unwrap().parent, None);
        assert!(folders(&place.path().join("letter.txt")).is_err());
        assert!(folders(&place.path().join("nowhere")).is_err());
    }
}
