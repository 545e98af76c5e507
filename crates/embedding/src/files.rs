//! The files that the models consist of, and whether they are whole.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use model::Catalogue;
use sha2::{Digest, Sha256};

use crate::Problem;

/// No file of these is larger.
const LARGEST: u64 = 256 << 20;

/// A file of the catalogue, in the folder of models.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub(crate) item: &'static str,
    pub(crate) path: PathBuf,
    sha256: Option<String>,
}

impl Piece {
    /// `None` where this machine has no use for it, or where it is not here.
    pub(crate) fn find(models: &Path, item: &'static str) -> Option<Self> {
        let catalogue = Catalogue::default();
        let known = catalogue.get(item)?;
        let path = models.join(known.file_name());
        path.is_file().then(|| Self { item, path, sha256: known.sha256.as_ref().map(ToString::to_string) })
    }

    /// The whole content, if it is what the catalogue says.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Problem> {
        let mut content = Vec::new();
        self.pour(&mut content)?;
        Ok(content)
    }

    /// A damaged library can end the program when it is loaded, so it is looked at before.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        self.pour(&mut std::io::sink())
    }

    fn pour(&self, out: &mut dyn Write) -> Result<(), Problem> {
        let unreadable = |error: std::io::Error| Problem::Unreadable {
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

    pub(crate) fn damaged(&self) -> Problem {
        Problem::Damaged { path: self.path.clone(), item: self.item }
    }
}

/// Whether there is a library of ONNX Runtime for machines like this one.
pub(crate) fn runs_natively() -> bool {
    Catalogue::default().get("onnxruntime").is_some()
}
