use std::io::Seek as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use host::{RunInfo, Secret};
use protocol::{ApiError, ErrorCode};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;

use crate::connection::{Connection, ServerStarter};
use crate::sse::EventStream;

/// A client of the HTTP API. The server behind it may change: one that ends is found or started again.
pub struct Client {
    http: reqwest::Client,
    home: PathBuf,
    starter: Arc<dyn ServerStarter>,
    connection: Mutex<Connection>,
}

/// An error response of the server.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ErrorResponse {
    pub code: ErrorCode,
    pub message: String,
}

impl Client {
    /// Connects to the server that holds the data folder, or to one started in this process.
    pub async fn connect(home: &Path, starter: Arc<dyn ServerStarter>) -> anyhow::Result<Self> {
        let connection = Connection::find_or_start(home, starter.as_ref()).await?;
        Self::new(home, starter, connection)
    }

    /// Returns a client for the running server, if there is one.
    pub fn running(home: &Path, starter: Arc<dyn ServerStarter>) -> anyhow::Result<Option<Self>> {
        let Some(info) = RunInfo::running(home) else { return Ok(None) };
        Self::new(home, starter, Connection::to(&info)).map(Some)
    }

    fn new(home: &Path, starter: Arc<dyn ServerStarter>, connection: Connection) -> anyhow::Result<Self> {
        // A configured proxy must not be used for the local server.
        let http = reqwest::Client::builder().no_proxy().build()?;
        Ok(Self { http, home: home.to_owned(), starter, connection: Mutex::new(connection) })
    }

    /// Returns the server's address for a browser.
    pub async fn address(&self) -> String {
        self.connection.lock().await.address.clone()
    }

    /// Returns true if the server runs in this process and ends with it.
    pub async fn is_own(&self) -> bool {
        self.connection.lock().await.is_own()
    }

    /// Stops the server if it was started for this client.
    pub async fn close(self) -> anyhow::Result<()> {
        // The server waits for open connections to close.
        drop(self.http);
        self.connection.into_inner().close().await
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

    /// Returns a response to be read in chunks, as it may be large.
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

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        mut fill: impl FnMut(RequestBuilder) -> RequestBuilder,
    ) -> anyhow::Result<Response> {
        let (mut may_reconnect, mut may_refresh_token) = (true, true);
        let sent = loop {
            let (address, token) = {
                let connection = self.connection.lock().await;
                (connection.address.clone(), connection.token.clone())
            };
            let request = self.http.request(method.clone(), format!("{address}{path}"));
            match fill(request.bearer_auth(token.expose())).send().await {
                // A GET can be repeated; any other request is only sent again if it cannot have arrived.
                Err(error)
                    if (error.is_connect() || (method == Method::GET && error.is_request()))
                        && std::mem::take(&mut may_reconnect) =>
                {
                    self.reconnect(&address).await?;
                }
                Ok(refused)
                    if refused.status() == StatusCode::UNAUTHORIZED
                        && std::mem::take(&mut may_refresh_token)
                        && self.refresh_token(&address, &token).await => {}
                sent => break sent,
            }
        };
        let response = sent.context("the server does not answer")?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status();
        match response.json::<ApiError>().await {
            Ok(ApiError { code, message }) => Err(ErrorResponse { code, message }.into()),
            Err(_) => anyhow::bail!("the server answered {status}"),
        }
    }

    /// Reads the token again, as it may have been replaced, even by this command. Returns true if it differs from
    /// `stale`.
    async fn refresh_token(&self, address: &str, stale: &Secret) -> bool {
        let mut connection = self.connection.lock().await;
        let running = RunInfo::running(&self.home).filter(|info| info.address == address);
        if let Some(info) = running.filter(|_| connection.address == address) {
            connection.token = info.token;
        }
        connection.token != *stale
    }

    /// Finds or starts the server again: it may have belonged to a command that has ended, or may have restarted.
    async fn reconnect(&self, lost: &str) -> anyhow::Result<()> {
        let mut connection = self.connection.lock().await;
        if connection.address == lost {
            *connection = Connection::find_or_start(&self.home, self.starter.as_ref()).await?;
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
    use crate::connection::{OwnServer, listens};

    /// Starts nothing.
    struct NoServer;

    #[async_trait::async_trait]
    impl ServerStarter for NoServer {
        async fn start(&self) -> anyhow::Result<OwnServer> {
            anyhow::bail!("no server is started here")
        }
    }

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
            let ending = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let next = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let lock = HomeLock::acquire(home.path()).unwrap();
            let (gone, there) = (info(&ending, "old"), info(&next, "new"));
            let file = RunFile::write(&lock, home.path(), &gone).unwrap();
            let client = Client::new(home.path(), Arc::new(NoServer), Connection::to(&gone)).unwrap();
            let serving = tokio::spawn(serve(next, "new"));
            let ending = takes_the_request.then_some(ending);
            let changing = async {
                if let Some(ending) = ending {
                    let (mut socket, _) = ending.accept().await.unwrap();
                    assert!(socket.read(&mut [0; 4096]).await.unwrap() > 0);
                }
                // The run file still exists, but nothing listens at its address.
                assert!(!listens(&gone.address).await);
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
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let [old, another] = ["old-token", "another-token"].map(|token| info(&listener, token));
        let serving = tokio::spawn(serve(listener, "another-token"));
        let lock = HomeLock::acquire(home.path()).unwrap();
        let client = Client::new(home.path(), Arc::new(NoServer), Connection::to(&old)).unwrap();
        for (in_file, expected) in [(old, None), (another, Some("welcome"))] {
            let _file = RunFile::write(&lock, home.path(), &in_file).unwrap();
            let answer: anyhow::Result<String> = client.post("/", &()).await;
            assert_eq!(answer.ok().as_deref(), expected, "{}", in_file.token.expose());
        }
        serving.abort();
    }
}
