use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A temporary data folder, removed on drop.
#[derive(Debug)]
pub struct TempHome {
    path: PathBuf,
}

impl TempHome {
    #[allow(clippy::new_without_default, reason = "it makes a folder: that should be seen where it happens")]
    pub fn new() -> Self {
        let random = RandomState::new().hash_one(std::process::id());
        let path = std::env::temp_dir().join(format!("perigee-test-{random:016x}"));
        fs::create_dir(&path).expect("the temporary folder can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        Self { path }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of a file or folder inside, existing or not.
    pub fn join(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.path.join(relative)
    }

    /// Writes a file and its parent folders, and returns its path.
    pub fn write(&self, relative: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(relative);
        fs::create_dir_all(path.parent().expect("inside the home")).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub fn read(&self, relative: impl AsRef<Path>) -> String {
        let path = self.join(relative);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Returns the sorted names in a subfolder; empty if it does not exist.
    pub fn list(&self, relative: impl AsRef<Path>) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.join(relative)) else { return Vec::new() };
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for TempHome {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_is_private_and_goes_away() {
        let home = TempHome::new();
        home.write("soul/identity.md", "I am Luna.");
        let path = home.path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(home.read("soul/identity.md"), "I am Luna.");
        assert_eq!(home.list("soul"), ["identity.md"]);
        assert_ne!(path, TempHome::new().path());
        drop(home);
        assert!(!path.exists());
    }
}
