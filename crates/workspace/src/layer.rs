//! Runs commands on the overlay and adds their writes to it. The files of the workspace stay unchanged.
//!
//! A command must see changes that are not on disk yet, and must not write there. So a layer, which is a private
//! directory, is mounted over the workspace while a command runs, as the upper part of an overlay file system. It is
//! mounted on the workspace's own path, so every rule about the workspace holds without knowing about layers, and the
//! mount disappears with the last process in it. The sandbox mounts it (`sandbox/src/layer`), anew for each command, so
//! changes made by the user in between are visible.
//!
//! Before the command, the layer is synchronized with the overlay (`sync`); afterwards the writes of the command are
//! added to the overlay, and those that cannot be added are reported (`writes`). Both wait until all processes of the
//! command have exited, and access the layer only through [`UntrustedFolder`], which follows no link that a command left there.
//! Ignored files (`target/`, `node_modules/`) stay in the layer for later commands and are never applied; files written
//! by git are dropped after the command. A file whose change was dropped gets a new time, because build tools compare
//! times.
//!
//! Where overlay mounts are not available, commands work on a copy (`copy`), with the same effect.

mod copy;
mod ignore_rules;
mod snapshot;
mod sync;
mod walk;
mod writes;

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use host::{FileError, OutputChunk, private_dir};
use sandbox::{
    ExceededLimit, ExitHandle, Policy, Sandbox, SandboxError, SandboxLevel, SandboxLimits, UntrustedFolder,
};
use thiserror::Error;

use self::copy::{CopiedFiles, TooLarge};
use self::snapshot::LayerSnapshot;
pub use self::writes::LayerWrites;
use crate::overlay::Overlay;
use crate::workspace::Workspace;

/// The default limits of a layer: its size in bytes and the number of its files and folders.
const MOST_BYTES: u64 = 8 << 30;
const MOST_ENTRIES: u64 = 1_000_000;

#[derive(Debug, Error)]
pub enum LayerError {
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    #[error("the workspace has {files} files with {} MiB, too much to be copied for each command, and nothing can be laid over it here: {why}. Name what is not part of the work in .perigeeignore, or open a smaller folder", bytes >> 20)]
    TooLarge { files: usize, bytes: u64, why: String },
    #[error(transparent)]
    LayerFolder(#[from] FileError),
    #[error("the layer in {} cannot be used: {source}. Clear it, and try again", folder.display())]
    Unusable { folder: PathBuf, source: io::Error },
}

/// The reason why a command was stopped.
#[derive(Debug, Error)]
pub enum CommandStopped {
    #[error("it was ended, since the layer would hold more than {} MiB, or too many files. Clear the layer, or build less in it", bytes >> 20)]
    Full { bytes: u64 },
    #[error(transparent)]
    Sandbox(SandboxError),
}

/// The result of a command and its writes. A stopped command may have written files as well; they are in the overlay
/// like others and are reviewed before they are applied.
#[derive(Debug)]
pub struct LayerCommandResult {
    pub exit: Result<ExitStatus, CommandStopped>,
    pub writes: LayerWrites,
}

/// A command to run on the overlay.
pub struct LayerCommand {
    arguments: Vec<OsString>,
    time_limit: Duration,
    adjust_policy: Box<dyn FnOnce(Policy) -> Policy + Send>,
}

impl LayerCommand {
    pub fn new<W: Into<OsString>>(arguments: impl IntoIterator<Item = W>) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Self { arguments, time_limit: Duration::from_mins(1), adjust_policy: Box::new(|policy| policy) }
    }

    /// Sets the time limit; the default is one minute.
    #[must_use]
    pub fn time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    /// Adjusts the sandbox policy: what the command may also access, or must not see.
    #[must_use]
    pub fn policy(self, adjust: impl FnOnce(Policy) -> Policy + Send + 'static) -> Self {
        Self { adjust_policy: Box::new(adjust), ..self }
    }
}

