use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::{FileError, ProcessError, Program, find_program};
use sandbox::{Policy, SandboxError};
use serde_json::Value;

use crate::runner_files::{OfficialPackage, RunnerFiles};

/// The time limit for the interpreter to identify itself, and to compile the runner.
const TIMEOUT: Duration = Duration::from_secs(20);
/// The version of the official package that is downloaded.
const OFFICIAL: &str = "mcp==1.30.*";
/// The file that is written last, so that an interrupted download is repeated.
const COMPLETE: &str = "complete";
const DOWNLOAD_TIMEOUT: Duration = Duration::from_mins(5);
/// The earliest minor version of Python 3 that the runner supports.
const OLDEST: u64 = 9;

/// Prints the path of the real interpreter, since the one on the `PATH` may be a wrapper script, its version, and the path
/// of its package `mcp`.
const IDENTIFY: &str = "import importlib.util, json, sys; \
                   mcp = importlib.util.find_spec('mcp'); \
                   print(json.dumps([sys.executable, sys.base_prefix, sys.version_info[0], sys.version_info[1], \
                   sys.implementation.cache_tag, mcp and mcp.origin]))";

/// A Python interpreter on this machine.
#[derive(Debug, Clone)]
pub struct Python {
    program: PathBuf,
    /// The installation prefix, which contains the standard library.
    home: PathBuf,
    /// The tag of compiled files, if the interpreter keeps any.
    tag: Option<String>,
    /// The folder with the official package `mcp`, if the interpreter has it.
    packages: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub enum PythonError {
    #[error("there is no Python here. Install python3")]
    Missing,
    #[error("Python {0} is too old: 3.{OLDEST} or later is needed")]
    TooOld(String),
    #[error("Python does not tell its version: {0}")]
    Unidentified(String),
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
        let output = Program::new(python).args(["-I", "-c", IDENTIFY]).time_limit(TIMEOUT).run().await?;
        let answer: Value = serde_json::from_slice(&output.stdout)
            .map_err(|_| PythonError::Unidentified(output.stderr.trim().to_owned()))?;
        let (Some(program), Some(home), Some(major), Some(minor)) =
            (answer[0].as_str(), answer[1].as_str(), answer[2].as_u64(), answer[3].as_u64())
        else {
            return Err(PythonError::Unidentified(answer.to_string()));
        };
        if (major, minor) < (3, OLDEST) {
            return Err(PythonError::TooOld(format!("{major}.{minor}")));
        }
        let tag = answer[4].as_str().map(ToOwned::to_owned);
        let packages =
            answer[5].as_str().and_then(|origin| Some(Path::new(origin).parent()?.parent()?.to_owned()));
        // Another package may have the same name.
        let packages = packages.filter(|folder| folder.join("mcp/server/fastmcp").is_dir());
        Ok(Self { program: program.into(), home: home.into(), tag, packages })
    }

    /// Prepares the runner below `cache`, with the official package if there is one. If the package should serve all
    /// files that import it, it is downloaded the first time.
    pub async fn runner(&self, cache: &Path, wants_official: bool) -> Result<RunnerFiles, PythonError> {
        let runner = RunnerFiles::lay_out(cache)?;
        self.compile(&runner).await;
        let mut is_preferred = wants_official;
        if wants_official && let Err(error) = self.download_official(cache).await {
            // Falling back is better than tools that fail for want of a download.
            tracing::warn!("{error}. Servers written by Luna run without it");
            is_preferred = false;
        }
        let official = self.official(cache).map(|folder| OfficialPackage { folder, is_preferred });
        Ok(runner.with_official(official))
    }

    /// Compiles the runner once. A sandboxed server cannot store compiled files and would recompile at every start. On
    /// failure everything works, only slower.
    async fn compile(&self, runner: &RunnerFiles) {
        let Some(done) = self.tag.as_ref().map(|tag| runner.folder().join(format!("compiled-{tag}"))) else {
            return;
        };
        if done.exists() {
            return;
        }
        let compiling =
            Program::new(&self.program).args(["-I", "-m", "compileall", "-q"]).arg(runner.folder());
        let why = match compiling.time_limit(TIMEOUT).run().await {
            Ok(ended) if ended.status.success() => match host::atomic_write(&done, b"") {
                Ok(()) => return,
                Err(error) => error.to_string(),
            },
            Ok(ended) => ended.stderr,
            Err(error) => error.to_string(),
        };
        tracing::debug!("the runner of generated servers could not be compiled: {why}");
    }

    /// Returns the folder with the official package: the downloaded one, or that of the interpreter.
    fn official(&self, cache: &Path) -> Option<PathBuf> {
        let downloaded = self.download_folder(cache);
        if downloaded.join(COMPLETE).exists() { Some(downloaded) } else { self.packages.clone() }
    }

    /// Downloads the official package with pip into a folder below `cache`, unless it is there already.
    async fn download_official(&self, cache: &Path) -> Result<PathBuf, PythonError> {
        let folder = self.download_folder(cache);
        let done = folder.join(COMPLETE);
        if done.exists() {
            return Ok(folder);
        }
        host::private_dir(&folder)?;
        let pip =
            ["-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", "--target"];
        let download =
            Program::new(&self.program).args(pip).arg(&folder).arg(OFFICIAL).time_limit(DOWNLOAD_TIMEOUT);
        let ended = download.run().await?;
        if !ended.status.success() {
            let why = ended.stderr.lines().last().unwrap_or_default().to_owned();
            return Err(PythonError::NoPackage(why));
        }
        host::atomic_write(&done, b"")?;
        Ok(folder)
    }

    fn download_folder(&self, cache: &Path) -> PathBuf {
        cache.join(format!("mcp-official-{}", self.tag.as_deref().unwrap_or("python")))
    }

    /// Returns the command and the sandbox policy for a server's file: its own folder readable, its storage writable,
    /// and no network.
    pub fn sandboxed_command(
        &self,
        runner: &RunnerFiles,
        server: &Path,
        storage: &Path,
    ) -> Result<(Policy, Vec<OsString>), PythonError> {
        let folder =
            server.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let policy = Policy::tool(folder, storage)?;
        let own = policy.writes[0].clone();
        let mut policy = policy.read(runner.folder()).env("MCP_SANDBOX_DIR", own).env("PYTHONUTF8", "1");
        let official = runner.official();
        let packages = official.map(|official| official.folder.as_path());
        for needed in
            [Some(self.home.as_path()), Some(self.program.as_path()), packages].into_iter().flatten()
        {
            let resolved = needed.canonicalize().unwrap_or_else(|_| needed.to_owned());
            // The sandbox shows system folders anyway.
            if !resolved.starts_with("/usr") {
                policy = policy.read(resolved);
            }
        }
        let program = self.program.canonicalize().unwrap_or_else(|_| self.program.clone());
        let file = policy.folder.join(server.file_name().unwrap_or_default());
        let mut command = vec![program.into(), "-I".into(), runner.script().into(), file.into()];
        if let Some(official) = official {
            command.push(official.folder.clone().into());
            command.extend(official.is_preferred.then(|| "official".into()));
        }
        Ok((policy, command))
    }
}
