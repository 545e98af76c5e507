use std::borrow::Cow;
use std::path::{Path, PathBuf};

use host::FileError;
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

/// `mcp` and `pydantic` as far as a server needs them, in the standard library.
#[derive(RustEmbed)]
#[folder = "python"]
struct Files;

/// Our stand-in for the official package, laid out on the disk; or the package itself, where somebody wants that.
#[derive(Debug, Clone)]
pub struct StandIn {
    folder: PathBuf,
    official: Option<PathBuf>,
}

impl StandIn {
    /// Lays it out in a folder of its own below `cache`, where it is not there already. Another version of it is another
    /// folder, so that a server that runs keeps the files that it began with.
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

    /// The same with the official package in its place, from this folder.
    #[must_use]
    pub fn with_official(self, packages: PathBuf) -> Self {
        Self { official: Some(packages), ..self }
    }

    /// Where the official package is, if that is used.
    pub fn official(&self) -> Option<&Path> {
        self.official.as_deref()
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What Python is given to run; the server's file comes after it.
    pub fn bootstrap(&self) -> PathBuf {
        self.folder.join(if self.official.is_some() { "official.py" } else { "bootstrap.py" })
    }
}

/// Its files, without what Python leaves beside them where it has run.
fn names() -> Vec<Cow<'static, str>> {
    let mut names: Vec<_> = Files::iter().filter(|name| !name.contains("__pycache__")).collect();
    names.sort();
    names
}

/// Short, and different whenever a file is.
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
