//! The open workspaces, each as a [`WorkspaceSession`] with its index, its command layer and its proposals.
//!
//! Start with [`OpenWorkspaces::open`]. Access control is left to the caller; here each workspace is stored for the user
//! who opened it, and no workspace may contain Perigee's own data.

mod checkpointing;
mod files;
mod parts;
mod proposal_view;
mod proposing;
mod verifying;
mod workspace_session;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use protocol::{CodeRoot, CodeRootList, IndexState, UserId};
use store::Store;
use tokio::sync::Mutex;

pub use self::parts::{CodingSettings, WorkspaceEvent, WorkspaceParts, WorkspaceSessionError};
pub use self::verifying::Verification;
pub use self::workspace_session::{CommandOutcome, WorkspaceSession};
use crate::change::OverlayError;
use crate::edit_session::EditSessionError;
use crate::journal::WriteJournal;
use crate::proposals::Proposals;
use crate::workspace::{Workspace, WorkspaceError};
use parts::SharedParts;

/// The workspaces of all users that are in use. Cheap to clone.
#[derive(Clone)]
pub struct OpenWorkspaces {
    shared: Arc<SharedParts>,
    sessions: Arc<Mutex<HashMap<SessionKey, Arc<WorkspaceSession>>>>,
}

/// A workspace root and its included paths.
type SessionKey = (PathBuf, Vec<String>);

impl OpenWorkspaces {
    pub fn new(parts: WorkspaceParts) -> Self {
        let proposals = Proposals::new(Store::clone(&parts.store), WriteJournal::new(&parts.journal));
        Self { shared: Arc::new(SharedParts { parts, proposals }), sessions: Arc::default() }
    }

    pub fn proposals(&self) -> &Proposals {
        &self.shared.proposals
    }

    /// Returns the user's workspaces, the current one first.
    pub async fn roots(&self, user: UserId) -> Result<CodeRootList, WorkspaceSessionError> {
        let known = self.shared.parts.store.code_roots(user).await?;
        let sessions = self.sessions.lock().await;
        let roots = known.into_iter().map(|root| {
            let path = PathBuf::from(&root.path);
            let session = sessions.get(&(path.clone(), root.include.clone()));
            let trouble =
                Workspace::open(&path, &[&self.shared.parts.home]).err().map(|error| error.to_string());
            CodeRoot {
                name: path
                    .file_name()
                    .map_or_else(|| root.path.clone(), |name| name.to_string_lossy().into_owned()),
                path: root.path,
                include: root.include,
                used_at: root.last_used_at.parse::<Timestamp>().map_or(0, Timestamp::as_millisecond),
                index: session.map_or(IndexState::Asleep, |session| session.state()),
                trouble,
            }
        });
        let roots: Vec<CodeRoot> = roots.collect();
        Ok(CodeRootList { current: roots.first().map(|root| root.path.clone()), roots })
    }

    /// Opens the workspace at `path` and makes it the current one, or returns the one used last if `path` is `None`.
    pub async fn open(
        &self,
        user: UserId,
        path: Option<&str>,
    ) -> Result<Arc<WorkspaceSession>, WorkspaceSessionError> {
        if let Some(path) = path {
            return self.select(user, Path::new(path)).await;
        }
        let roots = self.shared.parts.store.code_roots(user).await?;
        let known = roots.into_iter().next().ok_or(WorkspaceSessionError::NoRoot)?;
        let workspace = Workspace::open(Path::new(&known.path), &[&self.shared.parts.home])?;
        self.session(workspace.including(&known.include)?).await
    }

    /// Makes a folder the current workspace.
    pub async fn select(
        &self,
        user: UserId,
        path: &Path,
    ) -> Result<Arc<WorkspaceSession>, WorkspaceSessionError> {
        let workspace = Workspace::open(path, &[&self.shared.parts.home])?;
        let known = self.shared.parts.store.use_code_root(user, &name_of(&workspace)?).await?;
        self.session(workspace.including(&known.include)?).await
    }

    /// Returns one of the user's workspaces without making it the current one, or the one used last if `path` is
    /// `None`.
    pub async fn get(
        &self,
        user: UserId,
        path: Option<&str>,
    ) -> Result<Arc<WorkspaceSession>, WorkspaceSessionError> {
        let Some(path) = path else { return self.open(user, None).await };
        let workspace = Workspace::open(Path::new(path), &[&self.shared.parts.home])?;
        let name = name_of(&workspace)?;
        let roots = self.shared.parts.store.code_roots(user).await?;
        let known = roots.into_iter().find(|root| root.path == name);
        let known = known.ok_or(WorkspaceSessionError::NoRoot)?;
        self.session(workspace.including(&known.include)?).await
    }

    /// Sets the included paths of a workspace.
    pub async fn include(
        &self,
        user: UserId,
        root: Option<&str>,
        paths: &[String],
    ) -> Result<Arc<WorkspaceSession>, WorkspaceSessionError> {
        let session = self.get(user, root).await?;
        let workspace =
            Workspace::open(session.workspace().path(), &[&self.shared.parts.home])?.including(paths)?;
        if let Some(missing) =
            workspace.include().iter().find(|path| !workspace.path().join(path.as_str()).exists())
        {
            return Err(EditSessionError::from(OverlayError::Missing(missing.clone())).into());
        }
        self.shared.parts.store.set_code_include(user, &session.root(), paths).await?;
        self.session(workspace).await
    }

    /// Removes a workspace from the user's list. Its files stay untouched.
    pub async fn remove(&self, user: UserId, path: &str) -> Result<(), WorkspaceSessionError> {
        self.shared.parts.store.drop_code_root(user, path).await?;
        self.sessions.lock().await.retain(|(root, _), _| root.as_path() != Path::new(path));
        Ok(())
    }

    /// Returns the session of a workspace, which is started if there is none.
    async fn session(&self, workspace: Workspace) -> Result<Arc<WorkspaceSession>, WorkspaceSessionError> {
        let include = workspace.include().iter().map(ToString::to_string).collect();
        let key = (workspace.path().to_owned(), include);
        let mut sessions = self.sessions.lock().await;
        if let Some(session) = sessions.get(&key) {
            return Ok(Arc::clone(session));
        }
        // The same root with other included paths is no longer in use.
        sessions.retain(|(root, _), _| *root != key.0);
        let shared = Arc::clone(&self.shared);
        let starting = tokio::task::spawn_blocking(move || WorkspaceSession::start(shared, workspace));
        let session = starting.await.map_err(|_| WorkspaceSessionError::Interrupted)??;
        sessions.insert(key, Arc::clone(&session));
        Ok(session)
    }

    /// Repairs what a process that died while applying a proposal left behind. Returns the number of repaired
    /// proposals.
    pub async fn recover(&self) -> Result<usize, WorkspaceSessionError> {
        Ok(self.shared.proposals.recover().await?.len())
    }

    /// Deletes the files of proposals that were decided long ago or take up too much space, and returns the number of
    /// those proposals.
    pub async fn prune(&self, now: Timestamp) -> Result<u32, WorkspaceSessionError> {
        Ok(self.shared.proposals.prune(now).await?.proposals)
    }
}

fn name_of(workspace: &Workspace) -> Result<String, WorkspaceSessionError> {
    let path = workspace.path();
    path.to_str().map(ToOwned::to_owned).ok_or_else(|| {
        let why = "its name is not text".to_owned();
        WorkspaceError::Unfit { path: path.to_owned(), why }.into()
    })
}
