use std::time::Duration;

use anyhow::Context as _;
use config::{Flags, Folders};
use host::{LockError, RunInfo, Secret};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::house::House;
use crate::log;
use crate::on_demand::Loading;

/// The time that another process gets to finish its start or its shutdown.
const PATIENCE: Duration = Duration::from_secs(10);
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// The address and token of the server, and the server itself if this process runs it.
pub struct Link {
    pub address: String,
    pub token: Secret,
    own: Option<OwnServer>,
}

struct OwnServer {
    stop: CancellationToken,
    serving: JoinHandle<anyhow::Result<()>>,
}

impl Link {
    pub fn to(info: &RunInfo) -> Self {
        Self { address: info.address.clone(), token: info.token.clone(), own: None }
    }

    /// Finds the server that holds the data folder, or starts one in this process.
    pub async fn find_or_start(folders: &Folders, loading: Loading) -> anyhow::Result<Self> {
        let until = Instant::now() + PATIENCE;
        loop {
            match RunInfo::running(&folders.home) {
                Some(info) if listens(&info.address).await || Instant::now() > until => {
                    return Ok(Self::to(&info));
                }
                // The server is shutting down.
                Some(_) => {}
                None => match Self::start(folders, loading).await {
                    // Another process holds the folder and does not respond yet, or no longer does.
                    Err(error) if is_held(&error) && Instant::now() < until => {}
                    started => return started,
                },
            }
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
    }

    async fn start(folders: &Folders, loading: Loading) -> anyhow::Result<Self> {
        log::start(folders, log::Audience::Command);
        let flags = Flags::default().with("server.host", "127.0.0.1").with("server.port", 0);
        let house = House::open(folders.clone(), flags, loading).await?;
        for problem in house.config.problems().iter().filter(|problem| problem.fatal) {
            eprintln!("{}", problem.message);
        }
        let (address, token) = (format!("http://{}", house.server.address()), house.token.clone());
        let stop = CancellationToken::new();
        let serving = tokio::spawn(house.run(stop.clone()));
        Ok(Self { address, token, own: Some(OwnServer { stop, serving }) })
    }

    pub fn is_own(&self) -> bool {
        self.own.is_some()
    }

    pub async fn close(self) -> anyhow::Result<()> {
        let Some(OwnServer { stop, serving }) = self.own else { return Ok(()) };
        stop.cancel();
        serving.await.context("the server did not end in order")?
    }
}

pub async fn listens(address: &str) -> bool {
    let host = address.strip_prefix("http://").unwrap_or(address);
    TcpStream::connect(host).await.is_ok()
}

fn is_held(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref::<LockError>(), Some(LockError::Held { .. }))
}
