use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use config::{Environment, Flags, Folders, LiveConfig};
use model::{
    CacheKey, CatalogueItem, ChatModel, ChatStream, Downloads, EngineLoader, Http, ModelError, ModelInfo,
    ModelRequest, Roster, RosterOptions, ServerDetection, TokenCount, UseError,
};
use protocol::{ConfigPatch, DownloadState, ErrorCode, ModelKind, ModelState, PullRequest};
use serde_json::{Value, json};
use testkit::{Flavour, Gate, ScriptedModel};
use tokio::net::TcpListener;

use crate::download_setup::{DownloadSetup, PATH, gguf, hub_source, item, pull};
use crate::talk::{ask, say};

/// A model without output that records whether it was told to save.
struct SilentModel {
    name: String,
    saved: Arc<Mutex<Vec<String>>>,
}

#[async_trait]
impl ChatModel for SilentModel {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            name: self.name.clone(),
            kind: ModelKind::Embedded,
            is_here: true,
            context: 2048,
            parameters: None,
            vision: false,
            native_tools: false,
            reading_pace: None,
        }
    }

    async fn chat(&self, _: ModelRequest) -> Result<ChatStream, ModelError> {
        Err(ModelError::Failed("mute".into()))
    }

    fn count_tokens(&self, _: &str) -> TokenCount {
        TokenCount { tokens: 0, exact: true }
    }

    async fn forget(&self, key: &CacheKey) {
        self.saved.lock().unwrap().push(format!("{} forgot {}", self.name, key.0));
    }

    async fn save(&self) {
        self.saved.lock().unwrap().push(self.name.clone());
    }
}

/// Loads any file, slowly if a test asks for it.
#[derive(Default)]
struct Loader {
    loaded: Mutex<Vec<(PathBuf, u32)>>,
    saved: Arc<Mutex<Vec<String>>>,
    gate: Mutex<Option<Gate>>,
}

impl Loader {
    fn names(&self) -> Vec<String> {
        let loaded = self.loaded.lock().unwrap();
        loaded.iter().map(|(path, _)| path.file_stem().unwrap().to_string_lossy().into_owned()).collect()
    }
}

#[async_trait]
impl EngineLoader for Loader {
    async fn load(&self, path: &Path, llm: &config::Llm) -> Result<Arc<dyn ChatModel>, ModelError> {
        self.loaded.lock().unwrap().push((path.to_owned(), llm.num_ctx));
        let gate = self.gate.lock().unwrap().take();
        if let Some(gate) = gate {
            gate.pass().await;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if name.contains("half") {
            return Err(ModelError::Failed("The model file is cut short.".into()));
        }
        Ok(Arc::new(SilentModel { name, saved: Arc::clone(&self.saved) }))
    }

    async fn forget(&self, key: &CacheKey) {
        self.saved.lock().unwrap().push(format!("the disk forgot {}", key.0));
    }
}

struct RosterSetup {
    hub_setup: DownloadSetup,
    config: Arc<LiveConfig>,
    loader: Arc<Loader>,
    items: Vec<CatalogueItem>,
    lookout: ServerDetection,
}

impl RosterSetup {
    async fn new(config: &str) -> Self {
        let hub_setup = DownloadSetup::new().await;
        hub_setup.home.write("config.toml", config);
        let config = LiveConfig::open(
            Folders::within(hub_setup.home.path()),
            Environment::default(),
            Flags::default(),
        );
        let nobody = nobody().await;
        let patience = Duration::from_mins(1);
        let lookout = ServerDetection { ollama: nobody, lm_studio: nobody, llama_server: nobody, patience };
        Self { hub_setup, config: Arc::new(config), loader: Arc::default(), items: vec![], lookout }
    }

    fn model(&self, name: &str, bytes: &[u8]) {
        self.hub_setup.home.write(format!("models/{name}.gguf"), bytes);
    }

    fn downloads(&self) -> Downloads {
        self.hub_setup.downloads(self.items.clone())
    }

