//! Skips work that is up to date: a stamp file holds a hash of its inputs.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::failure::{ErrorContext, TaskResult};

/// A hash of the names and contents of files; a folder includes everything in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inputs(String);

impl Inputs {
    /// Computes the hash. A missing path is hashed as absent, so its later creation changes the hash.
    pub fn of(paths: &[PathBuf]) -> TaskResult<Self> {
        let mut hasher = DefaultHasher::new();
        for path in paths {
            hash_tree(path, &mut hasher)?;
        }
        Ok(Self(format!("{:016x}", hasher.finish())))
    }

    pub fn matches(&self, stamp: &Path) -> bool {
        fs::read_to_string(stamp).is_ok_and(|stored| stored.trim() == self.0)
    }

    pub fn write(&self, stamp: &Path) -> TaskResult {
        if let Some(folder) = stamp.parent() {
            fs::create_dir_all(folder).named(folder.display())?;
        }
        fs::write(stamp, &self.0).named(stamp.display())
    }
}

fn hash_tree(path: &Path, hasher: &mut DefaultHasher) -> TaskResult {
    path.hash(hasher);
    if path.is_dir() {
        let entries: Result<Vec<_>, _> = fs::read_dir(path).named(path.display())?.collect();
        let mut children: Vec<PathBuf> = entries?.into_iter().map(|entry| entry.path()).collect();
        children.sort();
        for child in children {
            hash_tree(&child, hasher)?;
        }
    } else if path.is_file() {
        fs::read(path).named(path.display())?.hash(hasher);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn any_change_of_the_inputs_asks_for_the_work_again() {
        let folder = Scratch::new("stamp");
        let (source, stamp) = (folder.path("src"), folder.path("made/.stamp"));
        folder.write("src/a.ts", "one");
        let inputs = || Inputs::of(std::slice::from_ref(&source)).unwrap();
        assert!(!inputs().matches(&stamp), "nothing was made yet");
        inputs().write(&stamp).unwrap();
        assert!(inputs().matches(&stamp));

        folder.write("src/a.ts", "two");
        assert!(!inputs().matches(&stamp), "changed");
        folder.write("src/a.ts", "one");
        assert!(inputs().matches(&stamp), "changed back");
        folder.write("src/deep/b.ts", "");
        assert!(!inputs().matches(&stamp), "added");
        fs::rename(folder.path("src/deep/b.ts"), folder.path("src/deep/c.ts")).unwrap();
        let renamed = inputs();
        renamed.write(&stamp).unwrap();
        fs::remove_file(folder.path("src/deep/c.ts")).unwrap();
        assert!(!inputs().matches(&stamp), "removed");
    }
}
