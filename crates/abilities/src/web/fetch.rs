use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt;
use host::{is_public, is_same_network};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};

use super::address::{AddressError, check_host};

/// Name resolution and routing of connections. Tests supply their own, since their sockets reach only this machine.
#[async_trait]
pub trait WebNetwork: Send + Sync + 'static {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;

    /// Returns the local address from which a connection would originate. Nothing is sent.
    fn local_address_for(&self, _: IpAddr) -> Option<IpAddr> {
        None
    }

    /// Returns the target of a connection to a checked address.
    fn connect_address(&self, address: SocketAddr) -> SocketAddr {
        address
    }
}

/// The real network.
#[derive(Debug, Clone, Copy, Default)]
pub struct PublicNetwork;

#[async_trait]
impl WebNetwork for PublicNetwork {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        host::resolve_name(host).await
    }

    fn local_address_for(&self, address: IpAddr) -> Option<IpAddr> {
        host::local_address_for(address)
    }
}

/// FetchLimits for fetching a page.
#[derive(Debug, Clone, Copy)]
pub struct FetchLimits {
    pub bytes: usize,
    pub time: Duration,
    pub redirects: usize,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self { bytes: 2 << 20, time: Duration::from_secs(20), redirects: 5 }
    }
}

/// The kind of content requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Text,
    Picture,
}

/// A fetched page or picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebPage {
    /// The final URL after redirects.
    pub url: Url,
    /// The MIME type without parameters: `text/html`.
    pub content_type: String,
    /// The encoding that the server declares, if any.
    pub charset: Option<String>,
    pub body: Vec<u8>,
    /// True if the body was cut off.
    pub is_cut: bool,
}

/// The kind of content that is not text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    Pdf,
    Picture,
    Video,
    Recording,
    File,
}

/// The way in which a server fails to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionFailure {
    Unconnected,
    Cut,
}

/// The reason why there is no page. Messages repeat nothing that a server wrote, nor the names of redirect targets,
/// since they are taken for the program's own text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    #[error(transparent)]
    Unreachable(#[from] AddressError),
    #[error("{0} cannot be found. Is there a network?")]
    NoSuchHost(String),
    #[error("{0} redirects to an address that cannot be fetched")]
    BadRedirect(String),
    #[error("{host} does not answer: {}", how.in_words())]
    Silent { host: String, how: ConnectionFailure },
    #[error("{host} did not answer within {seconds} seconds")]
    Slow { host: String, seconds: u64 },
    #[error("{0} redirects too many times")]
    TooManyRedirects(String),
    #[error("{host} answered with {status}{}", in_words(*status))]
    Status { host: String, status: u16 },
    #[error("{host} has {} there, which cannot be read as text", media.named())]
    NotText { host: String, media: Media },
    #[error("{0} has no picture there")]
    NotAPicture(String),
    #[error("{0} sends too much data")]
    TooLarge(String),
}

/// Fetches pages of the public web, and nothing nearer. Every address is checked when it is connected to, so that DNS
/// rebinding gains nothing, and so is every redirect.
#[derive(Debug, Clone)]
pub struct Web {
    client: Client,
    guard: Arc<Guard>,
    limits: FetchLimits,
}

impl Web {
    pub fn new(network: Arc<dyn WebNetwork>, limits: FetchLimits) -> Result<Self, reqwest::Error> {
        let guard = Arc::new(Guard { network });
        let builder = || {
            Client::builder()
                .dns_resolver(Arc::clone(&guard))
                .redirect(Policy::none())
                .no_proxy()
                .user_agent(concat!("Perigee/", env!("CARGO_PKG_VERSION")))
                .connect_timeout(limits.time)
        };
        // A minimal system has no root certificates. The rest of the program works there all the same.
        let client = builder().build().or_else(|_| builder().tls_certs_only([]).build())?;
        Ok(Self { client, guard, limits })
    }

    /// Fetches a text, cut off if it is too long.
    pub async fn get(&self, url: Url) -> Result<WebPage, FetchError> {
        self.fetch(url, Wanted::Text).await
    }

    /// Fetches a picture, which must be complete.
    pub async fn picture(&self, url: Url) -> Result<WebPage, FetchError> {
        let host = shown(&url);
        let page = self.fetch(url, Wanted::Picture).await?;
        if page.is_cut { Err(FetchError::TooLarge(host)) } else { Ok(page) }
    }

    async fn fetch(&self, url: Url, wanted: Wanted) -> Result<WebPage, FetchError> {
        let host = shown(&url);
        let seconds = self.limits.time.as_secs();
        let fetching = tokio::time::timeout(self.limits.time, self.follow(url, wanted));
        fetching.await.unwrap_or(Err(FetchError::Slow { host, seconds }))
    }

    async fn follow(&self, mut url: Url, wanted: Wanted) -> Result<WebPage, FetchError> {
        let host = shown(&url);
        for redirects in 0..=self.limits.redirects {
            let response = match self.ask(&url, &host, wanted).await {
                Err(FetchError::Unreachable(_) | FetchError::NoSuchHost(_)) if redirects > 0 => {
                    return Err(FetchError::BadRedirect(host));
                }
                asked => asked?,
            };
            match next(&response, &url) {
                Some(other) => url = other,
                None => return self.read(response, url, host, wanted).await,
            }
        }
        Err(FetchError::TooManyRedirects(host))
    }

