//! Relays bytes between two connections until both end or neither sends anything.

use std::io;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;

const CHUNK: usize = 16 * 1024;

/// Relays both directions; the end of each is passed on.
pub async fn tunnel(client: &mut TcpStream, server: &mut TcpStream, silence: Duration) {
    let activity = LastActivity::now();
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    let there = pump(from_client, to_server, &activity, StreamEnd::Forwarded);
    let back = pump(from_server, to_client, &activity, StreamEnd::Forwarded);
    tokio::select! {
        // A broken connection closes the other one too.
        _ = async { tokio::try_join!(there, back) } => {}
        () = activity.idle_for(silence) => {}
    }
}

/// Relays `body` bytes of a request and the whole response. Anything that the client sends after that is discarded.
pub async fn exchange(client: &mut TcpStream, server: &mut TcpStream, body: u64, silence: Duration) {
    let activity = LastActivity::now();
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    let there = async {
        // A server may respond before it has read everything and then stop reading.
        let _ = pump(from_client.take(body), to_server, &activity, StreamEnd::Withheld).await;
        std::future::pending::<()>().await;
    };
    tokio::select! {
        _ = pump(from_server, to_client, &activity, StreamEnd::Forwarded) => {}
        () = there => {}
        () = activity.idle_for(silence) => {}
    }
}

/// The handling of the end of a stream.
#[derive(PartialEq, Eq)]
enum StreamEnd {
    Forwarded,
    Withheld,
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    activity: &LastActivity,
    ending: StreamEnd,
) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK];
    loop {
        let length = from.read(&mut buffer).await?;
        if length == 0 {
            return if ending == StreamEnd::Forwarded { to.shutdown().await } else { Ok(()) };
        }
        activity.record();
        to.write_all(&buffer[..length]).await?;
        activity.record();
    }
}

/// The time at which data was last received or sent.
struct LastActivity(Mutex<Instant>);

impl LastActivity {
    fn now() -> Self {
        Self(Mutex::new(Instant::now()))
    }

    fn record(&self) {
        if let Ok(mut last) = self.0.lock() {
            *last = Instant::now();
        }
    }

    async fn idle_for(&self, silence: Duration) {
        loop {
            let passed = self.0.lock().map_or(silence, |last| last.elapsed());
            let Some(left) = silence.checked_sub(passed).filter(|left| !left.is_zero()) else { return };
            tokio::time::sleep(left).await;
        }
    }
}
