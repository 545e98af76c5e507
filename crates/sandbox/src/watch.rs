//! Supervision of a process tree from outside, to detect when it exceeds a limit.
//!
//! Every process that a program starts stays below the first process of its namespace, so the tree contains all of
//! them.

use std::collections::HashSet;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::control_groups::ControlGroup;
use crate::error::ExceededLimit;
use crate::policy::SandboxLimits;

/// The check interval during the first two seconds, in which a malicious program would act quickly.
const FIRST_INTERVAL: Duration = Duration::from_millis(20);
const INTERVAL: Duration = Duration::from_millis(100);
const FIRST_PHASE: Duration = Duration::from_secs(2);
/// The maximum memory counted for a socket's buffers, which belong to no process, at the kernel's default size.
const SOCKET: u64 = 512 << 10;
/// The maximum number of inotify instances. Kernels allow 128 per user by default.
const MOST_WATCHES: usize = 64;
/// The pause after a walk through the folders, as a multiple of its duration.
const WALK_PAUSE: u32 = 10;
/// The maximum depth of folders. Legitimate programs do not nest deeper.
const DEEPEST: usize = 64;

/// The process tree to watch and its limits.
pub struct WatchedTree {
    /// The root of the process tree.
    pub root: u32,
    pub limits: SandboxLimits,
    /// Writable folders.
    pub folders: Vec<PathBuf>,
    /// The program's own scratch folders in memory.
    pub scratch: Vec<PathBuf>,
    /// True if an unreadable or too deeply nested folder counts as exceeding the limit, because it may hide anything.
    /// In a workspace there are legitimate ones.
    pub is_strict: bool,
}

/// Waits until the process tree below `root` exceeds a limit.
pub async fn until_exceeded(watched: WatchedTree, group: Option<Arc<ControlGroup>>) -> ExceededLimit {
    let WatchedTree { root, limits, folders, scratch, is_strict } = watched;
    let began = Instant::now();
    let mut walk_again = began;
    let mut before = None;
    // True if anything has run since the last walk through the folders.
    let mut is_walk_due = true;
    let disks: Vec<(PathBuf, u64)> =
        folders.iter().filter_map(|folder| Some((folder.clone(), reserve(free_at(folder)?)))).collect();
    loop {
        if let Some(limit) = group.as_ref().and_then(|group| group.exceeded_limit()) {
            return limit;
        }
        let cpu_fingerprint = cpu_fingerprint(root);
        let is_idle = cpu_fingerprint.is_some() && cpu_fingerprint == before;
        before = cpu_fingerprint;
        if !is_idle && let Some(limit) = exceeded(root, &limits, &scratch) {
            return limit;
        }
        if disks.iter().any(|(folder, kept)| free_at(folder).is_some_and(|free| free < *kept)) {
            return ExceededLimit::Disk;
        }
        is_walk_due |= !is_idle;
        if is_walk_due && limits.storage != u64::MAX && Instant::now() >= walk_again {
            is_walk_due = false;
            let walked = Instant::now();
            let among = folders.clone();
            let too_much =
                tokio::task::spawn_blocking(move || stores_too_much(root, &among, &limits, is_strict));
            if too_much.await.unwrap_or(false) {
                return ExceededLimit::Storage;
            }
            walk_again = Instant::now() + walked.elapsed() * WALK_PAUSE;
        }
        let pause = if began.elapsed() < FIRST_PHASE { FIRST_INTERVAL } else { INTERVAL };
        tokio::time::sleep(pause).await;
    }
}

