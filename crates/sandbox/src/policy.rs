use std::ffi::OsString;
use std::path::{Path, PathBuf};

use host::Hosts;
use serde::{Deserialize, Serialize};

use crate::error::SandboxError;

/// For whom the walls are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// A server that she wrote: an interpreter, its own folder, and nothing else.
    Tool,
    /// A command in the workspace: compilers and tests must work.
    Shell,
}

/// Whom a program can reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Network {
    /// Nobody. A shell command still has a loopback of its own.
    Off,
    /// These hosts, by the one listener in its own network, behind which is a proxy of ours.
    Proxied(Hosts),
}

/// What a program and all that it starts may take together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of memory of their own.
    pub memory: u64,
    pub processes: u64,
    /// Threads of all of them.
    pub threads: u64,
    /// Bytes on disk in the folders that they may write.
    pub storage: u64,
    /// Files and folders there.
    pub entries: u64,
    /// Bytes in each scratch folder that vanishes with them.
    pub scratch: u64,
    /// Open files of each process.
    pub open_files: u64,
    /// Bytes of the longest file.
    pub file_size: u64,
}

const MIB: u64 = 1 << 20;

impl Limits {
    pub fn of(profile: Profile) -> Self {
        match profile {
            Profile::Tool => Self {
                memory: 512 * MIB,
                processes: 32,
                threads: 256,
                storage: 256 * MIB,
                entries: 10_000,
                scratch: 64 * MIB,
                open_files: 256,
                file_size: 256 * MIB,
            },
            Profile::Shell => Self {
                memory: 4096 * MIB,
                processes: 512,
                threads: 1024,
                // A workspace is as large as it is: what counts is what the disk has left, and files that make sense.
                storage: u64::MAX,
                entries: u64::MAX,
                scratch: 1024 * MIB,
                open_files: 4096,
                file_size: 4096 * MIB,
            },
        }
    }
}

/// What a program may have.
#[derive(Debug, Clone)]
pub struct Policy {
    pub profile: Profile,
    /// Where it begins. Seen under its own name.
    pub folder: PathBuf,
    /// What it may write, beside scratch folders that vanish with it.
    pub writes: Vec<PathBuf>,
    /// What it may read, beside the system.
    pub reads: Vec<PathBuf>,
    /// What it must not see though it lies in one of the others.
    pub hidden: Vec<PathBuf>,
    pub network: Network,
    pub limits: Limits,
    /// Its variables, beside the few that everything needs.
    pub environment: Vec<(OsString, OsString)>,
    /// What takes its writes to the folder in the folder's place.
    pub instead: Option<Instead>,
}

/// Where the writes of a command go, so that the work itself stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instead {
    /// A layer over the work: what is in `upper` is seen in the place of what lies below it. `work` is the kernel's.
    Over { upper: PathBuf, work: PathBuf },
    /// A copy of the work, which is seen under the work's name where namespaces are, and else under its own.
    Copy(PathBuf),
}

impl Instead {
    /// The folder that is written to.
    pub fn folder(&self) -> &Path {
        match self {
            Self::Over { upper, .. } => upper,
            Self::Copy(folder) => folder,
        }
    }

    fn folders(&self) -> Vec<&Path> {
        match self {
            Self::Over { upper, work } => vec![upper, work],
            Self::Copy(folder) => vec![folder],
        }
    }
}

impl Policy {
    /// A server of hers: it reads its own folder and writes its storage there.
    pub fn tool(folder: &Path, storage: &Path) -> Result<Self, SandboxError> {
        let policy = Self::new(Profile::Tool, folder)?;
        Ok(Self { writes: vec![real(storage)?], reads: vec![policy.folder.clone()], ..policy })
    }

    /// A command that works on a folder.
    pub fn shell(workspace: &Path) -> Result<Self, SandboxError> {
        let policy = Self::new(Profile::Shell, workspace)?;
        // A link cannot be held in its place: a command would put a repository of its own there, with hooks that git runs
        // outside of here.
        if policy.folder.join(".git").is_symlink() {
            let why = "its .git is a link, which cannot be guarded. Choose the folder that holds the repository itself";
            return Err(SandboxError::WorkFolder { path: policy.folder, why });
        }
        Ok(Self { writes: vec![policy.folder.clone()], ..policy })
    }

    fn new(profile: Profile, folder: &Path) -> Result<Self, SandboxError> {
        Ok(Self {
            profile,
            folder: real(folder)?,
            writes: Vec::new(),
            reads: Vec::new(),
            hidden: Vec::new(),
            network: Network::Off,
            limits: Limits::of(profile),
            environment: Vec::new(),
            instead: None,
        })
    }

    #[must_use]
    pub fn read(mut self, path: impl Into<PathBuf>) -> Self {
        self.reads.push(path.into());
        self
    }

