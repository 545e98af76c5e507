use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use host::{Clock, ManualClock};
use memory::{EmbeddingSource, Memory, MemoryParts, SpeakerNames, UserFolders};
use model::EmbeddingModel;
use protocol::{ConversationId, MessageId, MessageStatus, Role, UserId};
use store::{ExportedConversation, ExportedMessage, Store};

/// A memory with its own store, in a temporary folder.
pub struct MemorySetup {
    pub memory: Memory,
    pub store: Arc<Store>,
    pub clock: Arc<ManualClock>,
    pub user: UserId,
    names: SpeakerNames,
    embedder: Option<Arc<dyn EmbeddingModel>>,
    folder: tempfile::TempDir,
}

/// A message with its time.
pub struct DatedMessage {
    pub role: Role,
    pub text: String,
    pub at: jiff::Timestamp,
}

struct FixedEmbeddings(Option<Arc<dyn EmbeddingModel>>);

#[async_trait]
impl EmbeddingSource for FixedEmbeddings {
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>> {
        self.0.clone()
    }
}

/// Returns the folder in which `cargo xtask test` keeps downloaded models.
pub fn models() -> PathBuf {
    let fetched = std::env::var_os("PERIGEE_TEST_MODELS").map(PathBuf::from);
    fetched.or_else(|| host::cache_dir().map(|cache| cache.join("models"))).unwrap_or_default()
}

/// Opens the shipped embedding model, if its files are present.
pub fn embedder() -> Option<Arc<dyn EmbeddingModel>> {
    match embedding::open(&models()) {
        Ok(model) => Some(Arc::new(model)),
        Err(problem) => {
            eprintln!("without vectors: {problem}");
            None
        }
    }
}

impl MemorySetup {
    pub async fn new(
        names: SpeakerNames,
        now: &str,
        embedder: Option<Arc<dyn EmbeddingModel>>,
    ) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let clock = Arc::new(ManualClock::at(now));
        let shared: Arc<dyn Clock> = Arc::clone(&clock) as Arc<dyn Clock>;
        let store = Arc::new(Store::open(&folder.path().join("perigee.db"), Arc::clone(&shared))?);
        let user = store.owner().await?.id;
        let memory = remember(&store, shared, &names, embedder.clone(), folder.path());
        Ok(Self { memory, store, clock, user, names, embedder, folder })
    }

    /// Returns the memory as after a start of the program, with nothing loaded yet.
    pub fn started(&self) -> Memory {
        let clock = Arc::clone(&self.clock) as Arc<dyn Clock>;
        remember(&self.store, clock, &self.names, self.embedder.clone(), self.folder.path())
    }

    /// Imports a conversation. Returns its id and those of its messages, in order.
    pub async fn tell(
        &self,
        title: &str,
        lines: &[DatedMessage],
    ) -> anyhow::Result<(ConversationId, Vec<MessageId>)> {
        let first = lines.first().map(|line| line.at.to_string()).unwrap_or_default();
        let id = |place: usize| MessageId::new(i64::try_from(place).unwrap_or(0) + 1);
        let messages = lines.iter().enumerate().map(|(place, line)| ExportedMessage {
            id: id(place),
            parent: place.checked_sub(1).map(id),
            role: line.role,
            content: line.text.clone(),
            reasoning: None,
            context: None,
            created_at: line.at.to_string(),
            status: MessageStatus::Complete,
            stop_reason: None,
            error: None,
            error_code: None,
            model: None,
            attachments: Vec::new(),
            acts: Vec::new(),
            rounds: Vec::new(),
            origins: Vec::new(),
            plan: Vec::new(),
        });
        let conversation = ExportedConversation {
            format: 1,
            id: ConversationId::new(1),
            title: title.to_owned(),
            titled_by_person: true,
            created_at: first.clone(),
            updated_at: first,
            pinned: false,
            folder: None,
            tags: Vec::new(),
            leaf: lines.len().checked_sub(1).map(id),
            messages: messages.collect(),
        };
        let imported = self.store.import(self.user, vec![conversation]).await?;
        let conversation =
            *imported.conversations.first().ok_or_else(|| anyhow::anyhow!("nothing came in"))?;
        let said = self.store.said_in(self.user, conversation).await?;
        anyhow::ensure!(said.len() == lines.len(), "{} of {} lines came in", said.len(), lines.len());
        Ok((conversation, said.into_iter().map(|message| message.id).collect()))
    }

    /// Computes all missing vectors, as the maintenance does.
    pub async fn embed_all(&self) -> anyhow::Result<()> {
        while self.memory.embed_batch(self.user).await? > 0 {}
        while self.memory.assign_vector_regions(self.user).await? > 0 {}
        Ok(())
    }
}

fn remember(
    store: &Arc<Store>,
    clock: Arc<dyn Clock>,
    names: &SpeakerNames,
    embedder: Option<Arc<dyn EmbeddingModel>>,
    home: &Path,
) -> Memory {
    let names = names.clone();
    Memory::new(MemoryParts {
        store: Arc::clone(store),
        clock,
        embeddings: Arc::new(FixedEmbeddings(embedder)),
        folders: UserFolders { home: home.to_owned(), owner: home.to_owned() },
        names: Box::new(move |_| names.clone()),
    })
}
