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
        let home = std::env::home_dir().unwrap();
        assert!(Policy::shell(&home).is_err());
        assert!(Policy::shell(home.parent().unwrap()).is_err());
        let folder = tempfile::tempdir().unwrap();
        assert!(Policy::shell(folder.path()).is_ok());
        assert!(Policy::tool(folder.path(), &folder.path().join("missing")).is_err());
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
