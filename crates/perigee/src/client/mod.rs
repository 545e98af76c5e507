//! A client for the Perigee server: the one that runs, or one started for a single command.

mod link;
mod relay;
mod sse;

use std::io::Seek as _;
use std::process::ExitCode;

use anyhow::Context as _;
use config::Folders;
use host::{RunInfo, Secret};
use protocol::{ApiError, ErrorCode};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;

use crate::on_demand::Loading;
use link::Link;
pub use sse::{EventStream, TurnEvent};

/// The HTTP API, from the command line's side.
pub struct Client {
    http: reqwest::Client,
    folders: Folders,
    loading: Loading,
    link: Mutex<Link>,
}

/// An error response of the server.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    pub code: ErrorCode,
    pub message: String,
}

impl Client {
    /// Connects to the running server, or to one started in this process.
    pub async fn connect(folders: &Folders, loading: Loading) -> anyhow::Result<Self> {
        let link = Link::find_or_start(folders, loading).await?;
        Self::new(folders, loading, link)
    }

    /// Runs a command against the server, then stops the server if it belongs to this process.
    pub async fn with(
        folders: &Folders,
        work: impl AsyncFnOnce(&Self) -> anyhow::Result<ExitCode>,
    ) -> anyhow::Result<ExitCode> {
        let client = Self::connect(folders, Loading::AtOnce).await?;
        let done = work(&client).await;
        client.close().await?;
        done
    }

    /// Returns a client for the running server, if there is one.
    pub fn running(folders: &Folders) -> anyhow::Result<Option<Self>> {
        let Some(info) = RunInfo::running(&folders.home) else { return Ok(None) };
        Self::new(folders, Loading::WhenNeeded, Link::to(&info)).map(Some)
    }

    fn new(folders: &Folders, loading: Loading, link: Link) -> anyhow::Result<Self> {
        // A configured proxy must not be used for the local server.
        let http = reqwest::Client::builder().no_proxy().build()?;
        Ok(Self { http, folders: folders.clone(), loading, link: Mutex::new(link) })
    }

    /// Returns the server's address for a browser.
    pub async fn address(&self) -> String {
        self.link.lock().await.address.clone()
    }

    /// Returns true if the server runs in this process and ends with it.
    pub async fn is_own(&self) -> bool {
        self.link.lock().await.is_own()
    }

