//! Relays bytes between two connections until both end or neither sends anything.

use std::io;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;

const CHUNK: usize = 16 * 1024;

/// Relays both directions; the end of each is passed on.
pub async fn tunnel(client: &mut TcpStream, server: &mut TcpStream, silence: Duration) {
    let said = Said::now();
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    let there = pump(from_client, to_server, &said, Ending::PassedOn);
    let back = pump(from_server, to_client, &said, Ending::PassedOn);
    tokio::select! {
        // A broken connection closes the other one too.
        _ = async { tokio::try_join!(there, back) } => {}
        () = said.nothing_for(silence) => {}
    }
}

/// Relays `body` bytes of a request and the whole response. Anything that the client sends after that is discarded.
pub async fn exchange(client: &mut TcpStream, server: &mut TcpStream, body: u64, silence: Duration) {
    let said = Said::now();
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    let there = async {
        // A server may respond before it has read everything and then stop reading.
        let _ = pump(from_client.take(body), to_server, &said, Ending::Kept).await;
        std::future::pending::<()>().await;
    };
    tokio::select! {
        _ = pump(from_server, to_client, &said, Ending::PassedOn) => {}
        () = there => {}
        () = said.nothing_for(silence) => {}
    }
}

#[derive(PartialEq, Eq)]
enum Ending {
    PassedOn,
    Kept,
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    said: &Said,
    ending: Ending,
) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK];
    loop {
        let length = from.read(&mut buffer).await?;
        if length == 0 {
            return if ending == Ending::PassedOn { to.shutdown().await } else { Ok(()) };
        }
        said.again();
        to.write_all(&buffer[..length]).await?;
        said.again();
    }
}

/// The time at which data was last received or sent.
struct Said(Mutex<Instant>);

impl Said {
    fn now() -> Self {
        Self(Mutex::new(Instant::now()))
    }

    fn again(&self) {
        if let Ok(mut last) = self.0.lock() {
            *last = Instant::now();
        }
    }

    async fn nothing_for(&self, silence: Duration) {
        loop {
            let passed = self.0.lock().map_or(silence, |last| last.elapsed());
            let Some(left) = silence.checked_sub(passed).filter(|left| !left.is_zero()) else { return };
            tokio::time::sleep(left).await;
        }
    }
}
