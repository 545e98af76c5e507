use std::net::Ipv4Addr;

use axum::body::Bytes;
use axum::extract::ws::WebSocketUpgrade;
use axum::routing::{any, get, post};
use futures_util::stream;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpSocket;
use tokio::sync::Notify;

use super::*;

const SHORT: Duration = Duration::from_millis(300);
const LARGE: usize = 32 * 1024 * 1024;

fn impatient() -> ConnectionLimits {
    ConnectionLimits {
        head: SHORT,
        idle: SHORT,
        body: SHORT,
        silence: SHORT,
        handshake: SHORT,
        ..ConnectionLimits::for_files(1024)
    }
}

/// Starts a server with a few routes. Returns its address and the event that its endless stream waits for.
async fn served(limits: ConnectionLimits) -> (SocketAddr, Arc<Notify>) {
    let news = Arc::new(Notify::new());
    let waited = Arc::clone(&news);
    let lines = move || {
        let waited = Arc::clone(&waited);
        let lines = stream::unfold(0, move |count| {
            let waited = Arc::clone(&waited);
            async move {
                if count > 0 {
                    waited.notified().await;
                }
                Some((Ok::<_, Infallible>(Bytes::from("line\n")), count + 1))
            }
        });
        std::future::ready(Body::from_stream(lines))
    };
    let router = Router::new()
        .route("/count", post(async |body: Bytes| body.len().to_string()))
        .route("/lines", get(lines))
        .route("/large", get(async || vec![b'x'; LARGE]))
        .route(
            "/ws",
            any(async |upgrade: WebSocketUpgrade| {
                upgrade.on_upgrade(async |mut socket| while let Some(Ok(_)) = socket.recv().await {})
            }),
        )
        .route("/", get(async || "hello"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let never = CancellationToken::new();
        Connections::new(limits).serve(listener, ListenerTransport::Plain, router, &never, &never).await;
    });
    (address, news)
}

async fn connected(address: SocketAddr, says: &str) -> TcpStream {
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(says.as_bytes()).await.unwrap();
    socket
}

/// Reads everything until the other side closes the connection.
async fn rest(mut socket: TcpStream) -> String {
    let mut bytes = Vec::new();
    let read = socket.read_to_end(&mut bytes);
    // A closed connection may be reset.
    let _ = tokio::time::timeout(Duration::from_secs(20), read).await.expect("it is cut");
    String::from_utf8_lossy(&bytes).into_owned()
}

async fn until(socket: &mut TcpStream, what: &str) -> String {
    let mut text = String::new();
    while !text.contains(what) {
        let mut buffer = [0; 256];
        let read = socket.read(&mut buffer).await.unwrap();
        assert!(read > 0, "{text:?} ends before {what:?}");
        text.push_str(&String::from_utf8_lossy(&buffer[..read]));
    }
    text
}

const UPGRADE: &str = "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\
                       Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

#[tokio::test]
async fn what_is_half_open_is_cut_and_what_is_slow_is_not() {
    let (address, news) = served(impatient()).await;
    let mut lines = connected(address, "GET /lines HTTP/1.1\r\nHost: h\r\n\r\n").await;
    until(&mut lines, "line").await;
    let paused = TcpSocket::new_v4().unwrap();
    paused.set_recv_buffer_size(4096).unwrap();
    let mut paused = paused.connect(address).await.unwrap();
    paused.write_all(b"GET /large HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").await.unwrap();
    for (name, says, answered) in [
        ("nothing", "", ""),
        ("half a head", "GET / HTTP/1.1\r\nHost: ", ""),
        ("half a body", "POST /count HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf", ""),
        ("between requests", "GET / HTTP/1.1\r\nHost: h\r\n\r\n", "hello"),
        ("half of the second", "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET", "hello"),
        ("a socket that says nothing", UPGRADE, "101 Switching Protocols"),
    ] {
        let said = rest(connected(address, says).await).await;
        assert!(said.contains(answered) && (said.is_empty() == answered.is_empty()), "{name}: {said}");
    }
    // Both connections stayed open during all of that.
    news.notify_one();
    until(&mut lines, "line").await;
    let taken = rest(paused).await;
    assert_eq!(taken.matches('x').count(), LARGE);
}

#[tokio::test]
async fn an_upload_over_a_slow_line_arrives() {
    let (address, _) = served(ConnectionLimits { body: Duration::from_secs(2), ..impatient() }).await;
    let pieces = 4;
    let head = format!("POST /count HTTP/1.1\r\nHost: h\r\nContent-Length: {}\r\n\r\n", pieces * 1024);
    let mut upload = connected(address, &head).await;
    for _ in 0..pieces {
        // In total longer than a silent client is waited for.
        rest(connected(address, "").await).await;
        upload.write_all(&[b'x'; 1024]).await.unwrap();
    }
    until(&mut upload, &(pieces * 1024).to_string()).await;
}

#[tokio::test]
async fn where_all_places_are_taken_by_half_open_ones_a_new_one_is_served() {
    let (address, _) = served(ConnectionLimits { here: 20, ..ConnectionLimits::for_files(1024) }).await;
    for says in [
        "",
        "GET / HTTP/1.1\r\nHo",
        "POST /count HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf",
        "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
        UPGRADE,
    ] {
        let mut crowd = Vec::new();
        for _ in 0..100 {
            crowd.push(connected(address, says).await);
        }
        let mut honest = connected(address, "GET / HTTP/1.1\r\nHost: h\r\n\r\n").await;
        until(&mut honest, "hello").await;
    }
}
