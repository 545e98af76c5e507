use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use host::SystemClock;
use store::Store;
use store::sample::{self, SampleSize};
use testkit::{ScriptedModel, ScriptedReply, TempHome};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::report::{BenchReport, Goal};
use crate::server::RunningServer;

/// The messages of one or two years for a user who talks every day.
const YEAR: SampleSize = SampleSize { conversations: 2000, messages_each: 50 };
const PAGES: usize = 3;
/// The requests of a page when it opens, and those of the memory view.
const ASKED: [&str; 12] = [
    "/",
    "/api/auth/status",
    "/api/config",
    "/api/models",
    "/api/chats?limit=50",
    "/api/tools",
    "/api/body",
    "/api/memory",
    "/api/memory/timeline",
    "/api/memory/files",
    "/api/memory/recall?q=Where+do+I+live",
    "/api/chats/search?q=garden",
];

/// Measures the memory of the program at rest, without a model: alone, with pages open, and with a year of messages.
pub async fn run() -> anyhow::Result<BenchReport> {
    let model = ScriptedModel::start().await;
    model.otherwise(ScriptedReply::text("Here I am."));
    let settings =
        format!("[llm]\nbase_url = \"{}/v1\"\nmodel = \"scripted\"\n[chat]\ntitle = \"off\"\n", model.url());
    let method = format!(
        "Without a model in the program. At rest after its start; with {PAGES} pages open, a few turns of the scripted model and \
         everything of memory read; and the same with {} messages in it. Of the resident memory, what belongs to the program's \
         file can be read again and is given back when others need it; its own cannot.",
        YEAR.conversations * YEAR.messages_each
    );
    let mut report = BenchReport::new("memory", method);
    for (key, what, size) in [("fresh", "nothing in it", None), ("year", "a year in it", Some(YEAR))] {
        let home = TempHome::new();
        home.write("config.toml", &settings);
        if let Some(size) = size {
            fill(&home, size).await?;
        }
        let server = RunningServer::start(home.path(), &[]).await?;
        let goal = (key == "fresh").then_some(Goal::AtMost(40.0));
        rows(&mut report, &server, &format!("{key}_idle"), &format!("{what}, at rest"), goal).await?;
        let pages = in_use(&server).await?;
        rows(
            &mut report,
            &server,
            &format!("{key}_pages"),
            &format!("{what}, pages open"),
            Some(Goal::AtMost(40.0)),
        )
        .await?;
        drop(pages);
        server.process.stop().await;
    }
    Ok(report)
}

async fn fill(home: &TempHome, size: SampleSize) -> anyhow::Result<()> {
    let store = Store::open(&home.join("perigee.db"), Arc::new(SystemClock))?;
    let owner = store.owner().await?.id;
    sample::fill(&store, owner, size).await?;
    store.optimize().await?;
    store.checkpoint().await?;
    store.close().await;
    Ok(())
}

/// Opens the pages and returns their sockets, which stay open.
async fn in_use(server: &RunningServer) -> anyhow::Result<Vec<TcpStream>> {
    let host = server.process.address().strip_prefix("http://").context("no address")?;
    let mut pages = Vec::new();
    for _ in 0..PAGES {
        let mut page = TcpStream::connect(host).await?;
        let opening = format!(
            "GET /ws HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            server.process.token()
        );
        page.write_all(opening.as_bytes()).await?;
        pages.push(page);
        for path in ASKED {
            let request = server.http.get(server.process.url(path)).bearer_auth(server.process.token());
            request.send().await?.error_for_status().with_context(|| path.to_owned())?.bytes().await?;
        }
        server.say("Are you there?", None).await?;
    }
    Ok(pages)
}

async fn rows(
    report: &mut BenchReport,
    server: &RunningServer,
    key: &str,
    what: &str,
    goal: Option<Goal>,
) -> anyhow::Result<()> {
    // Waits until startup and cleanup work is done, which is not part of the state at rest.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let status =
        std::fs::read_to_string(Path::new("/proc").join(server.process.pid().to_string()).join("status"))?;
    let of = |name: &str| -> anyhow::Result<f64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).context("no such field")?;
        Ok(line.trim().trim_end_matches("kB").trim().parse::<f64>()? / 1024.0)
    };
    report.row(format!("{key}_mb"), format!("{what}: resident"), of("VmRSS:")?, "MB", goal);
    report.row(format!("{key}_own_mb"), format!("{what}: of this, its own"), of("RssAnon:")?, "MB", None);
    Ok(())
}
