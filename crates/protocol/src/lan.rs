//! Luna on the other machines of your network.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// Whether she can be reached from your network, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LanReport {
    /// `server.lan` is on, and she listens.
    pub on: bool,
    /// Where, the likeliest first.
    pub addresses: Vec<String>,
    /// At which port, on every address of this machine.
    pub port: Option<u16>,
    /// By which the certificate's authority is recognised: SHA-256, as phones show it.
    pub fingerprint: Option<String>,
    /// Why she cannot be reached although she should.
    pub trouble: Option<String>,
}

/// A way in for one phone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LanCode {
    /// With a code that signs one browser in.
    pub url: String,
    /// How long it does so.
    pub seconds: u32,
    /// The address as a QR code: a row of `#` and `.` for each line.
    pub rows: Vec<String>,
}