    /// Sends the request for one hop. Errors name the original host.
    async fn ask(&self, url: &Url, host: &str, wanted: Wanted) -> Result<Response, FetchError> {
        check_host(url)?;
        self.guard.check_literal(url)?;
        let request = self.client.get(url.clone()).header(ACCEPT, wanted.accepted());
        request.send().await.map_err(|error| sorted(&error, host))
    }

    async fn read(
        &self,
        response: Response,
        url: Url,
        host: String,
        wanted: Wanted,
    ) -> Result<WebPage, FetchError> {
        if !response.status().is_success() {
            return Err(FetchError::Status { host, status: response.status().as_u16() });
        }
        let header =
            response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("text/plain");
        let (kind, parameters) = header.split_once(';').unwrap_or((header, ""));
        let kind = kind.trim().to_ascii_lowercase();
        match wanted {
            Wanted::Text if !is_text(&kind) => {
                return Err(FetchError::NotText { host, media: Media::of(&kind) });
            }
            Wanted::Picture if !kind.starts_with("image/") => return Err(FetchError::NotAPicture(host)),
            Wanted::Text | Wanted::Picture => {}
        }
        let charset = charset(parameters);
        let mut page = WebPage { url, content_type: kind, charset, body: Vec::new(), is_cut: false };
        let mut pieces = response.bytes_stream();
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(|error| sorted(&error, &host))?;
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

impl Wanted {
    fn accepted(self) -> &'static str {
        match self {
            Wanted::Text => "text/html, text/*;q=0.9, application/json;q=0.8",
            Wanted::Picture => "image/png, image/webp, image/jpeg",
        }
    }
}

fn charset(parameters: &str) -> Option<String> {
    let named = |parameter: &str| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
    };
    parameters.split(';').find_map(named)
}

/// Returns the target of a redirect.
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

/// Explains a status code.
fn in_words(status: u16) -> &'static str {
    match status {
        401 | 403 => " (it does not let programs read that)",
        404 | 410 => " (there is no such page)",
        429 => " (it was asked too often; try later)",
        500.. => " (the problem is on its side; try later)",
        _ => "",
    }
}

impl Media {
    fn of(kind: &str) -> Self {
        match kind.split('/').next() {
            _ if kind == "application/pdf" => Self::Pdf,
            Some("image") => Self::Picture,
            Some("video") => Self::Video,
            Some("audio") => Self::Recording,
            _ => Self::File,
        }
    }

    fn named(self) -> &'static str {
        match self {
            Self::Pdf => "a PDF",
            Self::Picture => "a picture",
            Self::Video => "a video",
            Self::Recording => "a recording",
            Self::File => "a file",
        }
    }
}

impl ConnectionFailure {
    fn in_words(self) -> &'static str {
        match self {
            Self::Unconnected => "no connection can be made",
            Self::Cut => "the connection broke off",
        }
    }
}

fn shown(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

/// Classifies a request error.
fn sorted(error: &reqwest::Error, host: &str) -> FetchError {
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    while let Some(inner) = cause {
        if let Some(refused) = inner.downcast_ref::<Refused>() {
            return match refused {
                Refused::NotPublic(unreachable) => FetchError::Unreachable(unreachable.clone()),
                Refused::Unknown => FetchError::NoSuchHost(host.to_owned()),
            };
        }
        cause = inner.source();
    }
    let how = if error.is_connect() { ConnectionFailure::Unconnected } else { ConnectionFailure::Cut };
    FetchError::Silent { host: host.to_owned(), how }
}

/// A resolver that passes only checked addresses on to the client.
struct Guard {
    network: Arc<dyn WebNetwork>,
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").finish_non_exhaustive()
    }
}

impl Guard {
    fn lets_through(network: &dyn WebNetwork, address: IpAddr) -> bool {
        let address = address.to_canonical();
        is_public(address)
            && !network.local_address_for(address).is_some_and(|own| is_same_network(address, own))
    }

    /// Checks an IP address in the URL, which is never resolved.
    fn check_literal(&self, url: &Url) -> Result<(), AddressError> {
        let host = shown(url);
        match host.trim_matches(['[', ']']).parse() {
            Ok(address) if !Self::lets_through(&*self.network, address) => Err(AddressError::NotPublic(host)),
            _ => Ok(()),
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    NotPublic(AddressError),
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
            // One address that is not public makes the whole name suspicious.
            if !found.iter().all(|address| Guard::lets_through(&*network, *address)) {
                return Err(Refused::NotPublic(AddressError::NotPublic(host.to_owned())).into());
            }
            let ways: Vec<SocketAddr> = found
                .into_iter()
                .map(|address| network.connect_address(SocketAddr::new(address, 0)))
                .collect();
            Ok(Box::new(ways.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;
