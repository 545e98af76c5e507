use std::net::{IpAddr, SocketAddr};
use std::ops::Deref;
use std::sync::Arc;

use abilities::online::{spotify, tiles::Tiles};
use avatar::AvatarAssets;
use companion::{Companion, Supervisor};
use config::LiveConfig;
use host::Clock;
use jiff::Timestamp;
use mcp::generated::GeneratedServers;
use mcp::{ConfiguredServers, McpService};
use model::{Roster, Sampling};
use sandbox::Sandbox;
use store::Store;
use tokio_util::sync::CancellationToken;

use crate::auth::{Auth, Caller};
use crate::connections::Connections;
use crate::lan::{LanAccess, RequestTransport};
use crate::mcp_handler::Luna;
use crate::mcp_sessions::McpSessions;
use crate::metrics::Metrics;
use crate::presence::Presence;

/// The shared state of the handlers. Cloning is cheap.
#[derive(Clone)]
pub struct ServerState(Arc<Shared>);

/// The components that all handlers share.
pub struct Shared {
    pub companion: Companion,
    pub store: Arc<Store>,
    pub roster: Roster,
    pub config: Arc<LiveConfig>,
    pub supervisor: Supervisor,
    pub auth: Auth,
    pub clock: Arc<dyn Clock>,
    pub spotify: Arc<spotify::SpotifyAuth>,
    pub tiles: Arc<Tiles>,
    pub avatar_assets: Arc<AvatarAssets>,
    pub presence: Arc<Presence>,
    pub mcp: Mcp,
    pub lan: LanAccess,
    pub metrics: Metrics,
    pub openapi: String,
    pub version: &'static str,
    pub started: Timestamp,
    pub address: SocketAddr,
    /// The MCP server for other agents.
    pub served: McpService<Luna>,
    pub connections: Connections,
    pub agents: McpSessions,
    /// Cancelled when the server stops.
    pub closing: CancellationToken,
}

/// The external MCP servers, the generated servers, and the sandbox for those.
#[derive(Clone)]
pub struct Mcp {
    pub servers: ConfiguredServers,
    pub generated: GeneratedServers,
    pub sandbox: Arc<Sandbox>,
}

/// The signals that end a stream early.
pub struct StreamEndSignals {
    /// The caller's token or session is revoked: ends the stream at once.
    pub withdrawn: CancellationToken,
    /// The server stops: ends the stream after everything that is already there.
    pub closing: CancellationToken,
}

impl StreamEndSignals {
    /// Waits for either signal.
    pub async fn any(&self) {
        tokio::select! {
            () = self.withdrawn.cancelled() => {}
            () = self.closing.cancelled() => {}
        }
    }
}

impl ServerState {
    pub fn new(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns the configured sampling, including recent edits of the settings file.
    pub fn sampling(&self) -> Sampling {
        self.config.reload_if_changed();
        Sampling::from(&self.config.current().llm)
    }

    /// Returns the signals that end a stream of this caller.
    pub fn ends_with(&self, caller: &Caller) -> StreamEndSignals {
        StreamEndSignals { withdrawn: caller.withdrawn.clone(), closing: self.closing.clone() }
    }

    /// Returns true if a `Host` header is known: this machine as it is reached over this lane, or a name that the owner
    /// allows.
    pub fn is_known_host(&self, lane: RequestTransport, host: &str) -> bool {
        let own = match lane {
            RequestTransport::Here => is_own_host(self.address, host),
            RequestTransport::Network => self.lan.is_known_host(host),
        };
        let bare = host.rsplit_once(':').map_or(host, |(name, _)| name);
        let config = self.config.current();
        own || config
            .server
            .allowed_hosts
            .iter()
            .any(|allowed| allowed.eq_ignore_ascii_case(host) || allowed.eq_ignore_ascii_case(bare))
    }

    pub fn is_allowed_origin(&self, origin: &str) -> bool {
        self.config
            .current()
            .server
            .allowed_origins
            .iter()
            .any(|allowed| allowed.eq_ignore_ascii_case(origin))
    }
}

impl Deref for ServerState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// Returns true if a `Host` header names this machine or the listening address, with the right port.
fn is_own_host(address: SocketAddr, host: &str) -> bool {
    let port = address.port();
    let own = match address.ip() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    ["127.0.0.1", "localhost", "[::1]", &own].into_iter().any(|name| {
        host.eq_ignore_ascii_case(&format!("{name}:{port}"))
            || (port == 80 && host.eq_ignore_ascii_case(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_hosts_are_this_machine_and_the_address_that_we_listen_on() {
        for (address, host, ours) in [
            ("127.0.0.1:8899", "127.0.0.1:8899", true),
            ("127.0.0.1:8899", "LocalHost:8899", true),
            ("127.0.0.1:8899", "[::1]:8899", true),
            ("127.0.0.1:8899", "127.0.0.1", false),
            ("127.0.0.1:8899", "127.0.0.1:80", false),
            ("127.0.0.1:8899", "127.0.0.2:8899", false),
            ("127.0.0.2:8899", "127.0.0.2:8899", true),
            ("127.0.0.2:8899", "localhost:8899", true),
            ("127.0.0.2:80", "127.0.0.2", true),
            ("[::1]:80", "[::1]", true),
            ("[::1]:8899", "::1:8899", false),
            ("127.0.0.2:8899", "127.0.0.2:8899.evil.example", false),
        ] {
            assert_eq!(is_own_host(address.parse().unwrap(), host), ours, "{host} at {address}");
        }
    }
}
