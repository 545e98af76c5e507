//! Accepting of connections, over plain HTTP and TLS, with timeouts and limits.
//!
//! Half-open connections use up slots and file descriptors. The number of slots is therefore limited, with a separate
//! share for this machine. A connection that keeps the server waiting too long is closed; if no slot is left, the one
//! that has kept it waiting longest is closed. A connection whose request is being answered is never closed for that,
//! and a client may read a response as slowly as it likes.
//!
//! `axum::serve` has no such limits: it waits forever for a client that connects and sends nothing. The decisions are
//! in `table.rs`, which takes the time as an argument, so that they are tested without sockets.

mod body;
mod files;
mod stream;
mod table;

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Extensions, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

use self::body::{TrackedRequestBody, TrackedResponseBody};
pub use self::files::raise_file_limit;
use self::stream::Stream;
use self::table::{ConnectionTable, Id};
pub use self::table::{Peer, PeerSide};
use crate::lan::{CurrentCertificate, shake_hands};

/// The pause after an accept error, such as too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// The maximum size of a request head, which is buffered in memory until it is complete.
const LONGEST_HEAD: usize = 64 * 1024;

/// The number of connections, and the timeout of each phase of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionLimits {
    pub here: usize,
    pub elsewhere: usize,
    pub of_one_address: usize,
    pub handshake: Duration,
    pub head: Duration,
    /// The time between two requests.
    pub idle: Duration,
    /// The time to wait for the next part of a body.
    pub body: Duration,
    /// The time to wait for the next message after an upgrade. Clients are pinged every few seconds.
    pub silence: Duration,
}

impl ConnectionLimits {
    /// Returns limits that leave enough file descriptors for everything else.
    pub fn for_files(files: usize) -> Self {
        Self {
            here: (files / 2).min(1024),
            elsewhere: (files / 8).min(512),
            of_one_address: (files / 16).min(64),
            handshake: Duration::from_secs(10),
            head: Duration::from_secs(20),
            idle: Duration::from_mins(2),
            body: Duration::from_mins(1),
            silence: Duration::from_mins(1),
        }
    }
}

/// All connections of the server. Cloning is cheap.
#[derive(Clone)]
pub struct Connections(Arc<Mutex<ConnectionTable>>);

/// The transport of incoming connections.
pub enum ListenerTransport {
    Plain,
    Tls(CurrentCertificate),
}

/// The slot of one connection. Cloning is cheap; [`Stream`] releases it at the end of the connection.
#[derive(Clone)]
struct ConnectionSlot {
    connections: Connections,
    id: Id,
    peer: Peer,
    /// Cancelled when the connection has to close.
    end: CancellationToken,
}

impl Peer {
    /// Returns the peer that sent a request. Requests without a connection are the server's own.
    pub fn of(extensions: &Extensions) -> Self {
        let ours = || Self::new(PeerSide::Here, IpAddr::V4(Ipv4Addr::LOCALHOST));
        extensions.get().copied().unwrap_or_else(ours)
    }
}

impl<S: Sync> FromRequestParts<S> for Peer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(&parts.extensions))
    }
}

/// A reserved slot, which is released on drop.
struct ReservedSlot(ConnectionSlot);

impl Drop for ReservedSlot {
    fn drop(&mut self) {
        self.0.table().remove(self.0.id);
    }
}

impl ConnectionSlot {
    fn table(&self) -> MutexGuard<'_, ConnectionTable> {
        self.connections.table()
    }

    fn note(&self, change: impl FnOnce(&mut ConnectionTable, Id, Instant)) {
        change(&mut self.table(), self.id, Instant::now());
    }
}

impl Connections {
    pub fn new(limits: ConnectionLimits) -> Self {
        Self(Arc::new(Mutex::new(ConnectionTable::new(limits))))
    }

