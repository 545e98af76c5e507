//! Runs commands on the overlay and adds their writes to it. The files of the workspace stay unchanged.
//!
//! A layer is a private directory that is mounted over the workspace while a command runs. Before the command, the
//! layer is synchronized with the overlay; afterwards the writes of the command are added to the overlay, and those
//! that cannot be added are reported. Ignored files (`target/`, `node_modules/`) stay in the layer for later commands
//! and are never applied; files written by git are dropped after the command. The layer is mounted anew for each
//! command, so changes made by the user in between are visible.
//!
//! Where overlay mounts are not available, commands work on a copy, with the same effect.

mod copying;
mod gather;
mod notes;
mod rules;
mod sync;
mod walk;

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use host::{Chunk, FileError, private_dir};
use sandbox::{Excess, Ground, Level, Limits, Policy, Remains, Sandbox, SandboxError};
use thiserror::Error;

use self::copying::{Copied, TooLarge};
pub use self::gather::Gathered;
use self::notes::Notes;
use crate::overlay::Overlay;
use crate::root::Workspace;

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
    Folder(#[from] FileError),
    #[error("the layer in {} cannot be used: {source}. Clear it, and try again", folder.display())]
    Unusable { folder: PathBuf, source: io::Error },
}

/// The reason why a command was stopped.
#[derive(Debug, Error)]
pub enum Stopped {
    #[error("it was ended, since the layer would hold more than {} MiB, or too many files. Clear the layer, or build less in it", bytes >> 20)]
    Full { bytes: u64 },
    #[error(transparent)]
    Sandbox(SandboxError),
}

/// The result of a command and its writes. A stopped command may have written files as well; they are in the overlay
/// like others and are reviewed before they are applied.
#[derive(Debug)]
pub struct Ended {
    pub how: Result<ExitStatus, Stopped>,
    pub gathered: Gathered,
}

/// A command to run on the overlay.
pub struct Errand {
    command: Vec<OsString>,
    time_limit: Duration,
    extras: Box<dyn FnOnce(Policy) -> Policy + Send>,
}

impl Errand {
    pub fn new<W: Into<OsString>>(command: impl IntoIterator<Item = W>) -> Self {
        let command = command.into_iter().map(Into::into).collect();
        Self { command, time_limit: Duration::from_mins(1), extras: Box::new(|policy| policy) }
    }

    /// Sets the time limit; the default is one minute.
    #[must_use]
    pub fn time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    /// Adjusts the sandbox policy: what the command may also access, or must not see.
    #[must_use]
    pub fn policy(self, extras: impl FnOnce(Policy) -> Policy + Send + 'static) -> Self {
        Self { extras: Box::new(extras), ..self }
    }
}

/// The method by which writes of commands are captured.
enum Means {
    /// An overlay mount of the kernel.
    Over,
    /// A copy, because overlay mounts are not available.
    Copy { why: String, copied: Copied },
}

/// A directory for the writes of commands in a workspace.
pub struct Layer {
    workspace: Workspace,
    folder: PathBuf,
    means: Means,
    most_bytes: u64,
}

/// Exclusive use of the layer, in this process and others.
struct Held {
    folder: Option<File>,
    /// The processes of the running command. If this is dropped early, they may still be exiting.
    remains: Remains,
}

