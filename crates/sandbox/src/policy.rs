use std::ffi::OsString;
use std::path::{Path, PathBuf};

use host::AllowedHosts;
use serde::{Deserialize, Serialize};

use crate::error::SandboxError;

/// The kind of program to confine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxProfile {
    /// A generated server: an interpreter, its own folder, and nothing else.
    Tool,
    /// A command in the workspace: compilers and tests must work.
    Shell,
}

/// The network access of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NetworkAccess {
    /// None. A shell command still has its own loopback interface.
    Off,
    /// These hosts only, through a proxy that listens on a single port in the program's own network namespace.
    Proxied(AllowedHosts),
}

/// Limits for a program together with all its child processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxLimits {
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

impl SandboxLimits {
    pub fn of(profile: SandboxProfile) -> Self {
        match profile {
            SandboxProfile::Tool => Self {
                memory: 512 * MIB,
                processes: 32,
                threads: 256,
                storage: 256 * MIB,
                entries: 10_000,
                scratch: 64 * MIB,
                open_files: 256,
                file_size: 256 * MIB,
            },
            SandboxProfile::Shell => Self {
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
    pub profile: SandboxProfile,
    /// The working directory. The program sees it under its own path.
    pub folder: PathBuf,
    /// Writable paths, besides scratch folders that disappear with the program.
    pub writes: Vec<PathBuf>,
    /// Readable paths, besides the system.
    pub reads: Vec<PathBuf>,
    /// Paths to hide although they lie in one of the others.
    pub hidden: Vec<PathBuf>,
    pub network: NetworkAccess,
    pub limits: SandboxLimits,
    /// Environment variables, besides the basic ones.
    pub environment: Vec<(OsString, OsString)>,
    /// The destination of writes to the folder, if not the folder itself.
    pub write_target: Option<WriteTarget>,
}

/// The destination of a command's writes, which keeps the workspace unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteTarget {
    /// An overlay over the workspace: entries in `upper` replace those below. `work` is reserved for the kernel.
    Overlay { upper: PathBuf, work: PathBuf },
    /// A copy of the workspace. The program sees it under the workspace's path if there are namespaces, otherwise under
    /// its own.
    Copy(PathBuf),
}

impl WriteTarget {
    /// Returns the folder that is written to.
    pub fn folder(&self) -> &Path {
        match self {
            Self::Overlay { upper, .. } => upper,
            Self::Copy(folder) => folder,
        }
    }

    fn folders(&self) -> Vec<&Path> {
        match self {
            Self::Overlay { upper, work } => vec![upper, work],
            Self::Copy(folder) => vec![folder],
        }
    }
}

impl Policy {
    /// Returns the policy of a generated server: it reads its own folder and writes its storage there.
    pub fn tool(folder: &Path, storage: &Path) -> Result<Self, SandboxError> {
        let policy = Self::new(SandboxProfile::Tool, folder)?;
        Ok(Self { writes: vec![real(storage)?], reads: vec![policy.folder.clone()], ..policy })
    }

    /// Returns the policy of a command that works on a folder.
    pub fn shell(workspace: &Path) -> Result<Self, SandboxError> {
        let policy = Self::new(SandboxProfile::Shell, workspace)?;
        // A link cannot be pinned: a command could replace it by its own repository, with hooks that git runs outside
        // the sandbox.
        if policy.folder.join(".git").is_symlink() {
            let why = "its .git is a link, which cannot be guarded. Choose the folder that contains the repository itself";
            return Err(SandboxError::WorkFolder { path: policy.folder, why });
        }
        Ok(Self { writes: vec![policy.folder.clone()], ..policy })
    }

    fn new(profile: SandboxProfile, folder: &Path) -> Result<Self, SandboxError> {
        Ok(Self {
            profile,
            folder: real(folder)?,
            writes: Vec::new(),
            reads: Vec::new(),
            hidden: Vec::new(),
            network: NetworkAccess::Off,
            limits: SandboxLimits::of(profile),
            environment: Vec::new(),
            write_target: None,
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
    pub fn allow_hosts(self, hosts: AllowedHosts) -> Self {
        Self { network: NetworkAccess::Proxied(hosts), ..self }
    }

    #[must_use]
    pub fn limits(self, limits: SandboxLimits) -> Self {
        Self { limits, ..self }
    }

    /// Shows the folder with `upper` mounted over it, which receives all writes. `work` is an empty folder on the same
    /// disk. [`crate::Sandbox::can_overlay`] tells whether this machine supports it.
    pub fn with_overlay(self, upper: &Path, work: &Path) -> Result<Self, SandboxError> {
        let write_target = WriteTarget::Overlay { upper: real(upper)?, work: real(work)? };
        self.writing_to(write_target)
    }

    /// Makes the program work on an existing copy of its folder.
    pub fn with_copy(self, copy: &Path) -> Result<Self, SandboxError> {
        let write_target = WriteTarget::Copy(real(copy)?);
        self.writing_to(write_target)
    }

    fn writing_to(self, write_target: WriteTarget) -> Result<Self, SandboxError> {
        let folders = write_target.folders();
        let meets = |path: &&Path| self.folder.starts_with(path) || path.starts_with(&self.folder);
        let why = "it contains the work folder or lies in it";
        if let Some(path) = folders.into_iter().find(meets) {
            return Err(SandboxError::WorkFolder { path: path.to_owned(), why });
        }
        Ok(Self { write_target: Some(write_target), ..self })
    }

    /// Replaces the folder by its copy, for systems without namespaces that could show the copy under the folder's
    /// path.
    pub(crate) fn in_its_copy(mut self) -> Self {
        if let Some(WriteTarget::Copy(copy)) = &self.write_target {
            for path in self.writes.iter_mut().filter(|path| **path == self.folder) {
                path.clone_from(copy);
            }
            self.folder.clone_from(copy);
        }
        self
    }

    /// Returns the folders on disk that receive the writes.
    pub(crate) fn written_folders(&self) -> Vec<PathBuf> {
        let written = self.writes.iter().map(|path| match &self.write_target {
            Some(write_target) if *path == self.folder => write_target.folder().to_owned(),
            _ => path.clone(),
        });
        written.collect()
    }
}

/// Resolves a folder. Rejects the user's home, its parents and system folders.
fn real(folder: &Path) -> Result<PathBuf, SandboxError> {
    let refuse = |why| Err(SandboxError::WorkFolder { path: folder.to_owned(), why });
    let Ok(path) = folder.canonicalize() else { return refuse("it does not exist") };
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
            let refused = policy.clone().with_overlay(one, other).unwrap_err().to_string();
            assert!(refused.contains("it contains the work folder or lies in it"), "{refused}");
        }
        assert!(
            policy.clone().with_copy(&inner).is_err() && policy.clone().with_copy(folder.path()).is_err()
        );
        assert!(policy.clone().with_overlay(&upper, &folder.path().join("missing")).is_err());
        let over = policy.clone().with_overlay(&upper, &kernels).unwrap();
        assert_eq!(over.written_folders(), [upper.canonicalize().unwrap()]);
        assert_eq!(over.clone().in_its_copy().folder, over.folder, "only a copy has a name of its own");
        let copied = policy.with_copy(&upper).unwrap().in_its_copy();
        let upper = upper.canonicalize().unwrap();
        assert_eq!(
            (&copied.folder, &copied.writes[..], copied.written_folders()),
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
