//! The resource usage of processes, as reported by the kernel.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;

/// The processes whose time is measured.
#[derive(Debug, Clone, Copy)]
pub enum MeasuredProcesses {
    Ours,
    /// All children that have ended and were waited for, including those that they waited for themselves.
    Ended,
}

/// Returns the processor time used so far.
#[allow(unsafe_code)]
pub fn spent(whose: MeasuredProcesses) -> Duration {
    let whose = match whose {
        MeasuredProcesses::Ours => libc::RUSAGE_SELF,
        MeasuredProcesses::Ended => libc::RUSAGE_CHILDREN,
    };
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `getrusage` writes one such structure, for which there is room, and which is valid when it is all zeros.
    let usage = unsafe {
        libc::getrusage(whose, usage.as_mut_ptr());
        usage.assume_init()
    };
    let time = |time: libc::timeval| {
        let parts = (u64::try_from(time.tv_sec), u64::try_from(time.tv_usec));
        Duration::from_secs(parts.0.unwrap_or(0)) + Duration::from_micros(parts.1.unwrap_or(0))
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

fn folder(process: u32) -> PathBuf {
    Path::new("/proc").join(process.to_string())
}

pub fn is_there(process: u32) -> bool {
    folder(process).exists()
}

/// Returns the running children of a process.
pub fn children(process: u32) -> Vec<u32> {
    // The kernel lists children by the thread that started them.
    let threads = fs::read_dir(folder(process).join("task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let ids = |list: String| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>();
    lists.flat_map(ids).collect()
}

/// Returns a process and all its descendants.
fn tree(process: u32) -> Vec<u32> {
    let mut all = vec![process];
    let mut next = 0;
    while let Some(process) = all.get(next) {
        all.extend(children(*process));
        next += 1;
    }
    all
}

/// The resources that a server has used so far.
#[derive(Debug, Clone, Copy)]
pub struct ProcessUsage {
    /// The resident set of the interpreter, the last process of the tree, in megabytes.
    pub interpreter: f64,
    /// The proportional memory of the whole tree, including the sandbox, in megabytes.
    pub whole: f64,
    /// The processor time of the whole tree, in milliseconds.
    pub processor: f64,
}

impl ProcessUsage {
    pub fn by(process: u32) -> anyhow::Result<Self> {
        let tree = tree(process);
        let interpreter = tree.iter().copied().rfind(|process| children(*process).is_empty());
        let interpreter = interpreter.context("the server is gone")?;
        let whole = tree.iter().map(|process| share(*process)).sum::<anyhow::Result<f64>>()?;
        let processor = tree.iter().map(|process| worked(*process)).sum();
        Ok(Self { interpreter: crate::server::resident(interpreter)?, whole, processor })
    }
}

/// Returns the processor time of all threads in milliseconds. `schedstat` is used because `stat` only has hundredths of
/// a second.
fn worked(process: u32) -> f64 {
    let threads = fs::read_dir(folder(process).join("task")).into_iter().flatten().flatten();
    let times = threads.filter_map(|thread| {
        let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    });
    times.sum::<f64>() / 1e6
}

/// Returns the proportional memory of a process in megabytes: shared pages count in part for each process.
fn share(process: u32) -> anyhow::Result<f64> {
    let text = fs::read_to_string(folder(process).join("smaps_rollup"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:")).context("no Pss")?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes / 1024.0)
}
