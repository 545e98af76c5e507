//! The installation that the checks examine.

use client::Client;
use config::{Folders, LiveConfig};

/// The data that the checks use.
pub struct Installation {
    pub folders: Folders,
    pub config: LiveConfig,
    /// The running server, if it responds.
    pub server: Option<Client>,
}
