use std::time::Duration;

use futures_util::StreamExt as _;
use reqwest::header::RETRY_AFTER;
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, ClientBuilder, Method, RequestBuilder, Response, StatusCode, Url};
use serde_json::Value;
use tools::ToolError;

/// The most bytes of a response.
const MOST_BYTES: usize = 2 << 20;
const TIME: Duration = Duration::from_secs(15);
const MOST_REDIRECTS: usize = 3;

/// An HTTP client for services whose addresses the user or this program chose, so they may be on this machine or the
/// local network. Redirects are followed only to the same origin.
#[derive(Debug, Clone)]
pub(crate) struct ServiceClient {
    /// For this machine and its network, without a proxy.
    near: Client,
    far: Client,
    time: Duration,
}

/// The response of a service.
#[derive(Debug)]
pub(crate) struct ServiceResponse {
    pub status: StatusCode,
    pub retry_after: Option<u64>,
    pub body: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ServiceError {
    #[error("{0} cannot be reached. Is there a network?")]
    Silent(String),
    #[error("{0} did not answer in time. Try again later.")]
    Slow(String),
    #[error("{0} broke off in the middle of its answer. Try again.")]
    Cut(String),
    #[error("{0} sent too much data.")]
    TooLarge(String),
    #[error("{0} answered with something that cannot be read.")]
    NotJson(String),
}

impl From<ServiceError> for ToolError {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Silent(_) => ToolError::Unavailable(error.to_string()),
            _ => ToolError::Failed(error.to_string()),
        }
    }
}

impl ServiceClient {
    pub fn new() -> Result<Self, reqwest::Error> {
        Ok(Self { near: build(ClientBuilder::no_proxy)?, far: build(|builder| builder)?, time: TIME })
    }

    #[cfg(test)]
    pub fn within(time: Duration) -> Self {
        Self { time, ..Self::new().unwrap() }
    }

    pub fn request(&self, method: Method, url: Url) -> RequestBuilder {
        let client =
            if host::is_local_host(url.host_str().unwrap_or_default()) { &self.near } else { &self.far };
        client.request(method, url)
    }

    /// Sends the request and reads the response, whatever its status.
    pub async fn send(&self, request: RequestBuilder, name: &str) -> Result<ServiceResponse, ServiceError> {
        let exchange = async {
            let response = request.send().await.map_err(|error| classified(&error, name))?;
            read(response, name).await
        };
        tokio::time::timeout(self.time, exchange).await.unwrap_or(Err(ServiceError::Slow(name.to_owned())))
    }
}

impl ServiceResponse {
    pub fn json(&self, name: &str) -> Result<Value, ServiceError> {
        serde_json::from_slice(&self.body).map_err(|_| ServiceError::NotJson(name.to_owned()))
    }
}

fn build(set: impl Fn(ClientBuilder) -> ClientBuilder) -> Result<Client, reqwest::Error> {
    let builder = || {
        set(Client::builder())
            .redirect(Policy::custom(only_same_origin))
            .connect_timeout(Duration::from_secs(10))
            .user_agent(concat!("Perigee/", env!("CARGO_PKG_VERSION")))
    };
    // A minimal system has no root certificates. Local services work without them.
    builder().build().or_else(|_| builder().tls_certs_only([]).build())
}

/// Follows redirects only to the same origin, since requests carry keys.
fn only_same_origin(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let known = attempt.previous().first().is_some_and(|first| first.origin() == attempt.url().origin());
    if known && attempt.previous().len() <= MOST_REDIRECTS { attempt.follow() } else { attempt.stop() }
}

async fn read(response: Response, name: &str) -> Result<ServiceResponse, ServiceError> {
    let status = response.status();
    let retry_after = response.headers().get(RETRY_AFTER);
    let retry_after = retry_after.and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let mut body = Vec::new();
    let mut pieces = response.bytes_stream();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|_| ServiceError::Cut(name.to_owned()))?;
        if body.len() + piece.len() > MOST_BYTES {
            return Err(ServiceError::TooLarge(name.to_owned()));
        }
        body.extend_from_slice(&piece);
    }
    Ok(ServiceResponse { status, retry_after, body })
}

/// Describes when to retry, as told by a service after too many requests.
pub(crate) fn retry_time(seconds: Option<u64>) -> String {
    match seconds {
        Some(seconds @ 1..) => format!("in {seconds} seconds"),
        _ => "later".to_owned(),
    }
}

fn classified(error: &reqwest::Error, name: &str) -> ServiceError {
    if error.is_timeout() {
        ServiceError::Slow(name.to_owned())
    } else if error.is_connect() {
        ServiceError::Silent(name.to_owned())
    } else {
        ServiceError::Cut(name.to_owned())
    }
}

/// Appends a path to a base URL: `http://host/base` and `/search` make `http://host/base/search`.
pub(crate) fn with_path(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    let whole = format!("{}{path}", base.path().trim_end_matches('/'));
    url.set_path(&whole);
    url.set_query(None);
    url.set_fragment(None);
    url
}

#[cfg(test)]
#[path = "service_tests.rs"]
mod tests;
