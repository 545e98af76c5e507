//! The part of the machine that a program sees: a list of mounts, from which both bubblewrap's arguments and the
//! Landlock rules are derived, so that the two agree.

mod beneath;
mod places;
mod repositories;

use std::ffi::{OsStr, OsString};
use std::io;
use std::net::IpAddr;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub use self::repositories::Placeholder;
use crate::error::SandboxError;
use crate::handover::PORT;
use crate::policy::{Instead, Network, Policy, Profile};

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
const OF_ROOT: &[&str] = &[
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

/// An entry in the program's file system. Later entries lie over earlier ones.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// A path of the machine, readable and executable.
    Read(PathBuf),
    /// A path of the machine, writable.
    Write(PathBuf),
    /// A path of the machine, shown at another path, writable.
    Stead { from: PathBuf, at: PathBuf },
    /// A link, as on the machine.
    Link { at: PathBuf, to: PathBuf },
    /// An empty folder that disappears with the program.
    Scratch(PathBuf),
    /// An empty file or folder that hides what is there.
    Covered(PathBuf),
}

#[derive(Debug)]
pub struct View<'a> {
    policy: &'a Policy,
    places: Vec<Place>,
    /// The range of `places` that guard repositories: they lie in writable folders, where another command could try to
    /// move them.
    guarded: Range<usize>,
    placeholders: Vec<Placeholder>,
    home: PathBuf,
}

impl<'a> View<'a> {
    pub fn new(policy: &'a Policy) -> Result<Self, SandboxError> {
        let mut places = places::system();
        let home = match policy.profile {
            Profile::Tool => PathBuf::from(SCRATCH),
            // Tools look for their files in the home; the user's own files are not shown there.
            Profile::Shell => places::home(),
        };
        places.push(Place::Scratch(SCRATCH.into()));
        places.push(Place::Scratch("/dev/shm".into()));
        if policy.profile == Profile::Shell {
            places.push(Place::Scratch(home.clone()));
            places.extend(places::toolchains(&home));
        }
        places.extend(policy.reads.iter().cloned().map(Place::Read));
        places.extend(policy.writes.iter().map(|path| match &policy.instead {
            Some(Instead::Copy(copy)) if *path == policy.folder && path != copy => {
                Place::Stead { from: copy.clone(), at: path.clone() }
            }
            _ => Place::Write(path.clone()),
        }));
        let (first, mut placeholders, mut sockets) = (places.len(), Vec::new(), Vec::new());
        if policy.profile == Profile::Shell {
            // A folder whose writes go elsewhere is guarded in the overlay step, or needs no guards.
            let looked_at =
                policy.writes.iter().filter(|path| policy.instead.is_none() || **path != policy.folder);
            for folder in looked_at {
                let found = repositories::guarded(folder)?;
                places.extend(found.places);
                placeholders.extend(found.placeholders);
                sockets.extend(found.sockets);
            }
        }
        let guarded = first..places.len();
        places.extend(sockets.into_iter().map(Place::Covered));
        places.extend(repository_of_copy(policy));
        places.extend(policy.hidden.iter().filter(|path| path.exists()).cloned().map(Place::Covered));
        // Paths within a hidden one that are named explicitly stay visible.
        let is_meant = |path: &&PathBuf| policy.hidden.iter().any(|hidden| path.starts_with(hidden));
        places.extend(policy.reads.iter().filter(is_meant).cloned().map(Place::Read));
        places.extend(policy.writes.iter().filter(is_meant).cloned().map(Place::Write));
        let view = Self { policy, places, guarded, placeholders, home };
        // The program reaches its writes through the workspace's path only, so the actual folders are covered.
        let parts = match &policy.instead {
            Some(Instead::Over { upper, work }) => vec![upper.clone(), work.clone()],
            Some(Instead::Copy(copy)) if *copy != policy.folder => vec![copy.clone()],
            _ => Vec::new(),
        };
        let shown: Vec<Place> =
            parts.into_iter().filter(|path| view.shows(path)).map(Place::Covered).collect();
        Ok(Self { places: view.places.into_iter().chain(shown).collect(), ..view })
    }

