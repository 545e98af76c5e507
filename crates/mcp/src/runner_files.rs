use std::borrow::Cow;
use std::path::{Path, PathBuf};

use host::FileError;
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

/// The Python program that runs generated servers, written with the standard library.
#[derive(RustEmbed)]
#[folder = "python"]
struct Files;

/// The runner of generated servers on disk, and the official package `mcp` if there is one.
#[derive(Debug, Clone)]
pub struct RunnerFiles {
    folder: PathBuf,
    official: Option<OfficialPackage>,
}

/// The official package `mcp`, which serves what the runner cannot.
#[derive(Debug, Clone)]
pub(crate) struct OfficialPackage {
    /// The folder that contains the package.
    pub folder: PathBuf,
    /// True if it also serves what the runner could.
    pub is_preferred: bool,
}

impl RunnerFiles {
    /// Writes the files into a folder below `cache` unless they exist. Each version has its own folder, so that a
    /// running server keeps its files.
    pub(crate) fn lay_out(cache: &Path) -> Result<Self, FileError> {
        let folder = cache.join(format!("python-{}", version()));
        for name in names() {
            let path = folder.join(name.as_ref());
            let Some(file) = Files::get(&name) else { continue };
            if path.metadata().is_ok_and(|there| there.len() == file.data.len() as u64) {
                continue;
            }
            if let Some(folder) = path.parent() {
                host::private_dir(folder)?;
            }
            host::atomic_write(&path, &file.data)?;
        }
        Ok(Self { folder, official: None })
    }

    /// Adds the official package.
    pub(crate) fn with_official(self, official: Option<OfficialPackage>) -> Self {
        Self { official, ..self }
    }

    pub(crate) fn official(&self) -> Option<&OfficialPackage> {
        self.official.as_ref()
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the script for Python to run, whose first argument is the server's file.
    pub(crate) fn script(&self) -> PathBuf {
        self.folder.join("run.py")
    }
}

/// Returns the names of the embedded files without Python's caches.
fn names() -> Vec<Cow<'static, str>> {
    let mut names: Vec<_> = Files::iter().filter(|name| !name.contains("__pycache__")).collect();
    names.sort();
    names
}

/// Returns a short hash over all files.
fn version() -> String {
    let mut sum = Sha256::new();
    for name in names() {
        sum.update(name.as_bytes());
        sum.update(Files::get(&name).map(|file| file.metadata.sha256_hash()).unwrap_or_default());
    }
    host::hex(&sum.finalize()[..6])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_laid_out_whole_and_mended() {
        let cache = tempfile::tempdir().unwrap();
        let runner = RunnerFiles::lay_out(cache.path()).unwrap();
        assert!(runner.script().is_file());
        assert!(runner.folder().join("perigee/start.py").is_file());
        assert!(!runner.folder().join("tests").exists());
        std::fs::write(runner.script(), "").unwrap();
        RunnerFiles::lay_out(cache.path()).unwrap();
        assert!(runner.script().metadata().unwrap().len() > 0, "what was cut off is whole again");
    }
}
