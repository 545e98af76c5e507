//! The part of the machine that a program sees: a list of mounts, from which both bubblewrap's arguments and the
//! Landlock rules are derived, so that the two agree.

mod bubblewrap;
mod link_free_folder;
mod mount;
mod repositories;
mod system_mounts;

use std::ffi::OsString;
use std::io;
use std::net::IpAddr;
use std::ops::Range;
use std::path::{Path, PathBuf};

use self::bubblewrap::ArgumentBuilder;
pub use self::bubblewrap::BubblewrapArguments;
use self::mount::Mount;
pub use self::repositories::Placeholder;
use crate::error::SandboxError;
use crate::handover::PORT;
use crate::policy::{NetworkAccess, Policy, SandboxProfile, WriteTarget};

/// The path at which the program sees the launcher.
pub const LAUNCHER: &str = "/.launcher";
/// The folder for temporary files.
const SCRATCH: &str = "/tmp";

/// Devices and kernel files that a program needs if it has no `/dev` and `/proc` of its own. It sees no other processes
/// there.
const NEEDED: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel",
    "/proc/sys/vm",
    "/proc/uptime",
    "/proc/version",
];

/// Entries of `/proc` for root only. They are covered when running as root, because root inside is then root outside.
const FOR_ROOT: &[&str] = &[
    "acpi",
    "asound",
    "config.gz",
    "iomem",
    "ioports",
    "kcore",
    "key-users",
    "keys",
    "kmsg",
    "kpagecgroup",
    "kpagecount",
    "kpageflags",
    "latency_stats",
    "mtrr",
    "pagetypeinfo",
    "sched_debug",
    "scsi",
    "slabinfo",
    "timer_list",
    "vmallocinfo",
];

/// The part of the machine that a program with a policy sees.
#[derive(Debug)]
pub struct FileSystemView<'a> {
    policy: &'a Policy,
    mounts: Vec<Mount>,
    /// The range of `mounts` that guard repositories: they lie in writable folders, where another command could try to
    /// move them.
    guarded: Range<usize>,
    placeholders: Vec<Placeholder>,
    home: PathBuf,
}

impl<'a> FileSystemView<'a> {
    pub fn new(policy: &'a Policy) -> Result<Self, SandboxError> {
        let mut mounts = system_mounts::system();
        let home = match policy.profile {
            SandboxProfile::Tool => PathBuf::from(SCRATCH),
            // Tools look for their files in the home; the user's own files are not shown there.
            SandboxProfile::Shell => system_mounts::home(),
        };
        mounts.push(Mount::Scratch(SCRATCH.into()));
        mounts.push(Mount::Scratch("/dev/shm".into()));
        if policy.profile == SandboxProfile::Shell {
            mounts.push(Mount::Scratch(home.clone()));
            mounts.extend(system_mounts::toolchains(&home));
        }
        mounts.extend(policy.reads.iter().cloned().map(Mount::Read));
        mounts.extend(policy.writes.iter().map(|path| match &policy.write_target {
            Some(WriteTarget::Copy(copy)) if *path == policy.folder && path != copy => {
                Mount::Moved { from: copy.clone(), at: path.clone() }
            }
            _ => Mount::Write(path.clone()),
        }));
        let (first, mut placeholders, mut sockets) = (mounts.len(), Vec::new(), Vec::new());
        if policy.profile == SandboxProfile::Shell {
            // A folder whose writes go elsewhere is guarded in the overlay step, or needs no guards.
            let looked_at =
                policy.writes.iter().filter(|path| policy.write_target.is_none() || **path != policy.folder);
            for folder in looked_at {
                let found = repositories::guarded(folder)?;
                mounts.extend(found.mounts);
                placeholders.extend(found.placeholders);
                sockets.extend(found.sockets);
            }
        }
        let guarded = first..mounts.len();
        mounts.extend(sockets.into_iter().map(Mount::Covered));
        mounts.extend(repository_of_copy(policy));
        mounts.extend(policy.hidden.iter().filter(|path| path.exists()).cloned().map(Mount::Covered));
        // Paths within a hidden one that are named explicitly stay visible.
        let is_meant = |path: &&PathBuf| policy.hidden.iter().any(|hidden| path.starts_with(hidden));
        mounts.extend(policy.reads.iter().filter(is_meant).cloned().map(Mount::Read));
        mounts.extend(policy.writes.iter().filter(is_meant).cloned().map(Mount::Write));
        let view = Self { policy, mounts, guarded, placeholders, home };
        // The program reaches its writes through the workspace's path only, so the actual folders are covered.
        let parts = match &policy.write_target {
            Some(WriteTarget::Overlay { upper, work }) => vec![upper.clone(), work.clone()],
            Some(WriteTarget::Copy(copy)) if *copy != policy.folder => vec![copy.clone()],
            _ => Vec::new(),
        };
        let shown: Vec<Mount> =
            parts.into_iter().filter(|path| view.shows(path)).map(Mount::Covered).collect();
        Ok(Self { mounts: view.mounts.into_iter().chain(shown).collect(), ..view })
    }

