//! The files of the models and the check of their integrity.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use model::Catalogue;
use sha2::{Digest, Sha256};

use crate::EmbedderProblem;

/// The size limit of a file in bytes; all model files are smaller.
const LARGEST: u64 = 256 << 20;

/// A file of the catalogue in the folder of models.
#[derive(Debug, Clone)]
pub(crate) struct CatalogueFile {
    pub(crate) item: &'static str,
    pub(crate) path: PathBuf,
    sha256: Option<String>,
}

impl CatalogueFile {
    /// Finds the file of an item. Returns `None` if the catalogue has no such item for this machine, or if the file is
    /// missing.
    pub(crate) fn find(models: &Path, item: &'static str) -> Option<Self> {
        let catalogue = Catalogue::default();
        let known = catalogue.get(item)?;
        let path = models.join(known.file_name());
        path.is_file().then(|| Self { item, path, sha256: known.sha256.as_ref().map(ToString::to_string) })
    }

    /// Reads the whole file and checks it against the catalogue's hash.
    pub(crate) fn read(&self) -> Result<Vec<u8>, EmbedderProblem> {
        let mut content = Vec::new();
        self.copy_checked(&mut content)?;
        Ok(content)
    }

    /// Checks the file against the catalogue's hash. Loading a damaged library can crash the process.
    pub(crate) fn check(&self) -> Result<(), EmbedderProblem> {
        self.copy_checked(&mut std::io::sink())
    }

    /// Copies the file to `out` and checks its hash.
    fn copy_checked(&self, out: &mut dyn Write) -> Result<(), EmbedderProblem> {
        let unreadable = |error: std::io::Error| EmbedderProblem::Unreadable {
            path: self.path.clone(),
            reason: error.to_string(),
            item: self.item,
        };
        let mut file = File::open(&self.path).map_err(unreadable)?.take(LARGEST);
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 18];
        loop {
            let read = file.read(&mut buffer).map_err(unreadable)?;
            if read == 0 {
                break;
            }
            hasher.update(&buffer[..read]);
            out.write_all(&buffer[..read]).map_err(unreadable)?;
        }
        if self.sha256.as_ref().is_some_and(|wanted| *wanted != host::hex(&hasher.finalize())) {
            return Err(self.damaged());
        }
        Ok(())
    }

    pub(crate) fn damaged(&self) -> EmbedderProblem {
        EmbedderProblem::Damaged { path: self.path.clone(), item: self.item }
    }
}

/// Returns true if there is an ONNX Runtime library for this kind of machine.
pub(crate) fn has_native_runtime() -> bool {
    Catalogue::default().get("onnxruntime").is_some()
}
