use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use protocol::Machine;
use tokio_util::sync::CancellationToken;

use crate::ModelError;
use crate::catalogue::Catalogue;
use crate::downloads::model_folder::{ModelFolder, has_magic, sha256};

/// A selected model file with its display name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SelectedFile {
    pub(super) name: String,
    pub(super) path: PathBuf,
}

/// Finds the file of a name, or the best installed model.
pub(super) fn find(
    model_folder: &ModelFolder,
    catalogue: &Catalogue,
    wanted: Option<&str>,
    machine: &Machine,
) -> Result<SelectedFile, ModelError> {
    let Some(name) = wanted else {
        return best(model_folder, catalogue, machine).ok_or_else(|| ModelError::None(hint(machine)));
    };
    let path = Path::new(name);
    if path.is_absolute() && path.extension().is_some_and(|ending| ending == "gguf") {
        let stem =
            path.file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned());
        return Ok(SelectedFile { name: stem, path: path.to_owned() });
    }
    let name = name.strip_suffix(".gguf").unwrap_or(name);
    if model_folder.list().iter().any(|(here, _)| here == name) {
        return Ok(SelectedFile { name: name.to_owned(), path: model_folder.path(name) });
    }
    let how = if catalogue.get(name).is_some() {
        format!("download it with `perigee models pull {name}`, or choose another in Settings")
    } else {
        format!("put the file into {}, or choose another in Settings", model_folder.folder().display())
    };
    Err(ModelError::None(format!("{name} is not installed. To get it, {how}")))
}

/// Returns the advice for a machine without any model.
pub(super) fn hint(machine: &Machine) -> String {
    let name = crate::recommend(machine);
    format!("choose one in Settings, or download the best for this machine with `perigee models pull {name}`")
}

/// Returns the largest installed model that fits this machine, or the smallest if none fits.
fn best(model_folder: &ModelFolder, catalogue: &Catalogue, machine: &Machine) -> Option<SelectedFile> {
    let mut here = model_folder.list();
    here.sort_by_key(|(_, bytes)| *bytes);
    let fits = |name: &str, bytes: u64| match catalogue.get(name) {
        Some(item) => item.fits(machine),
        None => machine.memory == 0 || bytes <= machine.memory / 2,
    };
    let chosen = here.iter().rfind(|(name, bytes)| fits(name, *bytes)).or_else(|| here.first())?;
    Some(SelectedFile { name: chosen.0.clone(), path: model_folder.path(&chosen.0) })
}

/// Verifies that a file is a model and, for a catalogue name, the catalogue's exact file.
pub(super) async fn check(
    file: &SelectedFile,
    model_folder: &ModelFolder,
    catalogue: &Catalogue,
) -> Result<(), ModelError> {
    let (file, model_folder) = (file.clone(), model_folder.clone());
    let pinned = catalogue
        .get(&file.name)
        .filter(|_| file.path == model_folder.path(&file.name))
        .and_then(|item| Some((item.bytes, item.sha256.clone()?)));
    let checking = tokio::task::spawn_blocking(move || {
        check_now(&file, &model_folder, pinned.as_ref().map(|(bytes, sha256)| (*bytes, sha256.as_ref())))
    });
    checking
        .await
        .unwrap_or_else(|_| Err(ModelError::Failed("The model file could not be checked.".to_owned())))
}

fn check_now(
    file: &SelectedFile,
    model_folder: &ModelFolder,
    pinned: Option<(u64, &str)>,
) -> Result<(), ModelError> {
    let SelectedFile { name, path } = file;
    let unreadable = |error: std::io::Error| {
        ModelError::Failed(format!(
            "The model file {} cannot be read: {error}. Choose another model in Settings.",
            path.display()
        ))
    };
    let damaged = |how: &str| {
        ModelError::Failed(format!(
            "The model file {} is damaged: {how}. Download it again with `perigee models pull {name}`.",
            path.display()
        ))
    };
    if !has_magic(path).map_err(unreadable)? {
        return Err(ModelError::Failed(format!(
            "The file {} is not a model in the GGUF format. Remove it, and download it again or choose another \
             model in Settings.",
            path.display()
        )));
    }
    let Some((bytes, wanted)) = pinned else { return Ok(()) };
    let length = std::fs::metadata(path).map_err(unreadable)?.len();
    if length != bytes {
        return Err(damaged(&format!("it has {length} bytes instead of {bytes}")));
    }
    if model_folder.is_verified(name, wanted) {
        return Ok(());
    }
    let found = sha256(path, &AtomicU64::new(0), &CancellationToken::new()).map_err(unreadable)?;
    if found != wanted {
        return Err(damaged("its checksum is wrong"));
    }
    model_folder.record_checksum(name, wanted);
    Ok(())
}
