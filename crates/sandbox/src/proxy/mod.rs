//! The proxy of one program: the only way out of its network. It resolves names itself and connects only to permitted
//! hosts.

mod refusal;
mod relay;
mod request;
mod ways;

use std::sync::Arc;
use std::time::Duration;

use host::Hosts;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

use self::refusal::Refusal;
use self::request::{Kind, Request};
use self::ways::{TheInternet, Ways};
use crate::handover::Outside;

const LONGEST_HEAD: usize = 16 * 1024;
/// The maximum number of concurrent connections. Further ones wait.
const MOST_CONNECTIONS: usize = 32;
/// The number of bytes still read from a refused client, so that it gets to read the response.
const LAST_WORDS: u64 = 64 * 1024;
/// The pause when accepting fails, for example because no file can be opened.
const BREATH: Duration = Duration::from_millis(100);

/// Timeouts of the proxy.
#[derive(Debug, Clone, Copy)]
struct Patience {
    /// The time for the whole head of a request.
    head: Duration,
    /// The time for name resolution and connecting.
    connect: Duration,
    /// The time without any data in either direction.
    silence: Duration,
}

const PATIENCE: Patience = Patience {
    head: Duration::from_secs(10),
    connect: Duration::from_secs(15),
    silence: Duration::from_mins(2),
};

/// A running proxy. Dropping it stops it and closes all its connections.
#[derive(Debug)]
pub struct Proxy(JoinHandle<()>);

impl Proxy {
    /// Serves connections to the listener that comes out of the program's network.
    pub fn start(line: Outside, hosts: Hosts) -> Self {
        let ways = Ways { hosts, internet: Arc::new(TheInternet), patience: PATIENCE };
        Self(tokio::spawn(async move {
            match line.listener().await {
                Ok(listener) => serve(listener, Arc::new(ways)).await,
                // The launcher itself reports why it did not start.
                Err(error) => tracing::debug!("a program's network has no listener: {error}"),
            }
        }))
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn serve(listener: TcpListener, ways: Arc<Ways>) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut connections = JoinSet::new();
    while let Ok(place) = Arc::clone(&room).acquire_owned().await {
        match listener.accept().await {
            Ok((client, _)) => {
                let ways = Arc::clone(&ways);
                connections.spawn(async move {
                    attend(client, &ways).await;
                    drop(place);
                });
            }
            Err(_) => sleep(BREATH).await,
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn attend(mut client: TcpStream, ways: &Ways) {
    let Err(refusal) = pass_on(&mut client, ways).await else { return };
    let _ = timeout(ways.patience.head, async {
        client.write_all(refusal.answer().as_bytes()).await?;
        client.shutdown().await?;
        // Closing while the client still sends could make it miss the response.
        tokio::io::copy(&mut client.take(LAST_WORDS), &mut tokio::io::sink()).await
    })
    .await;
}

async fn pass_on(client: &mut TcpStream, ways: &Ways) -> Result<(), Refusal> {
    let silence = ways.patience.silence;
    let listening = timeout(ways.patience.head, hear(client));
    let Some((head, early)) = listening.await.map_err(|_| Refusal::Slow)?? else { return Ok(()) };
    let Request { host, port, kind } = request::parse(&head)?;
    let mut server = ways.connect(&host, port).await?;
    match kind {
        Kind::Tunnel => {
            let begun = async {
                client.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").await?;
                server.write_all(&early).await
            };
            if matches!(timeout(silence, begun).await, Ok(Ok(()))) {
                relay::tunnel(client, &mut server, silence).await;
            }
        }
        Kind::Plain { head, body } => {
            let known = usize::try_from(body).map_or(early.len(), |body| body.min(early.len()));
            let begun = async {
                server.write_all(&head).await?;
                server.write_all(&early[..known]).await
            };
            if !matches!(timeout(silence, begun).await, Ok(Ok(()))) {
                return Err(Refusal::Silent(host.to_string()));
            }
            relay::exchange(client, &mut server, body - known as u64, silence).await;
        }
    }
    Ok(())
}

/// Reads the head of a request and any data received after it. `None` if the client sends nothing.
async fn hear(client: &mut TcpStream) -> Result<Option<(Vec<u8>, Vec<u8>)>, Refusal> {
    const END: &[u8] = b"\r\n\r\n";
    let mut heard = Vec::new();
    loop {
        let looked_at = heard.len().saturating_sub(END.len() - 1);
        match client.read_buf(&mut heard).await {
            Ok(0) if heard.is_empty() => return Ok(None),
            Ok(0) => return Err(Refusal::Malformed),
            Ok(_) => {}
            Err(_) => return Ok(None),
        }
        if let Some(place) = heard[looked_at..].windows(END.len()).position(|window| window == END) {
            let early = heard.split_off(looked_at + place + END.len());
            return if heard.len() > LONGEST_HEAD { Err(Refusal::TooLong) } else { Ok(Some((heard, early))) };
        }
        if heard.len() > LONGEST_HEAD {
            return Err(Refusal::TooLong);
        }
    }
}

#[cfg(test)]
#[path = "proxy_tests.rs"]
mod tests;
