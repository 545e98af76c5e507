//! The result of one check.

use serde::Serialize;

/// The depth of the model check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckDepth {
    /// Checks that the model exists and is intact.
    Usual,
    /// Loads the model and generates tokens.
    Deep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckLevel {
    Ok,
    Warn,
    Fail,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DoctorCheck {
    /// A stable identifier, for programs.
    pub id: &'static str,
    pub level: CheckLevel,
    pub message: String,
    /// Instructions for fixing the problem, if there is one.
    pub mend: Option<String>,
}

impl DoctorCheck {
    pub fn ok(id: &'static str, message: impl Into<String>) -> Self {
        Self { id, level: CheckLevel::Ok, message: message.into(), mend: None }
    }

    pub fn warn(id: &'static str, message: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { id, level: CheckLevel::Warn, message: message.into(), mend: Some(mend.into()) }
    }

    pub fn fail(id: &'static str, message: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { id, level: CheckLevel::Fail, message: message.into(), mend: Some(mend.into()) }
    }
}
