//! One open workspace with its index, command layer and state.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use protocol::{IndexState, Origin, Risk};
use sandbox::Level;
use store::CodeIndex;
use tokio::sync::Mutex as Turnstile;
use tools::Ruling;

use super::{DeskError, DeskSettings, News, Shared};
use crate::index::{Index, Seen, Watch};
use crate::journal::Journal;
use crate::layer::{Errand, Layer, LayerError, Stopped};
use crate::root::Workspace;
use crate::session::{Access, Session};
use crate::verify::Out;

/// The maximum number of listed files that a command wrote but that were not taken over.
const MOST_NOTES: usize = 10;
/// The number of bytes kept of the last command's output.
const MOST_PRINTED: usize = 32_000;

pub struct Bench {
    pub(super) shared: Arc<Shared>,
    workspace: Workspace,
    index: Arc<Index>,
    state: Mutex<IndexState>,
    /// Allows one refresh at a time; other callers wait for it.
    refreshing: Turnstile<()>,
    watch: Mutex<Option<Watch>>,
    layer: Turnstile<Option<Layer>>,
    pub(super) keeping: Turnstile<()>,
    folder: PathBuf,
    printed: Mutex<Option<String>>,
}

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The exit code, or `None` if the command did not exit by itself.
    pub code: Option<i32>,
    pub timed_out: bool,
    /// Remarks beside the output: why the command was stopped, and which of its writes were not taken over.
    pub notes: Vec<String>,
    /// The files changed by the command, which become part of the proposal.
    pub changed: Vec<String>,
}

impl Bench {
    pub(super) fn open(
        shared: Arc<Shared>,
        workspace: Workspace,
        folder: PathBuf,
    ) -> Result<Arc<Self>, DeskError> {
        host::private_dir(&folder).map_err(|error| crate::root::WorkspaceError::Unfit {
            path: folder.clone(),
            why: error.to_string(),
        })?;
        let code = CodeIndex::open(&folder.join("index.db")).map_err(crate::index::IndexError::from)?;
        let index = Arc::new(Index::open(workspace.clone(), code)?);
        let bench = Arc::new(Self {
            shared,
            workspace,
            index,
            state: Mutex::new(IndexState::Asleep),
            refreshing: Turnstile::default(),
            keeping: Turnstile::default(),
            watch: Mutex::default(),
            layer: Turnstile::default(),
            folder,
            printed: Mutex::default(),
        });
        bench.follow();
        Ok(bench)
    }

    /// Starts watching the files to keep the index up to date. The watch holds only a weak reference to the workspace.
    fn follow(self: &Arc<Self>) {
        let weak: Weak<Self> = Arc::downgrade(self);
        let watch = Watch::start(&self.workspace, move |seen| {
            let Some(bench) = weak.upgrade() else { return };
            let done = match seen {
                Seen::Some(paths) => bench.index.update(&paths).map(|_| ()),
                Seen::All => bench.index.refresh(&|_| {}, &|| false).map(|_| ()),
                Seen::NoMore(error) => {
                    tracing::warn!("{}: {error}", bench.root());
                    return;
                }
            };
            match done.and_then(|()| bench.index.counts()) {
                // During the first read, the refresh itself reports its progress.
                Ok((files, symbols)) if matches!(bench.state(), IndexState::Ready { .. }) => {
                    bench.tell(IndexState::Ready { files: whole(files), symbols: whole(symbols) });
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!("the index of {} is not up to date: {error}", bench.root());
                }
            }
            (bench.shared.parts.tell)(News::Changed { root: bench.root() });
        });
        match watch {
            Ok(watch) => *held(&self.watch) = Some(watch),
            Err(error) => tracing::warn!("{}: {error}", self.root()),
        }
    }

    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    pub fn root(&self) -> String {
        self.workspace.path().display().to_string()
    }

    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    pub fn state(&self) -> IndexState {
        held(&self.state).clone()
    }

    pub fn session(&self, access: Access) -> Session {
        Session::new(self.workspace.clone(), access)
    }

    fn layer_folder(&self) -> PathBuf {
        self.folder.join("layer")
    }

    /// Returns the directory in which commands find the files on systems where nothing can be mounted over the
    /// workspace.
    pub(super) fn copies(&self) -> String {
        Layer::copies(&self.layer_folder()).display().to_string()
    }

