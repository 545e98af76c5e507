use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use host::ManualClock;
use protocol::{McpServerInfo, McpState};
use serde_json::json;

use super::*;
use crate::generated::server_files::LARGEST_SOURCE;
use crate::server_requests::SamplingRole;

struct NoModel;

#[async_trait]
impl SamplingModel for NoModel {
    async fn answer(&self, _: String, _: Vec<(SamplingRole, String)>, _: u32) -> Option<(String, String)> {
        None
    }
}

/// Generated servers on a machine without a sandbox, so that no server runs.
struct Fixture {
    servers: GeneratedServers,
    store: Arc<Store>,
    changes: Arc<AtomicUsize>,
    is_on: Arc<AtomicBool>,
    folder: tempfile::TempDir,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::at("2026-11-15T12:00:00Z"));
        let store = Arc::new(Store::open(&folder.path().join("perigee.db"), clock).unwrap());
        let (changes, is_on) = (Arc::<AtomicUsize>::default(), Arc::new(AtomicBool::new(true)));
        let (changed_count, published, switch) =
            (Arc::clone(&changes), Arc::clone(&changes), Arc::clone(&is_on));
        let servers = GeneratedServers::new(GeneratedServersParts {
            store: Arc::clone(&store),
            sandbox: Arc::new(Sandbox::none(vec!["a test has none".to_owned()])),
            folder: folder.path().join("mcp_servers"),
            cache: folder.path().join("cache"),
            hidden: folder.path().to_owned(),
            model: Arc::new(NoModel),
            publish: Box::new(move |_, _| {
                published.fetch_add(1, Ordering::SeqCst);
            }),
            changed: Box::new(move || {
                changed_count.fetch_add(1, Ordering::SeqCst);
            }),
            is_configured: Box::new(|_| false),
            is_on: Box::new(move || switch.load(Ordering::SeqCst)),
            may_ask_for_network: Box::new(|| true),
            wants_official: Box::new(|| false),
        });
        Self { servers, store, changes, is_on, folder }
    }

    fn write(&self, name: &str, code: &str, description: &str) {
        let files = ServerFiles::new(self.folder.path().join("mcp_servers"));
        let before = files.entry(name).unwrap_or_default();
        let entry = ManifestEntry { description: description.to_owned(), allow_network: true, ..before };
        files.put(name, code, entry, "made").unwrap();
    }

    /// Returns the number of page updates during a rescan.
    async fn look(&self) -> usize {
        let before = self.changes.load(Ordering::SeqCst);
        self.servers.reload().await.unwrap();
        self.changes.load(Ordering::SeqCst) - before
    }

    fn server(&self, name: &str) -> McpServerInfo {
        self.servers.list().into_iter().find(|server| server.name == name).unwrap()
    }
}

#[tokio::test]
async fn a_look_at_what_has_not_changed_tells_nobody() {
    let fixture = Fixture::new();
    fixture.write("waits", "x", "Waits.");
    fixture.write("off", "y", "Is off.");
    let approved = StoredApproval { tools: Vec::new(), approved_source: None };
    let entry =
        ManifestEntry { description: "Is off.".into(), allow_network: true, ..ManifestEntry::default() };
    let approval = McpApproval {
        launch: source_digest("y", &entry),
        tools: Some(approved.to_json()),
        hosts: Vec::new(),
    };
    fixture.store.approve_mcp("off", approval).await.unwrap();
    assert!(fixture.look().await > 0);
    let states = ["waits", "off"].map(|name| fixture.server(name).state);
    assert_eq!(states, [McpState::Asking, McpState::Disabled]);
    for _ in 0..3 {
        assert_eq!(fixture.look().await, 0);
    }
    fixture.write("waits", "x", "Waits no more.");
    assert_eq!(fixture.look().await, 1);
    assert_eq!(fixture.look().await, 0);
}

#[tokio::test]
async fn one_that_cannot_be_read_hides_nobody() {
    let fixture = Fixture::new();
    fixture.write("a", "x", "");
    fixture.write("b", "y", "");
    let file = fixture.folder.path().join("mcp_servers/a/server.py");
    std::fs::write(&file, "#".repeat(LARGEST_SOURCE + 1)).unwrap();
    fixture.look().await;
    assert_eq!(fixture.look().await, 0);
    assert_eq!(fixture.server("b").state, McpState::Asking);
    let broken = fixture.server("a");
    assert!(broken.asks.is_none() && broken.trouble.unwrap().contains("server.py"));
    std::fs::write(&file, "x").unwrap();
    fixture.look().await;
    assert_eq!(fixture.server("a").state, McpState::Asking, "it was mended");
}

