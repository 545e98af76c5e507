//! Streamable HTTP with a bound on what is read of each response, whatever its content type, since a server may send
//! anything.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt as _};
use http::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, StatusCode};
use reqwest::Response;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::auth::WWWAuthenticateParams;
use rmcp::transport::common::http_header::{EVENT_STREAM_MIME_TYPE, HEADER_SESSION_ID, JSON_MIME_TYPE};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, InsufficientScopeError, SseError, StreamableHttpClient,
    StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};

use crate::server_launch::LONGEST_MESSAGE;

/// The most bytes read of an error response.
const LONGEST_ERROR: usize = 64 * 1024;

type HttpError = StreamableHttpError<reqwest::Error>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

/// A size-limited reqwest client. rmcp limits opened event streams itself, but not the responses to posted messages.
#[derive(Clone)]
pub struct LimitedHttpClient(pub reqwest::Client);

impl StreamableHttpClient for LimitedHttpClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        self.post_message_with_max_sse_event_size(uri, message, session, token, headers, LONGEST_MESSAGE)
            .await
    }

    async fn post_message_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        longest: usize,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let accepted = format!("{EVENT_STREAM_MIME_TYPE}, {JSON_MIME_TYPE}");
        let mut request = self.0.post(uri.as_ref()).header(ACCEPT, accepted);
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        for (name, value) in headers {
            request = request.header(name, value);
        }
        if let Some(session) = &session {
            request = request.header(HEADER_SESSION_ID, session.as_ref());
        }
        let response = request.json(&message).send().await.map_err(HttpError::Client)?;
        let is_request = matches!(message, JsonRpcMessage::Request(_));
        read_response(response, is_request, session.is_some(), longest).await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), HttpError> {
        self.0.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<Events, HttpError> {
        self.get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, LONGEST_MESSAGE)
            .await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        longest: usize,
    ) -> Result<Events, HttpError> {
        let opened =
            self.0.get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, longest);
        opened.await
    }
}

/// Converts the HTTP response to a posted message.
async fn read_response(
    response: Response,
    is_request: bool,
    in_session: bool,
    longest: usize,
) -> Result<StreamableHttpPostResponse, HttpError> {
    let status = response.status();
    if let Some(error) = sign_in_error(&response) {
        return Err(error);
    }
    if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
        return Ok(StreamableHttpPostResponse::Accepted);
    }
    if status == StatusCode::NOT_FOUND && in_session {
        return Err(HttpError::SessionExpired);
    }
    let header =
        |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let (kind, session) = (header(CONTENT_TYPE.as_str()), header(HEADER_SESSION_ID));
    let retry = header(RETRY_AFTER.as_str());
    let is = |wanted: &str| kind.as_deref().is_some_and(|kind| kind.starts_with(wanted));
    let is_json = is(JSON_MIME_TYPE);
    if !status.is_success() {
        let body = read_body(response, LONGEST_ERROR).await?;
        // A protocol error says more than the status code.
        return match serde_json::from_slice::<ServerJsonRpcMessage>(&body) {
            Ok(message @ JsonRpcMessage::Error(_)) if is_json => {
                Ok(StreamableHttpPostResponse::Json(message, session))
            }
            _ => Err(HttpStatusError::new(status.as_u16(), retry).into()),
        };
    }
    if is(EVENT_STREAM_MIME_TYPE) {
        let events = SseStream::from_bytes_stream(limit_events(response.bytes_stream(), longest));
        return Ok(StreamableHttpPostResponse::Sse(events.boxed(), session));
    }
    if !is_request {
        // The message was not a request and needs no answer.
        return Ok(StreamableHttpPostResponse::Accepted);
    }
    if !is_json {
        return Err(HttpError::UnexpectedContentType(kind));
    }
    let body = read_body(response, longest).await?;
    match serde_json::from_slice(&body) {
        Ok(message) => Ok(StreamableHttpPostResponse::Json(message, session)),
        Err(error) => Err(unexpected(format!("its answer makes no sense: {error}"))),
    }
}

