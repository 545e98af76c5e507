//! HTTPS access to Luna for phones and other machines in the local network.

mod certificate;
mod handshake;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::Extensions;
use axum::http::request::Parts;
use protocol::LanReport;
use time::OffsetDateTime;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::certificate::{Authority, CertificateError};
pub use self::handshake::{CurrentCertificate, shake_hands};
use crate::connections::Way;
use crate::state::ServerState;

/// The interval for checking whether this machine's addresses have changed or the port has become free.
const LOOK_AGAIN: Duration = Duration::from_secs(20);
/// The age at which a certificate is renewed, long before it expires.
const MAKE_ANEW: Duration = Duration::from_hours(30 * 24);
/// The default HTTPS port, which browsers omit.
const USUAL_PORT: u16 = 443;

/// The path by which a request came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lane {
    /// Plain HTTP, from this machine only.
    #[default]
    Here,
    /// TLS, from the network.
    Network,
}

impl Lane {
    pub fn scheme(self) -> &'static str {
        match self {
            Self::Here => "http://",
            Self::Network => "https://",
        }
    }

    pub fn of(extensions: &Extensions) -> Self {
        extensions.get().copied().unwrap_or_default()
    }
}

impl<S: Sync> FromRequestParts<S> for Lane {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(&parts.extensions))
    }
}

/// The state of network access, for the routes.
pub struct Lan {
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    open: Option<Open>,
    trouble: Option<String>,
}

struct Open {
    places: Places,
    port: u16,
    fingerprint: String,
    authority: Vec<u8>,
}

/// The addresses and names of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Places {
    addresses: Vec<Ipv4Addr>,
    names: Vec<String>,
}

impl Places {
    /// Determines the current addresses.
    fn find(names: &[String]) -> Self {
        let addresses =
            host::lan_addresses().into_iter().filter(|address| certificate::covers(*address)).collect();
        Self { addresses, names: names.to_vec() }
    }
}

impl Lan {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, state: Mutex::default() }
    }

    pub fn report(&self) -> LanReport {
        let state = self.lock();
        let Some(open) = &state.open else {
            return LanReport { trouble: state.trouble.clone(), ..LanReport::default() };
        };
        let addresses = open.urls();
        let nowhere = "This machine is in no private network just now. It is looked for again and again.";
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
            itself.iter().chain(&open.places.addresses).any(|address| with_port(address, open.port) == host)
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn urls(&self) -> Vec<String> {
        let addresses = self.places.addresses.iter().map(|address| with_port(address, self.port));
        let names = self.places.names.iter().map(|name| with_port(name, self.port));
        addresses.chain(names).map(|place| format!("https://{place}")).collect()
    }
}

fn with_port(place: impl std::fmt::Display, port: u16) -> String {
    if port == USUAL_PORT { place.to_string() } else { format!("{place}:{port}") }
}

/// The network settings.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wish {
    port: u16,
    /// The allowed host names that a certificate can contain.
    names: Vec<String>,
}

impl Wish {
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
        let wish = Wish::of(&settings.borrow_and_update().server);
        let end = CancellationToken::new();
        let ended = tokio::select! {
            changed = settings.wait_for(|now| Wish::of(&now.server) != wish) => changed.is_err(),
            () = keep_open(&app, &router, wish.as_ref(), &end) => true,
            () = stop.cancelled() => true,
        };
        end.cancel();
        *app.lan.lock() = State::default();
        if ended {
            return;
        }
    }
}

async fn keep_open(app: &ServerState, router: &Router, wish: Option<&Wish>, end: &CancellationToken) {
    let Some(wish) = wish else { return std::future::pending().await };
    loop {
        if let Err(error) = serve(app, router, wish, end).await {
            let trouble = Some(tools::capital(&error));
            let mut state = app.lan.lock();
            if state.trouble != trouble {
                tracing::warn!("she cannot be reached from the network: {error}");
                *state = State { open: None, trouble };
            }
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

async fn serve(
    app: &ServerState,
    router: &Router,
    wish: &Wish,
    end: &CancellationToken,
) -> Result<(), String> {
    let words = |error: CertificateError| error.to_string();
    let (folder, now) = (app.lan.folder.clone(), now(app));
    let authority = tokio::task::spawn_blocking(move || Authority::open(&folder, now)).await;
    let authority = authority.map_err(|error| error.to_string())?.map_err(words)?;
    let places = Places::find(&wish.names);
    let current =
        CurrentCertificate::new(authority.vouch(&places.addresses, &places.names, now).map_err(words)?);
    let listener = TcpListener::bind(SocketAddr::from(([0, 0, 0, 0], wish.port))).await.map_err(|error| {
        format!("port {} cannot be listened on ({error}): choose another `server.lan_port`", wish.port)
    })?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let open =
        Open { places, port, fingerprint: authority.fingerprint(), authority: authority.der().to_vec() };
    *app.lan.lock() = State { open: Some(open), trouble: None };
    tracing::info!("she can be reached from the network, at port {port}");
    let router = router.clone().layer(axum::Extension(Lane::Network));
    let way = Way::Tls(current.clone());
    tokio::select! {
        () = app.connections.serve(listener, way, router, &app.closing, end) => {}
        () = follow_places(app, &authority, wish, &current) => {}
    }
    Ok(())
}

/// Issues a new certificate when the network changes or the current one gets old.
async fn follow_places(app: &ServerState, authority: &Authority, wish: &Wish, current: &CurrentCertificate) {
    let mut made = tokio::time::Instant::now();
    loop {
        tokio::time::sleep(LOOK_AGAIN).await;
        let found = Places::find(&wish.names);
        let same = app.lan.lock().open.as_ref().is_some_and(|open| open.places == found);
        if same && made.elapsed() < MAKE_ANEW {
            continue;
        }
        match authority.vouch(&found.addresses, &found.names, now(app)) {
            Ok(config) => {
                current.replace(config);
                made = tokio::time::Instant::now();
                if let Some(open) = &mut app.lan.lock().open {
                    open.places = found;
                }
            }
            Err(error) => tracing::warn!("the network changed, and {error}"),
        }
    }
}

fn now(app: &ServerState) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(app.now().as_second()).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}
