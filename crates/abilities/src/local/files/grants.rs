use std::fs;
use std::path::{Component, Path, PathBuf};

use config::{Folders, Paths};
use host::RootDir;
use tools::ToolError;

use crate::CurrentConfig;

/// The folders that the user granted. File tools reach nothing else on the disk.
pub struct FolderGrants {
    settings: CurrentConfig,
    folders: Folders,
}

/// A granted folder that exists.
#[derive(Debug)]
pub struct GrantedFolder {
    /// The path in the settings, with `~` expanded.
    written: PathBuf,
    pub root: RootDir,
}

/// The folders granted at this moment.
#[derive(Debug)]
pub struct GrantedFolders {
    pub folders: Vec<GrantedFolder>,
    user: Option<PathBuf>,
}

const HOW_TO_GRANT: &str = "Grant one in Settings \u{2192} Files, or as files.folders in the configuration";

impl FolderGrants {
    pub fn new(settings: CurrentConfig, folders: Folders) -> Self {
        Self { settings, folders }
    }

    /// Opens the granted folders for the user whose own folder is `private`. If none is usable, the error says why.
    pub fn open(&self, private: &Path) -> Result<GrantedFolders, ToolError> {
        let config = (self.settings)();
        let paths = Paths::new(&self.folders, &config);
        let private_folders = [Some(self.folders.home.as_path()), paths.memories.parent(), Some(private)];
        let private_folders: Vec<PathBuf> = private_folders.into_iter().flatten().map(resolved).collect();
        let (mut granted, mut troubles) = (Vec::new(), Vec::new());
        for folder in &config.files.folders {
            match self.granted(folder, &private_folders) {
                Ok(folder) => granted.push(folder),
                Err(trouble) => troubles.push(trouble),
            }
        }
        match (granted.is_empty(), troubles.first()) {
            (false, _) => Ok(GrantedFolders { folders: granted, user: self.folders.user.clone() }),
            (true, None) => Err(ToolError::Unavailable(format!("No folder is granted. {HOW_TO_GRANT}."))),
            (true, Some(trouble)) => Err(ToolError::Unavailable(format!("{trouble} {HOW_TO_GRANT}."))),
        }
    }

    fn granted(&self, folder: &str, private_folders: &[PathBuf]) -> Result<GrantedFolder, String> {
        let folder = folder.trim();
        let written = expanded(folder, self.folders.user.as_deref());
        // A relative path starts in the user's home.
        let written = match &self.folders.user {
            Some(user) => user.join(written),
            None => written,
        };
        if !written.is_absolute() {
            return Err(format!("{folder:?} is not an absolute path."));
        }
        let path =
            fs::canonicalize(&written).map_err(|_| format!("The granted folder {folder} is not there."))?;
        let home = self.folders.user.as_deref().map(resolved);
        if path.parent().is_none() || home.is_some_and(|home| home.starts_with(&path)) {
            return Err(format!("{folder} contains all of your files, so it cannot be granted."));
        }
        if private_folders.iter().any(|own| own.starts_with(&path) || path.starts_with(own)) {
            return Err(format!(
                "{folder} contains Perigee's own data, or lies in it, so it cannot be granted."
            ));
        }
        let root = RootDir::open(path).map_err(|error| format!("It did not work: {error}."))?;
        Ok(GrantedFolder { written, root })
    }
}

fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

fn expanded(path: &str, user: Option<&Path>) -> PathBuf {
    match (Path::new(path).strip_prefix("~"), user) {
        (Ok(rest), Some(user)) => user.join(rest),
        _ => PathBuf::from(path),
    }
}

/// A path in a granted folder, which need not exist yet.
#[derive(Debug, Clone)]
pub struct GrantedPath<'a> {
    pub root: &'a RootDir,
    /// The path relative to the root; empty for the root itself.
    pub path: PathBuf,
}

impl GrantedPath<'_> {
    /// Returns the absolute path, for the user.
    pub fn shown(&self) -> String {
        // Joining an empty path would add a slash.
        let whole: PathBuf = self.root.path().components().chain(self.path.components()).collect();
        whole.display().to_string()
    }
}

impl GrantedFolder {
    fn name(&self) -> Option<&str> {
        self.root.path().file_name()?.to_str()
    }
}

impl GrantedFolders {
    /// Resolves a path: absolute, starting with `~`, starting with the name of a granted folder, or relative to one.
    pub fn place(&self, written: &str) -> Result<GrantedPath<'_>, ToolError> {
        let written = written.trim();
        let path = expanded(written, self.user.as_deref());
        if path.components().any(|part| part == Component::ParentDir) || written.contains('\0') {
            return Err(ToolError::Impossible(format!(
                "{written:?} leads out of its folder. Give a path without .."
            )));
        }
        if path.is_absolute() { self.absolute(&path, written) } else { self.relative(&path, written) }
    }

    fn absolute(&self, path: &Path, written: &str) -> Result<GrantedPath<'_>, ToolError> {
        let within = self.folders.iter().find_map(|granted| {
            let rest =
                path.strip_prefix(granted.root.path()).or_else(|_| path.strip_prefix(&granted.written));
            Some(GrantedPath { root: &granted.root, path: rest.ok()?.to_path_buf() })
        });
        within.ok_or_else(|| {
            ToolError::Impossible(format!(
                "{written} is not in a folder that is granted. Granted: {}. {HOW_TO_GRANT}.",
                self.names()
            ))
        })
    }

    fn relative(&self, path: &Path, written: &str) -> Result<GrantedPath<'_>, ToolError> {
        let path: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
        let exists = |place: &GrantedPath<'_>| matches!(place.root.metadata(&place.path), Ok(Some(_)));
        let places =
            self.folders.iter().map(|granted| GrantedPath { root: &granted.root, path: path.clone() });
        if let Some(place) = places.clone().find(exists).filter(|place| !place.path.as_os_str().is_empty()) {
            return Ok(place);
        }
        let named = self.folders.iter().find_map(|granted| {
            let rest = path.strip_prefix(granted.name()?).ok()?;
            Some(GrantedPath { root: &granted.root, path: rest.to_path_buf() })
        });
        if let Some(place) = named {
            return Ok(place);
        }
        match self.folders.as_slice() {
            [only] => Ok(GrantedPath { root: &only.root, path }),
            _ => Err(ToolError::Impossible(format!(
                "{written:?} is in none of the granted folders. Begin with one of them: {}.",
                self.names()
            ))),
        }
    }

    pub fn names(&self) -> String {
        let names = self.folders.iter().map(|granted| granted.root.path().display().to_string());
        names.collect::<Vec<_>>().join(", ")
    }
}
