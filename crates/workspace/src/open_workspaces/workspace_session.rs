//! One open workspace with its index, command layer and state.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use protocol::{IndexState, Origin, Risk};
use sandbox::SandboxLevel;
use sha2::{Digest as _, Sha256};
use store::CodeIndex;
use tokio::sync::Mutex as AsyncMutex;
use tools::Ruling;
use verify::OutputSink;

use super::parts::{CodingSettings, SharedParts, WorkspaceEvent, WorkspaceSessionError};
use crate::edit_session::{EditAccess, EditSession};
use crate::index::{FileEvents, FileWatch, WorkspaceIndex};
use crate::journal::WriteJournal;
use crate::layer::{CommandStopped, Layer, LayerCommand, LayerError};
use crate::workspace::Workspace;

/// The maximum number of listed files that a command wrote but that were not added to the changes.
const MOST_NOTES: usize = 10;
/// The number of bytes kept of the last command's output.
const MOST_OUTPUT: usize = 32_000;

/// A workspace in use: its index, which follows the files, the layer in which commands write, and its state. All clients
/// share the session of a workspace; the changes of one run are in an [`EditSession`].
pub struct WorkspaceSession {
    pub(super) shared: Arc<SharedParts>,
    workspace: Workspace,
    index: Arc<WorkspaceIndex>,
    state: Mutex<IndexState>,
    /// Allows one refresh at a time; other callers wait for it.
    refreshing: AsyncMutex<()>,
    watch: Mutex<Option<FileWatch>>,
    layer: AsyncMutex<Option<Layer>>,
    /// Allows one checkpoint at a time.
    pub(super) storing: AsyncMutex<()>,
    /// The directory for cached data of this workspace.
    folder: PathBuf,
    last_output: Mutex<Option<String>>,
}

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandOutcome {
    /// The exit code, or `None` if the command did not exit by itself.
    pub code: Option<i32>,
    pub timed_out: bool,
    /// Remarks beside the output: why the command was stopped, and which of its writes were not added to the changes.
    pub notes: Vec<String>,
    /// The files changed by the command, which become part of the proposal.
    pub changed: Vec<String>,
}

impl WorkspaceSession {
    pub(super) fn start(
        shared: Arc<SharedParts>,
        workspace: Workspace,
    ) -> Result<Arc<Self>, WorkspaceSessionError> {
        let folder = shared.parts.cache.join(folder_name(workspace.path()));
        host::private_dir(&folder).map_err(|error| crate::workspace::WorkspaceError::Unfit {
            path: folder.clone(),
            why: error.to_string(),
        })?;
        let code = CodeIndex::open(&folder.join("index.db")).map_err(crate::index::IndexError::from)?;
        let index = Arc::new(WorkspaceIndex::open(workspace.clone(), code)?);
        let session = Arc::new(Self {
            shared,
            workspace,
            index,
            state: Mutex::new(IndexState::Asleep),
            refreshing: AsyncMutex::default(),
            storing: AsyncMutex::default(),
            watch: Mutex::default(),
            layer: AsyncMutex::default(),
            folder,
            last_output: Mutex::default(),
        });
        session.start_watching();
        Ok(session)
    }

    /// Starts watching the files to keep the index up to date. The watch holds only a weak reference to the workspace.
    fn start_watching(self: &Arc<Self>) {
        let weak: Weak<Self> = Arc::downgrade(self);
        let watch = FileWatch::start(&self.workspace, move |events| {
            let Some(session) = weak.upgrade() else { return };
            let done = match events {
                FileEvents::Some(paths) => session.index.update(&paths).map(|_| ()),
                FileEvents::All => session.index.refresh(&|_| {}, &|| false).map(|_| ()),
                FileEvents::Stopped(error) => {
                    tracing::warn!("{}: {error}", session.root());
                    return;
                }
            };
            match done.and_then(|()| session.index.counts()) {
                // During the first read, the refresh itself reports its progress.
                Ok((files, symbols)) if matches!(session.state(), IndexState::Ready { .. }) => {
                    session.set_state(IndexState::Ready { files: count(files), symbols: count(symbols) });
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!("the index of {} is not up to date: {error}", session.root());
                }
            }
            (session.shared.parts.notify)(WorkspaceEvent::Changed { root: session.root() });
        });
        match watch {
            Ok(watch) => *locked(&self.watch) = Some(watch),
            Err(error) => tracing::warn!("{}: {error}", self.root()),
        }
    }

    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    pub fn root(&self) -> String {
        self.workspace.path().display().to_string()
    }

    pub fn index(&self) -> &Arc<WorkspaceIndex> {
        &self.index
    }

    pub fn state(&self) -> IndexState {
        locked(&self.state).clone()
    }

    /// Starts an edit session on the current files, without any changes.
    pub fn edit_session(&self, access: EditAccess) -> EditSession {
        EditSession::new(self.workspace.clone(), access)
    }

    fn layer_folder(&self) -> PathBuf {
        self.folder.join("layer")
    }

    /// Returns the directory in which commands find the files on systems where nothing can be mounted over the
    /// workspace.
    pub(super) fn copy_folder(&self) -> String {
        Layer::copy_folder(&self.layer_folder()).display().to_string()
    }

    /// Returns the last command with the end of its output.
    pub fn last_output(&self) -> Option<String> {
        locked(&self.last_output).clone()
    }

    pub(super) fn journal(&self) -> WriteJournal {
        WriteJournal::new(&self.shared.parts.journal)
    }

    pub(super) fn settings(&self) -> CodingSettings {
        (self.shared.parts.settings)()
    }

