//! Looks after a tree of processes from outside, and says when it has taken too much.
//!
//! Whatever a program starts stays below the first process of its namespace, so that the tree is all of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::Excess;
use crate::policy::Limits;

/// A program that has just begun does so quickly what it means to do.
const FIRST_LOOKS: Duration = Duration::from_millis(20);
const LOOKS: Duration = Duration::from_millis(100);
const BEGINNING: Duration = Duration::from_secs(2);
/// A folder is walked through for at most this share of the time.
const WALKS: u32 = 20;
/// Folders nested deeper than this are somebody's trick.
const DEEPEST: usize = 64;

/// Waits until the tree below a process has too much of something.
pub async fn until_too_much(root: u32, limits: Limits, folders: Vec<PathBuf>) -> Excess {
    let began = Instant::now();
    let mut walk_again = began;
    loop {
        if let Some(excess) = look(root, &limits) {
            return excess;
        }
        if limits.storage != u64::MAX && Instant::now() >= walk_again {
            let walked = Instant::now();
            let among = folders.clone();
            let too_much = tokio::task::spawn_blocking(move || is_too_much_stored(&among, &limits));
            if too_much.await.unwrap_or(false) {
                return Excess::Storage;
            }
            walk_again = Instant::now() + walked.elapsed() * WALKS;
        }
        let pause = if began.elapsed() < BEGINNING { FIRST_LOOKS } else { LOOKS };
        tokio::time::sleep(pause).await;
    }
}

fn look(root: u32, limits: &Limits) -> Option<Excess> {
    let mut memory = 0;
    let mut processes: u64 = 0;
    let mut open = vec![root];
    while let Some(process) = open.pop() {
        processes += 1;
        // Two of them are bubblewrap's.
        if processes > limits.processes.saturating_add(2) {
            return Some(Excess::Processes);
        }
        memory += memory_of(process);
        if memory > limits.memory {
            return Some(Excess::Memory);
        }
        open.extend(children(process));
    }
    None
}

/// What a process has for itself alone; what it shares with files can be read again.
fn memory_of(process: u32) -> u64 {
    let Ok(status) = fs::read_to_string(format!("/proc/{process}/status")) else { return 0 };
    let kilobytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    ["RssAnon:", "RssShmem:", "VmSwap:"].iter().filter_map(|name| kilobytes(name)).sum::<u64>() * 1024
}

fn children(process: u32) -> Vec<u32> {
    // Each thread has children of its own.
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>())
        .collect()
}

fn is_too_much_stored(folders: &[PathBuf], limits: &Limits) -> bool {
    let mut stored = Stored { bytes: 0, entries: 0 };
    folders.iter().any(|folder| stored.is_more(folder, limits, DEEPEST))
}

struct Stored {
    bytes: u64,
    entries: u64,
}

impl Stored {
    fn is_more(&mut self, folder: &Path, limits: &Limits, depth: usize) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            // Of the link, never of what it leads to.
            let Ok(it) = entry.metadata() else { continue };
            self.bytes = self.bytes.saturating_add(it.blocks() * 512);
            self.entries += 1;
            if self.bytes > limits.storage || self.entries > limits.entries || depth == 0 {
                return true;
            }
            if it.is_dir() && self.is_more(&entry.path(), limits, depth - 1) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Profile;

    fn limits() -> Limits {
        Limits::of(Profile::Tool)
    }

    #[test]
    fn a_tree_is_within_its_limits_or_not() {
        let own = std::process::id();
        assert_eq!(look(own, &Limits { memory: u64::MAX, ..limits() }), None);
        assert_eq!(look(own, &Limits { memory: 1, ..limits() }), Some(Excess::Memory));
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let seen = children(own);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(seen.contains(&child.id()));
    }

    #[test]
    fn folders_are_measured_without_following_links() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), vec![1; 100_000]).unwrap();
        std::os::unix::fs::symlink("/usr", folder.path().join("all of it")).unwrap();
        let folders = [folder.path().to_owned()];
        assert!(!is_too_much_stored(&folders, &Limits { storage: 200_000, ..limits() }));
        assert!(is_too_much_stored(&folders, &Limits { storage: 50_000, ..limits() }));
        assert!(is_too_much_stored(&folders, &Limits { entries: 1, ..limits() }));
    }

    #[test]
    fn a_folder_within_a_folder_within_a_folder_ends() {
        let folder = tempfile::tempdir().unwrap();
        let mut inner = folder.path().to_owned();
        for _ in 0..DEEPEST + 2 {
            inner.push("d");
        }
        fs::create_dir_all(inner).unwrap();
        assert!(is_too_much_stored(&[folder.path().to_owned()], &limits()));
    }
}
