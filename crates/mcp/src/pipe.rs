//! Connects the standard streams of a server process to the protocol.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use host::{ChildProcess, ChildStdin, OutputChunk};
use sandbox::SandboxedProgram;
use tokio::io::{AsyncWriteExt as _, DuplexStream};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::journal::Journal;

/// The size of the read-ahead buffer, in bytes.
const AHEAD: usize = 64 * 1024;
/// The most output within [`FLOOD_TIME`], in bytes; a program that prints more is stopped.
const FLOOD: usize = 64 * 1024 * 1024;
const FLOOD_TIME: Duration = Duration::from_secs(10);
/// The time for a program to exit after its input has been closed.
const LEAVE: Duration = Duration::from_secs(2);

/// A running program, sandboxed or not.
#[async_trait]
pub trait Speaker: Send + 'static {
    fn input(&mut self) -> Option<ChildStdin>;
    async fn next(&mut self) -> Result<Option<OutputChunk>, String>;
    /// Waits for the program and describes its exit.
    async fn end(self: Box<Self>) -> String;
}

#[async_trait]
impl Speaker for ChildProcess {
    fn input(&mut self) -> Option<ChildStdin> {
        ChildProcess::take_stdin(self)
    }

    async fn next(&mut self) -> Result<Option<OutputChunk>, String> {
        ChildProcess::next(self).await.map_err(|error| error.to_string())
    }

    async fn end(self: Box<Self>) -> String {
        ended(self.finish().await.map_err(|error| error.to_string()))
    }
}

#[async_trait]
impl Speaker for SandboxedProgram {
    fn input(&mut self) -> Option<ChildStdin> {
        SandboxedProgram::take_stdin(self)
    }

    async fn next(&mut self) -> Result<Option<OutputChunk>, String> {
        SandboxedProgram::next(self).await.map_err(|error| error.to_string())
    }

    async fn end(self: Box<Self>) -> String {
        ended(self.finish().await.map_err(|error| error.to_string()))
    }
}

fn ended(status: Result<std::process::ExitStatus, String>) -> String {
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
pub struct End {
    why: Mutex<Option<String>>,
    pub token: CancellationToken,
}

impl End {
    pub fn set(&self, why: impl Into<String>) {
        self.why.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| why.into());
        self.token.cancel();
    }

    pub fn why(&self) -> String {
        let why = self.why.lock().unwrap_or_else(PoisonError::into_inner);
        why.clone().unwrap_or_else(|| "the connection ended".to_owned())
    }
}

/// Reads a program's output: stdout goes to the returned stream, stderr to the journal. Cancelling `stop` ends the
/// program, and `end` receives the reason.
pub fn listen(
    mut speaker: Box<dyn Speaker>,
    journal: Arc<Journal>,
    stop: CancellationToken,
    end: Arc<End>,
) -> DuplexStream {
    let (ours, theirs) = tokio::io::duplex(AHEAD);
    tokio::spawn(async move {
        let mut ours = Some(ours);
        let mut flood = Flood::default();
        let mut leaving: Option<Instant> = None;
        let why = loop {
            let chunk = tokio::select! {
                biased;
                () = stop.cancelled(), if leaving.is_none() => {
                    // Dropping this end closes the program's input, which tells it to exit.
                    ours = None;
                    leaving = Some(Instant::now() + LEAVE);
                    continue;
                }
                () = until(leaving) => break Some("it was stopped".to_owned()),
                chunk = speaker.next() => chunk,
            };
            match chunk {
                Ok(Some(OutputChunk::Stdout(bytes))) => {
                    if flood.is_too_much(bytes.len()) {
                        break Some("it printed without end, so it was stopped".to_owned());
                    }
                    if let Some(listener) = &mut ours {
                        let said = tokio::select! {
                            said = listener.write_all(&bytes) => said,
                            () = stop.cancelled(), if leaving.is_none() => Ok(()),
                        };
                        if said.is_err() {
                            ours = None;
                        }
                    }
                }
                Ok(Some(OutputChunk::Stderr(bytes))) => {
                    if flood.is_too_much(bytes.len()) {
                        break Some("it complained without end, so it was stopped".to_owned());
                    }
                    journal.add(&bytes);
                }
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        drop(ours);
        let why = match why {
            Some(why) => why,
            None => match tokio::time::timeout(LEAVE, speaker.end()).await {
                Ok(how) => how,
                Err(_) => "it closed its output and was stopped".to_owned(),
            },
        };
        journal.note(&format!("[{why}]"));
        end.set(why);
    });
    theirs
}

async fn until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}

struct Flood {
    since: Instant,
    bytes: usize,
}

impl Default for Flood {
    fn default() -> Self {
        Self { since: Instant::now(), bytes: 0 }
    }
}

impl Flood {
    fn is_too_much(&mut self, bytes: usize) -> bool {
        if self.since.elapsed() > FLOOD_TIME {
            *self = Self::default();
        }
        self.bytes += bytes;
        self.bytes > FLOOD
    }
}
