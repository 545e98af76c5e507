// A log grows line by line, so neither an atomic write nor a `RootDir` fits; this module is the only exception.
#![allow(clippy::disallowed_methods)]

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// The size in bytes at which a new file is started.
const LARGEST: u64 = 10 * 1024 * 1024;
/// The maximum number of files, including the current one.
const FILES: usize = 3;

/// A rotating log that only its owner can read: `debug.log`, and `debug.log.1` before it.
pub struct RotatingFile {
    path: PathBuf,
    file: File,
    length: u64,
    largest: u64,
}

impl RotatingFile {
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::with_largest(path, LARGEST)
    }

    fn with_largest(path: &Path, largest: u64) -> io::Result<Self> {
        if let Some(folder) = path.parent().filter(|folder| !folder.exists()) {
            host::private_dir(folder).map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
        }
        let file = append(path)?;
        let length = file.metadata()?.len();
        Ok(Self { path: path.to_owned(), file, length, largest })
    }

    fn numbered(&self, number: usize) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{number}"));
        name.into()
    }

    /// Rotates the files. If a step fails, the current file continues to grow.
    fn rotate(&mut self) -> io::Result<()> {
        for number in (1..FILES - 1).rev() {
            let from = self.numbered(number);
            if from.exists() {
                std::fs::rename(from, self.numbered(number + 1))?;
            }
        }
        std::fs::rename(&self.path, self.numbered(1))?;
        self.file = append(&self.path)?;
        self.length = 0;
        Ok(())
    }
}

fn append(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    Ok(file)
}

impl Write for RotatingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.length > 0 && self.length + bytes.len() as u64 > self.largest {
            self.rotate().ok();
        }
        self.file.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use testkit::TempHome;

    use super::*;

    #[test]
    fn a_log_is_private_and_goes_on_where_it_was() {
        let home = TempHome::new();
        let path = home.join("logs/debug.log");
        for line in ["one\n", "two\n"] {
            RotatingFile::open(&path).unwrap().write_all(line.as_bytes()).unwrap();
        }
        assert_eq!(home.read("logs/debug.log"), "one\ntwo\n");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn only_the_last_few_files_are_kept() {
        let home = TempHome::new();
        let mut log = RotatingFile::with_largest(&home.join("debug.log"), 10).unwrap();
        for number in 0..6 {
            writeln!(log, "line {number}").unwrap();
        }
        assert_eq!(home.list(""), ["debug.log", "debug.log.1", "debug.log.2"]);
        assert_eq!(home.read("debug.log"), "line 5\n");
        assert_eq!(home.read("debug.log.2"), "line 3\n");
    }

    #[test]
    fn one_very_long_line_is_written_whole() {
        let home = TempHome::new();
        let mut log = RotatingFile::with_largest(&home.join("debug.log"), 10).unwrap();
        log.write_all(&[b'x'; 100]).unwrap();
        assert_eq!(home.list(""), ["debug.log"]);
    }
}