/// Returns the number of free bytes on the disk of a folder.
fn free_at(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Returns the number of bytes to keep free on a disk with `now` free bytes, so that other programs can go on.
fn reserve(now: u64) -> u64 {
    (now / 10).min(512 << 20)
}

/// Returns a fingerprint of the CPU times of all threads below a process, in nanoseconds. If it is unchanged, nothing
/// has run, and so nothing was used. `None` if the kernel does not provide the times.
fn cpu_fingerprint(root: u32) -> Option<u64> {
    let mut cpu_fingerprint = DefaultHasher::new();
    for process in ProcessTree(vec![root]) {
        for thread in threads(process) {
            let times = fs::read_to_string(thread.join("schedstat")).ok()?;
            (thread, times.split_whitespace().next()?).hash(&mut cpu_fingerprint);
        }
    }
    Some(cpu_fingerprint.finish())
}

/// Returns the bytes used in the scratch folders that a process sees. The machine's own folders are recognised by their
/// different size and skipped.
fn in_scratch(process: u32, scratch: &[PathBuf], limits: &SandboxLimits) -> u64 {
    let disks = scratch.iter().filter_map(|folder| {
        let folder = folder.strip_prefix("/").unwrap_or(folder);
        rustix::fs::statvfs(Path::new(&format!("/proc/{process}/root")).join(folder)).ok()
    });
    let own = disks.filter(|disk| disk.f_blocks.saturating_mul(disk.f_frsize) == limits.scratch);
    own.map(|disk| (disk.f_blocks - disk.f_bfree).saturating_mul(disk.f_frsize)).sum()
}

fn exceeded(root: u32, limits: &SandboxLimits, scratch: &[PathBuf]) -> Option<ExceededLimit> {
    let (mut memory, mut processes, mut threads) = (0, 0, 0);
    let mut open = OpenDescriptors::default();
    for process in ProcessTree(vec![root]) {
        // The first process is bubblewrap, which is outside; the second has the same view as all others.
        if processes == 1 {
            memory += in_scratch(process, scratch, limits);
        }
        let taken = taken_by(process);
        memory += taken.memory;
        memory += open.add(process) * SOCKET;
        threads += taken.threads;
        processes += 1;
        // Two of them are bubblewrap's.
        if processes > limits.processes.saturating_add(2) || threads > limits.threads.saturating_add(2) {
            return Some(ExceededLimit::Processes);
        }
        if memory > limits.memory {
            return Some(ExceededLimit::Memory);
        }
        if open.watches > MOST_WATCHES {
            return Some(ExceededLimit::Watches);
        }
    }
    None
}

/// An iterator over a process and all its descendants.
struct ProcessTree(Vec<u32>);

impl Iterator for ProcessTree {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let process = self.0.pop()?;
        self.0.extend(children(process));
        Some(process)
    }
}

fn threads(process: u32) -> impl Iterator<Item = PathBuf> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    threads.map(|thread| thread.path())
}

fn children(process: u32) -> Vec<u32> {
    // Each thread has its own children.
    let lists = threads(process).filter_map(|thread| fs::read_to_string(thread.join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>())
        .collect()
}

struct ProcessUsage {
    /// Private memory in bytes; memory shared with files can be reclaimed.
    memory: u64,
    threads: u64,
}

fn taken_by(process: u32) -> ProcessUsage {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let number = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0)
    };
    let memory = ["RssAnon:", "RssShmem:", "VmSwap:"].iter().map(|name| number(name)).sum::<u64>();
    ProcessUsage { memory: memory * 1024, threads: number("Threads:") }
}

/// Resources held by processes that are not in their memory accounts.
#[derive(Default)]
struct OpenDescriptors {
    sockets: HashSet<u64>,
    watches: usize,
}

impl OpenDescriptors {
    /// Counts the descriptors of a process and returns the number of sockets not seen before.
    fn add(&mut self, process: u32) -> u64 {
        let mut fresh = 0;
        for link in fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten() {
            let Ok(target) = fs::read_link(link.path()) else { continue };
            let target = target.as_os_str().as_encoded_bytes();
            if let Some(number) = target.strip_prefix(b"socket:[") {
                let digits = number.iter().take_while(|digit| digit.is_ascii_digit());
                let number = digits.fold(0_u64, |sum, digit| sum.wrapping_mul(10) + u64::from(digit - b'0'));
                fresh += u64::from(self.sockets.insert(number));
            } else if target == b"anon_inode:inotify" {
                self.watches += 1;
            }
        }
        fresh
    }
}

fn stores_too_much(root: u32, folders: &[PathBuf], limits: &SandboxLimits, is_strict: bool) -> bool {
    let mut stored = StoredTotal { bytes: 0, entries: 0, is_strict };
    if folders.iter().any(|folder| stored.is_more(folder, limits, DEEPEST)) {
        return true;
    }
    let mut seen = HashSet::new();
    let deleted: u64 = ProcessTree(vec![root]).map(|process| deleted_files_of(process, &mut seen)).sum();
    stored.bytes.saturating_add(deleted) > limits.storage
}

/// Returns the disk space in bytes of deleted files that a process still holds open or mapped.
fn deleted_files_of(process: u32, seen: &mut HashSet<(u64, u64)>) -> u64 {
    let open = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let links = open.map(|link| link.path()).chain(deleted_maps(process));
    let files = links.filter_map(|link| fs::metadata(link).ok());
    let deleted = files.filter(|file| file.is_file() && file.nlink() == 0);
    deleted.filter(|file| seen.insert((file.dev(), file.ino()))).map(|file| file.blocks() * 512).sum()
}

