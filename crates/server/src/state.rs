use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::Arc;

use companion::{Companion, Supervisor};
use config::LiveConfig;
use host::{Clock, Secret};
use jiff::Timestamp;
use model::{Roster, Sampling};
use store::Store;
use tokio_util::sync::CancellationToken;

use crate::auth::{Auth, Caller};
use crate::metrics::Metrics;

/// Where the owner's token is kept, so that it can be replaced.
pub trait TokenKeeper: Send + Sync {
    /// Makes another token and writes it down. The error is for people.
    fn rotate(&self) -> Result<Secret, String>;
}

/// What the doors work with. Cloning is cheap.
#[derive(Clone)]
pub struct App(Arc<Shared>);

pub struct Shared {
    pub companion: Companion,
    pub store: Arc<Store>,
    pub roster: Roster,
    pub config: Arc<LiveConfig>,
    pub supervisor: Supervisor,
    pub auth: Auth,
    pub keeper: Box<dyn TokenKeeper>,
    pub clock: Arc<dyn Clock>,
    pub metrics: Metrics,
    pub openapi: String,
    pub version: &'static str,
    pub started: Timestamp,
    pub address: SocketAddr,
    /// Cancelled when the server stops.
    pub closing: CancellationToken,
}

/// What ends a stream before its time.
pub struct Ends {
    /// The caller's token or session is good no more: at once.
    pub withdrawn: CancellationToken,
    /// The server stops: after what is there already.
    pub closing: CancellationToken,
}

impl Ends {
    /// Waits for either.
    pub async fn any(&self) {
        tokio::select! {
            () = self.withdrawn.cancelled() => {}
            () = self.closing.cancelled() => {}
        }
    }
}

impl App {
    pub fn new(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The sampling that is configured.
    pub fn sampling(&self) -> Sampling {
        Sampling::from(&self.config.current().llm)
    }

    /// When a stream of this caller has to end.
    pub fn ends_with(&self, caller: &Caller) -> Ends {
        Ends { withdrawn: caller.withdrawn.clone(), closing: self.closing.clone() }
    }

    /// Whether a `Host` header is one of ours: this machine with our port, or a name that the owner allows.
    pub fn is_known_host(&self, host: &str) -> bool {
        let port = self.address.port();
        let own = ["127.0.0.1", "localhost", "[::1]"].into_iter().any(|name| {
            host.eq_ignore_ascii_case(&format!("{name}:{port}"))
                || (port == 80 && host.eq_ignore_ascii_case(name))
        });
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

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
