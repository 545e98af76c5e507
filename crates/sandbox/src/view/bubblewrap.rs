//! The arguments with which bubblewrap shows a program its files.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::mount::Mount;

/// Bubblewrap's arguments.
#[derive(Debug)]
pub struct BubblewrapArguments {
    pub all: Vec<OsString>,
    /// The index at which repository guards found later are inserted.
    pub guards_index: usize,
}

/// Builds bubblewrap's arguments.
#[derive(Default)]
pub struct ArgumentBuilder(pub Vec<OsString>);

impl ArgumentBuilder {
    pub fn mount(&mut self, mount: &Mount, scratch: u64) {
        match mount {
            Mount::Read(path) => self.add("--ro-bind", &[path, path]),
            Mount::Write(path) => self.add("--bind", &[path, path]),
            Mount::Moved { from, at } => self.add("--bind", &[from, at]),
            Mount::Link { at, to } => self.add("--symlink", &[to, at]),
            Mount::Scratch(path) => {
                self.add("--size", &[scratch.to_string()]);
                self.add("--tmpfs", &[path]);
            }
            Mount::Covered(path) => self.cover(path),
        }
    }

    pub fn words(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    /// Covers a path with an empty file or folder.
    pub fn cover(&mut self, path: &Path) {
        if path.is_dir() {
            self.add("--tmpfs", &[path]);
        } else {
            self.add("--ro-bind", &[Path::new("/dev/null"), path]);
        }
    }

    pub fn add<T: AsRef<OsStr>>(&mut self, option: &str, values: &[T]) {
        self.0.push(option.into());
        self.0.extend(values.iter().map(|value| value.as_ref().to_owned()));
    }
}