/// The method by which writes of commands are captured.
enum CaptureMethod {
    /// An overlay mount of the kernel.
    Mount,
    /// A copy, because overlay mounts are not available.
    Copy { why: String, copied: CopiedFiles },
}

/// A directory for the writes of commands in a workspace.
pub struct Layer {
    workspace: Workspace,
    folder: PathBuf,
    method: CaptureMethod,
    most_bytes: u64,
}

/// Exclusive use of the layer, in this process and others.
struct LayerLock {
    folder: Option<File>,
    /// The processes of the running command. If this is dropped early, they may still be exiting.
    exit: ExitHandle,
}

impl Drop for LayerLock {
    fn drop(&mut self) {
        let (folder, exit) = (self.folder.take(), std::mem::take(&mut self.exit));
        if let Ok(handle) = tokio::runtime::Handle::try_current() {
            handle.spawn(async move {
                exit.all_processes_gone().await;
                drop(folder);
            });
        }
    }
}

impl Layer {
    /// Opens a layer and tests whether it can be mounted over the workspace. `folder` must be used by this workspace
    /// alone and lie outside of it; it is created if missing.
    pub async fn open(workspace: &Workspace, folder: &Path, sandbox: &Sandbox) -> Result<Self, LayerError> {
        for part in ["upper", "work", "copy", "spare"] {
            private_dir(folder.join(part))?;
        }
        if sandbox.level() == SandboxLevel::None {
            return Err(SandboxError::Missing(sandbox.missing().join("; ")).into());
        }
        let mut layer = Self {
            workspace: workspace.clone(),
            folder: folder.to_owned(),
            method: CaptureMethod::Mount,
            most_bytes: MOST_BYTES,
        };
        let lock = layer.lock().await?;
        let mountable = sandbox.can_overlay(&layer.policy()?).await;
        drop(lock);
        if let Err(why) = mountable {
            layer.method = CaptureMethod::Copy { why, copied: CopiedFiles::new() };
        }
        Ok(layer)
    }

