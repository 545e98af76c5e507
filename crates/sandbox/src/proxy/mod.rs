//! The proxy of one program: the only way out of its network. It resolves names itself and connects only to permitted
//! hosts.

mod connector;
mod refusal;
mod relay;
mod request;

use std::sync::Arc;
use std::time::Duration;

use host::AllowedHosts;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

use self::connector::{Connector, ProxyTimeouts, RealInternet};
use self::refusal::ProxyRefusal;
use self::request::{ProxyRequest, RequestKind};
use crate::handover::ListenerReceiver;

const LONGEST_HEAD: usize = 16 * 1024;
/// The maximum number of concurrent connections. Further ones wait.
const MOST_CONNECTIONS: usize = 32;
/// The number of bytes still read from a refused client, so that it gets to read the response.
const MOST_DISCARDED: u64 = 64 * 1024;
/// The pause when accepting fails, for example because no file can be opened.
const RETRY_DELAY: Duration = Duration::from_millis(100);

const TIMEOUTS: ProxyTimeouts = ProxyTimeouts {
    head: Duration::from_secs(10),
    connect: Duration::from_secs(15),
    silence: Duration::from_mins(2),
};

/// A running proxy. Dropping it stops it and closes all its connections.
#[derive(Debug)]
pub struct Proxy(JoinHandle<()>);

impl Proxy {
    /// Serves connections to the listener that comes out of the program's network.
    pub fn start(receiver: ListenerReceiver, hosts: AllowedHosts) -> Self {
        let connector = Connector { hosts, internet: Arc::new(RealInternet), timeouts: TIMEOUTS };
        Self(tokio::spawn(async move {
            match receiver.listener().await {
                Ok(listener) => serve(listener, Arc::new(connector)).await,
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

async fn serve(listener: TcpListener, connector: Arc<Connector>) {
    let permits = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut connections = JoinSet::new();
    while let Ok(permit) = Arc::clone(&permits).acquire_owned().await {
        match listener.accept().await {
            Ok((client, _)) => {
                let connector = Arc::clone(&connector);
                connections.spawn(async move {
                    serve_client(client, &connector).await;
                    drop(permit);
                });
            }
            Err(_) => sleep(RETRY_DELAY).await,
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn serve_client(mut client: TcpStream, connector: &Connector) {
    let Err(refusal) = forward(&mut client, connector).await else { return };
    let _ = timeout(connector.timeouts.head, async {
        client.write_all(refusal.response().as_bytes()).await?;
        client.shutdown().await?;
        // Closing while the client still sends could make it miss the response.
        tokio::io::copy(&mut client.take(MOST_DISCARDED), &mut tokio::io::sink()).await
    })
    .await;
}

async fn forward(client: &mut TcpStream, connector: &Connector) -> Result<(), ProxyRefusal> {
    let silence = connector.timeouts.silence;
    let reading = timeout(connector.timeouts.head, read_head(client));
    let Some((head, early)) = reading.await.map_err(|_| ProxyRefusal::Slow)?? else { return Ok(()) };
    let ProxyRequest { host, port, kind } = request::parse(&head)?;
    let mut server = connector.connect(&host, port).await?;
    match kind {
        RequestKind::Tunnel => {
            let begun = async {
                client.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").await?;
                server.write_all(&early).await
            };
            if matches!(timeout(silence, begun).await, Ok(Ok(()))) {
                relay::tunnel(client, &mut server, silence).await;
            }
        }
        RequestKind::Plain { head, body } => {
            let known = usize::try_from(body).map_or(early.len(), |body| body.min(early.len()));
            let begun = async {
                server.write_all(&head).await?;
                server.write_all(&early[..known]).await
            };
            if !matches!(timeout(silence, begun).await, Ok(Ok(()))) {
                return Err(ProxyRefusal::Silent(host.to_string()));
            }
            relay::exchange(client, &mut server, body - known as u64, silence).await;
        }
    }
    Ok(())
}

/// Reads the head of a request and any data received after it. `None` if the client sends nothing.
async fn read_head(client: &mut TcpStream) -> Result<Option<(Vec<u8>, Vec<u8>)>, ProxyRefusal> {
    const END: &[u8] = b"\r\n\r\n";
    let mut received = Vec::new();
    loop {
        let searched = received.len().saturating_sub(END.len() - 1);
        match client.read_buf(&mut received).await {
            Ok(0) if received.is_empty() => return Ok(None),
            Ok(0) => return Err(ProxyRefusal::Malformed),
            Ok(_) => {}
            Err(_) => return Ok(None),
        }
        if let Some(end) = received[searched..].windows(END.len()).position(|window| window == END) {
            let early = received.split_off(searched + end + END.len());
            return if received.len() > LONGEST_HEAD {
                Err(ProxyRefusal::TooLong)
            } else {
                Ok(Some((received, early)))
            };
        }
        if received.len() > LONGEST_HEAD {
            return Err(ProxyRefusal::TooLong);
        }
    }
}

#[cfg(test)]
#[path = "proxy_tests.rs"]
mod tests;
