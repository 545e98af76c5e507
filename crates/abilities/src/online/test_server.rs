//! A server on this machine with scripted answers, and a network in which all names lead to it.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use reqwest::Url;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::web::{FetchLimits, Web, WebNetwork};

/// A received request.
#[derive(Debug, Clone)]
pub struct ReceivedRequest {
    head: String,
    pub body: String,
}

impl ReceivedRequest {
    pub fn method(&self) -> &str {
        self.head.split(' ').next().unwrap_or_default()
    }

    pub fn target(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }

    pub fn path(&self) -> &str {
        self.target().split('?').next().unwrap_or_default()
    }

    pub fn query(&self, name: &str) -> Option<String> {
        let url = Url::parse("http://x").unwrap().join(self.target()).unwrap();
        url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

type Answer = dyn Fn(&ReceivedRequest) -> String + Send + Sync;

pub struct TestServer {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<ReceivedRequest>>>,
    server: JoinHandle<()>,
    /// Notified each time a client gives up waiting for an answer.
    gone: Arc<tokio::sync::Notify>,
    arrived: Arc<tokio::sync::Notify>,
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl TestServer {
    /// Starts the server. An empty answer means none: the client keeps waiting.
    pub async fn open(answer: impl Fn(&ReceivedRequest) -> String + Send + Sync + 'static) -> Self {
        model::install_crypto();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (gone, arrived) = (Arc::default(), Arc::default());
        let answer: Arc<Answer> = Arc::new(answer);
        let (log, left, came) = (Arc::clone(&asked), Arc::clone(&gone), Arc::clone(&arrived));
        let server = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let parts = (Arc::clone(&answer), Arc::clone(&log), Arc::clone(&left), Arc::clone(&came));
                tokio::spawn(serve(socket, parts));
            }
        });
        Self { address, asked, server, gone, arrived }
    }

    pub fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).unwrap()
    }

    pub fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.asked.lock().unwrap().clone()
    }

    pub async fn arrived(&self) {
        self.arrived.notified().await;
    }

    pub async fn gone(&self) {
        self.gone.notified().await;
    }

    /// Returns a web client for which every name ending in `.example` leads here.
    pub fn web(&self) -> Arc<Web> {
        self.web_within(Duration::from_secs(10))
    }

    pub fn web_within(&self, time: Duration) -> Arc<Web> {
        let limits = FetchLimits { time, ..FetchLimits::default() };
        Arc::new(Web::new(Arc::new(Names(self.address)), limits).unwrap())
    }
}

type Served =
    (Arc<Answer>, Arc<Mutex<Vec<ReceivedRequest>>>, Arc<tokio::sync::Notify>, Arc<tokio::sync::Notify>);

async fn serve(mut socket: TcpStream, (answer, log, gone, arrived): Served) {
    let Some(asked) = read(&mut socket).await else { return };
    log.lock().unwrap().push(asked.clone());
    let text = answer(&asked);
    arrived.notify_one();
    if text.is_empty() {
        while socket.read(&mut [0; 64]).await.is_ok_and(|read| read > 0) {}
        gone.notify_one();
        return;
    }
    socket.write_all(text.as_bytes()).await.ok();
    socket.shutdown().await.ok();
}

async fn read(socket: &mut TcpStream) -> Option<ReceivedRequest> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let asked = ReceivedRequest { head: head.to_owned(), body: body.to_owned() };
            let length = asked.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
            if body.len() >= length {
                return Some(asked);
            }
        }
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

struct Names(SocketAddr);

#[async_trait]
impl WebNetwork for Names {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        if host.ends_with(".example") {
            return Ok(vec!["93.184.216.34".parse().unwrap()]);
        }
        Err(io::ErrorKind::NotFound.into())
    }

    fn connect_address(&self, _: SocketAddr) -> SocketAddr {
        self.0
    }
}

pub fn http(status: u16, kind: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status} Said\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

pub fn json(value: &Value) -> String {
    http(200, "application/json", &value.to_string())
}
