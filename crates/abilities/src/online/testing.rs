//! A server on this machine with scripted answers, and a network in which all names lead to it.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use config::Config;
use protocol::{ConversationId, UserId};
use reqwest::Url;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tools::Invocation;

use crate::web::{Limits, Network, Web};
use crate::{Mind, Settings, Task};

/// A received request.
#[derive(Debug, Clone)]
pub struct Asked {
    head: String,
    pub body: String,
}

impl Asked {
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

type Answer = dyn Fn(&Asked) -> String + Send + Sync;

pub struct Stage {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    server: JoinHandle<()>,
    /// Notified each time a client gives up waiting for an answer.
    gone: Arc<tokio::sync::Notify>,
    arrived: Arc<tokio::sync::Notify>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Stage {
    /// Starts the server. An empty answer means none: the client keeps waiting.
    pub async fn open(answer: impl Fn(&Asked) -> String + Send + Sync + 'static) -> Self {
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

    pub fn asked(&self) -> Vec<Asked> {
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
        let limits = Limits { time, ..Limits::default() };
        Arc::new(Web::new(Arc::new(Names(self.address)), limits).unwrap())
    }
}

type Served = (Arc<Answer>, Arc<Mutex<Vec<Asked>>>, Arc<tokio::sync::Notify>, Arc<tokio::sync::Notify>);

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

async fn read(socket: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let asked = Asked { head: head.to_owned(), body: body.to_owned() };
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
impl Network for Names {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        if host.ends_with(".example") {
            return Ok(vec!["93.184.216.34".parse().unwrap()]);
        }
        Err(io::ErrorKind::NotFound.into())
    }

    fn way_to(&self, _: SocketAddr) -> SocketAddr {
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

/// Returns default settings with the test's changes.
pub fn settings(change: impl FnOnce(&mut Config)) -> Settings {
    let mut config = Config::default();
    change(&mut config);
    let config = Arc::new(config);
    Arc::new(move || Arc::clone(&config))
}

pub fn invocation(arguments: Value, folder: &Path) -> Invocation {
    let Value::Object(arguments) = arguments else { panic!("an object") };
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

/// A model with scripted answers, and none once they are used up.
#[derive(Default)]
pub struct Script {
    lines: Mutex<Vec<Option<String>>>,
    pub tasks: Mutex<Vec<Task>>,
}

impl Script {
    pub fn new(lines: &[Option<&str>]) -> Arc<Self> {
        let lines = lines.iter().rev().map(|line| line.map(ToOwned::to_owned)).collect();
        Arc::new(Self { lines: Mutex::new(lines), tasks: Mutex::default() })
    }
}

#[async_trait]
impl Mind for Script {
    async fn write(&self, task: Task, _: &CancellationToken) -> Option<String> {
        self.tasks.lock().unwrap().push(task);
        self.lines.lock().unwrap().pop().flatten()
    }
}
