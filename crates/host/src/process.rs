use std::ffi::{OsStr, OsString};
use std::io;
#[cfg(unix)]
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
pub use tokio::process::ChildStdin;
use tokio::process::{ChildStderr, ChildStdout, Command};
use tokio::time::Instant;

mod capture;
mod detached;
mod environment;
#[cfg(unix)]
mod inheritance;
mod spawner;

use capture::{FirstBytes, LastBytes};

/// The time after the exit of a program until its pipes are closed, in case a grandchild keeps them open.
const DRAIN: Duration = Duration::from_secs(1);
const CHUNK: usize = 16 * 1024;
/// The number of bytes that [`Program::run`] keeps from the end of the error output, where the reason is.
const ERROR_TAIL: usize = 16 * 1024;

/// A program to start: in its own process group, with only a short list of harmless environment variables, and killed
/// when this process dies.
#[derive(Debug)]
pub struct Program {
    name: OsString,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    folder: Option<PathBuf>,
    input: Vec<u8>,
    streams: Streams,
    time_limit: Duration,
    output_limit: usize,
    #[cfg(unix)]
    inheritance: inheritance::Inheritance,
}

/// The handling of a program's streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Streams {
    /// Given input; the output is captured.
    Captured,
    /// Input that the caller writes while the program runs; the output is captured.
    OpenStdin,
    /// The standard input of this process; the output is captured.
    SharedStdin,
}

#[derive(Debug, Error)]
pub enum ProcessError {
    #[error("the program {0} was not found. Install it, or check its name")]
    NotFound(String),
    #[error("could not start {program}: {source}")]
    Start { program: String, source: io::Error },
    #[error("{program} did not finish within {} seconds and was stopped", limit.as_secs())]
    TimedOut { program: String, limit: Duration },
    #[error("{program} printed more than {limit} bytes and was stopped")]
    TooMuchOutput { program: String, limit: usize },
    #[error("lost the connection to {program}: {source}")]
    Lost { program: String, source: io::Error },
}

impl Program {
    /// Creates a program from a path or a name to look up in `PATH`.
    pub fn new(name: impl Into<OsString>) -> Self {
        Self {
            name: name.into(),
            arguments: Vec::new(),
            environment: environment::inherited(std::env::vars_os()),
            folder: None,
            input: Vec::new(),
            streams: Streams::Captured,
            time_limit: Duration::from_mins(1),
            output_limit: 1 << 20,
            #[cfg(unix)]
            inheritance: inheritance::Inheritance::default(),
        }
    }

    #[must_use]
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    #[must_use]
    pub fn args<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Sets the environment to exactly these variables.
    #[must_use]
    pub fn only_env(mut self, variables: Vec<(OsString, OsString)>) -> Self {
        self.environment = variables;
        self
    }

    /// Also passes on these environment variables. Perigee's own variables are never passed on.
    #[must_use]
    pub fn inherit(mut self, names: &[&str]) -> Self {
        self.environment.extend(environment::chosen(std::env::vars_os(), names));
        self
    }

