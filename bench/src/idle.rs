use std::net::TcpListener;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use host::{ChildProcess, OutputChunk, Program};
use testkit::TempHome;

use crate::peer::PythonPeer;
use crate::report::{BenchReport, Goal};
use crate::server::{program, resident};
use crate::statistics::{median, median_ratio};

const PAIRS: usize = 20;

/// The least that a FastAPI program with a vector store does before it can answer.
const APP: &str = "import sys, chromadb, uvicorn\nfrom fastapi import FastAPI\n\
    client = chromadb.PersistentClient(path=sys.argv[1])\nclient.get_or_create_collection('memories')\n\
    app = FastAPI()\n@app.get('/api/health')\ndef health():\n    return {'status': 'ok'}\n\
    uvicorn.run(app, host='127.0.0.1', port=int(sys.argv[2]), log_level='warning')\n";

/// Measures the time from the start of the program to its first answer, and its memory at that point, without a model.
pub async fn run() -> anyhow::Result<BenchReport> {
    let peer = PythonPeer::prepare().await?;
    let http = reqwest::Client::builder().no_proxy().build()?;
    let ours_home = TempHome::new();
    let theirs_home = TempHome::new();
    let (mut start, mut their_start, mut memory, mut their_memory) = (vec![], vec![], vec![], vec![]);
    for pair in 0..=PAIRS {
        let port = free_port()?;
        let ours = Program::new(program()?)
            .args(["serve", "--port"])
            .arg(port.to_string())
            .arg("--home")
            .arg(ours_home.path());
        let (ours_time, ours_bytes) = measure(&http, ours, port).await?;
        let port = free_port()?;
        let theirs =
            Program::new(&peer.python).args(["-c", APP]).arg(theirs_home.path()).arg(port.to_string());
        let (theirs_time, theirs_bytes) = measure(&http, theirs, port).await?;
        // The first pair creates databases and fills the page cache.
        if pair > 0 {
            start.push(ours_time);
            memory.push(ours_bytes);
            their_start.push(theirs_time);
            their_memory.push(theirs_bytes);
        }
    }
    let method = format!(
        "{PAIRS} interleaved pairs, without a model. Ours: `perigee serve` on a data folder. Beside it a bare Python process \
         ({}) that opens a persistent collection and serves one route. Time is from the start of the program to its first \
         answer over HTTP; memory is the resident set after it.",
        peer.versions
    );
    let mut report = BenchReport::new("idle", method);
    report.row("start_ms", "start to first answer", median(&start) * 1e3, "ms", Some(Goal::AtMost(150.0)));
    report.row("memory_mb", "resident memory", median(&memory), "MB", Some(Goal::AtMost(40.0)));
    report.row(
        "peer_start_ms",
        "FastAPI + uvicorn + chromadb: start",
        median(&their_start) * 1e3,
        "ms",
        None,
    );
    report.row("peer_memory_mb", "FastAPI + uvicorn + chromadb: memory", median(&their_memory), "MB", None);
    report.row("start_ratio", "start, ours ÷ theirs", median_ratio(&start, &their_start), "×", None);
    report.row("memory_ratio", "memory, ours ÷ theirs", median_ratio(&memory, &their_memory), "×", None);
    Ok(report)
}

/// Returns the seconds to the first answer, and the resident megabytes after it.
async fn measure(http: &reqwest::Client, program: Program, port: u16) -> anyhow::Result<(f64, f64)> {
    let started = Instant::now();
    let mut child = program.time_limit(Duration::from_mins(2)).spawn()?;
    let url = format!("http://127.0.0.1:{port}/api/health");
    let answered = async {
        while !http.get(&url).send().await.is_ok_and(|response| response.status().is_success()) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        started.elapsed().as_secs_f64()
    };
    let seconds = tokio::select! {
        seconds = answered => seconds,
        ended = ended(&mut child) => anyhow::bail!("the program ended before it answered: {ended}"),
    };
    // Work that is still going on just after the first answer belongs to the size at rest.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let memory = resident(child.pid().context("the program is gone")?)?;
    child.kill();
    Ok((seconds, memory))
}

async fn ended(child: &mut ChildProcess) -> String {
    let mut said = String::new();
    while let Ok(Some(chunk)) = child.next().await {
        let (OutputChunk::Stdout(bytes) | OutputChunk::Stderr(bytes)) = chunk;
        said.push_str(&String::from_utf8_lossy(&bytes));
    }
    said
}

fn free_port() -> anyhow::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
