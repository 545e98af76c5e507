//! Where things are: the checkout, what cargo builds, and the cache that outlives a checkout.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};

/// The places that every task needs.
pub struct Repo {
    pub root: PathBuf,
    /// The folder of the running `xtask`: cargo puts the other programs of the same profile beside it.
    programs: PathBuf,
    cache: PathBuf,
}

/// Which of the two profiles a program was built with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// For run, test and clippy alike.
    Dev,
    /// For measurements only.
    Release,
}

impl Repo {
    pub fn find() -> Outcome<Self> {
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

    /// A program of this workspace, as cargo builds it.
    pub fn program(&self, name: &str, profile: Profile) -> PathBuf {
        match profile {
            Profile::Dev => self.programs.join(name),
            Profile::Release => self.programs.with_file_name("release").join(name),
        }
    }

    /// Something that is fetched once, and outlives a checkout.
    pub fn cached(&self, name: &str) -> PathBuf {
        self.cache.join(name)
    }

    /// Model files that runs and tests share. `PERIGEE_TEST_MODELS` moves them.
    pub fn models(&self) -> PathBuf {
        env::var_os("PERIGEE_TEST_MODELS").map_or_else(|| self.cache.join("models"), PathBuf::from)
    }
}

fn parent(path: &Path) -> Outcome<PathBuf> {
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
