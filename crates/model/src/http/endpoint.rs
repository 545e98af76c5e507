use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use host::Secret;
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Method, Response, StatusCode, Url};
use serde_json::Value;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::http::retry::retry_after;
use crate::http::{Http, Retry, ServerErrors, looks_like_a_page};
use crate::{ModelError, TokenEstimator};

/// The maximum size in bytes of a server's metadata document.
const LONGEST_DOCUMENT: usize = 4 << 20;
/// The timeout for metadata requests, which a running server answers at once.
const METADATA_TIMEOUT: Duration = Duration::from_secs(5);

/// The times for which a model may be silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The time from the request to the first piece of the response. A large prompt on a slow machine takes minutes.
    pub first_token: Duration,
    pub between_tokens: Duration,
}

/// One server: its address, credentials, timeouts and error messages.
pub(crate) struct Endpoint {
    pub(crate) http: Http,
    /// The base URL, without a trailing slash.
    pub(crate) base: Url,
    pub(crate) key: Secret,
    pub(crate) timeouts: Timeouts,
    pub(crate) retry: Retry,
    pub(crate) errors: ServerErrors,
    pub(crate) estimator: Arc<TokenEstimator>,
}

/// Prints only the shown address: the full URL and the key may hold secrets.
impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("place", &self.errors.place()).finish_non_exhaustive()
    }
}

/// The outcome of a request.
pub(crate) enum RequestOutcome {
    Answered(Response),
    /// The status and the beginning of the body.
    Refused(StatusCode, String),
    Cancelled,
}

impl Endpoint {
    /// Returns the URL of a path beneath the base, such as `/chat/completions`.
    pub(crate) fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        url.set_query(query);
        url
    }

    /// Sends a request, and retries it if the server cannot have begun to process it.
    pub(crate) async fn send(
        &self,
        url: &Url,
        body: &Value,
        begun: Instant,
        cancel: &CancellationToken,
    ) -> Result<RequestOutcome, ModelError> {
        let sending = async {
            let mut made = 0;
            loop {
                made += 1;
                let outcome = self.request(Method::POST, url)?.json(body).send().await;
                let asked = match &outcome {
                    Ok(response) if is_worth_a_retry(response.status()) => retry_after(response.headers()),
                    Err(error) if error.is_connect() => None,
                    _ => return self.classify(outcome).await,
                };
                match self.retry.wait(made, asked) {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => return self.classify(outcome).await,
                }
            }
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => Ok(RequestOutcome::Cancelled),
            sent = timeout_at(begun + self.timeouts.first_token, sending) => {
                sent.unwrap_or_else(|_| Err(self.errors.slow_to_begin(self.timeouts.first_token.as_secs())))
            }
        }
    }

    async fn classify(&self, outcome: reqwest::Result<Response>) -> Result<RequestOutcome, ModelError> {
        let response = outcome.map_err(|error| self.errors.unreachable(&error))?;
        let status = response.status();
        if status.is_redirection() {
            return Err(self.moved(&response));
        }
        if !status.is_success() {
            let body = beginning(response).await;
            return Ok(RequestOutcome::Refused(status, body));
        }
        if is_html(&response) {
            return Err(self.errors.web_page());
        }
        Ok(RequestOutcome::Answered(response))
    }

    fn moved(&self, response: &Response) -> ModelError {
        self.errors.moved(response.headers().get(LOCATION).and_then(|to| to.to_str().ok()))
    }

    pub(crate) fn request(&self, method: Method, url: &Url) -> Result<reqwest::RequestBuilder, ModelError> {
        let request = self.http.client(url)?.request(method, url.clone());
        Ok(if self.key.is_empty() { request } else { request.bearer_auth(self.key.expose()) })
    }

    /// Fetches metadata from the server; `None` if the server does not have the route.
    pub(crate) async fn metadata(
        &self,
        url: &Url,
        body: Option<&Value>,
    ) -> Result<Option<Value>, ModelError> {
        let request = match body {
            Some(body) => self.request(Method::POST, url)?.json(body),
            None => self.request(Method::GET, url)?,
        };
        let asking = async {
            let response = request.send().await.map_err(|error| self.errors.unreachable(&error))?;
            let status = response.status();
            let page = is_html(&response);
            if status.is_redirection() {
                return Err(self.moved(&response));
            }
            if matches!(status.as_u16(), 401 | 403) {
                return Err(self.errors.status(status, "", &beginning(response).await));
            }
            if !status.is_success() {
                return Ok(None);
            }
            let body = read(response, LONGEST_DOCUMENT).await.map_err(|_| self.errors.garbled(false))?;
            match serde_json::from_slice(&body) {
                Ok(value) => Ok(Some(value)),
                Err(_) if page || looks_like_a_page(&String::from_utf8_lossy(&body)) => {
                    Err(self.errors.web_page())
                }
                Err(_) => Err(self.errors.garbled(false)),
            }
        };
        timeout(METADATA_TIMEOUT, asking).await.unwrap_or_else(|_| Err(self.errors.silent()))
    }

    /// Reads a response that is useless in parts. The first-token timeout applies to the whole of it.
    pub(crate) async fn whole(
        &self,
        response: Response,
        longest: usize,
        begun: Instant,
    ) -> Result<Vec<u8>, ModelError> {
        let limit = self.timeouts.first_token;
        match timeout_at(begun + limit, read(response, longest)).await {
            Ok(Ok(body)) => Ok(body),
            Ok(Err(Unread::TooLong)) => Err(self.errors.garbled(false)),
            Ok(Err(Unread::Broken)) => Err(self.errors.broke_off()),
            Err(_) => Err(self.errors.slow_to_end(limit.as_secs())),
        }
    }
}

/// Returns true for a status with which a server or proxy says that it has not begun to process the request. A proxy's
/// 504 says the opposite: the model used up all its time.
fn is_worth_a_retry(status: StatusCode) -> bool {
    matches!(status.as_u16(), 429 | 502 | 503)
}

fn is_html(response: &Response) -> bool {
    let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    content_type.is_some_and(|value| value.to_ascii_lowercase().starts_with("text/html"))
}

/// Reads as much of a body as an error message needs.
async fn beginning(response: Response) -> String {
    let mut bytes = Vec::new();
    let mut pieces = response.bytes_stream();
    let reading = async {
        while let Some(Ok(piece)) = pieces.next().await {
            bytes.extend_from_slice(&piece);
            if bytes.len() > 64 * 1024 {
                break;
            }
        }
    };
    let _ = timeout(METADATA_TIMEOUT, reading).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads the JSON document of a successful response; `None` if it is too long or invalid.
pub(crate) async fn read_json(response: Response) -> Option<Value> {
    let response = response.error_for_status().ok()?;
    serde_json::from_slice(&read(response, LONGEST_DOCUMENT).await.ok()?).ok()
}

/// The reason why a body could not be read to its end.
enum Unread {
    TooLong,
    Broken,
}

async fn read(response: Response, limit: usize) -> Result<Vec<u8>, Unread> {
    let mut bytes = Vec::new();
    let mut pieces = response.bytes_stream();
    while let Some(piece) = pieces.next().await {
        bytes.extend_from_slice(&piece.map_err(|_| Unread::Broken)?);
        if bytes.len() > limit {
            return Err(Unread::TooLong);
        }
    }
    Ok(bytes)
}