    fn roster(&self) -> Roster {
        let config = Arc::clone(&self.config);
        Roster::new(RosterOptions {
            llm: self.config.current().llm.clone(),
            downloads: self.downloads(),
            http: Http::default(),
            loader: Arc::clone(&self.loader) as _,
            remember: Arc::new(move |patch| config.set(patch).map_err(|error| error.to_string())),
            lookout: self.lookout,
        })
    }
}

async fn nobody() -> u16 {
    TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
}

/// Returns the error of a roster without a model.
async fn error(roster: &Roster) -> ModelError {
    match roster.current().await {
        Ok(model) => panic!("{} answers", model.info().name),
        Err(error) => error,
    }
}

async fn name(roster: &Roster) -> String {
    roster.current().await.unwrap_or_else(|error| panic!("{error}")).info().name
}

#[tokio::test]
async fn with_no_model_it_says_what_to_do() {
    let setup = RosterSetup::new("").await;
    let roster = setup.roster();
    let none = error(&roster).await;
    assert_eq!(none.code(), ErrorCode::NoModel);
    assert!(none.to_string().contains("perigee models pull"), "{none}");
    let ModelState::None { hint } = roster.state() else { panic!("{:?}", roster.state()) };
    assert!(hint.starts_with("Choose one in Settings") && hint.ends_with('.'), "{hint}");
    let report = roster.report().await;
    assert!(report.installed.is_empty() && report.servers.is_empty());
    assert!(report.recommended.is_some() && report.machine.cores > 0);
    // A file that is added to the folder is found without a restart.
    setup.model("moon", &gguf(1000, 1));
    assert_eq!(name(&roster).await, "moon");
}

#[tokio::test]
async fn a_model_loads_in_the_background_and_is_waited_for() {
    let setup = RosterSetup::new("").await;
    setup.model("moon", &gguf(1000, 1));
    let gate = Gate::closed();
    *setup.loader.gate.lock().unwrap() = Some(gate.clone());
    let roster = setup.roster();
    assert_eq!(roster.state(), ModelState::Loading { name: "moon".into() });
    assert!(roster.ready().is_none());
    gate.reached().await;
    let (model, ()) = tokio::join!(roster.current(), async { gate.open() });
    assert_eq!(model.unwrap_or_else(|error| panic!("{error}")).info().name, "moon");
    let ready =
        ModelState::Ready { name: "moon".into(), kind: ModelKind::Embedded, context: 2048, vision: false };
    assert_eq!(roster.state(), ready);
    let installed = roster.report().await.installed;
    assert_eq!((installed.len(), installed[0].current, installed[0].bytes), (1, true, Some(1000)));
}

#[tokio::test]
async fn the_largest_that_fits_is_the_first_choice() {
    let mut setup = RosterSetup::new("").await;
    setup.model("small", &gguf(1000, 1));
    setup.model("medium", &gguf(2000, 1));
    setup.model("giant", &gguf(3000, 1));
    let bytes = gguf(3000, 1);
    setup.items = vec![CatalogueItem {
        name: "giant".into(),
        memory: u64::MAX / 8,
        ..item(&bytes, false, vec![hub_source()])
    }];
    assert_eq!(name(&setup.roster()).await, "medium");
}

#[tokio::test]
async fn changing_the_model_keeps_the_old_one_for_who_holds_it() {
    let setup = RosterSetup::new("# mine\n").await;
    setup.model("moon", &gguf(2000, 1));
    setup.model("star", &gguf(1000, 2));
    let roster = setup.roster();
    let old = roster.current().await.unwrap_or_else(|error| panic!("{error}"));
    let mut changes = roster.watch();
    changes.mark_unchanged();
    roster.use_model("star").await.unwrap();
    assert_eq!(name(&roster).await, "star");
    assert_eq!(old.info().name, "moon");
    assert_eq!(*setup.loader.saved.lock().unwrap(), ["moon"]);
    roster.forget(&CacheKey::new("7")).await;
    let told = setup.loader.saved.lock().unwrap().split_off(1);
    assert_eq!(told, ["star forgot 7", "the disk forgot 7"]);
    let weak = Arc::downgrade(&old);
    drop(old);
    assert!(weak.upgrade().is_none(), "nobody else keeps it");
    assert!(changes.has_changed().unwrap());
    // The choice is saved, and the rest of the settings file stays as the user wrote it.
    let written = setup.hub_setup.home.read("config.toml");
    assert!(written.contains("# mine") && written.contains("star"), "{written}");
    roster.configure(&setup.config.current().llm);
    assert_eq!(setup.loader.names(), ["moon", "star"]);
}

#[tokio::test]
async fn a_model_that_does_not_answer_can_be_deleted() {
    let setup = RosterSetup::new("").await;
    setup.model("moon", &gguf(2000, 1));
    setup.model("star", &gguf(1000, 2));
    setup.hub_setup.home.write("config.gguf", gguf(1000, 3));
    setup.hub_setup.home.write("models/.incoming/comet.part", "GGUF and a little more");
    let roster = setup.roster();
    assert_eq!(name(&roster).await, "moon");
    let refused = |name: &str| roster.remove(name).unwrap_err().to_string();
    assert!(refused("moon").contains("choose another"), "{}", refused("moon"));
    for elsewhere in ["../config", "", "..", "/etc/passwd", "nobody", "models/star"] {
        assert!(refused(elsewhere).contains("no model named"), "{elsewhere}");
    }
    roster.remove("star.gguf").unwrap();
    // The partial file of an unfinished download is deleted too.
    roster.remove("comet").unwrap();
    assert_eq!(setup.hub_setup.models(), ["moon.gguf"]);
    assert!(setup.hub_setup.parts().is_empty());
    assert_eq!(setup.hub_setup.home.list(".").iter().filter(|name| *name == "config.gguf").count(), 1);
}

#[tokio::test]
async fn settings_load_the_model_again_only_if_they_concern_it() {
    let setup = RosterSetup::new("").await;
    setup.model("moon", &gguf(1000, 1));
    let roster = setup.roster();
    name(&roster).await;
    let set = |key: &str, value: Value| {
        setup.config.set(&ConfigPatch([(key.to_owned(), value)].into_iter().collect())).unwrap();
        roster.configure(&setup.config.current().llm);
    };
    set("llm.temperature", json!(0.1));
    set("llm.num_predict", json!(77));
    assert_eq!(setup.loader.names().len(), 1);
    set("llm.num_ctx", json!(1024));
    name(&roster).await;
    assert_eq!(setup.loader.loaded.lock().unwrap().last().unwrap().1, 1024);
}

#[tokio::test]
async fn a_model_that_comes_too_late_is_not_taken() {
    let setup = RosterSetup::new("[llm]\nmodel = \"moon\"\n").await;
    setup.model("moon", &gguf(1000, 1));
    setup.model("star", &gguf(1000, 2));
    let gate = Gate::closed();
    *setup.loader.gate.lock().unwrap() = Some(gate.clone());
    let roster = setup.roster();
    gate.reached().await;
    let second = Gate::closed();
    *setup.loader.gate.lock().unwrap() = Some(second.clone());
    roster.use_model("star").await.unwrap();
    gate.open();
    second.reached().await;
    assert_eq!(roster.state(), ModelState::Loading { name: "star".into() });
    second.open();
    assert_eq!(name(&roster).await, "star");
    assert_eq!(setup.loader.names(), ["moon", "star"]);
}

#[tokio::test]
async fn what_cannot_be_used_is_said() {
    let mut setup = RosterSetup::new("").await;
    let bytes = gguf(1000, 1);
    setup.items = vec![item(&bytes, true, vec![hub_source()])];
    setup.model("star", &bytes);
    let roster = setup.roster();
    for (wrong, expected) in [
        ("nothing", UseError::Unknown("nothing".into())),
        ("../star", UseError::Unknown("../star".into())),
        ("command", UseError::Unknown("command".into())),
        ("moon", UseError::NotHere("moon".into())),
        ("ollama/qwen3", UseError::NoServer("Ollama")),
    ] {
        assert_eq!(roster.use_model(wrong).await, Err(expected));
    }
    assert_eq!(name(&roster).await, "star");
    // If the choice cannot be saved, nothing is changed.
    setup.hub_setup.home.write("config.toml", "[broken");
    assert!(matches!(roster.use_model("star.gguf").await, Err(UseError::NotKept(_))));
    assert_eq!(setup.loader.names(), ["star"]);
}

#[tokio::test]
async fn a_broken_file_is_named_and_can_be_mended() {
    let whole = gguf(4000, 1);
    let mut flipped = whole.clone();
    flipped[2000] ^= 1;
    let cases: [(&str, Vec<u8>, &str); 4] = [
        ("cut in half", whole[..2000].to_vec(), "damaged"),
        ("one bit flipped", flipped, "checksum"),
        ("not a model", b"hello".to_vec(), "GGUF"),
        ("empty", Vec::new(), "GGUF"),
    ];
    for (how, bytes, words) in cases {
        let mut setup = RosterSetup::new("").await;
        setup.items = vec![item(&whole, true, vec![hub_source()])];
        setup.hub_setup.hub.file(PATH, whole.clone());
        setup.model("moon", &bytes);
        let roster = setup.roster();
        let broken = error(&roster).await;
        assert_eq!(broken.code(), ErrorCode::ModelFailed, "{how}");
        assert!(
            broken.to_string().contains(words) && broken.to_string().contains("moon.gguf"),
            "{how}: {broken}"
        );
        assert!(matches!(roster.state(), ModelState::Failed { .. }), "{how}");
        assert!(setup.loader.names().is_empty(), "{how}: a broken file was handed to the engine");

        roster.pull(&pull("moon")).unwrap();
        assert_eq!(roster.downloads().finished("moon").await.unwrap().state, DownloadState::Done, "{how}");
        roster.watch().wait_for(|state| matches!(state, ModelState::Ready { .. })).await.unwrap();
        assert_eq!(name(&roster).await, "moon", "{how}");
    }
    // Without a checksum, damage is detected only by the engine.
    let setup = RosterSetup::new("").await;
    setup.model("half-a-moon", &gguf(1000, 1));
    assert!(error(&setup.roster()).await.to_string().contains("cut short"));
}

#[tokio::test]
async fn a_model_that_was_brought_is_used_at_once() {
    let mut setup = RosterSetup::new("").await;
    let bytes = gguf(4000, 1);
    setup.items = vec![item(&bytes, true, vec![hub_source()])];
    setup.hub_setup.hub.file(PATH, bytes.clone());
    setup.model("star", &bytes);
    let roster = setup.roster();
    assert_eq!(name(&roster).await, "star");
    roster.pull(&PullRequest { then_use: true, ..pull("moon") }).unwrap();
    let is_moon = |state: &ModelState| matches!(state, ModelState::Ready { name, .. } if name == "moon");
    roster.watch().wait_for(is_moon).await.unwrap();
    assert!(setup.hub_setup.home.read("config.toml").contains("moon"));
    assert!(roster.report().await.catalogue[0].installed);
}

#[tokio::test]
async fn the_settings_choose_a_server() {
    for (flavour, provider, kind) in [
        (Flavour::OpenAi, "auto", ModelKind::OpenAi),
        (Flavour::LlamaServer, "auto", ModelKind::LlamaServer),
        (Flavour::Ollama, "auto", ModelKind::Ollama),
        (Flavour::Ollama, "openai", ModelKind::OpenAi),
        (Flavour::Ollama, "ollama", ModelKind::Ollama),
    ] {
        let server = ScriptedModel::start_as(flavour).await;
        server.reply("Good evening.");
        let config = format!("[llm]\nprovider = \"{provider}\"\nbase_url = \"{}/v1\"\n", server.url());
        let roster = RosterSetup::new(&config).await.roster();
        let model = roster.current().await.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(model.info().kind, kind, "{flavour:?} as {provider}");
        assert_eq!(ask(&*model, say("Hello")).await.text, "Good evening.");
    }
}

#[tokio::test]
async fn a_server_that_comes_back_is_found() {
    let port = nobody().await;
    let setup =
        RosterSetup::new(&format!("[llm]\nprovider = \"ollama\"\nbase_url = \"http://127.0.0.1:{port}\"\n"))
            .await;
    let roster = setup.roster();
    let away = error(&roster).await;
    assert!(away.to_string().contains("Start Ollama"), "{away}");
    assert!(matches!(roster.state(), ModelState::Failed { .. }));
    let _server = ScriptedModel::start_at(port, Flavour::Ollama).await;
    assert_eq!(name(&roster).await, "scripted");
}

#[tokio::test]
async fn a_server_on_this_machine_can_be_chosen() {
    let mut setup = RosterSetup::new("").await;
    let server = ScriptedModel::start_as(Flavour::Ollama).await;
    server.models(["qwen3:4b", "gemma3:1b"]);
    setup.lookout.ollama = server.port();
    let roster = setup.roster();
    roster.use_model("ollama/gemma3:1b").await.unwrap();
    assert_eq!(name(&roster).await, "gemma3:1b");
    let installed = roster.report().await.installed;
    let listed: Vec<_> = installed.iter().map(|model| (model.name.as_str(), model.current)).collect();
    assert_eq!(listed, [("ollama/qwen3:4b", false), ("ollama/gemma3:1b", true)]);
    let llm = setup.config.current().llm.clone();
    assert_eq!((llm.provider.as_str(), llm.model.as_deref()), ("auto", Some("gemma3:1b")));
    // After a restart the same model is active.
    assert_eq!(name(&setup.roster()).await, "gemma3:1b");
}

#[tokio::test]
async fn the_models_of_a_server_in_the_settings_can_be_chosen() {
    let server = ScriptedModel::start_as(Flavour::Vllm).await;
    server.models(["large", "small"]);
    let setup =
        RosterSetup::new(&format!("[llm]\nbase_url = \"{}\"\napi_key = \"sk-test\"\n", server.url())).await;
    let roster = setup.roster();
    assert_eq!(name(&roster).await, "large");
    roster.use_model("server/small").await.unwrap();
    assert_eq!(name(&roster).await, "small");
    let installed = roster.report().await.installed;
    let listed: Vec<_> = installed.iter().map(|model| (model.name.as_str(), model.current)).collect();
    assert_eq!(listed, [("server/large", false), ("server/small", true)]);
    assert!(server.requests().iter().all(|request| {
        request.path == "/api/version" || request.header("authorization") == Some("Bearer sk-test")
    }));
}

#[tokio::test]
async fn a_command_can_be_chosen() {
    let setup = RosterSetup::new("[llm]\nprovider = \"embedded\"\ncommand = [\"cat\"]\n").await;
    let roster = setup.roster();
    error(&roster).await;
    roster.use_model("command").await.unwrap();
    let model = roster.current().await.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(model.info().kind, ModelKind::Command);
    assert!(roster.report().await.installed[0].current);
}
