//! Access from other machines of the local network.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// The state of access from the local network.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LanReport {
    /// True if `server.lan` is on and the server listens.
    pub on: bool,
    /// The URLs at which the server can be reached, the likeliest first.
    pub addresses: Vec<String>,
    /// The port, on every address of this machine; `null` while the server does not listen.
    pub port: Option<u16>,
    /// The SHA-256 fingerprint of the certificate authority, in the form in which phones show it; `null` while the
    /// server does not listen.
    pub fingerprint: Option<String>,
    /// The reason why the server cannot be reached although `server.lan` is on; `null` if there is none.
    pub trouble: Option<String>,
}

/// A link that signs in one phone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LanCode {
    /// The URL, with a code that signs in one browser.
    pub url: String,
    /// The time for which the code is valid, in seconds.
    pub seconds: u32,
    /// The URL as a QR code, one string per row: `#` is dark, `.` is light.
    pub rows: Vec<String>,
}
