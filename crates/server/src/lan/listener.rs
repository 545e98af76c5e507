//! Connections by TLS. Shaking hands takes its time with each, so nobody waits for another's.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tokio_util::task::AbortOnDropHandle;

const HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);
const MOST_HANDSHAKES: usize = 64;
/// After an error of the system, such as too many open files.
const REST: Duration = Duration::from_millis(500);
/// With which every handshake begins.
const HANDSHAKE: u8 = 0x16;

/// By which certificate the next connection is met.
pub type Current = Arc<Mutex<Arc<ServerConfig>>>;

pub struct TlsListener {
    ready: mpsc::Receiver<(Connection, SocketAddr)>,
    address: SocketAddr,
    _accepting: AbortOnDropHandle<()>,
}

impl TlsListener {
    /// All connections end with `end`, also those that were opened before.
    pub fn new(listener: TcpListener, current: Current, end: CancellationToken) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let (hands, ready) = mpsc::channel(MOST_HANDSHAKES);
        let accepting = AbortOnDropHandle::new(tokio::spawn(accept(listener, current, end, hands)));
        Ok(Self { ready, address, _accepting: accepting })
    }
}

async fn accept(
    listener: TcpListener,
    current: Current,
    end: CancellationToken,
    hands: mpsc::Sender<(Connection, SocketAddr)>,
) {
    let room = Arc::new(Semaphore::new(MOST_HANDSHAKES));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::debug!("a connection from the network failed: {error}");
                tokio::time::sleep(REST).await;
                continue;
            }
        };
        // A machine may have an address of the whole internet, too: this is for those beside it.
        if host::is_public(peer.ip()) {
            continue;
        }
        let config = Arc::clone(&current.lock().unwrap_or_else(PoisonError::into_inner));
        let (hands, end) = (hands.clone(), end.clone());
        tokio::spawn(async move {
            let _place = place;
            if let Ok(Ok(Some(stream))) = timeout(HANDSHAKE_LIMIT, shake_hands(stream, config)).await {
                let _ = hands.send((Connection::new(stream, end), peer)).await;
            }
        });
    }
}

async fn shake_hands(
    mut stream: TcpStream,
    config: Arc<ServerConfig>,
) -> io::Result<Option<TlsStream<TcpStream>>> {
    stream.set_nodelay(true)?;
    let mut first = [0];
    if stream.peek(&mut first).await? == 1 && first[0] != HANDSHAKE {
        // Somebody left the `https` out. Nothing else is ever said in the open.
        let here = stream.local_addr()?;
        let moved = format!(
            "HTTP/1.1 308 Permanent Redirect\r\nLocation: https://{here}/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(moved.as_bytes()).await?;
        stream.shutdown().await?;
        return Ok(None);
    }
    TlsAcceptor::from(config).accept(stream).await.map(Some)
}

impl Listener for TlsListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(accepted) => accepted,
            // The task that accepts goes with this one.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

/// A connection that breaks when the network is switched off: a server that stops leaves open streams alone.
pub struct Connection {
    stream: TlsStream<TcpStream>,
    token: CancellationToken,
    end: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl Connection {
    fn new(stream: TlsStream<TcpStream>, token: CancellationToken) -> Self {
        Self { stream, end: Box::pin(token.clone().cancelled_owned()), token }
    }

    fn is_open(&self) -> io::Result<()> {
        if self.token.is_cancelled() { Err(io::ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // Somebody always waits for the next bytes, and is told by this.
        if self.end.as_mut().poll(context).is_ready() {
            return Poll::Ready(self.is_open());
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.is_open()?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.is_open()?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