/// Returns the paths of the mapped files of a process that were deleted. The list avoids opening hundreds of others
/// that an interpreter maps.
fn deleted_maps(process: u32) -> Vec<PathBuf> {
    let list = fs::read(format!("/proc/{process}/maps")).unwrap_or_default();
    let list = String::from_utf8_lossy(&list);
    let unnamed = list.lines().filter(|line| line.ends_with(" (deleted)"));
    let places = unnamed.filter_map(|line| {
        let (start, end) = line.split_once(' ')?.0.split_once('-')?;
        let number = |text| u64::from_str_radix(text, 16).ok();
        // The list pads addresses with zeros, the folder does not.
        Some(format!("/proc/{process}/map_files/{:x}-{:x}", number(start)?, number(end)?).into())
    });
    places.collect()
}

struct StoredTotal {
    bytes: u64,
    entries: u64,
    is_strict: bool,
}

impl StoredTotal {
    fn is_more(&mut self, folder: &Path, limits: &SandboxLimits, depth: usize) -> bool {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.is_strict && error.kind() == ErrorKind::PermissionDenied,
        };
        for entry in entries.flatten() {
            // The metadata of a link itself, never of its target.
            let Ok(it) = entry.metadata() else { continue };
            self.bytes = self.bytes.saturating_add(it.blocks() * 512);
            self.entries += 1;
            if self.bytes > limits.storage || self.entries > limits.entries {
                return true;
            }
            if depth == 0 {
                return self.is_strict;
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
    use crate::policy::SandboxProfile;

    fn limits() -> SandboxLimits {
        SandboxLimits::of(SandboxProfile::Tool)
    }

    fn own() -> u32 {
        std::process::id()
    }

    #[test]
    fn a_tree_is_within_its_limits_or_not() {
        let plenty = SandboxLimits { memory: u64::MAX, ..limits() };
        assert_eq!(exceeded(own(), &plenty, &[]), None);
        assert_eq!(
            exceeded(own(), &SandboxLimits { memory: 1, ..limits() }, &[]),
            Some(ExceededLimit::Memory)
        );
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let seen = children(own());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(seen.contains(&child.id()));
    }

    #[test]
    fn what_rests_has_the_same_pulse() {
        let mut child = std::process::Command::new("sh")
            .args(["-c", "read line; while :; do :; done"])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let id = child.id();
        let is_calm = || {
            let (began, first) = (Instant::now(), cpu_fingerprint(id));
            while began.elapsed() < Duration::from_millis(100) {
                if cpu_fingerprint(id) != first {
                    return false;
                }
            }
            first.is_some()
        };
        assert!((0..100).any(|_| is_calm()), "it waits for a line");
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"go\n").unwrap();
        assert!((0..100).any(|_| !is_calm()), "it runs");
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn a_disk_is_not_filled_to_the_brim() {
        assert_eq!(reserve(300 << 20), 30 << 20);
        assert_eq!(reserve(1 << 40), 512 << 20);
        assert!(free_at(&std::env::temp_dir()).is_some_and(|free| free > 0));
    }

    #[test]
    fn what_waits_in_sockets_counts() {
        let few = SandboxLimits { memory: 150 << 20, ..limits() };
        assert_eq!(exceeded(own(), &few, &[]), None);
        let pairs: Vec<_> = (0..200).map(|_| std::os::unix::net::UnixStream::pair().unwrap()).collect();
        assert_eq!(exceeded(own(), &few, &[]), Some(ExceededLimit::Memory));
        drop(pairs);
        assert_eq!(exceeded(own(), &few, &[]), None);
    }

    #[test]
    fn folders_are_measured_without_following_links() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), vec![1; 100_000]).unwrap();
        std::os::unix::fs::symlink("/usr", folder.path().join("all of it")).unwrap();
        let folders = [folder.path().to_owned()];
        assert!(!stores_too_much(own(), &folders, &SandboxLimits { storage: 200_000, ..limits() }, true));
        assert!(stores_too_much(own(), &folders, &SandboxLimits { storage: 50_000, ..limits() }, true));
        assert!(stores_too_much(own(), &folders, &SandboxLimits { entries: 1, ..limits() }, true));
    }

    #[test]
    fn a_file_without_a_name_counts_as_long_as_somebody_has_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, vec![1; 100_000]).unwrap();
        let kept = fs::File::open(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let folders = [folder.path().to_owned()];
        let few = SandboxLimits { storage: 50_000, ..limits() };
        assert!(stores_too_much(own(), &folders, &few, true));
        drop(kept);
        assert!(!stores_too_much(own(), &folders, &few, true));
    }

    #[test]
    fn a_folder_within_a_folder_within_a_folder_ends() {
        let folder = tempfile::tempdir().unwrap();
        let mut inner = folder.path().to_owned();
        for _ in 0..DEEPEST + 2 {
            inner.push("d");
        }
        fs::create_dir_all(inner).unwrap();
        assert!(stores_too_much(own(), &[folder.path().to_owned()], &limits(), true));
    }
}