    /// Sets the size limit in bytes.
    #[must_use]
    pub fn limit(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// Uses a copy even if overlay mounts are available, for tests.
    #[must_use]
    pub fn by_copy(self) -> Self {
        let why = "a copy was asked for".to_owned();
        Self { method: CaptureMethod::Copy { why, copied: CopiedFiles::new() }, ..self }
    }

    /// Returns the reason why commands work on a copy, or `None` if they do not.
    pub fn copy_reason(&self) -> Option<&str> {
        match &self.method {
            CaptureMethod::Mount => None,
            CaptureMethod::Copy { why, .. } => Some(why),
        }
    }

    /// Returns the path of the copy of a layer in this folder.
    pub fn copy_folder(folder: &Path) -> PathBuf {
        folder.join("copy")
    }

    fn policy(&self) -> Result<Policy, SandboxError> {
        let policy = Policy::shell(self.workspace.path())?;
        match self.method {
            CaptureMethod::Mount => {
                policy.with_overlay(&self.folder.join("upper"), &self.folder.join("work"))
            }
            CaptureMethod::Copy { .. } => policy.with_copy(&Self::copy_folder(&self.folder)),
        }
    }

    fn ground(&self) -> Result<UntrustedFolder, LayerError> {
        let part = if matches!(self.method, CaptureMethod::Mount) { "upper" } else { "copy" };
        UntrustedFolder::open(&self.folder.join(part), &self.folder.join("spare")).map_err(self.unusable())
    }

    fn unusable(&self) -> impl Fn(io::Error) -> LayerError + use<> {
        let folder = self.folder.clone();
        move |source| LayerError::Unusable { folder: folder.clone(), source }
    }

    async fn lock(&self) -> Result<LayerLock, LayerError> {
        let folder = File::open(&self.folder).map_err(self.unusable())?;
        let locked = tokio::task::spawn_blocking(move || folder.lock().map(|()| folder));
        let folder =
            locked.await.map_err(io::Error::other).and_then(|locked| locked).map_err(self.unusable())?;
        Ok(LayerLock { folder: Some(folder), exit: ExitHandle::default() })
    }

    /// Runs a command on the overlay and adds its writes to it; commands run one at a time. Output is passed to `out`
    /// as it arrives. If the future is dropped, the command is killed, and its writes are removed before the next one.
    pub async fn run(
        &mut self,
        sandbox: &Sandbox,
        command: LayerCommand,
        overlay: &mut Overlay,
        out: &mut (dyn FnMut(&[u8]) + Send),
    ) -> Result<LayerCommandResult, LayerError> {
        let mut lock = self.lock().await?;
        let ground = self.ground()?;
        let snapshot = blocking(|| self.sync(&ground, overlay))?;
        let LayerCommand { arguments, time_limit, adjust_policy } = command;
        let mut policy = adjust_policy(self.policy()?);
        let SandboxLimits { storage, entries, .. } = policy.limits;
        policy.limits.storage = storage.min(self.most_bytes);
        policy.limits.entries = entries.min(MOST_ENTRIES);
        let prepare = |program: host::Program| program.time_limit(time_limit).output_limit(usize::MAX);
        let mut cell = sandbox.start(&policy, arguments, prepare)?;
        lock.exit = cell.exit_handle();
        let exit = loop {
            match cell.next().await {
                Ok(Some(OutputChunk::Stdout(bytes) | OutputChunk::Stderr(bytes))) => out(&bytes),
                Ok(None) => break cell.finish().await,
                Err(error) => {
                    cell.kill();
                    let _ = cell.finish().await;
                    break Err(error);
                }
            }
        };
        // Background processes of the command are killed with it and must have exited before its writes are read.
        lock.exit.all_processes_gone().await;
        lock.exit = ExitHandle::default();
        let writes = blocking(|| writes::collect(&ground, &self.workspace, &snapshot, overlay));
        let writes = writes.map_err(self.unusable())?;
        let exit = exit.map_err(|error| match error {
            SandboxError::LimitExceeded(ExceededLimit::Storage) => {
                CommandStopped::Full { bytes: policy.limits.storage }
            }
            other => CommandStopped::Sandbox(other),
        });
        Ok(LayerCommandResult { exit, writes })
    }

    fn sync(&mut self, ground: &UntrustedFolder, overlay: &Overlay) -> Result<LayerSnapshot, LayerError> {
        let unusable = self.unusable();
        match &mut self.method {
            CaptureMethod::Mount => sync::sync(ground, &self.workspace, overlay).map_err(unusable),
            CaptureMethod::Copy { why, copied } => {
                let files = self.workspace.files_in(Path::new(""));
                copy::check_size(&files).map_err(|TooLarge { files, bytes }| LayerError::TooLarge {
                    files,
                    bytes,
                    why: why.clone(),
                })?;
                copy::sync(ground, &self.workspace, files, overlay, copied).map_err(unusable)
            }
        }
    }

    /// Empties the layer, including all build results in it.
    pub async fn clear(&mut self) -> Result<(), LayerError> {
        let _lock = self.lock().await?;
        for part in ["upper", "work", "copy"] {
            let ground = UntrustedFolder::open(&self.folder.join(part), &self.folder.join("spare"));
            let cleared = blocking(|| ground.and_then(|ground| ground.clear()));
            cleared.map_err(self.unusable())?;
        }
        if let CaptureMethod::Copy { copied, .. } = &mut self.method {
            copied.clear();
        }
        Ok(())
    }
}

/// Runs blocking file work. On a multi-threaded runtime, other tasks continue meanwhile.
fn blocking<T>(work: impl FnOnce() -> T) -> T {
    use tokio::runtime::{Handle, RuntimeFlavor};
    let has_several =
        Handle::try_current().is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread);
    if has_several { tokio::task::block_in_place(work) } else { work() }
}
