use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use host::{Clock as _, ManualClock, RootDir};
use jiff::Timestamp;
use protocol::{ProposalId, ProposalStatus, UserId};
use store::Store;

use crate::journal::WriteJournal;
use crate::overlay::Overlay;
use crate::path::WorkspacePath;
use crate::proposals::{AcceptedFiles, AcceptedPart, ProposalChoice, ProposalMeta, Proposals};

/// The mode and content of each file; a folder has no content.
pub type FileTree = BTreeMap<String, (u32, Option<Vec<u8>>)>;

/// A workspace and a database in a temporary folder.
pub struct ProposalFixture {
    pub folder: tempfile::TempDir,
    pub store: Store,
    pub owner: UserId,
    pub clock: Arc<ManualClock>,
    pub proposals: Proposals,
}

pub fn at(text: &str) -> WorkspacePath {
    WorkspacePath::parse(text).unwrap()
}

pub fn some(files: &[(&str, AcceptedPart)]) -> ProposalChoice {
    let files = files.iter().map(|(name, taken)| (at(name), taken.clone())).collect();
    ProposalChoice { files: AcceptedFiles::Some(files), ..ProposalChoice::default() }
}

/// Opens the database and the journal of a folder.
pub fn open(folder: &Path) -> (Store, Arc<ManualClock>, Proposals) {
    let clock = Arc::new(ManualClock::at("2025-06-01T12:00:00Z"));
    let store = Store::open(&folder.join("perigee.db"), clock.clone()).unwrap();
    let proposals = Proposals::new(store.clone(), WriteJournal::new(folder.join("journal")));
    (store, clock, proposals)
}

impl ProposalFixture {
    pub async fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("root")).unwrap();
        let (store, clock, proposals) = open(folder.path());
        let owner = store.owner().await.unwrap().id;
        let fixture = Self { folder, store, owner, clock, proposals };
        for (name, text) in files {
            fixture.write(name, text);
        }
        fixture
    }

    /// Reopens the store, as after a restart.
    pub async fn reopened(self) -> Self {
        let Self { folder, store, owner, proposals, .. } = self;
        drop(proposals);
        store.close().await;
        let (store, clock, proposals) = open(folder.path());
        Self { folder, store, owner, clock, proposals }
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("root")
    }

    pub fn journal(&self) -> WriteJournal {
        WriteJournal::new(self.folder.path().join("journal"))
    }

    pub fn journals(&self) -> usize {
        journals(self.folder.path())
    }

    pub fn overlay(&self) -> Overlay {
        Overlay::new(Arc::new(RootDir::open(self.root()).unwrap()))
    }

    pub async fn propose(&self, change: impl FnOnce(&mut Overlay)) -> ProposalId {
        self.propose_as("A change", change).await
    }

    pub async fn propose_as(&self, title: &str, change: impl FnOnce(&mut Overlay)) -> ProposalId {
        let mut overlay = self.overlay();
        change(&mut overlay);
        let meta = ProposalMeta { title: title.into(), ..ProposalMeta::default() };
        self.proposals.propose(self.owner, &overlay, meta).await.unwrap()
    }

    /// Proposes a new text for one file.
    pub async fn proposed(&self, name: &str, text: &str) -> ProposalId {
        self.propose(|overlay| overlay.write(&at(name), text.as_bytes().to_vec()).unwrap()).await
    }

    /// Proposes a new text for one file and applies it.
    pub async fn applied(&self, title: &str, name: &str, text: &str) -> ProposalId {
        let id = self
            .propose_as(title, |overlay| overlay.write(&at(name), text.as_bytes().to_vec()).unwrap())
            .await;
        self.proposals.apply(self.owner, id, ProposalChoice::default()).await.unwrap();
        id
    }

    pub async fn status(&self, id: ProposalId) -> ProposalStatus {
        self.store.proposal(self.owner, id).await.unwrap().status
    }

    pub fn write(&self, name: &str, text: &str) {
        let file = self.root().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.root().join(name)).ok()
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name).unwrap_or_default()).unwrap()
    }

    pub fn chmod(&self, name: &str, mode: u32) {
        fs::set_permissions(self.root().join(name), fs::Permissions::from_mode(mode)).unwrap();
    }

    pub fn tree(&self) -> FileTree {
        tree(&self.root())
    }
}

pub fn tree(root: &Path) -> FileTree {
    let (mut tree, mut folders) = (FileTree::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let mode = fs::symlink_metadata(&path).unwrap().permissions().mode() & 0o777;
            if path.is_dir() {
                tree.insert(name, (mode, None));
                folders.push(path);
            } else {
                tree.insert(name, (mode, fs::read(&path).ok()));
            }
        }
    }
    tree
}

/// Returns the number of remaining journal entries.
pub fn journals(folder: &Path) -> usize {
    let entries = fs::read_dir(folder.join("journal")).into_iter().flatten().flatten();
    entries.filter(|entry| entry.path().is_dir()).count()
}

impl ProposalFixture {
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}
