use std::borrow::Cow;
use std::path::{Path, PathBuf};

use host::FileError;
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

/// The parts of `mcp` and `pydantic` that a server needs, written with the standard library.
#[derive(RustEmbed)]
#[folder = "python"]
struct Files;

/// The stand-in for the official package on disk, or the official package if configured.
#[derive(Debug, Clone)]
pub struct StandIn {
    folder: PathBuf,
    official: Option<PathBuf>,
}

impl StandIn {
    /// Writes the files into a folder below `cache` unless they exist. Each version has its own folder, so that a
    /// running server keeps its files.
    pub fn lay_out(cache: &Path) -> Result<Self, FileError> {
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

    /// Uses the official package from this folder instead.
    #[must_use]
    pub fn with_official(self, packages: PathBuf) -> Self {
        Self { official: Some(packages), ..self }
    }

    /// Returns the folder of the official package, if it is used.
    pub fn official(&self) -> Option<&Path> {
        self.official.as_deref()
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the script for Python to run; its argument is the server's file.
    pub fn bootstrap(&self) -> PathBuf {
        self.folder.join(if self.official.is_some() { "official.py" } else { "bootstrap.py" })
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
        let stand_in = StandIn::lay_out(cache.path()).unwrap();
        assert!(stand_in.bootstrap().is_file());
        assert!(stand_in.folder().join("mcp/server/fastmcp/server.py").is_file());
        assert!(!stand_in.folder().join("tests").exists());
        std::fs::write(stand_in.bootstrap(), "").unwrap();
        StandIn::lay_out(cache.path()).unwrap();
        assert!(stand_in.bootstrap().metadata().unwrap().len() > 0, "what was cut off is whole again");
    }
}
