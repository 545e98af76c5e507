//! The open workspaces, each with a [`Bench`]: its index, its command layer and its proposals.
//!
//! Start with [`Desk::bench`]. Access control is left to the caller; here each workspace is stored for the user who
//! opened it, and no workspace may contain Perigee's own data.

mod bench;
mod checkpointing;
mod deciding;
mod files;
mod shown;
mod verifying;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use protocol::{CodeRoot, CodeRootList, IndexState, UserId};
use sandbox::Sandbox;
use sha2::{Digest as _, Sha256};
use store::{Store, StoreError};
use thiserror::Error;
use tokio::sync::Mutex;
use tools::Ruling;

pub use self::bench::{Bench, Ran};
pub use self::verifying::Verified;
use crate::checkpoints::CheckpointError;
use crate::index::IndexError;
use crate::journal::Journal;
use crate::overlay::OverlayError;
use crate::path::WorkspacePath;
use crate::proposals::{ProposalError, Proposals};
use crate::root::{Workspace, WorkspaceError};
use crate::session::EditError;
use crate::verify::Configured;

/// The settings for coding.
#[derive(Debug, Clone)]
pub struct DeskSettings {
    /// True if commands may run.
    pub terminal: bool,
    /// The time limit of a command; `stage` is that of a build or test stage.
    pub command: Duration,
    pub stage: Duration,
    pub configured: Configured,
}

/// A change that subscribers are notified of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    Index { root: String, state: IndexState },
    Changed { root: String },
}

/// Looks up the user's rules for a command in a workspace.
pub type Rules = dyn Fn(&str, &Path) -> Ruling + Send + Sync;

pub struct DeskParts {
    pub store: Arc<Store>,
    pub sandbox: Arc<Sandbox>,
    /// The directory of Perigee's own data. No workspace may contain it or lie in it.
    pub home: PathBuf,
    /// The directory for cached workspace data, which can be rebuilt.
    pub cache: PathBuf,
    /// The directory for the previous contents of files while a proposal is being applied.
    pub journal: PathBuf,
    /// The directory of the workspace checkpoints.
    pub checkpoints: PathBuf,
    pub settings: Box<dyn Fn() -> DeskSettings + Send + Sync>,
    pub rules: Box<Rules>,
    pub tell: Box<dyn Fn(News) + Send + Sync>,
}

#[derive(Debug, Error)]
pub enum DeskError {
    #[error("no workspace is open. Choose a folder first")]
    NoRoot,
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Proposal(#[from] ProposalError),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("the files are as they were then already")]
    AlreadyThere,
    #[error("{0} has changed on the disk since it was opened. Nothing was written")]
    Changed(WorkspacePath),
    #[error("it was interrupted")]
    Interrupted,
}

#[derive(Clone)]
pub struct Desk {
    shared: Arc<Shared>,
    benches: Arc<Mutex<HashMap<Place, Arc<Bench>>>>,
}

/// A workspace root and its included paths.
type Place = (PathBuf, Vec<String>);

pub(crate) struct Shared {
    pub parts: DeskParts,
    pub proposals: Proposals,
}

impl Desk {
    pub fn new(parts: DeskParts) -> Self {
        let proposals = Proposals::new(Store::clone(&parts.store), Journal::new(&parts.journal));
        Self { shared: Arc::new(Shared { parts, proposals }), benches: Arc::default() }
    }

    pub fn proposals(&self) -> &Proposals {
        &self.shared.proposals
    }

    /// Returns the user's workspaces, the current one first.
    pub async fn roots(&self, user: UserId) -> Result<CodeRootList, DeskError> {
        let known = self.shared.parts.store.code_roots(user).await?;
        let benches = self.benches.lock().await;
        let roots = known.into_iter().map(|root| {
            let path = PathBuf::from(&root.path);
            let bench = benches.get(&(path.clone(), root.include.clone()));
            let trouble =
                Workspace::open(&path, &[&self.shared.parts.home]).err().map(|error| error.to_string());
            CodeRoot {
                name: path
                    .file_name()
                    .map_or_else(|| root.path.clone(), |name| name.to_string_lossy().into_owned()),
                path: root.path,
                include: root.include,
                used_at: root.last_used_at.parse::<Timestamp>().map_or(0, Timestamp::as_millisecond),
                index: bench.map_or(IndexState::Asleep, |bench| bench.state()),
                trouble,
            }
        });
        let roots: Vec<CodeRoot> = roots.collect();
        Ok(CodeRootList { current: roots.first().map(|root| root.path.clone()), roots })
    }