    /// Waits until the index is up to date.
    pub async fn ready(self: &Arc<Self>) -> Result<(), WorkspaceSessionError> {
        let _one = self.refreshing.lock().await;
        let is_watched = locked(&self.watch).as_ref().is_some_and(FileWatch::is_watching);
        if is_watched && matches!(self.state(), IndexState::Ready { .. }) {
            return Ok(());
        }
        let session = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let report = |done: usize, total: usize| {
                session.set_state(IndexState::Reading { done: count(done), total: count(total) });
            };
            let refreshed =
                session.index.refresh(&|progress| report(progress.done, progress.total), &|| false);
            let counted = refreshed.and_then(|_| session.index.counts());
            match counted {
                Ok((files, symbols)) => {
                    session.set_state(IndexState::Ready { files: count(files), symbols: count(symbols) });
                    Ok(())
                }
                Err(error) => {
                    session.set_state(IndexState::Failed { message: error.to_string() });
                    Err(error)
                }
            }
        });
        Ok(done.await.map_err(|_| WorkspaceSessionError::Interrupted)??)
    }

    fn set_state(&self, state: IndexState) {
        let mut current = locked(&self.state);
        if *current != state {
            current.clone_from(&state);
            drop(current);
            (self.shared.parts.notify)(WorkspaceEvent::Index { root: self.root(), state });
        }
    }

    /// Returns the risk of running a command here. Writes go to a layer above the files, so a fully sandboxed command
    /// is safe.
    pub fn risk(&self) -> Risk {
        match self.shared.parts.sandbox.level() {
            SandboxLevel::Full => Risk::Safe,
            SandboxLevel::Partial => Risk::Risky,
            SandboxLevel::None => Risk::Dangerous,
        }
    }

    /// Returns the time limit of a command.
    pub fn command_limit(&self) -> Duration {
        self.settings().command
    }

    /// Returns the ruling of the settings and the user's rules for a command.
    pub fn ruling(&self, command: &str) -> Ruling {
        let sandbox = &self.shared.parts.sandbox;
        if !self.settings().terminal {
            return Ruling::Refuse(
                "Commands are switched off for coding (code.terminal in the settings).".to_owned(),
            );
        }
        if sandbox.level() == SandboxLevel::None {
            let why = sandbox.missing().join("; ");
            return Ruling::Refuse(format!(
                "Commands need a sandbox, and there is none on this machine: {why}."
            ));
        }
        (self.shared.parts.rulings)(command, self.workspace.path())
    }

    /// The origin of text from files here: instructions in it may be followed in this workspace and nowhere else.
    pub fn origin(&self) -> Origin {
        Origin::Workspace(self.root())
    }

    /// Runs a command on the files with a session's changes, and adds its writes to the session.
    pub async fn run(
        &self,
        session: &EditSession,
        folder: &str,
        command: &str,
        limit: Duration,
        out: &mut OutputSink<'_>,
    ) -> Result<CommandOutcome, LayerError> {
        let sandbox = &self.shared.parts.sandbox;
        let mut layer = self.layer.lock().await;
        if layer.is_none() {
            *layer = Some(Layer::open(&self.workspace, &self.layer_folder(), sandbox).await?);
        }
        let Some(layer) = layer.as_mut() else {
            return Err(LayerError::Sandbox(sandbox::SandboxError::Missing(String::new())));
        };
        // The folder is passed as a separate argument, so the shell does not interpret its name.
        let line = [
            "bash",
            "--noprofile",
            "--norc",
            "-c",
            "cd -- \"$1\" && eval \"$2\"",
            "bash",
            if folder.is_empty() { "." } else { folder },
            command,
        ];
        let home = self.shared.parts.home.clone();
        let layer_command = LayerCommand::new(line).time_limit(limit).policy(move |policy| policy.hide(home));
        let mut overlay = session.overlay();
        let before = overlay.clone();
        let mut kept = String::new();
        let mut take = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            kept.push_str(&text);
            if kept.len() > 2 * MOST_OUTPUT {
                let from = kept.ceil_char_boundary(kept.len() - MOST_OUTPUT);
                kept.drain(..from);
            }
            out(&text);
        };
        let result = layer.run(sandbox, layer_command, &mut overlay, &mut take).await?;
        // Python's bytecode cache is not worth reporting.
        let not_added = result.writes.refused.iter().chain(&result.writes.kept);
        let not_added = not_added.filter(|(path, _)| !path.as_str().contains("__pycache__/"));
        let mut notes: Vec<String> =
            not_added.take(MOST_NOTES).map(|(path, why)| format!("{path} is not taken: {why}")).collect();
        if session.access() == EditAccess::Read {
            // In read mode, the writes of a command are discarded.
            overlay = before.clone();
        }
        let changed: Vec<String> = overlay
            .changes()
            .iter()
            .filter(|(path, change)| before.changes().get(*path) != Some(change))
            .map(|(path, _)| path.to_string())
            .chain(
                before
                    .changes()
                    .keys()
                    .filter(|path| !overlay.changes().contains_key(*path))
                    .map(ToString::to_string),
            )
            .collect();
        session.replace_overlay(overlay);
        *locked(&self.last_output) = Some(format!("$ {command}\n{kept}"));
        let (code, timed_out) = match result.exit {
            Ok(status) => (status.code(), false),
            Err(CommandStopped::Sandbox(sandbox::SandboxError::Process(host::ProcessError::TimedOut {
                ..
            }))) => (None, true),
            Err(stopped) => {
                notes.push(stopped.to_string());
                (None, false)
            }
        };
        Ok(CommandOutcome { code, timed_out, notes, changed })
    }
}

/// Returns the name of the directory for the cached data of a workspace: a short hash of its path.
pub(super) fn folder_name(workspace: &Path) -> String {
    let digest = Sha256::digest(workspace.as_os_str().as_encoded_bytes());
    host::hex(&digest[..8])
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
