//! Connections to the server: the one that runs, or one started in this process for a single command.

use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use client::{Client, OwnServer, ServerStarter};
use config::{Flags, Folders};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::lazy_model::ModelLoading;
use crate::log;

/// Starts the app in this process, at a free port.
struct AppStarter {
    folders: Folders,
    loading: ModelLoading,
}

#[async_trait]
impl ServerStarter for AppStarter {
    async fn start(&self) -> anyhow::Result<OwnServer> {
        log::start(&self.folders, log::Audience::Command);
        let flags = Flags::default().with("server.host", "127.0.0.1").with("server.port", 0);
        let app = App::open(self.folders.clone(), flags, self.loading).await?;
        for problem in app.config.problems().iter().filter(|problem| problem.fatal) {
            eprintln!("{}", problem.message);
        }
        let (address, token) = (format!("http://{}", app.server.address()), app.token.clone());
        let stop = CancellationToken::new();
        let serving = tokio::spawn(app.run(stop.clone()));
        Ok(OwnServer { address, token, stop, serving })
    }
}

fn starter(folders: &Folders, loading: ModelLoading) -> Arc<dyn ServerStarter> {
    Arc::new(AppStarter { folders: folders.clone(), loading })
}

/// Connects to the running server, or to one started in this process.
pub async fn connect(folders: &Folders, loading: ModelLoading) -> anyhow::Result<Client> {
    Client::connect(&folders.home, starter(folders, loading)).await
}

/// Returns a client for the running server, if there is one.
pub fn running(folders: &Folders) -> anyhow::Result<Option<Client>> {
    Client::running(&folders.home, starter(folders, ModelLoading::WhenNeeded))
}

/// Runs a command against the server, then stops the server if it belongs to this process.
pub async fn with_client(
    folders: &Folders,
    loading: ModelLoading,
    command: impl AsyncFnOnce(&Client) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    let client = connect(folders, loading).await?;
    let done = command(&client).await;
    client.close().await?;
    done
}
