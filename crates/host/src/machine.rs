use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The resources of this machine, or of the container that Perigee runs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachineFacts {
    /// The maximum usable memory in bytes, or `None` if the system does not report it.
    pub memory_total: Option<u64>,
    /// The memory in bytes that is available without swapping out other programs.
    pub memory_available: Option<u64>,
    /// The number of physical cores: at least one, and at most `logical_cores`.
    pub physical_cores: usize,
    /// The number of threads that can run at once, within the container's limit.
    pub logical_cores: usize,
}

/// Reads the resources. This is cheap enough for each use, and the available memory changes.
pub fn machine() -> MachineFacts {
    let logical_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (memory_total, memory_available) = system::memory();
    let physical_cores = system::physical_cores().unwrap_or(logical_cores).clamp(1, logical_cores);
    MachineFacts { memory_total, memory_available, physical_cores, logical_cores }
}

/// Returns the free disk space in bytes at `path`, which need not exist yet. `None` if the system does not report it.
pub fn disk_free(path: impl AsRef<Path>) -> Option<u64> {
    let existing = path.as_ref().ancestors().find(|folder| folder.exists())?;
    #[cfg(unix)]
    {
        let found = rustix::fs::statvfs(existing).ok()?;
        found.f_bavail.checked_mul(found.f_frsize)
    }
    #[cfg(not(unix))]
    {
        let _ = existing;
        None
    }
}

#[cfg(target_os = "macos")]
mod system {
    use std::process::Command;

    #[allow(clippy::disallowed_methods, reason = "a fixed system program without arguments of ours")]
    fn ask(program: &str, arguments: &[&str]) -> Option<String> {
        let output = Command::new(program).args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()
    }

    fn sysctl(name: &str) -> Option<u64> {
        ask("/usr/sbin/sysctl", &["-n", name])?.trim().parse().ok()
    }

    pub(super) fn memory() -> (Option<u64>, Option<u64>) {
        (sysctl("hw.memsize"), available())
    }

    fn available() -> Option<u64> {
        let page = sysctl("hw.pagesize")?;
        let text = ask("/usr/bin/vm_stat", &[])?;
        let pages: u64 = text
            .lines()
            .filter_map(|line| line.split_once(':'))
            .filter(|(name, _)| {
                matches!(*name, "Pages free" | "Pages inactive" | "Pages speculative" | "Pages purgeable")
            })
            .filter_map(|(_, count)| count.trim().trim_end_matches('.').parse::<u64>().ok())
            .sum();
        pages.checked_mul(page)
    }

    pub(super) fn physical_cores() -> Option<usize> {
        usize::try_from(sysctl("hw.physicalcpu")?).ok()
    }
}

#[cfg(not(target_os = "macos"))]
mod system {
    use std::path::Path;

    use super::{cores_in, memory_in};

    pub(super) fn memory() -> (Option<u64>, Option<u64>) {
        memory_in(Path::new("/"))
    }

    pub(super) fn physical_cores() -> Option<usize> {
        cores_in(&std::fs::read_to_string("/proc/cpuinfo").ok()?)
    }
}

/// Returns total and available memory from `/proc` and the control groups beneath `root`.
fn memory_in(root: &Path) -> (Option<u64>, Option<u64>) {
    let Ok(meminfo) = fs::read_to_string(root.join("proc/meminfo")) else {
        return (None, None);
    };
    let mut total = kilobytes(&meminfo, "MemTotal:");
    let mut available = kilobytes(&meminfo, "MemAvailable:");
    for group in memory_groups(root) {
        let Some(limit) = group.limit.filter(|limit| total.is_none_or(|total| *limit < total)) else {
            continue;
        };
        let left = limit.saturating_sub(group.used);
        total = Some(limit);
        available = Some(available.map_or(left, |available| available.min(left)));
    }
    (total, available)
}

fn kilobytes(meminfo: &str, name: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

struct MemoryGroup {
    limit: Option<u64>,
    used: u64,
}

/// Returns the control groups of this process, outermost first. Each of them may have a limit.
fn memory_groups(root: &Path) -> Vec<MemoryGroup> {
    let Ok(text) = fs::read_to_string(root.join("proc/self/cgroup")) else {
        return Vec::new();
    };
    let mut groups = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (mount, names) = if controllers.is_empty() {
            ("sys/fs/cgroup", ["memory.max", "memory.current", "inactive_file"])
        } else if controllers.split(',').any(|name| name == "memory") {
            (
                "sys/fs/cgroup/memory",
                ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"],
            )
        } else {
            continue;
        };
        let mount = root.join(mount);
        let own = Path::new(path.trim_start_matches('/'));
        let mut chain: Vec<_> = own.ancestors().map(|part| mount.join(part)).collect();
        chain.reverse();
        groups.extend(chain.iter().map(|folder| memory_group(folder, names)));
    }
    groups
}

fn memory_group(folder: &Path, [limit, used, reclaimable]: [&str; 3]) -> MemoryGroup {
    let text = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let number = |name| text(name)?.trim().parse::<u64>().ok();
    // Inactive file pages count as used but are reclaimed as soon as memory is needed.
    let idle_files = text("memory.stat").and_then(|stat| {
        let line = stat.lines().find_map(|line| line.strip_prefix(reclaimable))?;
        line.trim().parse::<u64>().ok()
    });
    MemoryGroup {
        limit: number(limit),
        used: number(used).unwrap_or(0).saturating_sub(idle_files.unwrap_or(0)),
    }
}

/// Returns the number of distinct cores in `/proc/cpuinfo`, or `None` if it does not list them (as on ARM).
fn cores_in(cpuinfo: &str) -> Option<usize> {
    let cores: HashSet<(&str, &str)> = cpuinfo
        .split("\n\n")
        .filter_map(|processor| {
            let field = |name: &str| {
                let line = processor.lines().find(|line| line.starts_with(name))?;
                Some(line.split_once(':')?.1.trim())
            };
            Some((field("physical id")?, field("core id")?))
        })
        .collect();
    (!cores.is_empty()).then_some(cores.len())
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
