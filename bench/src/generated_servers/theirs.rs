//! The official client, in a process of its own that takes commands line by line.

use std::time::Duration;

use anyhow::Context as _;
use host::{ChildProcess, ChildStdin, OutputChunk, Program};
use serde_json::{Map, Value, json};
use tokio::io::AsyncWriteExt as _;

use super::processes::children;
use crate::peer::PythonPeer;

const SCRIPT: &str = include_str!("../workshop_peer.py");

pub struct Theirs {
    /// The Python with the official package.
    pub python: String,
    child: ChildProcess,
    input: ChildStdin,
    said: Vec<u8>,
}

impl Theirs {
    pub fn start(peer: &PythonPeer) -> anyhow::Result<Self> {
        let program = Program::new(&peer.python).args(["-c", SCRIPT]).with_open_stdin();
        let program = program.time_limit(Duration::from_hours(1)).output_limit(usize::MAX);
        // A local server must not be reached through a proxy.
        let mut child = program.env("NO_PROXY", "127.0.0.1").spawn()?;
        let input = child.take_stdin().context("it cannot be told anything")?;
        let python = peer.python.to_str().context("its path is not text")?.to_owned();
        Ok(Self { python, child, input, said: Vec::new() })
    }

    /// Starts a server and initialises it. Returns the seconds until its tools are known.
    pub async fn open(&mut self, name: &str, command: &[String]) -> anyhow::Result<f64> {
        let answer = self.ask(&json!({"open": name, "command": command})).await?;
        answer["seconds"].as_f64().context("no seconds")
    }

    pub async fn reach(&mut self, name: &str, url: &str) -> anyhow::Result<()> {
        self.ask(&json!({"open": name, "url": url})).await.map(drop)
    }

    /// Returns the process of the open server, of which there must be only one.
    pub fn server(&self) -> anyhow::Result<u32> {
        let driver = self.child.pid().context("the official client is gone")?;
        children(driver).last().copied().context("its server is gone")
    }

    /// Makes `times` calls, and returns the seconds of each.
    pub async fn call(
        &mut self,
        name: &str,
        tool: &str,
        arguments: &Map<String, Value>,
        times: usize,
    ) -> anyhow::Result<Vec<f64>> {
        let order = json!({"call": name, "tool": tool, "arguments": arguments, "times": times});
        let mut answer = self.ask(&order).await?;
        Ok(serde_json::from_value(answer["times"].take())?)
    }

    pub async fn close(&mut self, name: &str) -> anyhow::Result<()> {
        self.ask(&json!({"close": name})).await.map(drop)
    }

    async fn ask(&mut self, order: &Value) -> anyhow::Result<Value> {
        self.input.write_all(format!("{order}\n").as_bytes()).await?;
        let mut complaint = Vec::new();
        loop {
            if let Some(end) = self.said.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.said.drain(..=end).collect();
                let answer: Value = serde_json::from_slice(&line)?;
                anyhow::ensure!(answer["error"].is_null(), "the official client: {}", answer["error"]);
                return Ok(answer);
            }
            match self.child.next().await? {
                Some(OutputChunk::Stdout(bytes)) => self.said.extend(bytes),
                Some(OutputChunk::Stderr(bytes)) => complaint.extend(bytes),
                None => {
                    anyhow::bail!("the official client is gone: {}", String::from_utf8_lossy(&complaint))
                }
            }
        }
    }
}
