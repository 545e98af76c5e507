//! Speaks to a server of this program: the one that runs, or one that is started for the occasion.

mod link;
mod sse;

use anyhow::Context as _;
use config::Folders;
use host::RunInfo;
use protocol::{ApiError, ErrorCode};
use reqwest::{Method, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;

use crate::on_demand::Loading;
use link::Link;
pub use sse::{EventStream, TurnEvent};

/// The doors, from the command line's side.
pub struct Client {
    http: reqwest::Client,
    folders: Folders,
    loading: Loading,
    link: Mutex<Link>,
}

/// The server did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    pub code: ErrorCode,
    pub message: String,
}

impl Client {
    /// The server that runs here, or one in this process where none does.
    pub async fn connect(folders: &Folders, loading: Loading) -> anyhow::Result<Self> {
        let link = Link::find_or_start(folders, loading).await?;
        Self::new(folders, loading, link)
    }

    /// The server that runs here, if one does.
    pub fn running(folders: &Folders) -> anyhow::Result<Option<Self>> {
        let Some(info) = RunInfo::running(&folders.home) else { return Ok(None) };
        Self::new(folders, Loading::WhenNeeded, Link::to(&info)).map(Some)
    }

    fn new(folders: &Folders, loading: Loading, link: Link) -> anyhow::Result<Self> {
        // A proxy is for the world outside.
        let http = reqwest::Client::builder().no_proxy().build()?;
        Ok(Self { http, folders: folders.clone(), loading, link: Mutex::new(link) })
    }

    /// Where the server is, for a person to open.
    pub async fn address(&self) -> String {
        self.link.lock().await.address.clone()
    }

    /// Whether the server runs in this process, and ends with it.
    pub async fn is_own(&self) -> bool {
        self.link.lock().await.is_own()
    }

    /// Stops the server if it was started for this client.
    pub async fn close(self) -> anyhow::Result<()> {
        // The server waits for connections that are still open.
        drop(self.http);
        self.link.into_inner().close().await
    }

    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        read(self.send(Method::GET, path, |request| request).await?).await
    }

    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> anyhow::Result<T> {
        read(self.send(Method::POST, path, |request| request.json(body)).await?).await
    }

    pub async fn patch<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> anyhow::Result<T> {
        read(self.send(Method::PATCH, path, |request| request.json(body)).await?).await
    }

    /// For doors that answer with nothing, or with nothing of interest.
    pub async fn delete(&self, path: &str) -> anyhow::Result<()> {
        self.send(Method::DELETE, path, |request| request).await.map(drop)
    }

    /// An answer that may be large, to be read in pieces.
    pub async fn download(&self, path: &str) -> anyhow::Result<Response> {
        self.send(Method::GET, path, |request| request).await
    }

    /// Sends a file that is JSON already, without reading it into memory.
    pub async fn upload<T: DeserializeOwned>(&self, path: &str, file: tokio::fs::File) -> anyhow::Result<T> {
        let mut body = Some(reqwest::Body::from(file));
        let sent = self.send(Method::POST, path, |request| {
            request.header("content-type", "application/json").body(body.take().unwrap_or_default())
        });
        read(sent.await?).await
    }

    /// Begins a turn.
    pub async fn events(&self, path: &str, body: &impl Serialize) -> anyhow::Result<EventStream> {
        Ok(EventStream::new(self.send(Method::POST, path, |request| request.json(body)).await?))
    }

    /// Goes on with a turn after the event of this id.
    pub async fn resume(&self, path: &str, last: &str) -> anyhow::Result<EventStream> {
        let sent = self.send(Method::GET, path, |request| request.header("last-event-id", last));
        Ok(EventStream::new(sent.await?))
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        mut fill: impl FnMut(RequestBuilder) -> RequestBuilder,
    ) -> anyhow::Result<Response> {
        let mut again = true;
        let sent = loop {
            let (address, token) = {
                let link = self.link.lock().await;
                (link.address.clone(), link.token.clone())
            };
            let request = self.http.request(method.clone(), format!("{address}{path}"));
            match fill(request.bearer_auth(token.expose())).send().await {
                // Reading twice does no harm; anything else is only sent again if it cannot have arrived.
                Err(error)
                    if (error.is_connect() || (method == Method::GET && error.is_request()))
                        && std::mem::take(&mut again) =>
                {
                    self.find_again(&address).await?;
                }
                sent => break sent,
            }
        };
        let response = sent.context("the server does not answer")?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status();
        match response.json::<ApiError>().await {
            Ok(ApiError { code, message }) => Err(Refused { code, message }.into()),
            Err(_) => anyhow::bail!("the server answered {status}"),
        }
    }

    /// The server may have been another command's, which has ended, or was started anew since.
    async fn find_again(&self, lost: &str) -> anyhow::Result<()> {
        let mut link = self.link.lock().await;
        if link.address == lost {
            *link = Link::find_or_start(&self.folders, self.loading).await?;
        }
        Ok(())
    }
}

async fn read<T: DeserializeOwned>(response: Response) -> anyhow::Result<T> {
    let bytes = response.bytes().await.context("the connection to the server broke")?;
    // A door that has nothing to say answers with nothing.
    let bytes: &[u8] = if bytes.is_empty() { b"null" } else { &bytes };
    serde_json::from_slice(bytes).context("the server's answer cannot be read: is it of the same version?")
}