    #[must_use]
    pub fn dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Sets the standard input, which is empty by default.
    #[must_use]
    pub fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = bytes.into();
        self
    }

    /// Keeps the standard input open, for [`ChildProcess::take_stdin`].
    #[must_use]
    pub fn with_open_stdin(mut self) -> Self {
        self.streams = Streams::OpenStdin;
        self
    }

    /// Shares the standard input of this process.
    #[must_use]
    pub fn with_shared_stdin(mut self) -> Self {
        self.streams = Streams::SharedStdin;
        self
    }

    /// Sets the time limit; the default is one minute.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Sets the maximum output in bytes; the default is one mebibyte.
    #[must_use]
    pub fn output_limit(mut self, bytes: usize) -> Self {
        self.output_limit = bytes;
        self
    }

    /// Lets the program inherit an open file under the same file descriptor number.
    #[cfg(unix)]
    #[must_use]
    pub fn inheriting(mut self, file: OwnedFd) -> Self {
        self.inheritance.add_file(file);
        self
    }

    /// Puts the program into a control group before it runs, by writing its process id to this file. If that fails, the
    /// program is not started.
    #[cfg(unix)]
    #[must_use]
    pub fn in_control_group(mut self, group: OwnedFd) -> Self {
        self.inheritance.add_group(group);
        self
    }

    /// Runs the program to its end. Output beyond the limit is read and dropped.
    pub async fn run(mut self) -> Result<ProgramOutput, ProcessError> {
        let mut stdout = FirstBytes::new(std::mem::replace(&mut self.output_limit, usize::MAX));
        let mut stderr = LastBytes::new(ERROR_TAIL);
        let mut child = self.spawn()?;
        while let Some(chunk) = child.next().await? {
            match chunk {
                OutputChunk::Stdout(bytes) => stdout.push(&bytes),
                OutputChunk::Stderr(bytes) => stderr.push(&bytes),
            }
        }
        let status = child.finish().await?;
        Ok(ProgramOutput {
            status,
            truncated: stdout.truncated(),
            stdout: stdout.into_bytes(),
            stderr: stderr.into_text(),
        })
    }

    /// Starts the program, so its output can be read as it arrives. Requires a tokio runtime.
    #[cfg_attr(not(unix), expect(unused_mut, reason = "there is nothing to hand on"))]
    pub fn spawn(mut self) -> Result<ChildProcess, ProcessError> {
        let mut command = self.command();
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        #[cfg(unix)]
        {
            command.process_group(0);
            std::mem::take(&mut self.inheritance).apply_to(&mut command);
        }
        let mut inner = spawner::spawn(command).map_err(|source| self.not_started(source))?;
        let name = self.shown_name();
        let mut kept = None;
        if self.streams == Streams::OpenStdin {
            kept = inner.stdin.take();
        } else if let Some(mut stdin) = inner.stdin.take() {
            let input = self.input;
            // Writing runs concurrently with reading, because a program may print before it has read everything. Errors
            // are ignored: a program may close its input.
            tokio::spawn(async move { stdin.write_all(&input).await });
        }
        Ok(ChildProcess {
            name,
            group: inner.id(),
            stdin: kept,
            stdout: inner.stdout.take(),
            stderr: inner.stderr.take(),
            inner,
            status: None,
            deadline: Instant::now().checked_add(self.time_limit),
            time_limit: self.time_limit,
            drain_until: None,
            seen: 0,
            output_limit: self.output_limit,
        })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.name);
        command
            .args(&self.arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(match self.streams {
                Streams::SharedStdin => Stdio::inherit(),
                Streams::Captured if self.input.is_empty() => Stdio::null(),
                Streams::Captured | Streams::OpenStdin => Stdio::piped(),
            });
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command
    }

    fn not_started(&self, source: io::Error) -> ProcessError {
        let program = self.shown_name();
        let folder_is_there = self.folder.as_ref().is_none_or(|folder| folder.is_dir());
        match source.kind() {
            io::ErrorKind::NotFound if folder_is_there => ProcessError::NotFound(program),
            _ => ProcessError::Start { program, source },
        }
    }

    fn shown_name(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }
}

/// The output and exit status of a program.
#[derive(Debug)]
pub struct ProgramOutput {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    /// True if the program printed more than the limit.
    pub truncated: bool,
    /// The end of the error output.
    pub stderr: String,
}

#[derive(Debug, PartialEq, Eq)]
pub enum OutputChunk {
    Stdout(Vec<u8>),
    Stderr(Vec<u8>),
}

/// A running program. Dropping it kills the program with all processes in its group.
#[derive(Debug)]
pub struct ChildProcess {
    name: String,
    /// The id of the process group, until it has been killed.
    group: Option<u32>,
    inner: tokio::process::Child,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    status: Option<ExitStatus>,
    deadline: Option<Instant>,
    time_limit: Duration,
    drain_until: Option<Instant>,
    seen: usize,
    output_limit: usize,
}

