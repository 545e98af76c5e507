//! Accepting of connections, over plain HTTP and TLS, with timeouts and limits.
//!
//! Half-open connections use up places and file descriptors. The number of places is therefore limited, with a separate
//! share for this machine. A connection that keeps the server waiting too long is closed; if no place is left, the one
//! that has kept it waiting longest is closed. A connection whose request is being answered is never closed for that,
//! and a client may read a response as slowly as it likes.

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

use self::body::{Answering, Awaited};
pub use self::files::raise_file_limit;
use self::stream::Stream;
use self::table::{Id, Table};
pub use self::table::{Peer, Side};
use crate::lan::{CurrentCertificate, shake_hands};

/// The pause after an accept error, such as too many open files.
const REST: Duration = Duration::from_millis(100);
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The maximum size of a request head, which is buffered in memory until it is complete.
const LONGEST_HEAD: usize = 64 * 1024;

/// The number of connections, and the timeout of each phase of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
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

impl Limits {
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
pub struct Connections(Arc<Mutex<Table>>);

/// The transport of incoming connections.
pub enum Way {
    Plain,
    Tls(CurrentCertificate),
}

/// The place of one connection. Cloning is cheap; [`Stream`] releases it at the end of the connection.
#[derive(Clone)]
struct Place {
    connections: Connections,
    id: Id,
    peer: Peer,
    /// Cancelled when the connection has to close.
    end: CancellationToken,
}

impl Peer {
    /// Returns the peer that sent a request. Requests without a connection are the server's own.
    pub fn of(extensions: &Extensions) -> Self {
        let ours = || Self::new(Side::Here, IpAddr::V4(Ipv4Addr::LOCALHOST));
        extensions.get().copied().unwrap_or_else(ours)
    }
}

impl<S: Sync> FromRequestParts<S> for Peer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(&parts.extensions))
    }
}

/// Releases a place on drop.
struct Held(Place);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.table().remove(self.0.id);
    }
}

impl Place {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.connections.table()
    }

    fn note(&self, change: impl FnOnce(&mut Table, Id, Instant)) {
        change(&mut self.table(), self.id, Instant::now());
    }
}

impl Connections {
    pub fn new(limits: Limits) -> Self {
        Self(Arc::new(Mutex::new(Table::new(limits))))
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self, peer: Peer, end: CancellationToken) -> Option<Held> {
        let id = self.table().admit(peer, end.clone(), Instant::now())?;
        Some(Held(Place { connections: self.clone(), id, peer, end }))
    }

    /// Serves connections until `closing`, and returns when all running requests are answered. `end` aborts everything
    /// at once.
    pub async fn serve(
        &self,
        listener: TcpListener,
        way: Way,
        router: Router,
        closing: &CancellationToken,
        end: &CancellationToken,
    ) {
        let tasks = TaskTracker::new();
        let mut look = tokio::time::interval(LOOK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = look.tick() => {
                    self.table().end_overdue(Instant::now());
                    continue;
                }
                () = closing.cancelled() => break,
                () = end.cancelled() => break,
            };
            match accepted {
                Ok((stream, peer)) => self.welcome(stream, peer, &way, &router, closing, end, &tasks),
                Err(error) => {
                    tracing::debug!("a connection failed before it began: {error}");
                    tokio::time::sleep(REST).await;
                }
            }
        }
        drop(listener);
        tasks.close();
        tasks.wait().await;
    }

    #[expect(clippy::too_many_arguments, reason = "what one loop knows, for one connection")]
    fn welcome(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        way: &Way,
        router: &Router,
        closing: &CancellationToken,
        end: &CancellationToken,
        tasks: &TaskTracker,
    ) {
        let is_here = matches!(way, Way::Plain) && peer.ip().to_canonical().is_loopback();
        let side = if is_here { Side::Here } else { Side::Elsewhere };
        // A machine may have a public address too, but TLS is meant for its own network.
        if matches!(way, Way::Tls(_)) && host::is_public(peer.ip()) {
            return;
        }
        let Some(held) = self.place(Peer::new(side, peer.ip()), end.child_token()) else {
            tracing::debug!("no place is left for {peer}");
            return;
        };
        // Streamed tokens are small and must be sent at once.
        drop(stream.set_nodelay(true));
        let (router, closing) = (router.clone(), closing.clone());
        match way {
            Way::Plain => {
                tasks.spawn(speak(stream, held, router, closing));
            }
            Way::Tls(certificate) => {
                let config = certificate.get();
                tasks.spawn(async move {
                    let end = held.0.end.clone();
                    let shaken = tokio::select! {
                        shaken = shake_hands(stream, config) => shaken,
                        () = end.cancelled() => return,
                    };
                    if let Ok(Some(stream)) = shaken {
                        speak(stream, held, router, closing).await;
                    }
                });
            }
        }
    }
}

/// Serves HTTP on one connection until either side closes it.
async fn speak<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    held: Held,
    router: Router,
    closing: CancellationToken,
) {
    let place = held.0.clone();
    place.note(Table::is_open);
    let end = place.end.clone();
    let service = service_fn(move |request| answer(router.clone(), place.clone(), request));
    let mut http = http1::Builder::new();
    http.max_buf_size(LONGEST_HEAD);
    let connection = http.serve_connection(TokioIo::new(Stream::new(stream, held)), service).with_upgrades();
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
    place: Place,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    place.note(Table::request_came);
    let mut request = request.map(|body| Body::new(Awaited::new(body, place.clone())));
    request.extensions_mut().insert(place.peer);
    let response = router.oneshot(request).await?;
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        place.note(Table::upgraded);
        return Ok(response);
    }
    Ok(response.map(|body| Body::new(Answering::new(body, place))))
}

#[cfg(test)]
#[path = "connections_tests.rs"]
mod tests;
