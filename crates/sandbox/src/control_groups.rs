//! Control groups: limits that the kernel enforces, on systems that allow them. Without them the watch has to enforce
//! the limits, and it always checks what groups do not account for.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::error::ExceededLimit;
use crate::policy::SandboxLimits;

/// The name prefix of all groups created here, followed by the process ID and a counter.
const NAME: &str = "perigee-";
/// Processes allowed besides the program's own: two of bubblewrap and the launcher.
const OWN_PROCESSES: u64 = 3;
/// The wait between attempts to remove a group, because killed processes take a moment to disappear.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);
const MOST_TRIES: u32 = 40;

/// A control group in which child groups with limits can be created.
#[derive(Debug, Clone)]
pub struct ControlGroups {
    parent: PathBuf,
}

/// The control group of one program. Dropping it kills the remaining processes and removes the group.
#[derive(Debug)]
pub struct ControlGroup {
    path: PathBuf,
}

impl ControlGroups {
    /// Finds the nearest usable group, from this process's own group upwards. Removes groups left there by a Perigee
    /// that was killed.
    pub fn find() -> Option<Self> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let (root, own) = locate(&mounts, &own)?;
        Self::at_or_above(&root, &own)
    }

    fn at_or_above(root: &Path, own: &Path) -> Option<Self> {
        let mut candidates = own.ancestors().take_while(|folder| folder.starts_with(root));
        let groups = Self { parent: candidates.find(|folder| can_limit(folder))?.to_owned() };
        groups.clear(|process| Path::new("/proc").join(process).exists());
        Some(groups)
    }

    pub fn make(&self, limits: &SandboxLimits) -> io::Result<ControlGroup> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = self.parent.join(format!("{NAME}{}-{number}", std::process::id()));
        fs::create_dir(&path)?;
        let group = ControlGroup { path };
        group.set("memory.max", limits.memory)?;
        group.set("pids.max", limits.threads.saturating_add(OWN_PROCESSES))?;
        // Not every kernel has these; the limits hold without them.
        let _ = group.set("memory.swap.max", 0);
        let _ = group.set("memory.oom.group", 1);
        Ok(group)
    }

    /// Removes groups whose owner no longer exists. The programs in them died with the owner.
    fn clear(&self, is_there: impl Fn(&str) -> bool) {
        for entry in fs::read_dir(&self.parent).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let owner =
                name.to_str().and_then(|name| Some(name.strip_prefix(NAME)?.split_once('-')?.0.to_owned()));
            if owner.is_some_and(|owner| !is_there(&owner)) {
                let _ = fs::remove_dir(entry.path());
            }
        }
    }
}

/// Returns the cgroup mount point and this process's own group in it, parsed from the kernel's files.
fn locate(mounts: &str, own: &str) -> Option<(PathBuf, PathBuf)> {
    let mount = mounts.lines().find_map(|line| {
        let (fields, kind) = line.split_once(" - ")?;
        let mut fields = fields.split(' ').skip(3);
        kind.starts_with("cgroup2 ").then_some((fields.next()?, PathBuf::from(fields.next()?)))
    });
    let (shown, root) = mount?;
    let own = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    let within = Path::new(own).strip_prefix(shown).ok()?;
    Some((root.clone(), root.join(within)))
}

fn can_limit(folder: &Path) -> bool {
    let control = folder.join("cgroup.subtree_control");
    let has_all = || {
        let has = fs::read_to_string(&control).unwrap_or_default();
        ["memory", "pids"].iter().all(|wanted| has.split_whitespace().any(|name| name == *wanted))
    };
    // Refused for a group that contains processes itself, except for the root group.
    (has_all() || (fs::write(&control, "+memory +pids").is_ok() && has_all()))
        && ControlGroups { parent: folder.to_owned() }
            .make(&SandboxLimits::of(crate::policy::SandboxProfile::Tool))
            .is_ok()
}

impl ControlGroup {
    fn set(&self, name: &str, value: u64) -> io::Result<()> {
        let value = if value == u64::MAX { "max".to_owned() } else { value.to_string() };
        fs::write(self.path.join(name), value)
    }

    /// Opens the file through which a process joins the group.
    pub fn join_file(&self) -> io::Result<OwnedFd> {
        Ok(fs::OpenOptions::new().write(true).open(self.path.join("cgroup.procs"))?.into())
    }