impl Drop for Held {
    fn drop(&mut self) {
        let (folder, remains) = (self.folder.take(), std::mem::take(&mut self.remains));
        if let Ok(handle) = tokio::runtime::Handle::try_current() {
            handle.spawn(async move {
                remains.are_gone().await;
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
        if sandbox.level() == Level::None {
            return Err(SandboxError::Missing(sandbox.missing().join("; ")).into());
        }
        let mut layer = Self {
            workspace: workspace.clone(),
            folder: folder.to_owned(),
            means: Means::Over,
            most_bytes: MOST_BYTES,
        };
        let held = layer.hold().await?;
        let tried = sandbox.can_lay(&layer.policy()?).await;
        drop(held);
        if let Err(why) = tried {
            layer.means = Means::Copy { why, copied: Copied::new() };
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
        Self { means: Means::Copy { why, copied: Copied::new() }, ..self }
    }

    /// Returns the reason why commands work on a copy, or `None` if they do not.
    pub fn why_copied(&self) -> Option<&str> {
        match &self.means {
            Means::Over => None,
            Means::Copy { why, .. } => Some(why),
        }
    }

    /// Returns the path of the copy of a layer in this folder.
    pub fn copies(folder: &Path) -> PathBuf {
        folder.join("copy")
    }

    fn policy(&self) -> Result<Policy, SandboxError> {
        let policy = Policy::shell(self.workspace.path())?;
        match self.means {
            Means::Over => policy.over(&self.folder.join("upper"), &self.folder.join("work")),
            Means::Copy { .. } => policy.copied(&Self::copies(&self.folder)),
        }
    }

    fn ground(&self) -> Result<Ground, LayerError> {
        let part = if matches!(self.means, Means::Over) { "upper" } else { "copy" };
        Ground::open(&self.folder.join(part), &self.folder.join("spare")).map_err(self.unusable())
    }

    fn unusable(&self) -> impl Fn(io::Error) -> LayerError + use<> {
        let folder = self.folder.clone();
        move |source| LayerError::Unusable { folder: folder.clone(), source }
    }

    async fn hold(&self) -> Result<Held, LayerError> {
        let folder = File::open(&self.folder).map_err(self.unusable())?;
        let locked = tokio::task::spawn_blocking(move || folder.lock().map(|()| folder));
        let folder = locked.await.map_err(io::Error::other).and_then(|held| held).map_err(self.unusable())?;
        Ok(Held { folder: Some(folder), remains: Remains::default() })
    }

    /// Runs a command on the overlay and adds its writes to it; commands run one at a time. Output is passed to `out`
    /// as it arrives. If the future is dropped, the command is killed, and its writes are removed before the next one.
    pub async fn run(
        &mut self,
        sandbox: &Sandbox,
        errand: Errand,
        overlay: &mut Overlay,
        out: &mut (dyn FnMut(&[u8]) + Send),
    ) -> Result<Ended, LayerError> {
        let mut held = self.hold().await?;
        let ground = self.ground()?;
        let notes = blocking(|| self.sync(&ground, overlay))?;
        let Errand { command, time_limit, extras } = errand;
        let mut policy = extras(self.policy()?);
        let Limits { storage, entries, .. } = policy.limits;
        policy.limits.storage = storage.min(self.most_bytes);
        policy.limits.entries = entries.min(MOST_ENTRIES);
        let prepare = |program: host::Program| program.time_limit(time_limit).output_limit(usize::MAX);
        let mut cell = sandbox.start(&policy, command, prepare)?;
        held.remains = cell.remains();
        let how = loop {
            match cell.next().await {
                Ok(Some(Chunk::Stdout(bytes) | Chunk::Stderr(bytes))) => out(&bytes),
                Ok(None) => break cell.finish().await,
                Err(error) => {
                    cell.kill();
                    let _ = cell.finish().await;
                    break Err(error);
                }
            }
        };
        // Background processes of the command are killed with it and must have exited before its writes are read.
        held.remains.are_gone().await;
        held.remains = Remains::default();
        let gathered = blocking(|| gather::gather(&ground, &self.workspace, &notes, overlay));
        let gathered = gathered.map_err(self.unusable())?;
        let how = how.map_err(|error| match error {
            SandboxError::TooMuch(Excess::Storage) => Stopped::Full { bytes: policy.limits.storage },
            other => Stopped::Sandbox(other),
        });
        Ok(Ended { how, gathered })
    }

    fn sync(&mut self, ground: &Ground, overlay: &Overlay) -> Result<Notes, LayerError> {
        let unusable = self.unusable();
        match &mut self.means {
            Means::Over => sync::sync(ground, &self.workspace, overlay).map_err(unusable),
            Means::Copy { why, copied } => {
                let files = self.workspace.files_in(Path::new(""));
                copying::measured(&files).map_err(|TooLarge { files, bytes }| LayerError::TooLarge {
                    files,
                    bytes,
                    why: why.clone(),
                })?;
                copying::sync(ground, &self.workspace, files, overlay, copied).map_err(unusable)
            }
        }
    }

    /// Empties the layer, including all build results in it.
    pub async fn clear(&mut self) -> Result<(), LayerError> {
        let _held = self.hold().await?;
        for part in ["upper", "work", "copy"] {
            let ground = Ground::open(&self.folder.join(part), &self.folder.join("spare"));
            let cleared = blocking(|| ground.and_then(|ground| ground.clear()));
            cleared.map_err(self.unusable())?;
        }
        if let Means::Copy { copied, .. } = &mut self.means {
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