    /// Returns the files that must stay in place while the program runs.
    pub fn into_placeholders(self) -> Vec<Placeholder> {
        self.placeholders
    }

    /// Returns the paths that the launcher expects to find mounted onto themselves.
    pub fn guarded(&self) -> Vec<PathBuf> {
        self.mounts[self.guarded.clone()].iter().map(|mount| mount.at().to_owned()).collect()
    }

    /// Returns the scratch folders, which are kept in memory and disappear with the program.
    pub fn scratch(&self) -> Vec<PathBuf> {
        let scratch = self.mounts.iter().filter_map(|mount| match mount {
            Mount::Scratch(path) => Some(path.clone()),
            _ => None,
        });
        scratch.collect()
    }

    /// Returns the paths within writable folders that the launcher expects to find covered.
    pub fn covered(&self) -> Vec<PathBuf> {
        let covered = self.mounts.iter().filter_map(|mount| match mount {
            Mount::Covered(path) => Some(path),
            _ => None,
        });
        let is_within = |path: &&PathBuf| self.policy.writes.iter().any(|folder| path.starts_with(folder));
        // For a copy, the real repository must be mounted too, over anything that an earlier command left in its place.
        let repository = repository_of_copy(self.policy).map(|mount| mount.at().to_owned());
        covered.filter(is_within).cloned().chain(repository).collect()
    }

    /// Returns bubblewrap's arguments before the program's name.
    pub fn arguments(&self, launcher: &Path) -> BubblewrapArguments {
        let mut arguments = ArgumentBuilder::default();
        arguments.words(&["--unshare-all", "--unshare-user", "--disable-userns", "--hostname", "sandbox"]);
        arguments.words(&["--die-with-parent", "--new-session", "--cap-drop", "ALL"]);
        arguments.words(&["--proc", "/proc", "--dev", "/dev"]);
        if rustix::process::geteuid().is_root() {
            let named = FOR_ROOT.iter().map(|name| Path::new("/proc").join(name));
            for path in named.filter(|path| path.exists()) {
                arguments.cover(&path);
            }
        }
        let mut guards_index = 0;
        for (number, mount) in self.mounts.iter().enumerate() {
            if number == self.guarded.end {
                guards_index = arguments.0.len();
            }
            arguments.mount(mount, self.policy.limits.scratch);
        }
        if self.guarded.end == self.mounts.len() {
            guards_index = arguments.0.len();
        }
        // Made read-only last, because mount points within them had to be created first.
        for mount in &self.mounts {
            if let Mount::Covered(path) = mount
                && path.is_dir()
            {
                arguments.add("--remount-ro", &[path]);
            }
        }
        arguments.add("--ro-bind", &[launcher, Path::new(LAUNCHER)]);
        arguments.words(&["--remount-ro", "/dev", "--remount-ro", "/"]);
        arguments.add("--chdir", &[&self.policy.folder]);
        arguments.words(&["--clearenv"]);
        for (name, value) in self.environment() {
            arguments.add("--setenv", &[name, value]);
        }
        BubblewrapArguments { all: arguments.0, guards_index }
    }

    /// Returns the program's environment variables: the basic ones and its own.
    pub fn environment(&self) -> Vec<(OsString, OsString)> {
        let mut variables: Vec<(OsString, OsString)> = vec![
            ("HOME".into(), self.home.clone().into()),
            ("PATH".into(), self.path()),
            ("TMPDIR".into(), SCRATCH.into()),
            ("LANG".into(), "C.UTF-8".into()),
        ];
        let passed: &[&str] = match self.policy.profile {
            SandboxProfile::Tool => &["TZ"],
            SandboxProfile::Shell => &["TZ", "TERM", "USER", "LOGNAME"],
        };
        let passed = passed.iter().filter_map(|name| Some(((*name).into(), std::env::var_os(name)?)));
        variables.extend(passed);
        if self.policy.profile == SandboxProfile::Shell {
            variables.extend(system_mounts::toolchain_variables(|path| self.shows(path)));
        }
        variables.extend(self.proxy());
        variables.extend(self.policy.environment.iter().cloned());
        variables
    }