impl ChildProcess {
    pub fn pid(&self) -> Option<u32> {
        self.inner.id()
    }

    /// Returns the standard input of a program started [with open stdin](Program::with_open_stdin). Dropping it closes
    /// the input.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.stdin.take()
    }

    /// Returns the next piece of output, or `None` at the end. A program that exceeds its time or output limit is
    /// killed.
    pub async fn next(&mut self) -> Result<Option<OutputChunk>, ProcessError> {
        while self.stdout.is_some() || self.stderr.is_some() {
            tokio::select! {
                biased;
                () = until(self.deadline), if self.status.is_none() => return Err(self.timed_out()),
                () = until(self.drain_until), if self.drain_until.is_some() => {
                    self.stdout = None;
                    self.stderr = None;
                }
                read = read_some(&mut self.stdout), if self.stdout.is_some() => {
                    if let Some(bytes) = self.checked(read)? {
                        return Ok(Some(OutputChunk::Stdout(bytes)));
                    }
                }
                read = read_some(&mut self.stderr), if self.stderr.is_some() => {
                    if let Some(bytes) = self.checked(read)? {
                        return Ok(Some(OutputChunk::Stderr(bytes)));
                    }
                }
                ended = self.inner.wait(), if self.status.is_none() => {
                    self.ended(ended)?;
                    self.drain_until = Some(Instant::now() + DRAIN);
                }
            }
        }
        Ok(None)
    }

    /// Waits for the program to exit. Unread output is dropped.
    pub async fn finish(mut self) -> Result<ExitStatus, ProcessError> {
        while self.next().await?.is_some() {}
        if let Some(status) = self.status {
            return Ok(status);
        }
        tokio::select! {
            biased;
            ended = self.inner.wait() => self.ended(ended),
            () = until(self.deadline) => Err(self.timed_out()),
        }
    }

    /// Kills the program with all processes in its group.
    pub fn kill(&mut self) {
        if let Some(group) = self.group.take() {
            kill_group(group);
        }
        let _ = self.inner.start_kill();
    }

    fn checked(&mut self, read: io::Result<Option<Vec<u8>>>) -> Result<Option<Vec<u8>>, ProcessError> {
        let bytes = read.map_err(|source| ProcessError::Lost { program: self.name.clone(), source })?;
        self.seen = self.seen.saturating_add(bytes.as_ref().map_or(0, Vec::len));
        if self.seen > self.output_limit {
            self.kill();
            return Err(ProcessError::TooMuchOutput { program: self.name.clone(), limit: self.output_limit });
        }
        Ok(bytes)
    }

    fn ended(&mut self, ended: io::Result<ExitStatus>) -> Result<ExitStatus, ProcessError> {
        let status = ended.map_err(|source| ProcessError::Lost { program: self.name.clone(), source })?;
        self.status = Some(status);
        // Background processes are killed at once: later, the group id may belong to another program.
        if let Some(group) = self.group.take() {
            kill_group(group);
        }
        Ok(status)
    }

    fn timed_out(&mut self) -> ProcessError {
        self.kill();
        ProcessError::TimedOut { program: self.name.clone(), limit: self.time_limit }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        if let Some(group) = self.group.take() {
            kill_group(group);
        }
    }
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// Reads a piece of output. At the end, closes the pipe and returns `None`.
async fn read_some<R: AsyncRead + Unpin>(pipe: &mut Option<R>) -> io::Result<Option<Vec<u8>>> {
    let Some(reader) = pipe else { return Ok(None) };
    let mut bytes = Vec::with_capacity(CHUNK);
    if reader.read_buf(&mut bytes).await? == 0 {
        *pipe = None;
        return Ok(None);
    }
    Ok(Some(bytes))
}

#[cfg(unix)]
fn kill_group(group: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// Returns the path of a program of this name in `PATH`, if it can be started.
pub fn find_program(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    environment::find_in(&std::env::var_os("PATH")?, name.as_ref())
}

#[cfg(test)]
#[cfg(unix)]
#[path = "process_tests.rs"]
mod tests;
