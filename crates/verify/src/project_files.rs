//! Read access to a project without running anything.

use host::{RootDir, RootError};

/// The maximum size of a file that is read, in bytes. Manifests and settings are short.
const MOST_BYTES: u64 = 1 << 20;

/// The files of a project. Paths are relative to the root with `/` as separator; the empty path is the root.
pub trait ProjectFiles: Send + Sync {
    /// Returns the text of a file, or `None` if it does not exist or is not text.
    fn text(&self, path: &str) -> Option<String>;

    /// Returns true if the file or folder exists.
    fn has(&self, path: &str) -> bool;

    /// Returns the names in a folder, without its path.
    fn list(&self, folder: &str) -> Vec<String>;
}

/// The files on disk, where programs see them.
impl ProjectFiles for RootDir {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_disk_is_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("src")).unwrap();
        std::fs::write(folder.path().join("src/b.rs"), "fn b() {}").unwrap();
        std::fs::write(folder.path().join("src/a.bin"), [0xff, 0]).unwrap();
        let root = RootDir::open(folder.path()).unwrap();
        let files: &dyn ProjectFiles = &root;
        assert_eq!(files.list(""), ["src"]);
        assert_eq!(files.list("src"), ["a.bin", "b.rs"]);
        assert!(files.list("gone").is_empty() && files.list("../..").is_empty());
        assert_eq!(files.text("src/b.rs").as_deref(), Some("fn b() {}"));
        assert_eq!(files.text("src/a.bin"), None);
        assert!(files.has("src") && files.has("src/b.rs") && !files.has("src/c.rs") && !files.has("../x"));
    }
}