    /// Returns the last command with the end of its output.
    pub fn printed(&self) -> Option<String> {
        held(&self.printed).clone()
    }

    pub(super) fn journal(&self) -> Journal {
        Journal::new(&self.shared.parts.journal)
    }

    pub(super) fn settings(&self) -> DeskSettings {
        (self.shared.parts.settings)()
    }

    /// Waits until the index is up to date.
    pub async fn ready(self: &Arc<Self>) -> Result<(), DeskError> {
        let _one = self.refreshing.lock().await;
        let is_watched = held(&self.watch).as_ref().is_some_and(Watch::is_watching);
        if is_watched && matches!(self.state(), IndexState::Ready { .. }) {
            return Ok(());
        }
        let bench = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || {
            let tell = |done: usize, total: usize| {
                bench.tell(IndexState::Reading { done: whole(done), total: whole(total) });
            };
            let refreshed = bench.index.refresh(&|progress| tell(progress.done, progress.total), &|| false);
            let counted = refreshed.and_then(|_| bench.index.counts());
            match counted {
                Ok((files, symbols)) => {
                    bench.tell(IndexState::Ready { files: whole(files), symbols: whole(symbols) });
                    Ok(())
                }
                Err(error) => {
                    bench.tell(IndexState::Failed { message: error.to_string() });
                    Err(error)
                }
            }
        });
        Ok(done.await.map_err(|_| DeskError::Interrupted)??)
    }

    fn tell(&self, state: IndexState) {
        let mut now = held(&self.state);
        if *now != state {
            now.clone_from(&state);
            drop(now);
            (self.shared.parts.tell)(News::Index { root: self.root(), state });
        }
    }

    /// Returns the risk of running a command here. Writes go to a layer above the files, so a fully sandboxed command
    /// is safe.
    pub fn risk(&self) -> Risk {
        match self.shared.parts.sandbox.level() {
            Level::Full => Risk::Safe,
            Level::Partial => Risk::Risky,
            Level::None => Risk::Dangerous,
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
        if sandbox.level() == Level::None {
            let why = sandbox.missing().join("; ");
            return Ruling::Refuse(format!(
                "Commands need a sandbox, and there is none on this machine: {why}."
            ));
        }
        (self.shared.parts.rules)(command, self.workspace.path())
    }

    /// The origin of text from files here: instructions in it may be followed in this workspace and nowhere else.
    pub fn origin(&self) -> Origin {
        Origin::Workspace(self.root())
    }

    /// Runs a command on the files with a session's changes, and takes its writes over into the session.
    pub async fn run(
        &self,
        session: &Session,
        folder: &str,
        command: &str,
        limit: Duration,
        out: &mut Out<'_>,
    ) -> Result<Ran, LayerError> {
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
        let errand = Errand::new(line).time_limit(limit).policy(move |policy| policy.hide(home));
        let mut overlay = session.overlay();
        let before = overlay.clone();
        let mut kept = String::new();
        let mut take = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            kept.push_str(&text);
            if kept.len() > 2 * MOST_PRINTED {
                let from = kept.ceil_char_boundary(kept.len() - MOST_PRINTED);
                kept.drain(..from);
            }
            out(&text);
        };
        let ended = layer.run(sandbox, errand, &mut overlay, &mut take).await?;
        // Python's bytecode cache is not worth reporting.
        let not_taken = ended.gathered.refused.iter().chain(&ended.gathered.kept);
        let not_taken = not_taken.filter(|(path, _)| !path.as_str().contains("__pycache__/"));
        let mut notes: Vec<String> =
            not_taken.take(MOST_NOTES).map(|(path, why)| format!("{path} is not taken: {why}")).collect();
        if session.access() == Access::Read {
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
        *held(&self.printed) = Some(format!("$ {command}\n{kept}"));
        let (code, timed_out) = match ended.how {
            Ok(status) => (status.code(), false),
            Err(Stopped::Sandbox(sandbox::SandboxError::Process(host::ProcessError::TimedOut {
                ..
            }))) => (None, true),
            Err(stopped) => {
                notes.push(stopped.to_string());
                (None, false)
            }
        };
        Ok(Ran { code, timed_out, notes, changed })
    }
}

fn whole(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
