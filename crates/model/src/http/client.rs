use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Url};

use crate::ModelError;
use crate::http::is_loopback;

/// The HTTP clients of the process, created on first use. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Http {
    clients: Arc<Clients>,
}

#[derive(Debug, Default)]
struct Clients {
    /// For plain HTTP on this machine: no TLS, no proxy, and no certificates to load.
    local: OnceLock<Client>,
    outside: OnceLock<Client>,
}

impl Http {
    /// Returns the client for a URL. It does not follow redirects; callers follow them explicitly.
    pub fn client(&self, url: &Url) -> Result<Client, ModelError> {
        let local = url.scheme() == "http" && is_loopback(url);
        let slot = if local { &self.clients.local } else { &self.clients.outside };
        if let Some(client) = slot.get() {
            return Ok(client.clone());
        }
        let client = if local { local_client() } else { outside_client() }.map_err(|error| {
            ModelError::Failed(format!("The network cannot be used: {error}. Restart Perigee and try again."))
        })?;
        Ok(slot.get_or_init(|| client).clone())
    }
}

/// Selects *ring* for TLS in this process, unless a provider is already selected. [`Http`] does so by itself.
pub fn install_crypto() {
    // An error only means that a provider is already installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

fn builder() -> ClientBuilder {
    install_crypto();
    Client::builder()
        .user_agent(concat!("perigee/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .connect_timeout(Duration::from_secs(10))
        .pool_idle_timeout(Duration::from_mins(1))
        .tcp_nodelay(true)
}

fn local_client() -> reqwest::Result<Client> {
    builder().no_proxy().tls_certs_only([]).build()
}

fn outside_client() -> reqwest::Result<Client> {
    builder().build().or_else(|error| {
        // A minimal system has no certificates. Plain HTTP still works there.
        tracing::warn!(%error, "no certificates were found: secure connections will fail. Install ca-certificates");
        builder().tls_certs_only([]).build()
    })
}
