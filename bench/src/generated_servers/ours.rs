//! Our side: configured and generated servers with their tools, as in the program.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use async_trait::async_trait;
use config::{McpServer, McpTransport};
use host::SystemClock;
use mcp::generated::{GeneratedServers, GeneratedServersParts};
use mcp::{ConfiguredServers, ConfiguredServersParts, PublishTools, SamplingModel, SamplingRole};
use protocol::{ConversationId, McpServerInfo, McpState, UserId};
use sandbox::Sandbox;
use serde_json::{Map, Value};
use store::Store;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tools::{Invocation, Tool};

use super::processes::{children, is_there};

const PATIENCE: Duration = Duration::from_mins(1);

pub struct Ours {
    servers: ConfiguredServers,
    generated_servers: GeneratedServers,
    /// The tools of both kinds of servers, by full name.
    tools: Arc<Mutex<BTreeMap<String, Arc<dyn Tool>>>>,
    changed: Arc<Notify>,
    settings: Mutex<BTreeMap<String, McpServer>>,
    folder: tempfile::TempDir,
}

impl Ours {
    pub async fn new(sandbox: Arc<Sandbox>) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let store = Arc::new(Store::open(&folder.path().join("perigee.db"), Arc::new(SystemClock))?);
        store.owner().await?;
        let (tools, changed) = (Arc::default(), Arc::new(Notify::new()));
        let told = || {
            let changed = Arc::clone(&changed);
            Box::new(move || changed.notify_one())
        };
        let made = folder.path().join("mcp_servers");
        let servers = ConfiguredServers::new(ConfiguredServersParts {
            store: Arc::clone(&store),
            model: Arc::new(NoModel),
            root: None,
            publish: publish(&tools),
            generated_folder: made.clone(),
            sign_ins: folder.path().join("sign_ins"),
            changed: told(),
        });
        let generated_servers = GeneratedServers::new(GeneratedServersParts {
            store,
            sandbox,
            folder: made,
            cache: folder.path().join("cache"),
            hidden: folder.path().to_owned(),
            model: Arc::new(NoModel),
            publish: publish(&tools),
            changed: told(),
            is_configured: Box::new(|_| false),
            is_on: Box::new(|| true),
            wants_official: Box::new(|| false),
            may_ask_for_network: Box::new(|| false),
        });
        Ok(Self { servers, generated_servers, tools, changed, settings: Mutex::default(), folder })
    }

    /// Writes a generated server to the disk, and approves it.
    pub async fn make(&self, name: &str, code: &str) -> anyhow::Result<()> {
        let folder = self.folder.path().join("mcp_servers");
        host::private_dir(folder.join(name))?;
        host::atomic_write(folder.join(name).join("server.py"), code.as_bytes())?;
        let manifest = serde_json::json!({"servers": {name: {"description": "Scales recipes."}}});
        host::atomic_write(folder.join("manifest.json"), manifest.to_string().as_bytes())?;
        self.generated_servers.reload().await?;
        let asks = self.info(name)?.asks.context("nothing is asked")?;
        Ok(self.generated_servers.approve(name, &asks, None).await?)
    }

    /// Adds a server to the settings, approves it, and waits until it is ready.
    pub async fn connect(&self, name: &str, reach: McpTransport) -> anyhow::Result<()> {
        let settings = {
            let mut settings = self.settings.lock().unwrap_or_else(PoisonError::into_inner);
            settings.insert(name.to_owned(), McpServer { reach, disabled: false });
            settings.clone()
        };
        self.servers.apply_settings(&settings).await?;
        let asks = self.info(name)?.asks.context("nothing is asked")?;
        self.servers.approve(name, &asks).await?;
        self.until(name, McpState::Ready).await
    }

    /// Starts an idle generated server. Returns the seconds until its tools are known.
    pub async fn start_made(&self, name: &str) -> anyhow::Result<f64> {
        let began = Instant::now();
        self.generated_servers.wait_until_started(name).await?;
        Ok(began.elapsed().as_secs_f64())
    }

    pub async fn stop_made(&self, name: &str) -> anyhow::Result<()> {
        self.generated_servers.stop(name)?;
        self.until(name, McpState::Resting).await
    }

    pub async fn stop(&self, name: &str) -> anyhow::Result<()> {
        self.servers.stop(name)?;
        self.until(name, McpState::Resting).await
    }

    /// Makes `times` calls as a turn does, and returns the seconds of each. Each answer must contain `answer`.
    pub async fn call(
        &self,
        server: &str,
        (tool, answer): (&str, &str),
        arguments: &Map<String, Value>,
        times: usize,
    ) -> anyhow::Result<Vec<f64>> {
        let name = format!("{server}__{tool}");
        let tool = self.tools.lock().unwrap_or_else(PoisonError::into_inner).get(&name).cloned();
        let tool = tool.with_context(|| format!("there is no {name}"))?;
        let mut seconds = Vec::with_capacity(times);
        for _ in 0..times {
            let invocation = invocation(arguments.clone(), self.folder.path().into());
            let began = Instant::now();
            let output = tools::run(tool.as_ref(), invocation).await?;
            seconds.push(began.elapsed().as_secs_f64());
            let is_right = !output.failed && output.text.contains(answer);
            anyhow::ensure!(is_right, "{name} answered {}", output.text);
        }
        Ok(seconds)
    }

    pub fn close(&self) {
        self.servers.close();
        self.generated_servers.close();
    }

    fn info(&self, name: &str) -> anyhow::Result<McpServerInfo> {
        let mut all = self.servers.list();
        all.extend(self.generated_servers.list());
        all.into_iter().find(|server| server.name == name).with_context(|| format!("there is no {name}"))
    }

    async fn until(&self, name: &str, state: McpState) -> anyhow::Result<()> {
        let arrived = async {
            loop {
                let info = self.info(name)?;
                if info.state == state {
                    return Ok(());
                }
                if let Some(trouble) = info.trouble {
                    anyhow::bail!("{name}: {trouble}");
                }
                self.changed.notified().await;
            }
        };
        tokio::time::timeout(PATIENCE, arrived).await.with_context(|| format!("{name} takes too long"))?
    }
}

