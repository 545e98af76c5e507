//! Runs other programs: to the end, for their output, or watched line by line.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use crate::failure::{ErrorContext, Failure, TaskResult};

/// The interval at which a watcher is called if nothing was printed.
const TICK: Duration = Duration::from_millis(500);

/// An event of a watched program.
#[derive(Debug, PartialEq, Eq)]
pub enum OutputEvent {
    /// A complete line.
    Line(String),
    /// A progress line that the program is about to overwrite.
    Progress(String),
    /// No output for a while.
    Quiet,
}

/// Creates a command with an empty standard input.
pub fn command(program: impl AsRef<OsStr>, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(directory).stdin(Stdio::null());
    command
}

/// Creates a command for the cargo that started this program, so that `cargo +toolchain xtask` applies to all calls.
///
/// Cargo sets environment variables about the package of the program that it runs. Some build scripts depend on them
/// and would run again whenever cargo is called differently, so they are removed.
pub fn cargo(directory: &Path) -> Command {
    let mut cargo = command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), directory);
    for (name, _) in std::env::vars_os() {
        let about_us = |name: &str| {
            ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"]
                .iter()
                .any(|start| name.starts_with(start))
        };
        if name.to_str().is_some_and(about_us) {
            cargo.env_remove(name);
        }
    }
    cargo
}

/// Runs a command to its end; its standard output goes to standard error with the other progress messages.
pub fn run(command: &mut Command) -> TaskResult {
    let status = command.stdout(io::stderr()).status().named(program_name(command))?;
    succeed(command, status)
}

/// Runs a command to its end and returns its standard output.
pub fn output(command: &mut Command) -> TaskResult<String> {
    let output = command.output().named(program_name(command))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(format!("{} failed: {}", in_words(command), words.trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a command to its end and passes each line of both streams to `see`.
///
/// The end is the exit of the program itself, since a background process that it started may keep the pipes open
/// forever.
pub fn watch(command: &mut Command, mut see: impl FnMut(OutputEvent)) -> TaskResult<ExitStatus> {
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().named(program_name(command))?;
    let (sender, receiver) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        read_in_background(stdout, sender.clone());
    }
    if let Some(stderr) = child.stderr.take() {
        read_in_background(stderr, sender);
    }
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(seen) => see(seen),
            Err(RecvTimeoutError::Timeout) => {
                see(OutputEvent::Quiet);
                if let Some(status) = child.try_wait()? {
                    return Ok(status);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(child.wait()?),
        }
    }
}

/// Converts a failed exit status to an error message.
pub fn succeed(command: &Command, status: ExitStatus) -> TaskResult {
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(format!("{} failed ({status})", in_words(command))))
    }
}

/// Returns the command as typed in a shell.
pub fn in_words(command: &Command) -> String {
    let arguments = command.get_args().map(OsStr::to_string_lossy);
    let words: Vec<String> = arguments.map(|word| quoted(&word)).collect();
    format!("{} {}", program_name(command), words.join(" "))
}

/// Returns the first executable of that name in `PATH`.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|candidate| candidate.is_file())
}

fn program_name(command: &Command) -> String {
    Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@".contains(c);
    if word.chars().all(plain) && !word.is_empty() { word.to_owned() } else { format!("'{word}'") }
}

fn read_in_background(stream: impl Read + Send + 'static, sender: Sender<OutputEvent>) {
    thread::spawn(move || read_lines(BufReader::new(stream), |seen| sender.send(seen).is_ok()));
}

/// Splits a stream at line feeds and carriage returns, until its end or until the receiver is gone.
fn read_lines(mut stream: impl BufRead, mut send: impl FnMut(OutputEvent) -> bool) {
    let mut piece = Vec::new();
    loop {
        let Ok(bytes) = stream.fill_buf() else { return };
        if bytes.is_empty() {
            break;
        }
        let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        piece.extend_from_slice(bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default());
        let separator = end.and_then(|end| bytes.get(end).copied());
        let used = end.map_or(bytes.len(), |end| end + 1);
        stream.consume(used);
        let Some(separator) = separator else { continue };
        let text = String::from_utf8_lossy(&std::mem::take(&mut piece)).into_owned();
        let seen = if separator == b'\r' { OutputEvent::Progress(text) } else { OutputEvent::Line(text) };
        if !send(seen) {
            return;
        }
    }
    if !piece.is_empty() {
        send(OutputEvent::Line(String::from_utf8_lossy(&piece).into_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_progress_are_told_apart() {
        let mut seen = Vec::new();
        read_lines(BufReader::with_capacity(3, "one\n 1/2\r 2/2\rdone\n\nlast".as_bytes()), |piece| {
            seen.push(piece);
            true
        });
        assert_eq!(
            seen,
            [
                OutputEvent::Line("one".into()),
                OutputEvent::Progress(" 1/2".into()),
                OutputEvent::Progress(" 2/2".into()),
                OutputEvent::Line("done".into()),
                OutputEvent::Line(String::new()),
                OutputEvent::Line("last".into()),
            ]
        );
    }

    #[test]
    fn both_streams_of_a_program_are_watched_and_its_failure_is_told() {
        let mut command = command("sh", Path::new("/"));
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let mut lines = Vec::new();
        let status = watch(&mut command, |seen| {
            if let OutputEvent::Line(line) = seen {
                lines.push(line);
            }
        })
        .unwrap();
        lines.sort();
        assert_eq!(lines, ["err", "out"]);
        let told = succeed(&command, status).unwrap_err().to_string();
        assert_eq!(told, "sh -c 'echo out; echo err >&2; exit 3' failed (exit status: 3)");
    }

    #[test]
    fn a_program_ends_though_its_child_holds_the_pipe() {
        let mut command = command("sh", Path::new("/"));
        command.args(["-c", "sleep 60 & echo $!"]);
        let mut left_running = None;
        watch(&mut command, |seen| {
            if let OutputEvent::Line(line) = seen {
                left_running = Some(line);
            }
        })
        .unwrap();
        run(Command::new("kill").args(left_running)).unwrap();
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(&mut command("no-such-program-here", Path::new("/"))).unwrap_err().to_string();
        assert!(error.starts_with("no-such-program-here: "), "{error}");
    }
}
