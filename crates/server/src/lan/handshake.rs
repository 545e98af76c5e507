//! The TLS handshake of incoming connections.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustls::ServerConfig;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// The first byte of every TLS handshake.
const HANDSHAKE: u8 = 0x16;
/// The most bytes of a plain HTTP request that are read and discarded.
const LONGEST_UNREAD: u64 = 64 * 1024;

/// The certificate for new connections. Cloning is cheap.
#[derive(Clone)]
pub struct CurrentCertificate(Arc<Mutex<Arc<ServerConfig>>>);

impl CurrentCertificate {
    pub fn new(config: Arc<ServerConfig>) -> Self {
        Self(Arc::new(Mutex::new(config)))
    }

    pub fn get(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.lock())
    }

    pub fn replace(&self, config: Arc<ServerConfig>) {
        *self.lock() = config;
    }

    fn lock(&self) -> MutexGuard<'_, Arc<ServerConfig>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Performs the handshake. Returns `None` if the client spoke plain HTTP and was redirected.
pub async fn shake_hands(
    mut stream: TcpStream,
    config: Arc<ServerConfig>,
) -> io::Result<Option<TlsStream<TcpStream>>> {
    let mut first = [0];
    if stream.peek(&mut first).await? == 1 && first[0] != HANDSHAKE {
        // The client omitted `https`. This redirect is the only thing that is ever sent unencrypted.
        let here = stream.local_addr()?;
        let moved = format!(
            "HTTP/1.1 308 Permanent Redirect\r\nLocation: https://{here}/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(moved.as_bytes()).await?;
        stream.shutdown().await?;
        // Closing a socket with unread input resets the connection, and the client may lose the response.
        tokio::io::copy(&mut stream.take(LONGEST_UNREAD), &mut tokio::io::sink()).await?;
        return Ok(None);
    }
    TlsAcceptor::from(config).accept(stream).await.map(Some)
}
