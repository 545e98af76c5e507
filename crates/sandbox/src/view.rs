//! What a program sees of the machine: a list of places, from which both bubblewrap's arguments and landlock's rules
//! follow, so that the two walls stand in the same line.

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

/// Where the launcher is seen.
pub const LAUNCHER: &str = "/.launcher";
/// The folder in which programs put what they need for a moment.
const SCRATCH: &str = "/tmp";

/// What a program needs of the machine's own devices and numbers, where it has none of its own. Of the processes it
/// sees itself alone.
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

/// What the kernel tells root alone, and what it hears from it: inside, root is root here.
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

/// One thing that is put into the program's file system. Later ones lie over earlier ones.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// The machine's own, to be read and started.
    Read(PathBuf),
    /// The machine's own, to be changed.
    Write(PathBuf),
    /// Something of the machine's in the place of another, to be changed.
    Stead { from: PathBuf, at: PathBuf },
    /// A link, as the machine has it.
    Link { at: PathBuf, to: PathBuf },
    /// Empty, and gone with the program.
    Scratch(PathBuf),
    /// An empty thing that hides what is there.
    Covered(PathBuf),
}

#[derive(Debug)]
pub struct View<'a> {
    policy: &'a Policy,
    places: Vec<Place>,
    /// Those of them that guard repositories: they lie in what may be written, and another command could try to move them.
    guarded: Range<usize>,
    placeholders: Vec<Placeholder>,
    home: PathBuf,
}

impl<'a> View<'a> {
    pub fn new(policy: &'a Policy) -> Result<Self, SandboxError> {
        let mut places = places::system();
        let home = match policy.profile {
            Profile::Tool => PathBuf::from(SCRATCH),
            // Where tools look for their own things; what is the user's there is not.
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
            // What has another in its place is looked at where that is seen, or is nobody's to guard.
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
        // What is named within what is hidden was meant.
        let is_meant = |path: &&PathBuf| policy.hidden.iter().any(|hidden| path.starts_with(hidden));
        places.extend(policy.reads.iter().filter(is_meant).cloned().map(Place::Read));
        places.extend(policy.writes.iter().filter(is_meant).cloned().map(Place::Write));
        let view = Self { policy, places, guarded, placeholders, home };
        // It knows its writes by the work's name alone.
        let parts = match &policy.instead {
            Some(Instead::Over { upper, work }) => vec![upper.clone(), work.clone()],
            Some(Instead::Copy(copy)) if *copy != policy.folder => vec![copy.clone()],
            _ => Vec::new(),
        };
        let shown: Vec<Place> =
            parts.into_iter().filter(|path| view.shows(path)).map(Place::Covered).collect();
        Ok(Self { places: view.places.into_iter().chain(shown).collect(), ..view })
    }

    /// What must lie where it is for as long as the program runs.
    pub fn into_placeholders(self) -> Vec<Placeholder> {
        self.placeholders
    }

    /// What the launcher finds mounted onto itself, if nobody has moved it meanwhile.
    pub fn guarded(&self) -> Vec<PathBuf> {
        self.places[self.guarded.clone()].iter().map(|place| place.at().to_owned()).collect()
    }

    /// Folders that vanish with the program, and lie in memory until then.
    pub fn scratch(&self) -> Vec<PathBuf> {
        let scratch = self.places.iter().filter_map(|place| match place {
            Place::Scratch(path) => Some(path.clone()),
            _ => None,
        });
        scratch.collect()
    }

    /// What it finds covered, among what may be written.
    pub fn covered(&self) -> Vec<PathBuf> {
        let covered = self.places.iter().filter_map(|place| match place {
            Place::Covered(path) => Some(path),
            _ => None,
        });
        let is_within = |path: &&PathBuf| self.policy.writes.iter().any(|folder| path.starts_with(folder));
        // The work's own repository, too, lies over whatever an earlier command left in its place.
        let repository = repository_of_copy(self.policy).map(|place| place.at().to_owned());
        covered.filter(is_within).cloned().chain(repository).collect()
    }

    /// What bubblewrap is told before the program's name.
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
        // After all, since what lies in them had to be put there.
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

    /// The variables of the program: the few that everything needs, and its own.
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

    /// How programs learn of the proxy, in the two spellings that there are.
    fn proxy(&self) -> Vec<(OsString, OsString)> {
        let Network::Proxied(hosts) = &self.policy.network else { return Vec::new() };
        let proxy = format!("http://127.0.0.1:{PORT}");
        let mut variables: Vec<(&str, String)> =
            ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].map(|name| (name, proxy.clone())).to_vec();
        if self.policy.profile == Profile::Shell {
            // Its own loopback, but for what it was let out to.
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

    /// The same where there are no namespaces, and so no scratch folders: the place for that is the one it may write.
    pub fn environment_outside(&self) -> Vec<(OsString, OsString)> {
        let scratch = self.policy.writes.first().unwrap_or(&self.policy.folder);
        let moved = |(name, value): (OsString, OsString)| {
            if name == "TMPDIR" || name == "HOME" { (name, scratch.clone().into()) } else { (name, value) }
        };
        self.environment().into_iter().map(moved).collect()
    }

    /// Those folders of our own `PATH` that it sees.
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

    /// Whether the program sees what the machine has there.
    pub fn shows(&self, path: &Path) -> bool {
        let place = self.places.iter().rev().find(|place| path.starts_with(place.at()));
        matches!(place, Some(Place::Read(_) | Place::Write(_) | Place::Stead { .. } | Place::Link { .. }))
    }

    /// What landlock lets it write where namespaces show it only what it may see.
    pub fn writable_inside(&self) -> Vec<PathBuf> {
        let written = self.places.iter().filter_map(|place| match place {
            Place::Write(path) | Place::Scratch(path) | Place::Stead { at: path, .. } => Some(path.clone()),
            _ => None,
        });
        written.chain(["/dev".into()]).collect()
    }

    /// What landlock lets it read where there are no namespaces.
    pub fn readable_outside(&self) -> Vec<PathBuf> {
        // What guards a repository lies in what can be written, and so read, anyway.
        let others = self.places.iter().enumerate().filter(|(at, _)| !self.guarded.contains(at));
        let read = others.filter_map(|(_, place)| match place {
            Place::Read(path) => Some(path.clone()),
            Place::Link { at, .. } => Some(at.clone()),
            _ => None,
        });
        read.chain(NEEDED.iter().map(PathBuf::from)).collect()
    }

    /// What landlock lets it write there.
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

/// The repository of a work that is seen as a copy: the real one, to be read.
fn repository_of_copy(policy: &Policy) -> Option<Place> {
    let copy = matches!(&policy.instead, Some(Instead::Copy(copy)) if *copy != policy.folder);
    let git = policy.folder.join(".git");
    (copy && git.exists()).then_some(Place::Read(git))
}

/// What bubblewrap is told.
#[derive(Debug)]
pub struct Words {
    pub all: Vec<OsString>,
    /// Where guards of repositories belong that are found later.
    pub guards_at: usize,
}

/// What is kept from a command in a workspace over which something was laid.
#[derive(Debug)]
pub struct Guards {
    pub words: Vec<OsString>,
    pub guarded: Vec<PathBuf>,
    pub covered: Vec<PathBuf>,
}

/// Looks for it where the command will. What is put there for it lies in the layer, and goes with what git does there.
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
    // They lie there after this process has become another.
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

    /// Puts something empty over a thing.
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
