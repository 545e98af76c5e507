use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::{FileError, ProcessError, Program, find_program};
use sandbox::{Policy, SandboxError};
use serde_json::Value;

use crate::stand_in::StandIn;

const PATIENCE: Duration = Duration::from_secs(20);
/// The version of the official package that the stand-in replaces.
const OFFICIAL: &str = "mcp==1.30.*";
const DOWNLOAD: Duration = Duration::from_mins(5);
/// The minor version of Python 3 that the stand-in needs at least.
const OLDEST: u64 = 9;

/// Prints the identity of the real interpreter, since the one on the `PATH` may be a wrapper script.
const WHO: &str = "import json, sys; \
                   print(json.dumps([sys.executable, sys.base_prefix, sys.version_info[0], sys.version_info[1], \
                   sys.implementation.cache_tag]))";

/// A Python interpreter on this machine.
#[derive(Debug, Clone)]
pub struct Python {
    program: PathBuf,
    /// The installation prefix, which contains the standard library.
    home: PathBuf,
    /// The tag of compiled files, if the interpreter keeps any.
    tag: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum PythonError {
    #[error("there is no Python here. Install python3")]
    Missing,
    #[error("Python {0} is too old: 3.{OLDEST} or later is needed")]
    TooOld(String),
    #[error("Python does not say who it is: {0}")]
    Silent(String),
    #[error("pip could not download the package `mcp`: {0}")]
    NoPackage(String),
    #[error(transparent)]
    Process(#[from] ProcessError),
    #[error(transparent)]
    Files(#[from] FileError),
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

impl Python {
    pub async fn find() -> Result<Self, PythonError> {
        let python = find_program("python3").ok_or(PythonError::Missing)?;
        let told = Program::new(python).args(["-I", "-c", WHO]).time_limit(PATIENCE).run().await?;
        let told: Value = serde_json::from_slice(&told.stdout)
            .map_err(|_| PythonError::Silent(told.stderr.trim().to_owned()))?;
        let (Some(program), Some(home), Some(major), Some(minor)) =
            (told[0].as_str(), told[1].as_str(), told[2].as_u64(), told[3].as_u64())
        else {
            return Err(PythonError::Silent(told.to_string()));
        };
        if (major, minor) < (3, OLDEST) {
            return Err(PythonError::TooOld(format!("{major}.{minor}")));
        }
        let tag = told[4].as_str().map(ToOwned::to_owned);
        Ok(Self { program: program.into(), home: home.into(), tag })
    }

    /// Compiles the stand-in once. A sandboxed server cannot store compiled files and would recompile at every start.
    /// On failure everything works, only slower.
    pub async fn compile(&self, stand_in: &StandIn) {
        let Some(done) = self.tag.as_ref().map(|tag| stand_in.folder().join(format!("compiled-{tag}")))
        else {
            return;
        };
        if done.exists() {
            return;
        }
        let compiling =
            Program::new(&self.program).args(["-I", "-m", "compileall", "-q"]).arg(stand_in.folder());
        let why = match compiling.time_limit(PATIENCE).run().await {
            Ok(ended) if ended.status.success() => match host::atomic_write(&done, b"") {
                Ok(()) => return,
                Err(error) => error.to_string(),
            },
            Ok(ended) => ended.stderr,
            Err(error) => error.to_string(),
        };
        tracing::debug!("the stand-in could not be compiled: {why}");
    }

    /// Installs the official package with pip into a folder below `cache`, unless it is there already.
    pub async fn official(&self, cache: &Path) -> Result<PathBuf, PythonError> {
        let tag = self.tag.as_deref().unwrap_or("python");
        let folder = cache.join(format!("mcp-official-{tag}"));
        // Written last, so an interrupted installation is repeated.
        let done = folder.join("complete");
        if done.exists() {
            return Ok(folder);
        }
        host::private_dir(&folder)?;
        let pip =
            ["-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", "--target"];
        let bringing = Program::new(&self.program).args(pip).arg(&folder).arg(OFFICIAL).time_limit(DOWNLOAD);
        let ended = bringing.run().await?;
        if !ended.status.success() {
            let why = ended.stderr.lines().last().unwrap_or_default().to_owned();
            return Err(PythonError::NoPackage(why));
        }
        host::atomic_write(&done, b"")?;
        Ok(folder)
    }

    /// Returns the command and the sandbox policy for a server's file: its own folder readable, its storage writable,
    /// and no network.
    pub fn held(
        &self,
        stand_in: &StandIn,
        server: &Path,
        storage: &Path,
    ) -> Result<(Policy, Vec<OsString>), PythonError> {
        let folder =
            server.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let policy = Policy::tool(folder, storage)?;
        let own = policy.writes[0].clone();
        let mut policy = policy.read(stand_in.folder()).env("MCP_SANDBOX_DIR", own).env("PYTHONUTF8", "1");
        if let Some(packages) = stand_in.official() {
            policy = policy.read(packages);
        }
        for needed in [self.home.as_path(), self.program.as_path()] {
            let resolved = needed.canonicalize().unwrap_or_else(|_| needed.to_owned());
            // The sandbox shows system folders anyway.
            if !resolved.starts_with("/usr") {
                policy = policy.read(resolved);
            }
        }
        let program = self.program.canonicalize().unwrap_or_else(|_| self.program.clone());
        let file = policy.folder.join(server.file_name().unwrap_or_default());
        let mut command = vec![program.into(), "-I".into(), stand_in.bootstrap().into()];
        command.extend(stand_in.official().map(|packages| packages.as_os_str().to_owned()));
        command.push(file.into());
        Ok((policy, command))
    }
}