#[tokio::test]
async fn what_is_switched_off_is_off_until_it_is_switched_on() {
    let fixture = Fixture::new();
    fixture.write("dice", "x", "");
    fixture.is_on.store(false, Ordering::SeqCst);
    fixture.look().await;
    let problem = fixture.server("dice");
    assert_eq!((problem.state, problem.asks), (McpState::Disabled, None));
    assert!(problem.trouble.unwrap().contains("builtin_tools.mcp_servers"));
    assert_eq!(fixture.look().await, 0);
    fixture.is_on.store(true, Ordering::SeqCst);
    fixture.look().await;
    assert_eq!(fixture.server("dice").state, McpState::Asking);
}

#[tokio::test]
async fn what_changed_is_held_against_what_was_said_yes_to() {
    let fixture = Fixture::new();
    fixture.write("dice", "one", "Rolls.");
    fixture.write("dice", "two", "Rolls.");
    let approved_source =
        ApprovedSource { code: "two".into(), description: "Rolls.".into(), allow_network: false };
    let approved = StoredApproval { tools: Vec::new(), approved_source: Some(approved_source) };
    let hosts = vec!["a.example".to_owned()];
    let approval =
        McpApproval { launch: "another".into(), tools: Some(approved.to_json()), hosts: hosts.clone() };
    fixture.store.approve_mcp("dice", approval).await.unwrap();
    // Only the description differs.
    let manifest = fixture.folder.path().join("mcp_servers/manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap().replace("Rolls.", "Sends.");
    std::fs::write(&manifest, text).unwrap();
    fixture.look().await;
    let source = fixture.servers.source("dice").unwrap();
    assert_eq!(
        (source.before.as_deref(), source.code.as_str()),
        (Some("two"), "two"),
        "the code is the same"
    );
    assert_eq!(source.described_before.as_deref(), Some("Rolls."));
    assert_eq!(source.wanted_network_before, Some(false));
    let waiting = fixture.server("dice");
    assert_eq!(waiting.state, McpState::Asking);
    assert_eq!(waiting.made.unwrap().hosts, hosts, "they are asked about again, and not lost");
    // An approval in the older format does not contain the approved version.
    let approval = McpApproval { launch: "another".into(), tools: Some(json!([])), hosts: Vec::new() };
    fixture.store.approve_mcp("dice", approval).await.unwrap();
    fixture.write("dice", "three", "Sends.");
    fixture.look().await;
    assert_eq!(fixture.servers.source("dice").unwrap().before.as_deref(), Some("two"), "the version before");
}

#[tokio::test]
async fn an_earlier_version_comes_back_and_nothing_is_lost() {
    let fixture = Fixture::new();
    fixture.write("dice", "one", "");
    std::fs::write(fixture.folder.path().join("mcp_servers/dice/server.py"), "by hand").unwrap();
    fixture.look().await;
    let first = fixture.server("dice").made.unwrap().versions[0].id.clone();
    fixture.servers.restore_version("dice", &first).await.unwrap();
    let server = fixture.server("dice");
    assert_eq!(server.state, McpState::Asking);
    let versions = server.made.unwrap().versions;
    let notes: Vec<&str> = versions.iter().map(|version| version.note.as_str()).collect();
    assert_eq!(notes, ["made", BY_HAND, "back to version 1"]);
    assert_eq!(fixture.servers.source("dice").unwrap().code, "one");
    assert_eq!(fixture.servers.version("dice", &versions[1].id).unwrap(), "by hand");
    assert!(fixture.servers.restore_version("dice", "../../x").await.is_err());
    // Going back also replaces a source that cannot be read.
    let path = fixture.folder.path().join("mcp_servers/dice/server.py");
    std::fs::write(&path, "x".repeat(LARGEST_SOURCE + 1)).unwrap();
    fixture.look().await;
    assert_eq!(fixture.server("dice").state, McpState::Disabled);
    fixture.servers.restore_version("dice", &first).await.unwrap();
    assert_eq!(fixture.servers.source("dice").unwrap().code, "one");
}

#[tokio::test]
async fn nothing_is_tried_where_it_could_not_be_written_down() {
    let fixture = Fixture::new();
    fixture.write("dice", "one", "");
    std::fs::write(fixture.folder.path().join("mcp_servers/manifest.json"), "{broken").unwrap();
    let code = "mcp = FastMCP('x')\n@mcp.tool()\ndef a(): pass\nmcp.run()".to_owned();
    let draft = ServerDraft { name: "coin".into(), code, ..ServerDraft::default() };
    let error = fixture.servers.try_out(&draft).await.unwrap_err().to_string();
    assert!(error.contains("manifest.json"), "{error}");
    assert!(!fixture.folder.path().join("mcp_servers/coin").exists());
}
