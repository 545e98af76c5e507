use std::sync::atomic::{AtomicU32, Ordering};

use host::{Clock, ManualClock};
use model::{CacheKey, ChatStream, ModelError, ModelInfo, TokenCount};
use protocol::ModelKind;
use store::Store;

use super::*;
use crate::{
    Companion, CompanionParts, Feed, ForgetParts, ForgetService, ModelSource, SearchedPlaces, Settings, Soul,
    ToolAccess,
};

/// A source of models that must never be asked.
struct NeverAsked;

#[async_trait]
impl ModelSource for NeverAsked {
    async fn current(&self) -> Result<Arc<dyn ChatModel>, ModelError> {
        panic!("asking for a model makes it load");
    }

    fn name(&self) -> String {
        "large".into()
    }

    async fn forget(&self, _: &CacheKey) {}
}

#[derive(Default)]
struct Warmed(AtomicU32);

#[async_trait]
impl ChatModel for Warmed {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            name: "large".into(),
            kind: ModelKind::Embedded,
            is_here: true,
            context: 4096,
            parameters: None,
            vision: false,
            native_tools: false,
            reading_pace: None,
        }
    }

    async fn chat(&self, _: ModelRequest) -> Result<ChatStream, ModelError> {
        Err(ModelError::Failed("nobody talks here".into()))
    }

    fn count_tokens(&self, text: &str) -> TokenCount {
        TokenCount { tokens: u32::try_from(text.len()).unwrap(), exact: false }
    }

    async fn prewarm(&self, request: ModelRequest) -> Result<(), ModelError> {
        assert_eq!(request.priority, Priority::Background);
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

#[tokio::test]
async fn prewarming_waits_for_a_model_that_somebody_else_has_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at("2026-01-01T12:00:00Z"));
    let soul = folder.path().join("soul");
    let store = Arc::new(Store::open(&folder.path().join("perigee.db"), Arc::clone(&clock)).unwrap());
    let folders = memory::UserFolders { home: folder.path().to_owned(), owner: folder.path().to_owned() };
    let memory = memory::Memory::new(memory::MemoryParts {
        store: Arc::clone(&store),
        clock: Arc::clone(&clock),
        embeddings: Arc::new(memory::NoEmbeddings),
        folders: folders.clone(),
        names: Box::new(|user| memory::SpeakerNames { user: user.name.clone(), companion: "Luna".into() }),
    });
    let models: Arc<dyn ModelSource> = Arc::new(NeverAsked);
    let feed = Arc::new(Feed::beginning_after(0));
    let audit = Arc::new(tools::AuditLog::open(folder.path().join("audit.log")));
    let forgetting = Arc::new(ForgetService::new(ForgetParts {
        store: Arc::clone(&store),
        memory: memory.clone(),
        models: Arc::clone(&models),
        clock: Arc::clone(&clock),
        feed: Arc::clone(&feed),
        audit: Arc::clone(&audit),
        folders: folders.clone(),
        places: SearchedPlaces::default(),
    }));
    let skills = abilities::skills::Skills::open(
        abilities::skills::BundledSkills::none(),
        folder.path().join("skills"),
    );
    let companion = Companion::new(CompanionParts {
        store,
        memory,
        forgetting,
        workspaces: None,
        models,
        soul: Soul::open(soul.clone()).unwrap(),
        clock,
        settings: Box::new(Settings::default),
        feed,
        tools: Arc::new(ToolAccess::new(
            tools::ToolRegistry::default(),
            audit,
            Arc::new(skills),
            folders,
            |_| true,
        )),
    });
    let seat: Arc<Mutex<Option<Arc<dyn ChatModel>>>> = Arc::default();
    let looked_at = Arc::clone(&seat);
    let prewarming = companion.prewarming(move || looked_at.lock().unwrap().clone());
    assert_eq!(prewarming.run().await.unwrap(), "no model is ready");

    let model = Arc::new(Warmed::default());
    *seat.lock().unwrap() = Some(model.clone());
    for warmed in [1, 1] {
        prewarming.run().await.unwrap();
        assert_eq!(model.0.load(Ordering::Relaxed), warmed, "once is enough");
    }
    host::atomic_write(soul.join("identity.md"), b"I am somebody else.").unwrap();
    prewarming.run().await.unwrap();
    assert_eq!(model.0.load(Ordering::Relaxed), 2, "and again when the soul changes");
}
