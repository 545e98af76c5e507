//! HTTPS access to Luna for phones and other machines in the local network.

mod certificate;
mod handshake;
mod lane;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use protocol::LanReport;
use time::OffsetDateTime;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::certificate::{Authority, CertificateError};
pub use self::handshake::{CurrentCertificate, shake_hands};
pub use self::lane::RequestTransport;
use crate::connections::ListenerTransport;
use crate::state::ServerState;

/// The interval for checking whether this machine's addresses have changed or the port has become free.
const CHECK_INTERVAL: Duration = Duration::from_secs(20);
/// The age at which a certificate is renewed, long before it expires.
const RENEWAL_AGE: Duration = Duration::from_hours(30 * 24);
/// The default HTTPS port, which browsers omit.
const DEFAULT_PORT: u16 = 443;

/// The state of network access, for the routes.
pub struct LanAccess {
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    open: Option<OpenAccess>,
    trouble: Option<String>,
}

/// Network access that is on.
struct OpenAccess {
    local_names: LocalNames,
    port: u16,
    fingerprint: String,
    authority: Vec<u8>,
}

/// The addresses and names of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LocalNames {
    addresses: Vec<Ipv4Addr>,
    names: Vec<String>,
}

impl LocalNames {
    /// Determines the current addresses.
    fn find(names: &[String]) -> Self {
        let addresses =
            host::lan_addresses().into_iter().filter(|address| certificate::covers(*address)).collect();
        Self { addresses, names: names.to_vec() }
    }
}

impl LanAccess {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, state: Mutex::default() }
    }

    pub fn report(&self) -> LanReport {
        let state = self.lock();
        let Some(open) = &state.open else {
            return LanReport { trouble: state.trouble.clone(), ..LanReport::default() };
        };
        let addresses = open.urls();
        let nowhere =
            "This machine is not in a private network at the moment. Perigee keeps checking for one.";
        LanReport {
            on: true,
            trouble: addresses.is_empty().then(|| nowhere.to_owned()),
            addresses,
            port: Some(open.port),
            fingerprint: Some(open.fingerprint.clone()),
        }
    }

    /// Returns the certificate authority for phones to install, while network access is on.
    pub fn authority(&self) -> Option<Vec<u8>> {
        self.lock().open.as_ref().map(|open| open.authority.clone())
    }

    /// Returns true if a `Host` header names an address of this machine in the network.
    pub fn is_known_host(&self, host: &str) -> bool {
        let state = self.lock();
        state.open.as_ref().is_some_and(|open| {
            let itself = [Ipv4Addr::LOCALHOST];
            itself
                .iter()
                .chain(&open.local_names.addresses)
                .any(|address| with_port(address, open.port) == host)
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenAccess {
    fn urls(&self) -> Vec<String> {
        let addresses = self.local_names.addresses.iter().map(|address| with_port(address, self.port));
        let names = self.local_names.names.iter().map(|name| with_port(name, self.port));
        addresses.chain(names).map(|name| format!("https://{name}")).collect()
    }
}

fn with_port(name: impl std::fmt::Display, port: u16) -> String {
    if port == DEFAULT_PORT { name.to_string() } else { format!("{name}:{port}") }
}

/// The network settings.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LanSettings {
    port: u16,
    /// The allowed host names that a certificate can contain.
    names: Vec<String>,
}

impl LanSettings {
    fn of(server: &config::Server) -> Option<Self> {
        let bare = |name: &String| name.split(':').next().unwrap_or_default().to_ascii_lowercase();
        let names = server.allowed_hosts.iter().map(bare).filter(|name| certificate::covers_name(name));
        server.lan.then(|| Self { port: server.lan_port, names: names.collect() })
    }
}

/// Listens on the network while the settings enable it.
pub async fn follow(app: ServerState, router: Router, stop: CancellationToken) {
    let mut settings = app.config.subscribe();
    loop {
        let wanted = LanSettings::of(&settings.borrow_and_update().server);
        let end = CancellationToken::new();
        let ended = tokio::select! {
            changed = settings.wait_for(|now| LanSettings::of(&now.server) != wanted) => changed.is_err(),
            () = keep_open(&app, &router, wanted.as_ref(), &end) => true,
            () = stop.cancelled() => true,
        };
        end.cancel();
        *app.lan.lock() = State::default();
        if ended {
            return;
        }
    }
}

async fn keep_open(
    app: &ServerState,
    router: &Router,
    wanted: Option<&LanSettings>,
    end: &CancellationToken,
) {
    let Some(wanted) = wanted else { return std::future::pending().await };
    loop {
        if let Err(error) = serve(app, router, wanted, end).await {
            let trouble = Some(tools::capital(&error));
            let mut state = app.lan.lock();
            if state.trouble != trouble {
                tracing::warn!("access from the network is not possible: {error}");
                *state = State { open: None, trouble };
            }
        }
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
}

async fn serve(
    app: &ServerState,
    router: &Router,
    wanted: &LanSettings,
    end: &CancellationToken,
) -> Result<(), String> {
    let words = |error: CertificateError| error.to_string();
    let (folder, now) = (app.lan.folder.clone(), now(app));
    let authority = tokio::task::spawn_blocking(move || Authority::open(&folder, now)).await;
    let authority = authority.map_err(|error| error.to_string())?.map_err(words)?;
    let local_names = LocalNames::find(&wanted.names);
    let current = CurrentCertificate::new(
        authority.vouch(&local_names.addresses, &local_names.names, now).map_err(words)?,
    );
    let listener =
        TcpListener::bind(SocketAddr::from(([0, 0, 0, 0], wanted.port))).await.map_err(|error| {
            format!("port {} cannot be opened ({error}): choose another `server.lan_port`", wanted.port)
        })?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let open = OpenAccess {
        local_names,
        port,
        fingerprint: authority.fingerprint(),
        authority: authority.der().to_vec(),
    };
    *app.lan.lock() = State { open: Some(open), trouble: None };
    tracing::info!("access from the network is on, at port {port}");
    let router = router.clone().layer(axum::Extension(RequestTransport::Network));
    let way = ListenerTransport::Tls(current.clone());
    tokio::select! {
        () = app.connections.serve(listener, way, router, &app.closing, end) => {}
        () = follow_network_changes(app, &authority, wanted, &current) => {}
    }
    Ok(())
}

/// Issues a new certificate when the network changes or the current one gets old.
async fn follow_network_changes(
    app: &ServerState,
    authority: &Authority,
    wanted: &LanSettings,
    current: &CurrentCertificate,
) {
    let mut made = tokio::time::Instant::now();
    loop {
        tokio::time::sleep(CHECK_INTERVAL).await;
        let found = LocalNames::find(&wanted.names);
        let same = app.lan.lock().open.as_ref().is_some_and(|open| open.local_names == found);
        if same && made.elapsed() < RENEWAL_AGE {
            continue;
        }
        match authority.vouch(&found.addresses, &found.names, now(app)) {
            Ok(config) => {
                current.replace(config);
                made = tokio::time::Instant::now();
                if let Some(open) = &mut app.lan.lock().open {
                    open.local_names = found;
                }
            }
            Err(error) => tracing::warn!("the network changed, but {error}"),
        }
    }
}

fn now(app: &ServerState) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(app.now().as_second()).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}