    /// Returns the limit at which the kernel stopped the program.
    pub fn exceeded_limit(&self) -> Option<ExceededLimit> {
        let happened = |file: &str, event: &str| {
            let events = fs::read_to_string(self.path.join(file)).unwrap_or_default();
            let count = events.lines().find_map(|line| line.strip_prefix(event)?.strip_prefix(' '));
            count.is_some_and(|count| count != "0")
        };
        if happened("memory.events", "oom_kill") {
            return Some(ExceededLimit::Memory);
        }
        happened("pids.events", "max").then_some(ExceededLimit::Processes)
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let _ = fs::write(self.path.join("cgroup.kill"), "1");
        if fs::remove_dir(&self.path).is_ok() {
            return;
        }
        let path = self.path.clone();
        std::thread::spawn(move || {
            let gone = (0..MOST_TRIES).any(|_| {
                std::thread::sleep(RETRY_INTERVAL);
                fs::remove_dir(&path).is_ok()
            });
            if !gone {
                tracing::warn!("the control group {} could not be removed", path.display());
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::SandboxProfile;

    /// Creates folders like a cgroup tree: this process's group contains processes, and its parent has the controllers.
    fn tree() -> (tempfile::TempDir, PathBuf) {
        let root = tempfile::tempdir().unwrap();
        let own = root.path().join("app.slice/perigee.service");
        fs::create_dir_all(&own).unwrap();
        fs::write(own.parent().unwrap().join("cgroup.subtree_control"), "cpu memory pids\n").unwrap();
        // A folder cannot be written like a file, which imitates the kernel's refusal.
        fs::create_dir(own.join("cgroup.subtree_control")).unwrap();
        (root, own)
    }

    fn read(group: &ControlGroup, name: &str) -> String {
        fs::read_to_string(group.path.join(name)).unwrap()
    }

    #[test]
    fn the_nearest_place_with_limits_is_taken() {
        let (root, own) = tree();
        let groups = ControlGroups::at_or_above(root.path(), &own).unwrap();
        assert_eq!(groups.parent, own.parent().unwrap());
        let bare = tempfile::tempdir().unwrap();
        assert!(ControlGroups::at_or_above(bare.path(), bare.path()).is_none());
    }

    #[test]
    fn a_group_has_the_limits_of_its_policy_and_says_what_was_refused() {
        let (root, own) = tree();
        let groups = ControlGroups::at_or_above(root.path(), &own).unwrap();
        let limits = SandboxLimits { threads: u64::MAX, ..SandboxLimits::of(SandboxProfile::Tool) };
        let group = groups.make(&limits).unwrap();
        assert_eq!(read(&group, "memory.max"), (512 << 20).to_string());
        assert_eq!(read(&group, "memory.swap.max"), "0");
        assert_eq!(read(&group, "pids.max"), "max");
        assert!(group.join_file().is_err(), "the kernel creates it");
        assert_eq!(group.exceeded_limit(), None);
        fs::write(group.path.join("memory.events"), "max 7\noom 0\noom_kill 0\n").unwrap();
        fs::write(group.path.join("pids.events"), "max 0\n").unwrap();
        assert_eq!(group.exceeded_limit(), None);
        fs::write(group.path.join("pids.events"), "max 2\n").unwrap();
        assert_eq!(group.exceeded_limit(), Some(ExceededLimit::Processes));
        fs::write(group.path.join("memory.events"), "max 7\noom 1\noom_kill 3\n").unwrap();
        assert_eq!(group.exceeded_limit(), Some(ExceededLimit::Memory));
    }

    #[test]
    fn what_a_killed_perigee_left_is_removed_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        for name in ["perigee-1-0", "perigee-2-0", "perigee-2-1", "perigee-x", "other-2-0"] {
            fs::create_dir(root.path().join(name)).unwrap();
        }
        ControlGroups { parent: root.path().to_owned() }.clear(|process| process == "1");
        let left = fs::read_dir(root.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut left: Vec<_> = left.collect();
        left.sort();
        assert_eq!(left, ["other-2-0", "perigee-1-0", "perigee-x"]);
    }

    #[test]
    fn the_kernel_says_where_the_groups_are() {
        let mount = |shown: &str| {
            format!(
                "24 1 0:21 / /proc rw - proc proc rw\n30 24 0:26 {shown} /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"
            )
        };
        for (shown, own, expected) in [
            ("/", "0::/user.slice/a.scope\n", Some("/sys/fs/cgroup/user.slice/a.scope")),
            ("/", "1:name=systemd:/x\n0::/\n", Some("/sys/fs/cgroup/")),
            ("/docker/1", "0::/docker/1/inner\n", Some("/sys/fs/cgroup/inner")),
            ("/docker/1", "0::/elsewhere\n", None),
            ("/", "4:memory:/x\n", None),
        ] {
            let found = locate(&mount(shown), own).map(|(_, own)| own);
            assert_eq!(found, expected.map(PathBuf::from), "{shown} {own}");
        }
        assert_eq!(locate("24 1 0:21 / /proc rw - proc proc rw\n", "0::/\n"), None);
    }
}