    /// Returns the files that must stay in place while the program runs.
    pub fn into_placeholders(self) -> Vec<Placeholder> {
        self.placeholders
    }

    /// Returns the paths that the launcher expects to find mounted onto themselves.
    pub fn guarded(&self) -> Vec<PathBuf> {
        self.places[self.guarded.clone()].iter().map(|place| place.at().to_owned()).collect()
    }

    /// Returns the scratch folders, which are kept in memory and disappear with the program.
    pub fn scratch(&self) -> Vec<PathBuf> {
        let scratch = self.places.iter().filter_map(|place| match place {
            Place::Scratch(path) => Some(path.clone()),
            _ => None,
        });
        scratch.collect()
    }

    /// Returns the paths within writable folders that the launcher expects to find covered.
    pub fn covered(&self) -> Vec<PathBuf> {
        let covered = self.places.iter().filter_map(|place| match place {
            Place::Covered(path) => Some(path),
            _ => None,
        });
        let is_within = |path: &&PathBuf| self.policy.writes.iter().any(|folder| path.starts_with(folder));
        // For a copy, the real repository must be mounted too, over anything that an earlier command left in its place.
        let repository = repository_of_copy(self.policy).map(|place| place.at().to_owned());
        covered.filter(is_within).cloned().chain(repository).collect()
    }

    /// Returns bubblewrap's arguments before the program's name.
    pub fn arguments(&self, launcher: &Path) -> Words {
        let mut arguments = Arguments::default();
        arguments.words(&["--unshare-all", "--unshare-user", "--disable-userns", "--hostname", "sandbox"]);
        arguments.words(&["--die-with-parent", "--new-session", "--cap-drop", "ALL"]);
        arguments.words(&["--proc", "/proc", "--dev", "/dev"]);
        if rustix::process::geteuid().is_root() {
            let named = OF_ROOT.iter().map(|name| Path::new("/proc").join(name));
            for path in named.filter(|path| path.exists()) {
                arguments.cover(&path);
            }
        }
        let mut guards_at = 0;
        for (number, place) in self.places.iter().enumerate() {
            if number == self.guarded.end {
                guards_at = arguments.0.len();
            }
            arguments.place(place, self.policy.limits.scratch);
        }
        if self.guarded.end == self.places.len() {
            guards_at = arguments.0.len();
        }
        // Made read-only last, because mount points within them had to be created first.
        for place in &self.places {
            if let Place::Covered(path) = place
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
        Words { all: arguments.0, guards_at }
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
            Profile::Tool => &["TZ"],
            Profile::Shell => &["TZ", "TERM", "USER", "LOGNAME"],
        };
        let passed = passed.iter().filter_map(|name| Some(((*name).into(), std::env::var_os(name)?)));
        variables.extend(passed);
        if self.policy.profile == Profile::Shell {
            variables.extend(places::homes_of_toolchains(|path| self.shows(path)));
        }
        variables.extend(self.proxy());
        variables.extend(self.policy.environment.iter().cloned());
        variables
    }

    /// Returns the proxy variables, in lower and upper case.
    fn proxy(&self) -> Vec<(OsString, OsString)> {
        let Network::Proxied(hosts) = &self.policy.network else { return Vec::new() };
        let proxy = format!("http://127.0.0.1:{PORT}");
        let mut variables: Vec<(&str, String)> =
            ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].map(|name| (name, proxy.clone())).to_vec();
        if self.policy.profile == Profile::Shell {
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
        let place = self.places.iter().rev().find(|place| path.starts_with(place.at()));
        matches!(place, Some(Place::Read(_) | Place::Write(_) | Place::Stead { .. } | Place::Link { .. }))
    }