    #[must_use]
    pub fn hide(mut self, path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        // Behind all links: what is covered is the thing, wherever else it is named.
        self.hidden.push(path.canonicalize().unwrap_or(path));
        self
    }

    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Lets it reach these hosts. Needs namespaces.
    #[must_use]
    pub fn reach(self, hosts: Hosts) -> Self {
        Self { network: Network::Proxied(hosts), ..self }
    }

    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Lets it see its folder with `upper` laid over it, which takes whatever it writes there. `work` is an empty
    /// folder on the same disk. Whether this machine can do that, [`crate::Sandbox::can_lay`] says.
    pub fn over(self, upper: &Path, work: &Path) -> Result<Self, SandboxError> {
        let instead = Instead::Over { upper: real(upper)?, work: real(work)? };
        self.instead_of_its_folder(instead)
    }

    /// Lets it work on a copy of its folder that somebody made.
    pub fn copied(self, copy: &Path) -> Result<Self, SandboxError> {
        let instead = Instead::Copy(real(copy)?);
        self.instead_of_its_folder(instead)
    }

    fn instead_of_its_folder(self, instead: Instead) -> Result<Self, SandboxError> {
        let folders = instead.folders();
        let meets = |path: &&Path| self.folder.starts_with(path) || path.starts_with(&self.folder);
        let why = "it holds the work, or lies in it";
        if let Some(path) = folders.into_iter().find(meets) {
            return Err(SandboxError::WorkFolder { path: path.to_owned(), why });
        }
        Ok(Self { instead: Some(instead), ..self })
    }

    /// The same where no namespace can show the copy in the work's place.
    pub(crate) fn by_its_own_name(mut self) -> Self {
        if let Some(Instead::Copy(copy)) = &self.instead {
            for path in self.writes.iter_mut().filter(|path| **path == self.folder) {
                path.clone_from(copy);
            }
            self.folder.clone_from(copy);
        }
        self
    }

    /// The folders on the disk that take what it writes.
    pub(crate) fn written(&self) -> Vec<PathBuf> {
        let written = self.writes.iter().map(|path| match &self.instead {
            Some(instead) if *path == self.folder => instead.folder().to_owned(),
            _ => path.clone(),
        });
        written.collect()
    }
}

/// The folder behind all links. One that holds everything is no work folder.
fn real(folder: &Path) -> Result<PathBuf, SandboxError> {
    let refuse = |why| Err(SandboxError::WorkFolder { path: folder.to_owned(), why });
    let Ok(path) = folder.canonicalize() else { return refuse("it is not there") };
    if !path.is_dir() {
        return refuse("it is not a folder");
    }
    let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    if home.is_some_and(|home| home.starts_with(&path)) {
        return refuse("your whole home lies in it. Choose a folder of the project");
    }
    if SYSTEM.iter().any(|system| path == Path::new(system)) || path.parent().is_none() {
        return refuse("it is a folder of the system. Choose a folder of the project");
    }
    Ok(path)
}

const SYSTEM: &[&str] = &[
    "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/media", "/mnt", "/opt", "/proc", "/root",
    "/run", "/sbin", "/srv", "/sys", "/tmp", "/usr", "/var",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_everything_is_no_work_folder() {
        for folder in ["/", "/usr", "/etc", "/tmp", "/nowhere at all", "/etc/passwd"] {
            assert!(Policy::shell(Path::new(folder)).is_err(), "{folder}");
        }
        let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
        for folder in home.iter().flat_map(|home| home.ancestors()) {
            assert!(Policy::shell(folder).is_err(), "{}", folder.display());
        }
        let folder = tempfile::tempdir().unwrap();
        assert!(Policy::shell(folder.path()).is_ok());
        assert!(Policy::tool(folder.path(), &folder.path().join("missing")).is_err());
    }

    #[test]
    fn what_takes_the_writes_lies_apart_from_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let [work, inner, upper, kernels] =
            ["work", "work/inner", "upper", "kernels"].map(|name| folder.path().join(name));
        for path in [&inner, &upper, &kernels] {
            std::fs::create_dir_all(path).unwrap();
        }
        let policy = Policy::shell(&work).unwrap();
        for (one, other) in
            [(&inner, &upper), (&upper, &inner), (&work, &upper), (&upper, &folder.path().to_owned())]
        {
            let refused = policy.clone().over(one, other).unwrap_err().to_string();
            assert!(refused.contains("it holds the work, or lies in it"), "{refused}");
        }
        assert!(policy.clone().copied(&inner).is_err() && policy.clone().copied(folder.path()).is_err());
        assert!(policy.clone().over(&upper, &folder.path().join("missing")).is_err());
        let over = policy.clone().over(&upper, &kernels).unwrap();
        assert_eq!(over.written(), [upper.canonicalize().unwrap()]);
        assert_eq!(over.clone().by_its_own_name().folder, over.folder, "only a copy has a name of its own");
        let copied = policy.copied(&upper).unwrap().by_its_own_name();
        let upper = upper.canonicalize().unwrap();
        assert_eq!(
            (&copied.folder, &copied.writes[..], copied.written()),
            (&upper, &[upper.clone()][..], vec![upper.clone()])
        );
    }

    #[test]
    fn a_link_stands_for_what_it_leads_to() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/", &link).unwrap();
        assert!(Policy::shell(&link).is_err());
    }

    #[test]
    fn a_repository_that_could_be_exchanged_is_not_worked_in() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink("elsewhere", folder.path().join(".git")).unwrap();
        assert!(Policy::shell(folder.path()).unwrap_err().to_string().contains(".git is a link"));
    }
}