    /// Stops the server if it was started for this client.
    pub async fn close(self) -> anyhow::Result<()> {
        // The server waits for open connections to close.
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

    pub async fn put<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> anyhow::Result<T> {
        read(self.send(Method::PUT, path, |request| request.json(body)).await?).await
    }

    /// Sends a DELETE request and discards the response.
    pub async fn delete(&self, path: &str) -> anyhow::Result<()> {
        self.send(Method::DELETE, path, |request| request).await.map(drop)
    }

    /// Returns a response to be read in pieces, as it may be large.
    pub async fn download(&self, path: &str) -> anyhow::Result<Response> {
        self.send(Method::GET, path, |request| request).await
    }

    /// Uploads a JSON file without reading it into memory.
    pub async fn upload<T: DeserializeOwned>(&self, path: &str, file: std::fs::File) -> anyhow::Result<T> {
        let mut unread = None;
        let sent = self.send(Method::POST, path, |request| {
            // Each attempt reads the file from the start.
            let body = file.try_clone().and_then(|mut file| file.rewind().map(|()| file));
            let request = request.header("content-type", "application/json");
            match body {
                Ok(file) => request.body(reqwest::Body::from(tokio::fs::File::from_std(file))),
                Err(error) => {
                    unread = Some(error);
                    request
                }
            }
        });
        let sent = sent.await;
        unread.map_or(Ok(()), Err).context("the file cannot be read")?;
        read(sent?).await
    }

    /// Starts a turn and returns its events.
    pub async fn events(&self, path: &str, body: &impl Serialize) -> anyhow::Result<EventStream> {
        Ok(EventStream::new(self.send(Method::POST, path, |request| request.json(body)).await?))
    }

    /// Resumes the events of a turn after the given event id.
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
        let (mut again, mut ask_again) = (true, true);
        let sent = loop {
            let (address, token) = {
                let link = self.link.lock().await;
                (link.address.clone(), link.token.clone())
            };
            let request = self.http.request(method.clone(), format!("{address}{path}"));
            match fill(request.bearer_auth(token.expose())).send().await {
                // A GET can be repeated; any other request is only sent again if it cannot have arrived.
                Err(error)
                    if (error.is_connect() || (method == Method::GET && error.is_request()))
                        && std::mem::take(&mut again) =>
                {
                    self.find_again(&address).await?;
                }
                Ok(refused)
                    if refused.status() == StatusCode::UNAUTHORIZED
                        && std::mem::take(&mut ask_again)
                        && self.take_up_token(&address, &token).await => {}
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

    /// Reads the token again, as it may have been replaced, even by this command. Returns true if it differs from
    /// `stale`.
    async fn take_up_token(&self, address: &str, stale: &Secret) -> bool {
        let mut link = self.link.lock().await;
        let running = RunInfo::running(&self.folders.home).filter(|info| info.address == address);
        if let Some(info) = running.filter(|_| link.address == address) {
            link.token = info.token;
        }
        link.token != *stale
    }

    /// Finds or starts the server again: it may have belonged to a command that has ended, or may have restarted.
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
    // Endpoints without a result send an empty body.
    let bytes: &[u8] = if bytes.is_empty() { b"null" } else { &bytes };
    serde_json::from_slice(bytes).context("the server's answer cannot be read: is it of the same version?")
}

#[cfg(test)]
mod tests {
    use host::{HomeLock, RunFile};
    use jiff::Timestamp;
    use testkit::TempHome;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    /// Answers requests with this token and refuses all others.
    async fn serve(listener: TcpListener, token: &'static str) {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = [0; 4096];
            let length = socket.read(&mut request).await.unwrap();
            let request = String::from_utf8_lossy(&request[..length]);
            let (status, body) = if request.contains(&format!("Bearer {token}\r\n")) {
                ("200 OK", "\"welcome\"")
            } else {
                ("401 Unauthorized", "{\"code\":\"unauthorized\",\"message\":\"sign in first\"}")
            };
            let length = body.len();
            let answer =
                format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
            socket.write_all(answer.as_bytes()).await.unwrap();
        }
    }

    fn info(listener: &TcpListener, token: &str) -> RunInfo {
        RunInfo {
            address: format!("http://{}", listener.local_addr().unwrap()),
            pid: std::process::id(),
            started: Timestamp::UNIX_EPOCH,
            token: Secret::new(token),
        }
    }

    #[tokio::test]
    async fn a_command_that_meets_an_ending_server_goes_to_the_next_one() {
        model::install_crypto();
        for (method, takes_the_request, expected) in [
            (Method::GET, true, Some("welcome")),
            (Method::GET, false, Some("welcome")),
            // The request may have been processed: only the user can decide whether to repeat it.
            (Method::POST, true, None),
            (Method::POST, false, Some("welcome")),
        ] {
            let home = TempHome::new();
            let folders = Folders::within(home.path());
            let ending = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let next = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let lock = HomeLock::acquire(home.path()).unwrap();
            let (gone, there) = (info(&ending, "old"), info(&next, "new"));
            let file = RunFile::write(&lock, home.path(), &gone).unwrap();
            let client = Client::new(&folders, Loading::WhenNeeded, Link::to(&gone)).unwrap();
            let serving = tokio::spawn(serve(next, "new"));
            let ending = takes_the_request.then_some(ending);
            let changing = async {
                if let Some(ending) = ending {
                    let (mut socket, _) = ending.accept().await.unwrap();
                    assert!(socket.read(&mut [0; 4096]).await.unwrap() > 0);
                }
                // The run file still exists, but nothing listens at its address.
                assert!(!link::listens(&gone.address).await);
                drop(file);
                RunFile::write(&lock, home.path(), &there).unwrap()
            };
            let asking = async {
                match method {
                    Method::GET => client.get::<String>("/").await,
                    _ => client.post::<String>("/", &()).await,
                }
            };
            let (answer, _file) = tokio::join!(asking, changing);
            assert_eq!(answer.ok().as_deref(), expected, "{method}, taken: {takes_the_request}");
            serving.abort();
        }
    }

    #[tokio::test]
    async fn a_token_that_was_replaced_meanwhile_is_taken_up() {
        model::install_crypto();
        let home = TempHome::new();
        let folders = Folders::within(home.path());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let [old, another] = ["old-token", "another-token"].map(|token| info(&listener, token));
        let serving = tokio::spawn(serve(listener, "another-token"));
        let lock = HomeLock::acquire(home.path()).unwrap();
        let client = Client::new(&folders, Loading::WhenNeeded, Link::to(&old)).unwrap();
        for (in_file, expected) in [(old, None), (another, Some("welcome"))] {
            let _file = RunFile::write(&lock, home.path(), &in_file).unwrap();
            let answer: anyhow::Result<String> = client.post("/", &()).await;
            assert_eq!(answer.ok().as_deref(), expected, "{}", in_file.token.expose());
        }
        serving.abort();
    }
}