/// Returns the authentication challenge of the response, if there is one.
fn sign_in_error(response: &Response) -> Option<HttpError> {
    let header = response.headers().get(WWW_AUTHENTICATE)?.to_str().ok()?.to_owned();
    match response.status() {
        StatusCode::UNAUTHORIZED => Some(HttpError::AuthRequired(AuthRequiredError::new(header))),
        StatusCode::FORBIDDEN => {
            let scope = WWWAuthenticateParams::parse(&header, response.url()).scope;
            Some(HttpError::InsufficientScope(InsufficientScopeError::new(header, scope)))
        }
        _ => None,
    }
}

/// Reads the body, up to a maximum length.
async fn read_body(mut response: Response, longest: usize) -> Result<Vec<u8>, HttpError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(HttpError::Client)? {
        if body.len() + chunk.len() > longest {
            return Err(unexpected("its answer is too long".to_owned()));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn unexpected(why: String) -> HttpError {
    HttpError::UnexpectedServerResponse(Cow::Owned(why))
}

/// Fails the stream when a single event exceeds the maximum length.
fn limit_events<B: AsRef<[u8]>>(
    stream: impl Stream<Item = Result<B, reqwest::Error>> + Send + 'static,
    longest: usize,
) -> impl Stream<Item = Result<B, std::io::Error>> + Send + 'static {
    let mut event = EventLength::default();
    stream.map(move |chunk| {
        let chunk = chunk.map_err(std::io::Error::other)?;
        if event.add(chunk.as_ref()) > longest {
            return Err(std::io::Error::other("an event of it is too long"));
        }
        Ok(chunk)
    })
}

/// The length of the event being read. An empty line ends the event.
#[derive(Default)]
struct EventLength {
    length: usize,
    is_line_empty: bool,
}

impl EventLength {
    /// Processes bytes and returns the greatest event length reached within them.
    fn add(&mut self, bytes: &[u8]) -> usize {
        let mut longest = self.length;
        for byte in bytes {
            match byte {
                b'\r' => {}
                b'\n' if self.is_line_empty => self.length = 0,
                b'\n' => self.is_line_empty = true,
                _ => {
                    self.is_line_empty = false;
                    self.length += 1;
                    longest = longest.max(self.length);
                }
            }
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    /// Starts a server that sends this head to its first client, and then the rest endlessly.
    async fn endless(head: &'static str, rest: &'static [u8]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/mcp", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut asked = [0; 4096];
            let _ = stream.read(&mut asked).await.unwrap();
            stream.write_all(head.as_bytes()).await.unwrap();
            let much = rest.repeat(64 * 1024 / rest.len());
            while stream.write_all(&much).await.is_ok() {}
        });
        address
    }

    async fn asked(address: String) -> Result<StreamableHttpPostResponse, HttpError> {
        let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
        let message: ClientJsonRpcMessage = serde_json::from_value(ping).unwrap();
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = LimitedHttpClient(reqwest::Client::builder().no_proxy().build().unwrap());
        let answer = client.post_message_with_max_sse_event_size(
            address.into(),
            message,
            None,
            None,
            HashMap::new(),
            1024 * 1024,
        );
        tokio::time::timeout(Duration::from_secs(20), answer).await.expect("it is not read for ever")
    }

    #[tokio::test]
    async fn an_answer_without_end_is_given_up() {
        let json =
            endless("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"x\":\"", b"moon").await;
        assert!(asked(json).await.unwrap_err().to_string().contains("too long"));
        let refusal = endless("HTTP/1.1 500 No\r\ncontent-type: application/json\r\n\r\n", b"{").await;
        assert!(asked(refusal).await.unwrap_err().to_string().contains("too long"));
        let event =
            endless("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: ", b"moon").await;
        let Ok(StreamableHttpPostResponse::Sse(mut events, _)) = asked(event).await else {
            panic!("it is a stream");
        };
        let first = tokio::time::timeout(Duration::from_secs(20), events.next()).await.unwrap();
        assert!(first.is_none_or(|event| event.is_err()), "no event comes of it");
    }

    #[test]
    fn an_event_ends_with_an_empty_line_wherever_it_is_cut() {
        let mut event = EventLength::default();
        assert_eq!(event.add(b"data: 1234\n"), 10);
        assert_eq!(event.add(b"\ndata: 1\r\n\r"), 10, "the one before counts until it ends");
        assert_eq!(event.add(b"\n"), 7);
        assert_eq!(event.add(b"data: 12"), 8);
        assert_eq!(event.add(&[b'x'; 100]), 108);
    }
}
