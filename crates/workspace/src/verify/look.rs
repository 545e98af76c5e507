//! Read access to a project without running anything.

use host::{RootDir, RootError};

/// The maximum size of a file that is read, in bytes. Manifests and settings are short.
const MOST_BYTES: u64 = 1 << 20;

/// The files of a project. Paths are relative to the root with `/` as separator; the empty path is the root.
pub trait Look: Send + Sync {
    /// Returns the text of a file, or `None` if it does not exist or is not text.
    fn text(&self, path: &str) -> Option<String>;

    /// Returns true if the file or folder exists.
    fn has(&self, path: &str) -> bool;

    /// Returns the names in a folder, without its path.
    fn list(&self, folder: &str) -> Vec<String>;
}

/// The files on disk, where programs see them.
impl Look for RootDir {
    fn text(&self, path: &str) -> Option<String> {
        String::from_utf8(self.read(path, MOST_BYTES).ok()?).ok()
    }

    fn has(&self, path: &str) -> bool {
        matches!(self.metadata(path), Ok(Some(_)))
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let listed: Result<_, RootError> = RootDir::list(self, if folder.is_empty() { "." } else { folder });
        let names = listed.unwrap_or_default().into_iter().filter_map(|(name, _)| name.into_string().ok());
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names
    }
}

/// Joins a folder and a name. Both may be empty.
pub fn join(folder: &str, name: &str) -> String {
    match (folder, name) {
        ("", name) => name.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, name) => format!("{folder}/{name}"),
    }
}

/// Returns a folder and its parents, the root last.
pub fn upward(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder: &&str| parent(folder))
}

fn parent(folder: &str) -> Option<&str> {
    match folder.rsplit_once('/') {
        Some((parent, _)) => Some(parent),
        None if folder.is_empty() => None,
        None => Some(""),
    }
}

/// Returns true if a path has one of these extensions, such as `py` for `a.py`.
pub fn has_ending(path: &str, endings: &[&str]) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && endings.contains(&ending))
}

/// Returns the path relative to a folder, or `None` if it is not in it.
pub fn beneath<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    if folder.is_empty() || path == folder {
        return Some(if path == folder { "" } else { path });
    }
    path.strip_prefix(folder)?.strip_prefix('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked_and_joined() {
        assert_eq!(upward("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(upward("").collect::<Vec<_>>(), [""]);
        for (path, folder, rest) in [
            ("a/b/c", "a/b", Some("c")),
            ("a/bc", "a/b", None),
            ("a", "", Some("a")),
            ("a", "a", Some("")),
            ("", "", Some("")),
        ] {
            assert_eq!(beneath(path, folder), rest, "{path} in {folder}");
        }
        assert_eq!([join("", "a"), join("a", ""), join("a", "b")], ["a", "a", "a/b"]);
    }

    #[test]
    fn the_disk_is_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("src")).unwrap();
        std::fs::write(folder.path().join("src/b.rs"), "fn b() {}").unwrap();
        std::fs::write(folder.path().join("src/a.bin"), [0xff, 0]).unwrap();
        let root = RootDir::open(folder.path()).unwrap();
        let look: &dyn Look = &root;
        assert_eq!(look.list(""), ["src"]);
        assert_eq!(look.list("src"), ["a.bin", "b.rs"]);
        assert!(look.list("gone").is_empty() && look.list("../..").is_empty());
        assert_eq!(look.text("src/b.rs").as_deref(), Some("fn b() {}"));
        assert_eq!(look.text("src/a.bin"), None);
        assert!(look.has("src") && look.has("src/b.rs") && !look.has("src/c.rs") && !look.has("../x"));
    }
}
