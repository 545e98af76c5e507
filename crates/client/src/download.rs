//! Downloads to a file. An export may be larger than memory, so it is written in parts to a temporary file, which is
//! then renamed.

#![allow(clippy::disallowed_methods)]

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::client::Client;

impl Client {
    /// Downloads to a file, which appears only once it is complete, and returns its length in bytes. `progress` gets
    /// the number of bytes so far.
    pub async fn download_to(
        &self,
        path: &str,
        file: &Path,
        mut progress: impl FnMut(u64),
    ) -> anyhow::Result<u64> {
        let mut partial = PartialFile::create(file)?;
        let mut response = self.download(path).await?;
        while let Some(chunk) =
            response.chunk().await.context("the export was cut off, and no file was written")?
        {
            partial.write(&chunk)?;
            progress(partial.length);
        }
        let length = partial.length;
        partial.keep()?;
        Ok(length)
    }
}

/// A file that appears only once it is complete. If dropped before, it is removed.
struct PartialFile {
    file: File,
    temporary: PathBuf,
    path: PathBuf,
    length: u64,
    kept: bool,
}

impl PartialFile {
    /// Creates the file, readable only by the owner as it contains conversations.
    fn create(path: &Path) -> anyhow::Result<Self> {
        anyhow::ensure!(!path.exists(), "{} exists already: choose another name", path.display());
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(".part");
        let temporary = PathBuf::from(temporary);
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary);
        let file = file.with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(Self { file, temporary, path: path.to_owned(), length: 0, kept: false })
    }

    fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.file
            .write_all(bytes)
            .with_context(|| format!("{} could not be written", self.path.display()))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    fn keep(mut self) -> anyhow::Result<()> {
        let renamed = self.file.sync_all().and_then(|()| std::fs::rename(&self.temporary, &self.path));
        renamed.with_context(|| format!("{} could not be written", self.path.display()))?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.kept {
            std::fs::remove_file(&self.temporary).ok();
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
        let mut file = PartialFile::create(&path).unwrap();
        file.write(b"half").unwrap();
        drop(file);
        assert_eq!(home.list(""), Vec::<String>::new());

        let mut file = PartialFile::create(&path).unwrap();
        file.write(b"whole").unwrap();
        assert!(!path.exists());
        file.keep().unwrap();
        assert_eq!(home.list(""), ["out.json"]);
        assert_eq!(home.read("out.json"), "whole");
        assert!(PartialFile::create(&path).is_err(), "a file that is there is not replaced");
    }
}
