use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};

use super::address::{Unreachable, check_host, is_public};

/// Who finds addresses, and where connections to them go. Tests bring their own: real sockets reach this machine only.
#[async_trait]
pub trait Network: Send + Sync + 'static {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;

    /// Where a connection to a checked address goes.
    fn way_to(&self, address: SocketAddr) -> SocketAddr {
        address
    }
}

/// The network as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct PublicNetwork;

#[async_trait]
impl Network for PublicNetwork {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let found = tokio::net::lookup_host((host, 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    }
}

/// How much of a page is waited for.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub bytes: usize,
    pub time: Duration,
    pub redirects: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 2 << 20, time: Duration::from_secs(20), redirects: 5 }
    }
}

/// Something that was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Where it was found in the end.
    pub url: Url,
    /// Without parameters: `text/html`.
    pub content_type: String,
    pub body: Vec<u8>,
    /// There is more of it than was read.
    pub is_cut: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    #[error(transparent)]
    Unreachable(#[from] Unreachable),
    #[error("{0} cannot be found. Is there a network?")]
    NoSuchHost(String),
    #[error("{host} does not answer: {why}")]
    Silent { host: String, why: String },
    #[error("{host} did not answer within {seconds} seconds")]
    Slow { host: String, seconds: u64 },
    #[error("{0} leads from one address to the next without an end")]
    TooManyRedirects(String),
    #[error("{host} answered with {status}")]
    Status { host: String, status: u16 },
    #[error("{host} has something of the kind {kind} there, which is not text")]
    NotText { host: String, kind: String },
}

/// Fetches pages of the public web, and nothing nearer. Every address is checked where it is connected to, so that
/// a name which changes its mind between the check and the connection gains nothing; so is every redirect.
#[derive(Debug, Clone)]
pub struct Web {
    client: Client,
    limits: Limits,
}

impl Web {
    pub fn new(network: Arc<dyn Network>, limits: Limits) -> Result<Self, reqwest::Error> {
        let client = Client::builder()
            .dns_resolver(Arc::new(Guard { network }))
            .redirect(Policy::none())
            .no_proxy()
            .user_agent(concat!("Perigee/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { client, limits })
    }

    /// A text at this address.
    pub async fn get(&self, url: Url) -> Result<Page, FetchError> {
        let host = shown(&url);
        let seconds = self.limits.time.as_secs();
        let fetching = tokio::time::timeout(self.limits.time, self.follow(url));
        fetching.await.unwrap_or(Err(FetchError::Slow { host, seconds }))
    }

    async fn follow(&self, mut url: Url) -> Result<Page, FetchError> {
        let first = shown(&url);
        for _ in 0..=self.limits.redirects {
            check_host(&url)?;
            let request = self
                .client
                .get(url.clone())
                .header(ACCEPT, "text/html, text/*;q=0.9, application/json;q=0.8");
            let response = request.send().await.map_err(|error| sorted(&error, &url))?;
            match next(&response, &url) {
                Some(other) => url = other,
                None => return self.read(response, url).await,
            }
        }
        Err(FetchError::TooManyRedirects(first))
    }

    async fn read(&self, response: Response, url: Url) -> Result<Page, FetchError> {
        let host = shown(&url);
        if !response.status().is_success() {
            return Err(FetchError::Status { host, status: response.status().as_u16() });
        }
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("text/plain");
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if !is_text(&kind) {
            return Err(FetchError::NotText { host, kind });
        }
        let mut page = Page { url, content_type: kind, body: Vec::new(), is_cut: false };
        let mut pieces = response.bytes_stream();
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(|error| sorted(&error, &page.url))?;
            let room = self.limits.bytes - page.body.len();
            page.body.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.len() > room {
                page.is_cut = true;
                break;
            }
        }
        Ok(page)
    }
}

/// Where a redirect leads.
fn next(response: &Response, url: &Url) -> Option<Url> {
    use StatusCode as S;
    let redirects =
        [S::MOVED_PERMANENTLY, S::FOUND, S::SEE_OTHER, S::TEMPORARY_REDIRECT, S::PERMANENT_REDIRECT];
    let location = response.headers().get(LOCATION).filter(|_| redirects.contains(&response.status()))?;
    url.join(location.to_str().ok()?).ok()
}

fn is_text(kind: &str) -> bool {
    kind.starts_with("text/")
        || kind.ends_with("+xml")
        || kind.ends_with("+json")
        || matches!(kind, "application/json" | "application/xml" | "application/javascript")
}

fn shown(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

/// What went wrong on the way, in words.
fn sorted(error: &reqwest::Error, url: &Url) -> FetchError {
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    let mut why = error.to_string();
    while let Some(inner) = cause {
        if let Some(refused) = inner.downcast_ref::<Refused>() {
            return match refused {
                Refused::NotPublic(unreachable) => FetchError::Unreachable(unreachable.clone()),
                Refused::Unknown => FetchError::NoSuchHost(shown(url)),
            };
        }
        why = inner.to_string();
        cause = inner.source();
    }
    FetchError::Silent { host: shown(url), why }
}

/// Gives the client only addresses that were checked.
struct Guard {
    network: Arc<dyn Network>,
}

#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    NotPublic(Unreachable),
    #[error("there is no such name")]
    Unknown,
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let network = Arc::clone(&self.network);
        Box::pin(async move {
            let host = name.as_str();
            let found = network.resolve(host).await.map_err(|_| Refused::Unknown)?;
            if found.is_empty() {
                return Err(Refused::Unknown.into());
            }
            // One that is not public makes the name suspicious as a whole.
            if !found.iter().all(|address| is_public(*address)) {
                return Err(Refused::NotPublic(Unreachable::NotPublic(host.to_owned())).into());
            }
            let ways: Vec<SocketAddr> =
                found.into_iter().map(|address| network.way_to(SocketAddr::new(address, 0))).collect();
            Ok(Box::new(ways.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;
