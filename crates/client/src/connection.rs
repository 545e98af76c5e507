use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use async_trait::async_trait;
use host::{LockError, RunInfo, Secret};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// The time that another process gets to finish its start or its shutdown.
const START_TIMEOUT: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A server in this process, which ends with the client that it was started for.
pub struct OwnServer {
    pub address: String,
    pub token: Secret,
    pub stop: CancellationToken,
    pub serving: JoinHandle<anyhow::Result<()>>,
}

/// Starts a server in this process.
#[async_trait]
pub trait ServerStarter: Send + Sync {
    /// Starts a server for the data folder. Fails with [`LockError::Held`] while another process holds the folder.
    async fn start(&self) -> anyhow::Result<OwnServer>;
}

/// The address and token of the server, and the server itself if this process runs it.
pub(crate) struct Connection {
    pub(crate) address: String,
    pub(crate) token: Secret,
    own: Option<ServerTask>,
}

struct ServerTask {
    stop: CancellationToken,
    serving: JoinHandle<anyhow::Result<()>>,
}

impl Connection {
    pub(crate) fn to(info: &RunInfo) -> Self {
        Self { address: info.address.clone(), token: info.token.clone(), own: None }
    }

    /// Finds the server that holds the data folder, or starts one in this process.
    pub(crate) async fn find_or_start(home: &Path, starter: &dyn ServerStarter) -> anyhow::Result<Self> {
        let deadline = Instant::now() + START_TIMEOUT;
        loop {
            match RunInfo::running(home) {
                Some(info) if listens(&info.address).await || Instant::now() > deadline => {
                    return Ok(Self::to(&info));
                }
                // The server is shutting down.
                Some(_) => {}
                None => match starter.start().await {
                    // Another process holds the folder and does not respond yet, or no longer does.
                    Err(error) if is_held(&error) && Instant::now() < deadline => {}
                    result => return result.map(Self::to_own),
                },
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    fn to_own(server: OwnServer) -> Self {
        let OwnServer { address, token, stop, serving } = server;
        Self { address, token, own: Some(ServerTask { stop, serving }) }
    }

    pub(crate) fn is_own(&self) -> bool {
        self.own.is_some()
    }

    pub(crate) async fn close(self) -> anyhow::Result<()> {
        let Some(ServerTask { stop, serving }) = self.own else { return Ok(()) };
        stop.cancel();
        serving.await.context("the server did not end in order")?
    }
}

pub(crate) async fn listens(address: &str) -> bool {
    let host = address.strip_prefix("http://").unwrap_or(address);
    TcpStream::connect(host).await.is_ok()
}

fn is_held(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref::<LockError>(), Some(LockError::Held { .. }))
}