    fn table(&self) -> MutexGuard<'_, ConnectionTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reserve(&self, peer: Peer, end: CancellationToken) -> Option<ReservedSlot> {
        let id = self.table().admit(peer, end.clone(), Instant::now())?;
        Some(ReservedSlot(ConnectionSlot { connections: self.clone(), id, peer, end }))
    }

    /// Serves connections until `closing`, and returns when all running requests are answered. `end` aborts everything
    /// at once.
    pub async fn serve(
        &self,
        listener: TcpListener,
        way: ListenerTransport,
        router: Router,
        closing: &CancellationToken,
        end: &CancellationToken,
    ) {
        let tasks = TaskTracker::new();
        let mut checks = tokio::time::interval(CHECK_INTERVAL);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = checks.tick() => {
                    self.table().end_overdue(Instant::now());
                    continue;
                }
                () = closing.cancelled() => break,
                () = end.cancelled() => break,
            };
            match accepted {
                Ok((stream, peer)) => self.start(stream, peer, &way, &router, closing, end, &tasks),
                Err(error) => {
                    tracing::debug!("a connection could not be accepted: {error}");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        drop(listener);
        tasks.close();
        tasks.wait().await;
    }

    #[expect(clippy::too_many_arguments, reason = "the state of the accept loop, for one connection")]
    fn start(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        way: &ListenerTransport,
        router: &Router,
        closing: &CancellationToken,
        end: &CancellationToken,
        tasks: &TaskTracker,
    ) {
        let is_here = matches!(way, ListenerTransport::Plain) && peer.ip().to_canonical().is_loopback();
        let side = if is_here { PeerSide::Here } else { PeerSide::Elsewhere };
        // A machine may have a public address too, but TLS is meant for its own network.
        if matches!(way, ListenerTransport::Tls(_)) && host::is_public(peer.ip()) {
            return;
        }
        let Some(reserved) = self.reserve(Peer::new(side, peer.ip()), end.child_token()) else {
            tracing::debug!("no slot is free for {peer}");
            return;
        };
        // Streamed tokens are small and must be sent at once.
        drop(stream.set_nodelay(true));
        let (router, closing) = (router.clone(), closing.clone());
        match way {
            ListenerTransport::Plain => {
                tasks.spawn(serve_http(stream, reserved, router, closing));
            }
            ListenerTransport::Tls(certificate) => {
                let config = certificate.get();
                tasks.spawn(async move {
                    let end = reserved.0.end.clone();
                    let shaken = tokio::select! {
                        shaken = shake_hands(stream, config) => shaken,
                        () = end.cancelled() => return,
                    };
                    if let Ok(Some(stream)) = shaken {
                        serve_http(stream, reserved, router, closing).await;
                    }
                });
            }
        }
    }
}

/// Serves HTTP on one connection until either side closes it.
async fn serve_http<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    reserved: ReservedSlot,
    router: Router,
    closing: CancellationToken,
) {
    let slot = reserved.0.clone();
    slot.note(ConnectionTable::is_open);
    let end = slot.end.clone();
    let service = service_fn(move |request| answer(router.clone(), slot.clone(), request));
    let mut http = http1::Builder::new();
    http.max_buf_size(LONGEST_HEAD);
    let connection =
        http.serve_connection(TokioIo::new(Stream::new(stream, reserved)), service).with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        () = end.cancelled() => return,
        () = closing.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    tokio::select! {
        _ = connection => {}
        () = end.cancelled() => {}
    }
}

async fn answer(
    router: Router,
    slot: ConnectionSlot,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    slot.note(ConnectionTable::request_came);
    let mut request = request.map(|body| Body::new(TrackedRequestBody::new(body, slot.clone())));
    request.extensions_mut().insert(slot.peer);
    let response = router.oneshot(request).await?;
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        slot.note(ConnectionTable::upgraded);
        return Ok(response);
    }
    Ok(response.map(|body| Body::new(TrackedResponseBody::new(body, slot))))
}

#[cfg(test)]
#[path = "connections_tests.rs"]
mod tests;
