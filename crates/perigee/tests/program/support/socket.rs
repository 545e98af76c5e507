use futures_util::{SinkExt as _, StreamExt};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use super::client::Means;
use super::{Client, soon};

/// A connection with or without TLS.
pub trait Wire: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Wire for T {}

/// An open `/ws` connection.
pub struct Socket {
    stream: WebSocketStream<Box<dyn Wire>>,
    /// The first message.
    pub hello: Value,
}

impl Socket {
    /// Connects and reads the first message.
    pub async fn open(client: &Client, query: &str) -> Self {
        let stream =
            connect(client, query, &[]).await.unwrap_or_else(|status| panic!("/ws refused: {status}"));
        let mut socket = Self { stream, hello: Value::Null };
        socket.hello = socket.next().await;
        assert_eq!(socket.hello["action"], "hello");
        socket
    }

    /// Returns the HTTP status with which a connection is refused.
    pub async fn refused(client: &Client, query: &str, headers: &[(&'static str, &str)]) -> u16 {
        match connect(client, query, headers).await {
            Ok(_) => 101,
            Err(status) => status,
        }
    }

    /// Returns the code with which the server closes an accepted connection.
    pub async fn closed_with(client: &Client, query: &str) -> u16 {
        let stream =
            connect(client, query, &[]).await.unwrap_or_else(|status| panic!("/ws refused: {status}"));
        let mut socket = Self { stream, hello: Value::Null };
        socket.close_code().await
    }

    /// Returns the next message, which must arrive. Changes of the speaking page are skipped: they come with every new
    /// connection.
    pub async fn next(&mut self) -> Value {
        loop {
            let push = self.any().await;
            if push["action"] != "speaker" {
                return push;
            }
        }
    }

    async fn any(&mut self) -> Value {
        match soon("the next push", self.text()).await {
            Ok(text) => serde_json::from_str(&text).expect("JSON"),
            Err(code) => panic!("closed with {code}"),
        }
    }

    /// Waits for the next change, and returns true if this page plays the voice.
    pub async fn speaker(&mut self) -> bool {
        loop {
            let push = self.any().await;
            if push["action"] == "speaker" {
                return push["speaks"].as_bool().expect("yes or no");
            }
        }
    }

    pub async fn send(&mut self, text: &str) {
        soon("sending", self.stream.send(Message::text(text))).await.expect("an open line");
    }

    /// Returns the next message of this kind and skips others.
    pub async fn until(&mut self, action: &str) -> Value {
        loop {
            let push = self.next().await;
            if push["action"] == action {
                return push;
            }
        }
    }

    /// Reads until the server closes, and returns the code.
    pub async fn close_code(&mut self) -> u16 {
        soon("the end of the connection", async {
            loop {
                if let Err(code) = self.text().await {
                    return code;
                }
            }
        })
        .await
    }

    async fn text(&mut self) -> Result<String, u16> {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => return Ok(text.to_string()),
                Some(Ok(Message::Close(frame))) => return Err(frame.map_or(1005, |frame| frame.code.into())),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(1006),
            }
        }
    }
}

async fn connect(
    client: &Client,
    query: &str,
    headers: &[(&'static str, &str)],
) -> Result<WebSocketStream<Box<dyn Wire>>, u16> {
    let address = client.address();
    let (_, host) = address.split_once("://").expect("an address");
    let mut request = format!("ws://{host}/ws{query}").into_client_request().expect("a request");
    let all = request.headers_mut();
    match client.means() {
        Means::Nothing => {}
        Means::Token(token) => drop(all.insert("authorization", format!("Bearer {token}").parse().unwrap())),
        Means::Cookie(cookie) => {
            all.insert("cookie", cookie.parse().unwrap());
            all.insert("origin", address.parse().unwrap());
        }
    }
    for (name, value) in headers {
        all.insert(*name, value.parse().unwrap());
    }
    let wire = wire(host, client.authority()).await;
    match soon("an answer", client_async(request, wire)).await {
        Ok((stream, _)) => Ok(stream),
        Err(Error::Http(response)) => Err(response.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

/// Opens a raw connection, with a completed TLS handshake if an authority is given.
pub async fn wire(host: &str, authority: Option<&[u8]>) -> Box<dyn Wire> {
    let stream = soon("a connection", TcpStream::connect(host)).await.expect("the server listens");
    let Some(authority) = authority else { return Box::new(stream) };
    let mut roots = rustls::RootCertStore::empty();
    roots.add(authority.to_vec().into()).expect("a certificate");
    let config = rustls::ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let (name, _) = host.split_once(':').expect("a port");
    let name = rustls::pki_types::ServerName::try_from(name.to_owned()).expect("a name");
    let connector = tokio_rustls::TlsConnector::from(std::sync::Arc::new(config));
    Box::new(soon("a handshake", connector.connect(name, stream)).await.expect("a handshake"))
}
