use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use futures_util::StreamExt as _;
use protocol::Event;
use serde_json::{Value, json};
use testkit::{PerigeeProcess, SseParser};

/// Returns the program under test, a release build by `cargo xtask bench`.
pub fn program() -> anyhow::Result<PathBuf> {
    let path = std::env::var_os("PERIGEE_BIN")
        .map(PathBuf::from)
        .context("PERIGEE_BIN is not set: use `cargo xtask bench`")?;
    anyhow::ensure!(path.exists(), "{} does not exist", path.display());
    Ok(path)
}

/// Returns the file of the starter model.
pub fn starter() -> anyhow::Result<PathBuf> {
    let folder = std::env::var_os("PERIGEE_TEST_MODELS")
        .map(PathBuf::from)
        .context("PERIGEE_TEST_MODELS is not set")?;
    let path = folder.join("smollm2-135m-instruct.gguf");
    anyhow::ensure!(path.exists(), "{} does not exist", path.display());
    Ok(path)
}

/// A running server and an HTTP client for it.
pub struct RunningServer {
    pub process: PerigeeProcess,
    pub http: reqwest::Client,
}

/// A turn as a client sees it.
#[derive(Debug)]
pub struct Timed {
    pub started: Instant,
    pub conversation: String,
    pub turn: String,
    pub first_token: Duration,
    pub total: Duration,
    pub tokens: usize,
    pub text: String,
    /// The time of each token, from the request on.
    pub arrivals: Vec<Duration>,
}

impl Timed {
    pub fn begin() -> Self {
        Self {
            started: Instant::now(),
            conversation: String::new(),
            turn: String::new(),
            first_token: Duration::ZERO,
            total: Duration::ZERO,
            tokens: 0,
            text: String::new(),
            arrivals: Vec::new(),
        }
    }
}

impl RunningServer {
    pub async fn start(home: &Path, env: &[(&str, &str)]) -> anyhow::Result<Self> {
        let process = PerigeeProcess::start_with(program()?, home, &[], env).await;
        let http = reqwest::Client::builder().no_proxy().tcp_nodelay(true).build()?;
        Ok(Self { process, http })
    }

    /// Starts a server with the starter model, loaded and prewarmed.
    pub async fn with_starter(home: &Path) -> anyhow::Result<Self> {
        let starter = starter()?;
        let starter = starter.to_str().context("the model's path is not text")?;
        let running = Self::start(home, &[("PERIGEE_STARTER", starter)]).await?;
        running.until_warm().await?;
        Ok(running)
    }

    pub async fn get(&self, path: &str) -> anyhow::Result<Value> {
        let request = self.http.get(self.process.url(path)).bearer_auth(self.process.token());
        Ok(request.send().await?.error_for_status()?.json().await?)
    }

    pub async fn post(&self, path: &str, body: &Value) -> anyhow::Result<reqwest::Response> {
        let request = self.http.post(self.process.url(path)).bearer_auth(self.process.token()).json(body);
        Ok(request.send().await?.error_for_status()?)
    }

    /// Waits until the model is loaded, for two minutes at most because models may be large.
    pub async fn until_loaded(&self) -> anyhow::Result<()> {
        for _ in 0..1200 {
            let models = self.get("/api/models").await?;
            match models["current"]["state"].as_str() {
                Some("ready") => return Ok(()),
                Some("failed") => bail!("the model did not load: {}", models["current"]["message"]),
                _ => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
        bail!("the model was not loaded within two minutes")
    }

    /// Waits until the model is loaded and has read the common beginning of all conversations.
    pub async fn until_warm(&self) -> anyhow::Result<()> {
        for _ in 0..6000 {
            let models = self.get("/api/models").await?;
            let warm = self.get("/api/processes").await?;
            let warmed = warm.as_array().into_iter().flatten().any(|process| {
                process["id"] == "prewarming"
                    && process["lastOutcome"]["message"] == "the soul files were read"
            });
            match models["current"]["state"].as_str() {
                Some("ready") if warmed => return Ok(()),
                Some("failed") => bail!("the model did not load: {}", models["current"]["message"]),
                _ => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
        bail!("the model was not ready within ten minutes")
    }

    /// Sends a message and follows the answer to its end.
    pub async fn say(&self, message: &str, conversation: Option<&str>) -> anyhow::Result<Timed> {
        let body = json!({"message": message, "conversationId": conversation});
        let (mut parser, mut timed) = (SseParser::default(), Timed::begin());
        let mut bytes = self.post("/api/chat/stream", &body).await?.bytes_stream();
        while let Some(chunk) = bytes.next().await {
            for event in parser.push(&chunk?) {
                match serde_json::from_str(&event.data)? {
                    Event::Metadata { conversation_id, turn_id, .. } => {
                        timed.conversation = conversation_id.to_string();
                        timed.turn = turn_id.to_string();
                    }
                    Event::Token { content } => {
                        timed.arrivals.push(timed.started.elapsed());
                        timed.tokens += 1;
                        timed.text.push_str(&content);
                    }
                    Event::Error { message, .. } => bail!("the turn failed: {message}"),
                    _ => {}
                }
            }
        }
        timed.first_token = timed.arrivals.first().copied().context("no token came")?;
        timed.total = timed.arrivals.last().copied().unwrap_or_default();
        Ok(timed)
    }

    /// Creates a conversation, so that the next message does not continue another.
    pub async fn fresh(&self) -> anyhow::Result<String> {
        let chat: Value = self.post("/api/chats/new", &json!({})).await?.json().await?;
        Ok(chat["id"].as_str().context("no conversation")?.to_owned())
    }
}

/// Returns the resident memory of a process in megabytes.
pub fn resident(pid: u32) -> anyhow::Result<f64> {
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes / 1024.0)
}

/// Returns the processor time that a process has used.
pub fn processor_time(pid: u32) -> anyhow::Result<Duration> {
    // On Linux the kernel reports it in hundredths of a second.
    const TICK: Duration = Duration::from_millis(10);
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat"))?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks =
        |place: usize| -> anyhow::Result<u32> { Ok(fields.get(place).context("no such field")?.parse()?) };
    Ok(TICK * (ticks(11)? + ticks(12)?))
}
