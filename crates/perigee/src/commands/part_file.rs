// An export may be larger than memory, so it is written in parts to a temporary file, which is then renamed.
#![allow(clippy::disallowed_methods)]

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// A file that appears only once it is complete. If dropped before, it is removed.
pub struct PartFile {
    file: File,
    aside: PathBuf,
    path: PathBuf,
    length: u64,
    kept: bool,
}

impl PartFile {
    /// Creates the file, readable only by the owner as it contains conversations.
    pub fn create(path: &Path) -> anyhow::Result<Self> {
        anyhow::ensure!(!path.exists(), "{} exists already: choose another name", path.display());
        let mut aside = path.as_os_str().to_owned();
        aside.push(".part");
        let aside = PathBuf::from(aside);
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&aside);
        let file = file.with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(Self { file, aside, path: path.to_owned(), length: 0, kept: false })
    }

    pub fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.file
            .write_all(bytes)
            .with_context(|| format!("{} could not be written", self.path.display()))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    pub fn keep(mut self) -> anyhow::Result<()> {
        let renamed = self.file.sync_all().and_then(|()| std::fs::rename(&self.aside, &self.path));
        renamed.with_context(|| format!("{} could not be written", self.path.display()))?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.kept {
            std::fs::remove_file(&self.aside).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use testkit::TempHome;

    use super::*;

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let home = TempHome::new();
        let path = home.join("out.json");
        let mut file = PartFile::create(&path).unwrap();
        file.write(b"half").unwrap();
        drop(file);
        assert_eq!(home.list(""), Vec::<String>::new());

        let mut file = PartFile::create(&path).unwrap();
        file.write(b"whole").unwrap();
        assert!(!path.exists());
        file.keep().unwrap();
        assert_eq!(home.list(""), ["out.json"]);
        assert_eq!(home.read("out.json"), "whole");
        assert!(PartFile::create(&path).is_err(), "a file that is there is not replaced");
    }
}