/// The child processes at one moment, to find those started afterwards.
pub struct Started(Vec<u32>);

impl Started {
    pub fn before() -> Self {
        Self(children(std::process::id()))
    }

    /// Returns the process that was started since then.
    pub fn process(&self) -> anyhow::Result<u32> {
        let now = children(std::process::id());
        now.into_iter().find(|process| !self.0.contains(process)).context("nothing was started")
    }
}

/// Waits until a process has ended, so that it does not disturb the next measurement.
pub async fn until_gone(process: u32) {
    let began = Instant::now();
    while is_there(process) && began.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn publish(tools: &Arc<Mutex<BTreeMap<String, Arc<dyn Tool>>>>) -> PublishTools {
    let shelf = Arc::clone(tools);
    Box::new(move |server, tools| {
        let mut shelf = shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.retain(|_, tool| tool.spec().server.as_deref() != Some(server));
        shelf.extend(tools.into_iter().map(|tool| (tool.spec().name.clone(), tool)));
    })
}

fn invocation(arguments: Map<String, Value>, folder: PathBuf) -> Invocation {
    Invocation {
        arguments,
        user: UserId::new(1),
        folder: folder.into(),
        conversation: ConversationId::new(1),
        origins: Vec::new(),
        cancel: CancellationToken::new(),
        user_channel: Arc::new(tools::NoUser),
    }
}

/// A model that never answers, because no server needs one here.
struct NoModel;

#[async_trait]
impl SamplingModel for NoModel {
    async fn answer(&self, _: String, _: Vec<(SamplingRole, String)>, _: u32) -> Option<(String, String)> {
        None
    }
}