    /// Makes a folder the current workspace.
    pub async fn choose(&self, user: UserId, path: &Path) -> Result<Arc<Bench>, DeskError> {
        let workspace = Workspace::open(path, &[&self.shared.parts.home])?;
        let known = self.shared.parts.store.use_code_root(user, &name_of(&workspace)?).await?;
        self.seat(workspace.including(&known.include)?).await
    }

    /// Sets the included paths of a workspace.
    pub async fn include(
        &self,
        user: UserId,
        root: Option<&str>,
        paths: &[String],
    ) -> Result<Arc<Bench>, DeskError> {
        let bench = self.known(user, root).await?;
        let workspace =
            Workspace::open(bench.workspace().path(), &[&self.shared.parts.home])?.including(paths)?;
        if let Some(missing) =
            workspace.include().iter().find(|path| !workspace.path().join(path.as_str()).exists())
        {
            return Err(EditError::from(OverlayError::Missing(missing.clone())).into());
        }
        self.shared.parts.store.set_code_include(user, &bench.root(), paths).await?;
        self.seat(workspace).await
    }

    /// Removes a workspace from the user's list. Its files stay untouched.
    pub async fn leave(&self, user: UserId, path: &str) -> Result<(), DeskError> {
        self.shared.parts.store.drop_code_root(user, path).await?;
        self.benches.lock().await.retain(|(root, _), _| root.as_path() != Path::new(path));
        Ok(())
    }

    /// Returns one of the user's workspaces without making it the current one, or the one used last if `path` is
    /// `None`.
    pub async fn known(&self, user: UserId, path: Option<&str>) -> Result<Arc<Bench>, DeskError> {
        let Some(path) = path else { return self.bench(user, None).await };
        let workspace = Workspace::open(Path::new(path), &[&self.shared.parts.home])?;
        let name = name_of(&workspace)?;
        let roots = self.shared.parts.store.code_roots(user).await?;
        let known = roots.into_iter().find(|root| root.path == name).ok_or(DeskError::NoRoot)?;
        self.seat(workspace.including(&known.include)?).await
    }

    /// Opens the workspace at `path` and makes it the current one, or returns the one used last if `path` is `None`.
    pub async fn bench(&self, user: UserId, path: Option<&str>) -> Result<Arc<Bench>, DeskError> {
        if let Some(path) = path {
            return self.choose(user, Path::new(path)).await;
        }
        let known =
            self.shared.parts.store.code_roots(user).await?.into_iter().next().ok_or(DeskError::NoRoot)?;
        let workspace = Workspace::open(Path::new(&known.path), &[&self.shared.parts.home])?;
        self.seat(workspace.including(&known.include)?).await
    }

    async fn seat(&self, workspace: Workspace) -> Result<Arc<Bench>, DeskError> {
        let include = workspace.include().iter().map(ToString::to_string).collect();
        let key = (workspace.path().to_owned(), include);
        let mut benches = self.benches.lock().await;
        if let Some(bench) = benches.get(&key) {
            return Ok(Arc::clone(bench));
        }
        // The same root with other included paths is no longer in use.
        benches.retain(|(root, _), _| *root != key.0);
        let folder = self.shared.parts.cache.join(digest(workspace.path()));
        let shared = Arc::clone(&self.shared);
        let bench = tokio::task::spawn_blocking(move || Bench::open(shared, workspace, folder)).await;
        let bench = bench.map_err(|_| DeskError::Interrupted)??;
        benches.insert(key, Arc::clone(&bench));
        Ok(bench)
    }

    /// Repairs what a process that died while applying a proposal left behind. Returns the number of repaired
    /// proposals.
    pub async fn recover(&self) -> Result<usize, DeskError> {
        Ok(self.shared.proposals.recover().await?.len())
    }

    /// Deletes the files of proposals that were settled long ago or take up too much space, and returns the number of
    /// those proposals.
    pub async fn prune(&self, now: Timestamp) -> Result<u32, DeskError> {
        Ok(self.shared.proposals.prune(now).await?.proposals)
    }
}

fn name_of(workspace: &Workspace) -> Result<String, DeskError> {
    let path = workspace.path();
    path.to_str().map(ToOwned::to_owned).ok_or_else(|| {
        let why = "its name is not text".to_owned();
        WorkspaceError::Unfit { path: path.to_owned(), why }.into()
    })
}

/// Returns a short hash of a path, used as a directory name.
fn digest(path: &Path) -> String {
    let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
    host::hex(&digest[..8])
}
