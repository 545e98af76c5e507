//! Connects the standard streams of a server process to the protocol.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use host::{ChildProcess, ChildStdin, OutputChunk};
use sandbox::SandboxedProgram;
use tokio::io::{AsyncWriteExt as _, DuplexStream};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::server_log::ServerLog;

/// The size of the read-ahead buffer, in bytes.
const BUFFER: usize = 64 * 1024;
/// The most output within [`OUTPUT_TIME`], in bytes; a program that prints more is stopped.
const MOST_OUTPUT: usize = 64 * 1024 * 1024;
const OUTPUT_TIME: Duration = Duration::from_secs(10);
/// The time for a program to exit after its input has been closed.
const TIME_TO_EXIT: Duration = Duration::from_secs(2);

/// A running program, sandboxed or not.
#[async_trait]
pub trait ServerProcess: Send + 'static {
    fn input(&mut self) -> Option<ChildStdin>;
    async fn next(&mut self) -> Result<Option<OutputChunk>, String>;
    /// Waits for the program and describes its exit.
    async fn end(self: Box<Self>) -> String;
}

#[async_trait]
impl ServerProcess for ChildProcess {
    fn input(&mut self) -> Option<ChildStdin> {
        ChildProcess::take_stdin(self)
    }

    async fn next(&mut self) -> Result<Option<OutputChunk>, String> {
        ChildProcess::next(self).await.map_err(|error| error.to_string())
    }

    async fn end(self: Box<Self>) -> String {
        exit_text(self.finish().await.map_err(|error| error.to_string()))
    }
}

#[async_trait]
impl ServerProcess for SandboxedProgram {
    fn input(&mut self) -> Option<ChildStdin> {
        SandboxedProgram::take_stdin(self)
    }

    async fn next(&mut self) -> Result<Option<OutputChunk>, String> {
        SandboxedProgram::next(self).await.map_err(|error| error.to_string())
    }

    async fn end(self: Box<Self>) -> String {
        exit_text(self.finish().await.map_err(|error| error.to_string()))
    }
}

fn exit_text(status: Result<std::process::ExitStatus, String>) -> String {
    match status {
        Ok(status) => match status.code() {
            Some(code) => format!("it ended with exit code {code}"),
            None => "it was killed".to_owned(),
        },
        Err(error) => error,
    }
}

/// The reason why a connection ended, once it has.
#[derive(Debug, Default)]
pub struct ConnectionEnd {
    why: Mutex<Option<String>>,
    pub token: CancellationToken,
}

impl ConnectionEnd {
    pub fn set(&self, why: impl Into<String>) {
        self.why.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| why.into());
        self.token.cancel();
    }

    pub fn why(&self) -> String {
        let why = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        why.clone().unwrap_or_else(|| "the connection ended".to_owned())
    }
}

/// Reads a program's output: stdout goes to the returned stream, stderr to the log. Cancelling `stop` ends the
/// program, and `end` receives the reason.
pub fn read_output(
    mut process: Box<dyn ServerProcess>,
    log: Arc<ServerLog>,
    stop: CancellationToken,
    end: Arc<ConnectionEnd>,
) -> DuplexStream {
    let (listener, output) = tokio::io::duplex(BUFFER);
    tokio::spawn(async move {
        let mut listener = Some(listener);
        let mut rate = OutputRate::default();
        let mut kill_at: Option<Instant> = None;
        let why = loop {
            let chunk = tokio::select! {
                biased;
                () = stop.cancelled(), if kill_at.is_none() => {
                    // Dropping this end closes the program's input, which tells it to exit.
                    listener = None;
                    kill_at = Some(Instant::now() + TIME_TO_EXIT);
                    continue;
                }
                () = until(kill_at) => break Some("it was stopped".to_owned()),
                chunk = process.next() => chunk,
            };
            match chunk {
                Ok(Some(OutputChunk::Stdout(bytes))) => {
                    if rate.exceeds_limit(bytes.len()) {
                        break Some("it printed without end, so it was stopped".to_owned());
                    }
                    if let Some(reader) = &mut listener {
                        let written = tokio::select! {
                            written = reader.write_all(&bytes) => written,
                            () = stop.cancelled(), if kill_at.is_none() => Ok(()),
                        };
                        if written.is_err() {
                            listener = None;
                        }
                    }
                }
                Ok(Some(OutputChunk::Stderr(bytes))) => {
                    if rate.exceeds_limit(bytes.len()) {
                        break Some("it wrote errors without end, so it was stopped".to_owned());
                    }
                    log.add(&bytes);
                }
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        drop(listener);
        let why = match why {
            Some(why) => why,
            None => match tokio::time::timeout(TIME_TO_EXIT, process.end()).await {
                Ok(how) => how,
                Err(_) => "it closed its output and was stopped".to_owned(),
            },
        };
        log.note(&format!("[{why}]"));
        end.set(why);
    });
    output
}

async fn until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}

struct OutputRate {
    since: Instant,
    bytes: usize,
}

impl Default for OutputRate {
    fn default() -> Self {
        Self { since: Instant::now(), bytes: 0 }
    }
}

impl OutputRate {
    fn exceeds_limit(&mut self, bytes: usize) -> bool {
        if self.since.elapsed() > OUTPUT_TIME {
            *self = Self::default();
        }
        self.bytes += bytes;
        self.bytes > MOST_OUTPUT
    }
}