    /// Returns the paths that Landlock makes writable within namespaces, which already hide everything else.
    pub fn writable_inside(&self) -> Vec<PathBuf> {
        let written = self.places.iter().filter_map(|place| match place {
            Place::Write(path) | Place::Scratch(path) | Place::Stead { at: path, .. } => Some(path.clone()),
            _ => None,
        });
        written.chain(["/dev".into()]).collect()
    }

    /// Returns the paths that Landlock makes readable if there are no namespaces.
    pub fn readable_outside(&self) -> Vec<PathBuf> {
        // Guarded paths lie in writable folders, which are readable anyway.
        let others = self.places.iter().enumerate().filter(|(at, _)| !self.guarded.contains(at));
        let read = others.filter_map(|(_, place)| match place {
            Place::Read(path) => Some(path.clone()),
            Place::Link { at, .. } => Some(at.clone()),
            _ => None,
        });
        read.chain(NEEDED.iter().map(PathBuf::from)).collect()
    }

    /// Returns the paths that Landlock makes writable if there are no namespaces.
    pub fn writable_outside(&self) -> Vec<PathBuf> {
        self.policy.writes.iter().cloned().chain(["/dev/null".into(), "/dev/full".into()]).collect()
    }
}

impl Place {
    fn at(&self) -> &Path {
        match self {
            Self::Read(path) | Self::Write(path) | Self::Scratch(path) | Self::Covered(path) => path,
            Self::Link { at, .. } | Self::Stead { at, .. } => at,
        }
    }
}

/// Returns the real repository, read-only, for a workspace that is shown as a copy.
fn repository_of_copy(policy: &Policy) -> Option<Place> {
    let copy = matches!(&policy.instead, Some(Instead::Copy(copy)) if *copy != policy.folder);
    let git = policy.folder.join(".git");
    (copy && git.exists()).then_some(Place::Read(git))
}

/// Bubblewrap's arguments.
#[derive(Debug)]
pub struct Words {
    pub all: Vec<OsString>,
    /// The index at which repository guards found later are inserted.
    pub guards_at: usize,
}

/// The guards for a workspace with an overlay.
#[derive(Debug)]
pub struct Guards {
    pub words: Vec<OsString>,
    pub guarded: Vec<PathBuf>,
    pub covered: Vec<PathBuf>,
}

/// Finds the guards in the merged folder that the command will see. Files created for this purpose end up in the
/// overlay, and are dropped with everything that git does there.
pub fn guards(workspace: &Path) -> io::Result<Guards> {
    let found = repositories::guarded_in_a_layer(workspace)?;
    let mut arguments = Arguments::default();
    for place in &found.places {
        arguments.place(place, 0);
    }
    for socket in &found.sockets {
        arguments.cover(socket);
    }
    let guarded = found.places.iter().map(|place| place.at().to_owned()).collect();
    // They must stay after this process has executed the next step.
    found.placeholders.into_iter().for_each(std::mem::forget);
    Ok(Guards { words: arguments.0, guarded, covered: found.sockets })
}

#[derive(Default)]
struct Arguments(Vec<OsString>);

impl Arguments {
    fn place(&mut self, place: &Place, scratch: u64) {
        match place {
            Place::Read(path) => self.add("--ro-bind", &[path, path]),
            Place::Write(path) => self.add("--bind", &[path, path]),
            Place::Stead { from, at } => self.add("--bind", &[from, at]),
            Place::Link { at, to } => self.add("--symlink", &[to, at]),
            Place::Scratch(path) => {
                self.add("--size", &[scratch.to_string()]);
                self.add("--tmpfs", &[path]);
            }
            Place::Covered(path) => self.cover(path),
        }
    }

    fn words(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    /// Covers a path with an empty file or folder.
    fn cover(&mut self, path: &Path) {
        if path.is_dir() {
            self.add("--tmpfs", &[path]);
        } else {
            self.add("--ro-bind", &[Path::new("/dev/null"), path]);
        }
    }

    fn add<T: AsRef<OsStr>>(&mut self, option: &str, values: &[T]) {
        self.0.push(option.into());
        self.0.extend(values.iter().map(|value| value.as_ref().to_owned()));
    }
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
