use std::net::IpAddr;
use std::sync::Once;

use futures_util::StreamExt;
use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::{Event, Stream, soon};

/// The credentials of a client.
#[derive(Debug, Clone)]
pub enum Means {
    Nothing,
    Token(String),
    /// `name=value`, as a browser of this origin sends it.
    Cookie(String),
}

/// A client of the API.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    address: String,
    means: Means,
    /// The certificate of the only trusted authority, for connections over TLS.
    authority: Option<Vec<u8>>,
}

/// A complete response.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the body of a successful response.
    pub fn json(&self) -> Value {
        assert!((200..300).contains(&self.status), "{}: {}", self.status, self.text());
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {}", self.text()))
    }

    /// Returns the status and the code of an error, in this API's format or OpenAI's.
    pub fn refusal(&self) -> (u16, String) {
        let body: Value = serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{}: {error} in {:?}", self.status, self.text()));
        let body = if body["error"].is_object() { &body["error"] } else { &body };
        assert!(!body["message"].as_str().unwrap_or_default().is_empty(), "no words: {body}");
        (self.status, body["code"].as_str().unwrap_or_default().to_owned())
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("a header of plain text"))
    }
}

/// A client that trusts only this authority.
fn believing(authority: &[u8], own: Option<IpAddr>) -> reqwest::Client {
    let believed = reqwest::Certificate::from_der(authority).expect("a certificate");
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([believed]);
    client.local_address(own).build().expect("a client")
}

impl Client {
    pub(super) fn new(address: &str, means: Means) -> Self {
        static CRYPTO: Once = Once::new();
        CRYPTO.call_once(model::install_crypto);
        let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().expect("a client");
        Self { http, address: address.to_owned(), means, authority: None }
    }

    /// A copy of this client for another address, over TLS.
    pub fn by_tls(&self, address: &str, authority: &[u8]) -> Self {
        let (http, means) = (believing(authority, None), self.means.clone());
        Self { http, address: address.to_owned(), means, authority: Some(authority.to_vec()) }
    }

    /// A copy of this client over TLS with this source address.
    pub fn at(&self, own: [u8; 4]) -> Self {
        let authority = self.authority().expect("one that came by TLS");
        Self { http: believing(authority, Some(IpAddr::from(own))), ..self.clone() }
    }

    /// A copy of this client with this token.
    pub fn with_token(&self, token: &str) -> Self {
        Self { means: Means::Token(token.to_owned()), ..self.clone() }
    }

    /// A copy of this client with this cookie.
    pub fn with_cookie(&self, cookie: &str) -> Self {
        Self { means: Means::Cookie(cookie.to_owned()), ..self.clone() }
    }

    /// The owner of a server that was started separately.
    pub fn of(server: &testkit::PerigeeProcess) -> Self {
        Self::new(server.address(), Means::Token(server.token().to_owned()))
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method.clone(), format!("{}{path}", self.address));
        match &self.means {
            Means::Nothing => request,
            Means::Token(token) => request.bearer_auth(token),
            Means::Cookie(cookie) => {
                let request = request.header("cookie", cookie);
                if method == Method::GET { request } else { request.header("origin", &self.address) }
            }
        }
    }

    pub async fn send(&self, request: RequestBuilder) -> Answer {
        soon("an answer", async {
            let response = request.send().await.expect("the server answers");
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            Answer { status, headers, body: response.bytes().await.expect("a whole body").to_vec() }
        })
        .await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::POST, path).json(&body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::PATCH, path).json(&body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(self.request(Method::DELETE, path)).await
    }

    /// Opens an event stream, and fails on any other response.
    pub async fn open(&self, request: RequestBuilder) -> Stream {
        let response = soon("a stream", request.send()).await.expect("the server answers");
        let status = response.status();
        assert!(status.is_success(), "{status}: {}", response.text().await.unwrap_or_default());
        Stream::new(response.bytes_stream().map(|bytes| bytes.map(Into::into)).boxed())
    }

    /// Starts a turn.
    pub async fn say(&self, body: Value) -> Stream {
        self.open(self.request(Method::POST, "/api/chat/stream").json(&body)).await
    }

    /// Runs a complete turn in the open conversation.
    pub async fn ask(&self, message: &str) -> Vec<Event> {
        self.say(json!({ "message": message })).await.rest().await
    }

    /// Runs a complete turn in this conversation.
    pub async fn ask_in(&self, conversation: &Value, message: &str) -> Vec<Event> {
        self.say(json!({ "message": message, "conversationId": conversation })).await.rest().await
    }

    /// Resumes a turn after the event `last`, like a client after a lost connection.
    pub async fn resume(&self, turn: &str, last: Option<&str>) -> Stream {
        let mut request = self.request(Method::GET, &format!("/api/chat/turns/{turn}"));
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        self.open(request).await
    }

    pub async fn view(&self, conversation: &str) -> Value {
        self.get(&format!("/api/chats/{conversation}")).await.json()
    }

    /// Returns the messages of the current branch.
    pub async fn messages(&self, conversation: &str) -> Vec<Value> {
        self.view(conversation).await["messages"].as_array().expect("messages").clone()
    }

    pub async fn stop(&self, turn: &str) -> Answer {
        self.post("/api/chat/stop", json!({ "turnId": turn })).await
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn authority(&self) -> Option<&[u8]> {
        self.authority.as_deref()
    }

    pub fn means(&self) -> &Means {
        &self.means
    }
}
