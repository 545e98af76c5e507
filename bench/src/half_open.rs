use std::time::{Duration, Instant};

use anyhow::Context as _;
use testkit::{ScriptedModel, ScriptedReply, TempHome};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::report::{BenchReport, Goal};
use crate::server::RunningServer;
use crate::statistics::{median, median_ratio, percentile};

const CROWD: usize = 2000;
const PAIRS: usize = 30;

/// Measures the owner's waiting time while thousands of connections are open and incomplete.
pub async fn run() -> anyhow::Result<BenchReport> {
    let model = ScriptedModel::start().await;
    model.otherwise(ScriptedReply::text("Here I am, and I have not been kept from it."));
    let home = TempHome::new();
    let settings =
        format!("[llm]\nbase_url = \"{}/v1\"\nmodel = \"scripted\"\n[chat]\ntitle = \"off\"\n", model.url());
    home.write("config.toml", settings);
    let mut server = RunningServer::start(home.path(), &[]).await?;
    // Each of the owner's requests must open a new connection.
    server.http =
        reqwest::Client::builder().no_proxy().tcp_nodelay(true).pool_max_idle_per_host(0).build()?;
    let kinds = kinds(&server)?;

    let (mut quiet, mut crowded) = (Waits::default(), Waits::default());
    for pair in 0..=PAIRS {
        let one = Waits::of(&server).await?;
        let crowd = crowd(&server, &kinds).await?;
        let other = Waits::of(&server).await?;
        drop(crowd);
        // The first pair fills caches.
        if pair > 0 {
            quiet.add(one);
            crowded.add(other);
        }
    }
    server.process.stop().await;

    let method = format!(
        "{PAIRS} interleaved pairs with the scripted model: the owner's turn and request, each by a connection of its own, \
         alone and beside {CROWD} others on the same port: a fifth each says nothing, half a head, half a body, one \
         request and no more, and becomes a WebSocket that never answers. They are opened anew for each pair."
    );
    let mut report = BenchReport::new("half-open", method);
    let rows = [
        ("first_token", "time to the first token", &quiet.first_token, &crowded.first_token),
        ("round_trip", "round trip of a small request", &quiet.round_trip, &crowded.round_trip),
    ];
    for (key, what, quiet, crowded) in rows {
        report.row(format!("{key}_quiet_ms"), format!("{what}, alone"), median(quiet), "ms", None);
        report.row(format!("{key}_ms"), format!("{what}, beside them"), median(crowded), "ms", None);
        let p95 = percentile(crowded, 95.0);
        report.row(format!("{key}_p95_ms"), format!("{what}, beside them, p95"), p95, "ms", None);
        let ratio = median_ratio(crowded, quiet);
        let goal = Some(Goal::AtMost(2.0));
        report.row(format!("{key}_ratio"), format!("{what}, beside them ÷ alone"), ratio, "×", goal);
    }
    Ok(report)
}

/// The waiting times in milliseconds.
#[derive(Default)]
struct Waits {
    first_token: Vec<f64>,
    round_trip: Vec<f64>,
}

impl Waits {
    async fn of(server: &RunningServer) -> anyhow::Result<Self> {
        let conversation = server.fresh().await?;
        let first_token = server.say("Are you there?", Some(&conversation)).await?.first_token;
        let begun = Instant::now();
        server.get("/api/health").await?;
        let ms = |time: Duration| vec![time.as_secs_f64() * 1e3];
        Ok(Self { first_token: ms(first_token), round_trip: ms(begun.elapsed()) })
    }

    fn add(&mut self, other: Self) {
        self.first_token.extend(other.first_token);
        self.round_trip.extend(other.round_trip);
    }
}

fn host_of(server: &RunningServer) -> anyhow::Result<&str> {
    server.process.address().strip_prefix("http://").context("no address")
}

fn kinds(server: &RunningServer) -> anyhow::Result<[String; 5]> {
    let (host, token) = (host_of(server)?, server.process.token());
    let health = format!("GET /api/health HTTP/1.1\r\nHost: {host}\r\n");
    Ok([
        String::new(),
        format!("{health}X-Half:"),
        format!(
            "POST /api/auth/login HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
        ),
        format!("{health}\r\n"),
        format!(
            "GET /ws HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ),
    ])
}

async fn crowd(server: &RunningServer, kinds: &[String]) -> anyhow::Result<Vec<TcpStream>> {
    let host = host_of(server)?;
    let mut crowd = Vec::with_capacity(CROWD);
    for says in kinds.iter().cycle().take(CROWD) {
        let mut socket = TcpStream::connect(host).await?;
        // The server may close some connections at once in favour of others.
        let _ = socket.write_all(says.as_bytes()).await;
        crowd.push(socket);
    }
    Ok(crowd)
}
