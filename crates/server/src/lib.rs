//! HTTP, server-sent events and WebSocket: the routes, their access checks, and the embedded web app.
//!
//! This is the only crate with HTTP server code. It contains no logic of conversations or models: each handler passes
//! the request to the crate in charge and writes the response. All routes are in one table, from which the router, the
//! access check and the OpenAPI document are generated.
//!
//! A request passes `connections` (limits and timeouts), `guard` (the host name, the caller, the requesting page and
//! the body), and its handler. Streams follow the log of a turn, so a slow client delays nobody, and one that lost its
//! connection asks again from the last event that it received. `lan` adds TLS for phones in the local network, and
//! `/mcp` offers memory and answers to other agents.
//!
//! Start with [`Server`] and with the route table in `routes/mod.rs`.

mod attempts;
mod auth;
mod connections;
mod cors;
mod error;
mod export;
mod guard;
mod headers;
mod input;
mod lan;
mod mcp_handler;
mod mcp_sessions;
mod metrics;
mod openapi;
mod output;
mod owner_token;
mod presence;
mod route;
mod routes;
mod sse;
mod state;
mod web;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use abilities::online::{spotify, tiles::Tiles};
use avatar::AvatarAssets;
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use companion::{Companion, Supervisor};
use config::LiveConfig;
use host::{Clock, Secret};
use model::Roster;
use protocol::UserId;
use store::Store;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

pub use owner_token::{OwnerTokenStorage, RotateError};
pub use route::Access;
pub use web::has_web_app;

use crate::auth::Auth;
use crate::connections::{ConnectionLimits, Connections, ListenerTransport, raise_file_limit};
use crate::lan::LanAccess;
use crate::mcp_handler::Luna;
use crate::mcp_sessions::McpSessions;
use crate::metrics::Metrics;
pub use crate::state::Mcp;
use crate::state::{ServerState, Shared};

/// The time that open connections have to end by themselves when the server stops.
const SHUTDOWN_TIME: Duration = Duration::from_secs(3);

/// The components of a [`Server`].
pub struct ServerParts {
    pub companion: Companion,
    pub store: Arc<Store>,
    pub roster: Roster,
    pub config: Arc<LiveConfig>,
    pub supervisor: Supervisor,
    pub clock: Arc<dyn Clock>,
    pub owner: UserId,
    /// The owner's token.
    pub token: Secret,
    pub keeper: Box<dyn OwnerTokenStorage>,
    pub spotify: Arc<spotify::SpotifyAuth>,
    pub tiles: Arc<Tiles>,
    pub avatar_assets: Arc<AvatarAssets>,
    pub mcp: Mcp,
    /// The folder of the certificate authority.
    pub lan: PathBuf,
    pub version: &'static str,
}

/// The HTTP server on one address.
pub struct Server {
    app: ServerState,
    listener: TcpListener,
}

/// One entry of the route table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteInfo {
    pub method: String,
    pub path: &'static str,
    pub access: Access,
}

/// Returns all routes, for tests that iterate over them.
pub fn routes() -> Vec<RouteInfo> {
    let route = |route: route::Route| RouteInfo {
        method: route.method.to_string(),
        path: route.path,
        access: route.access,
    };
    routes::all().into_iter().map(route).collect()
}

impl Server {
    /// Binds the address. Nothing is served before [`Server::run`].
    pub async fn bind(parts: ServerParts, address: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        // Each connection is a file descriptor, and the default limit is soon reached.
        let connections = Connections::new(ConnectionLimits::for_files(raise_file_limit()));
        let (started, closing) = (parts.clock.now(), CancellationToken::new());
        let luna = Arc::new(Luna { companion: parts.companion.clone() });
        let app = ServerState::new(Shared {
            companion: parts.companion,
            auth: Auth::new(
                Arc::clone(&parts.store),
                parts.owner,
                parts.token,
                parts.keeper,
                Arc::clone(&parts.clock),
            ),
            store: parts.store,
            roster: parts.roster,
            config: parts.config,
            supervisor: parts.supervisor,
            clock: parts.clock,
            spotify: parts.spotify,
            tiles: parts.tiles,
            avatar_assets: parts.avatar_assets,
            presence: Arc::default(),
            mcp: parts.mcp,
            lan: LanAccess::new(parts.lan),
            metrics: Metrics::default(),
            openapi: openapi::document(&routes::all(), parts.version),
            version: parts.version,
            started,
            address: listener.local_addr()?,
            served: mcp::serve(luna, closing.clone()),
            connections,
            agents: McpSessions::default(),
            closing,
        });
        Ok(Self { app, listener })
    }

    pub fn address(&self) -> SocketAddr {
        self.app.address
    }

    /// Creates a one-time code that signs in one browser.
    pub fn open_code(&self) -> Secret {
        self.app.auth.make_code().0
    }

    /// Serves until `stop` is cancelled. Then running turns are stored as partial, and connections are closed.
    pub async fn run(self, stop: CancellationToken) {
        let Self { app, listener } = self;
        let following = AbortOnDropHandle::new(tokio::spawn(follow_settings(app.clone())));
        let router = router(&app);
        let network = lan::follow(app.clone(), router.clone(), app.closing.clone());
        let network = AbortOnDropHandle::new(tokio::spawn(network));
        let (closing, companion) = (app.closing.clone(), app.companion.clone());
        let shutdown = async {
            stop.cancelled().await;
            companion.close().await;
            closing.cancel();
            tokio::time::sleep(SHUTDOWN_TIME).await;
        };
        let never = CancellationToken::new();
        tokio::select! {
            () = app.connections.serve(listener, ListenerTransport::Plain, router, &app.closing, &never) => {}
            () = shutdown => {}
        }
        drop((following, network));
    }
}

/// Applies a changed owner's key whenever the settings are reloaded.
async fn follow_settings(app: ServerState) {
    let mut settings = app.config.subscribe();
    loop {
        app.auth.follow_settings();
        if settings.changed().await.is_err() {
            return;
        }
    }
}

fn router(app: &ServerState) -> Router {
    route::router(routes::all(), app)
        .method_not_allowed_fallback(web::wrong_method)
        .fallback(web::serve)
        .layer(from_fn_with_state(app.clone(), guard::known_host))
        .layer(from_fn(headers::guard))
        .layer(from_fn_with_state(app.clone(), cors::allow))
        .layer(from_fn_with_state(app.clone(), metrics::count))
        .layer(tower_http::catch_panic::CatchPanicLayer::new())
        .with_state(app.clone())
}
