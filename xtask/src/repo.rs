//! The locations of the checkout, the build output, and the cache that outlives a checkout.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, TaskResult};

/// The paths that every task needs.
pub struct Repo {
    pub root: PathBuf,
    /// The folder of the running `xtask`, where cargo also puts the other programs of the same profile.
    programs: PathBuf,
    cache: PathBuf,
}

/// The build profile of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildProfile {
    /// The profile for run, test and clippy alike.
    Dev,
    /// The profile for measurements only.
    Release,
}

impl Repo {
    pub fn find() -> TaskResult<Self> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let root = parent(&manifest)?;
        let programs = parent(&env::current_exe()?)?;
        let cache = cache_folder(
            env::var_os("XDG_CACHE_HOME").map(PathBuf::from),
            env::var_os("HOME").map(PathBuf::from),
        )
        .ok_or_else(|| {
            Failure::new("neither XDG_CACHE_HOME nor HOME is set: set one, to name a cache folder")
        })?;
        Ok(Self { root, programs, cache })
    }

    pub fn web(&self) -> PathBuf {
        self.root.join("web")
    }

    /// Returns the path of a program of this workspace.
    pub fn program(&self, name: &str, profile: BuildProfile) -> PathBuf {
        match profile {
            BuildProfile::Dev => self.programs.join(name),
            BuildProfile::Release => self.programs.with_file_name("release").join(name),
        }
    }

    /// Returns the path of a cached download, which outlives a checkout.
    pub fn cached(&self, name: &str) -> PathBuf {
        self.cache.join(name)
    }

    /// Returns the folder of the model files shared by runs and tests. `PERIGEE_TEST_MODELS` overrides it.
    pub fn models(&self) -> PathBuf {
        env::var_os("PERIGEE_TEST_MODELS").map_or_else(|| self.cache.join("models"), PathBuf::from)
    }
}

fn parent(path: &Path) -> TaskResult<PathBuf> {
    path.parent()
        .map(Path::to_path_buf)
        .ok_or_else(|| Failure::new(format!("{} has no parent", path.display())))
}

fn cache_folder(xdg: Option<PathBuf>, home: Option<PathBuf>) -> Option<PathBuf> {
    let base = xdg.filter(|path| path.is_absolute()).or_else(|| home.map(|home| home.join(".cache")))?;
    Some(base.join("perigee"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_follows_the_desktop_rules() {
        let home = || Some(PathBuf::from("/h"));
        for (xdg, home, cache) in [
            (Some("/x"), home(), Some("/x/perigee")),
            (Some("relative"), home(), Some("/h/.cache/perigee")),
            (None, home(), Some("/h/.cache/perigee")),
            (None, None, None),
        ] {
            assert_eq!(cache_folder(xdg.map(PathBuf::from), home), cache.map(PathBuf::from));
        }
    }
}
