//! A temporary folder for one test, which is removed when the test ends.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

pub struct Scratch(PathBuf);

impl Scratch {
    /// Creates the folder. `name` must be unique among the tests of one run.
    pub fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("perigee-xtask-{}-{name}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub fn root(&self) -> &Path {
        &self.0
    }

    pub fn path(&self, inside: &str) -> PathBuf {
        self.0.join(inside)
    }

    pub fn write(&self, inside: &str, text: &str) {
        let path = self.path(inside);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
