//! Calls of the same servers through both clients.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use config::{McpOauth, McpTransport, Url};
use host::{ChildProcess, Program};
use serde_json::{Map, Value, json};

use super::measured_tool::{ANSWER, ARGUMENTS, CALLED, TOOL};
use super::ours::Ours;
use super::theirs::Theirs;
use crate::report::{BenchReport, Goal};
use crate::statistics::{median, median_ratio};

pub const ROUNDS: usize = 12;
pub const CALLS: usize = 50;

/// A server that is installed for the web app's tests.
const EVERYTHING: &str = "web/node_modules/@modelcontextprotocol/server-everything/dist/index.js";

/// The server and tool that both clients call.
struct Called<'a> {
    name: &'a str,
    tool: &'a str,
    answer: &'a str,
    arguments: Map<String, Value>,
}

pub async fn measure(report: &mut BenchReport, ours: &Ours, theirs: &mut Theirs) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("server.py");
    host::atomic_write(&file, TOOL.as_bytes())?;
    let arguments: Map<String, Value> = serde_json::from_str(ARGUMENTS)?;
    let command = vec![theirs.python.clone(), file.display().to_string()];
    let python = Called { name: "python", tool: CALLED, answer: ANSWER, arguments: arguments.clone() };
    by_stdio(report, ours, theirs, &python, "an official Python server", &command).await?;
    if Path::new(EVERYTHING).is_file() && host::find_program("node").is_some() {
        let arguments = json!({"message": "moon"}).as_object().cloned().unwrap_or_default();
        let command = ["node", EVERYTHING, "stdio"].map(str::to_owned);
        let everything = Called { name: "everything", tool: "echo", answer: "moon", arguments };
        by_stdio(report, ours, theirs, &everything, "server-everything on Node", &command).await?;
    } else {
        eprintln!("bench: without server-everything: `npm ci` in web/ brings it, and Node runs it");
    }
    let web = OverHttp::start(&theirs.python, folder.path()).await?;
    let called = Called { name: "http", tool: CALLED, answer: ANSWER, arguments };
    let url = Url::parse(&web.url).context("not an address")?;
    ours.connect(
        called.name,
        McpTransport::Http { url, headers: BTreeMap::new(), oauth: McpOauth::default() },
    )
    .await?;
    theirs.reach(called.name, &web.url).await?;
    in_turns(report, ours, theirs, &called, "an official Python server over HTTP").await
}

async fn by_stdio(
    report: &mut BenchReport,
    ours: &Ours,
    theirs: &mut Theirs,
    called: &Called<'_>,
    what: &str,
    command: &[String],
) -> anyhow::Result<()> {
    ours.connect(called.name, program(command)).await?;
    theirs.open(called.name, command).await?;
    in_turns(report, ours, theirs, called, what).await
}

async fn in_turns(
    report: &mut BenchReport,
    ours: &Ours,
    theirs: &mut Theirs,
    called: &Called<'_>,
    what: &str,
) -> anyhow::Result<()> {
    let Called { name, tool, answer, arguments } = called;
    let (mut mine, mut other, mut my_rounds, mut other_rounds) = (vec![], vec![], vec![], vec![]);
    for round in 0..=ROUNDS {
        let one = ours.call(name, (tool, answer), arguments, CALLS).await?;
        let two = theirs.call(name, tool, arguments, CALLS).await?;
        // The first round is a warm-up.
        if round > 0 {
            my_rounds.push(median(&one));
            other_rounds.push(median(&two));
            mine.extend(one.iter().map(|seconds| seconds * 1e3));
            other.extend(two.iter().map(|seconds| seconds * 1e3));
        }
    }
    ours.stop(name).await?;
    theirs.close(name).await?;
    report.times(&format!("call_{name}"), &format!("{what}: a call through our client"), &mine);
    report.times(&format!("call_{name}_official"), &format!("{what}: through the official client"), &other);
    let ratio = median_ratio(&my_rounds, &other_rounds);
    let goal = Some(Goal::AtMost(1.0));
    report.row(format!("call_{name}_ratio"), format!("{what}: a call, ours ÷ theirs"), ratio, "×", goal);
    Ok(())
}

/// Returns a command in the form of the settings.
fn program(command: &[String]) -> McpTransport {
    let (program, args) = command
        .split_first()
        .map_or_else(Default::default, |(program, args)| (program.clone(), args.to_vec()));
    McpTransport::Program { command: program, args, env: BTreeMap::new(), cwd: None }
}

/// A server with the same tools over HTTP. Dropping it ends the process.
struct OverHttp {
    url: String,
    _child: ChildProcess,
}

impl OverHttp {
    async fn start(python: &str, folder: &Path) -> anyhow::Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let server = format!("FastMCP(\"scales\", port={port}, log_level=\"ERROR\")");
        let code =
            TOOL.replace("FastMCP(\"scales\")", &server).replace("mcp.run()", "mcp.run(\"streamable-http\")");
        let file = folder.join("over_http.py");
        host::atomic_write(&file, code.as_bytes())?;
        let child = Program::new(python).arg(&file).time_limit(Duration::from_hours(1)).spawn()?;
        let began = Instant::now();
        while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            anyhow::ensure!(began.elapsed() < Duration::from_mins(1), "the server over HTTP does not start");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(Self { url: format!("http://127.0.0.1:{port}/mcp"), _child: child })
    }
}
