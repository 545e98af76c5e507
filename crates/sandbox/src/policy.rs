use std::ffi::OsString;
use std::path::{Path, PathBuf};

use host::Hosts;
use serde::{Deserialize, Serialize};

use crate::error::SandboxError;

/// The kind of program to confine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// A generated server: an interpreter, its own folder, and nothing else.
    Tool,
    /// A command in the workspace: compilers and tests must work.
    Shell,
}

/// The network access of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Network {
    /// None. A shell command still has its own loopback interface.
    Off,
    /// These hosts only, through a proxy that listens on a single port in the program's own network namespace.
    Proxied(Hosts),
}

/// Limits for a program together with all its child processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Private memory in bytes.
    pub memory: u64,
    pub processes: u64,
    /// The total number of threads.
    pub threads: u64,
    /// Bytes on disk in the writable folders.
    pub storage: u64,
    /// Files and folders in the writable folders.
    pub entries: u64,
    /// Bytes in each scratch folder. These folders disappear with the program.
    pub scratch: u64,
    /// Open files per process.
    pub open_files: u64,
    /// The maximum length of a file in bytes.
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
                // A workspace may have any size: only the disk's free space and the length of single files matter.
                storage: u64::MAX,
                entries: u64::MAX,
                scratch: 1024 * MIB,
                open_files: 4096,
                file_size: 4096 * MIB,
            },
        }
    }
}

/// The access rights and limits of a program.
#[derive(Debug, Clone)]
pub struct Policy {
    pub profile: Profile,
    /// The working directory. The program sees it under its own path.
    pub folder: PathBuf,
    /// Writable paths, besides scratch folders that disappear with the program.
    pub writes: Vec<PathBuf>,
    /// Readable paths, besides the system.
    pub reads: Vec<PathBuf>,
    /// Paths to hide although they lie in one of the others.
    pub hidden: Vec<PathBuf>,
    pub network: Network,
    pub limits: Limits,
    /// Environment variables, besides the basic ones.
    pub environment: Vec<(OsString, OsString)>,
    /// The destination of writes to the folder, if not the folder itself.
    pub instead: Option<Instead>,
}

/// The destination of a command's writes, which keeps the workspace unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instead {
    /// An overlay over the workspace: entries in `upper` replace those below. `work` is reserved for the kernel.
    Over { upper: PathBuf, work: PathBuf },
    /// A copy of the workspace. The program sees it under the workspace's path if there are namespaces, otherwise under
    /// its own.
    Copy(PathBuf),
}

impl Instead {
    /// Returns the folder that is written to.
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
    /// Returns the policy of a generated server: it reads its own folder and writes its storage there.
    pub fn tool(folder: &Path, storage: &Path) -> Result<Self, SandboxError> {
        let policy = Self::new(Profile::Tool, folder)?;
        Ok(Self { writes: vec![real(storage)?], reads: vec![policy.folder.clone()], ..policy })
    }

    /// Returns the policy of a command that works on a folder.
    pub fn shell(workspace: &Path) -> Result<Self, SandboxError> {
        let policy = Self::new(Profile::Shell, workspace)?;
        // A link cannot be pinned: a command could replace it by its own repository, with hooks that git runs outside
        // the sandbox.
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
        // Resolved, so that the file is hidden under every path that leads to it.
        self.hidden.push(path.canonicalize().unwrap_or(path));
        self
    }

    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Allows access to these hosts. Needs namespaces.
    #[must_use]
    pub fn reach(self, hosts: Hosts) -> Self {
        Self { network: Network::Proxied(hosts), ..self }
    }

    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Shows the folder with `upper` mounted over it, which receives all writes. `work` is an empty folder on the same
    /// disk. [`crate::Sandbox::can_lay`] tells whether this machine supports it.
    pub fn over(self, upper: &Path, work: &Path) -> Result<Self, SandboxError> {
        let instead = Instead::Over { upper: real(upper)?, work: real(work)? };
        self.instead_of_its_folder(instead)
    }

    /// Makes the program work on an existing copy of its folder.
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

    /// Replaces the folder by its copy, for systems without namespaces that could show the copy under the folder's
    /// path.
    pub(crate) fn by_its_own_name(mut self) -> Self {
        if let Some(Instead::Copy(copy)) = &self.instead {
            for path in self.writes.iter_mut().filter(|path| **path == self.folder) {
                path.clone_from(copy);
            }
            self.folder.clone_from(copy);
        }
        self
    }

    /// Returns the folders on disk that receive the writes.
    pub(crate) fn written(&self) -> Vec<PathBuf> {
        let written = self.writes.iter().map(|path| match &self.instead {
            Some(instead) if *path == self.folder => instead.folder().to_owned(),
            _ => path.clone(),
        });
        written.collect()
    }
}

/// Resolves a folder. Rejects the user's home, its parents and system folders.
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