    /// Returns the proxy variables, in lower and upper case.
    fn proxy(&self) -> Vec<(OsString, OsString)> {
        let NetworkAccess::Proxied(hosts) = &self.policy.network else { return Vec::new() };
        let proxy = format!("http://127.0.0.1:{PORT}");
        let mut variables: Vec<(&str, String)> =
            ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].map(|name| (name, proxy.clone())).to_vec();
        if self.policy.profile == SandboxProfile::Shell {
            // The program's own loopback bypasses the proxy, unless the address is one of the permitted hosts.
            let own = ["127.0.0.1", "::1"].into_iter().filter(|address| {
                address.parse::<IpAddr>().is_ok_and(|address| !hosts.names_address(address))
            });
            variables.push(("NO_PROXY", ["localhost"].into_iter().chain(own).collect::<Vec<_>>().join(",")));
        }
        let both = variables.into_iter().flat_map(|(name, value)| {
            [(name.to_lowercase().into(), value.clone().into()), (name.into(), value.into())]
        });
        both.collect()
    }

    /// Returns the variables for a program without namespaces. It has no scratch folders, so its writable folder takes
    /// their place.
    pub fn environment_outside(&self) -> Vec<(OsString, OsString)> {
        let scratch = self.policy.writes.first().unwrap_or(&self.policy.folder);
        let moved = |(name, value): (OsString, OsString)| {
            if name == "TMPDIR" || name == "HOME" { (name, scratch.clone().into()) } else { (name, value) }
        };
        self.environment().into_iter().map(moved).collect()
    }

    /// Returns the folders of this process's `PATH` that the program can see.
    fn path(&self) -> OsString {
        let ours = std::env::var_os("PATH").unwrap_or_default();
        let system = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
        let mut folders: Vec<PathBuf> = Vec::new();
        for folder in std::env::split_paths(&ours).chain(system) {
            if folder.is_absolute() && self.shows(&folder) && !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        std::env::join_paths(folders).unwrap_or_else(|_| "/usr/bin:/bin".into())
    }

    /// Returns true if the program sees the machine's own contents at a path.
    pub fn shows(&self, path: &Path) -> bool {
        let mount = self.mounts.iter().rev().find(|mount| path.starts_with(mount.at()));
        matches!(mount, Some(Mount::Read(_) | Mount::Write(_) | Mount::Moved { .. } | Mount::Link { .. }))
    }

    /// Returns the paths that Landlock makes writable within namespaces, which already hide everything else.
    pub fn writable_inside(&self) -> Vec<PathBuf> {
        let written = self.mounts.iter().filter_map(|mount| match mount {
            Mount::Write(path) | Mount::Scratch(path) | Mount::Moved { at: path, .. } => Some(path.clone()),
            _ => None,
        });
        written.chain(["/dev".into()]).collect()
    }

    /// Returns the paths that Landlock makes readable if there are no namespaces.
    pub fn readable_outside(&self) -> Vec<PathBuf> {
        // Guarded paths lie in writable folders, which are readable anyway.
        let others = self.mounts.iter().enumerate().filter(|(at, _)| !self.guarded.contains(at));
        let read = others.filter_map(|(_, mount)| match mount {
            Mount::Read(path) => Some(path.clone()),
            Mount::Link { at, .. } => Some(at.clone()),
            _ => None,
        });
        read.chain(NEEDED.iter().map(PathBuf::from)).collect()
    }

    /// Returns the paths that Landlock makes writable if there are no namespaces.
    pub fn writable_outside(&self) -> Vec<PathBuf> {
        self.policy.writes.iter().cloned().chain(["/dev/null".into(), "/dev/full".into()]).collect()
    }
}

/// Returns the real repository, read-only, for a workspace that is shown as a copy.
fn repository_of_copy(policy: &Policy) -> Option<Mount> {
    let copy = matches!(&policy.write_target, Some(WriteTarget::Copy(copy)) if *copy != policy.folder);
    let git = policy.folder.join(".git");
    (copy && git.exists()).then_some(Mount::Read(git))
}

/// The guards for a workspace with an overlay.
#[derive(Debug)]
pub struct GuardArguments {
    pub words: Vec<OsString>,
    pub guarded: Vec<PathBuf>,
    pub covered: Vec<PathBuf>,
}

/// Finds the guards in the merged folder that the command will see. Files created for this purpose end up in the
/// overlay, and are dropped with everything that git does there.
pub fn guards(workspace: &Path) -> io::Result<GuardArguments> {
    let found = repositories::guarded_in_overlay(workspace)?;
    let mut arguments = ArgumentBuilder::default();
    for mount in &found.mounts {
        arguments.mount(mount, 0);
    }
    for socket in &found.sockets {
        arguments.cover(socket);
    }
    let guarded = found.mounts.iter().map(|mount| mount.at().to_owned()).collect();
    // They must stay after this process has executed the next step.
    found.placeholders.into_iter().for_each(std::mem::forget);
    Ok(GuardArguments { words: arguments.0, guarded, covered: found.sockets })
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
