use serde::{Deserialize, Serialize};

/// The degree to which a program is confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxLevel {
    /// Not at all.
    None,
    /// With some of the mechanisms: the program may see more of the machine than it should, but cannot change anything
    /// outside its folder.
    Partial,
    /// With all mechanisms.
    Full,
}

impl SandboxLevel {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Partial => "partial",
            Self::Full => "full",
        }
    }
}

impl std::fmt::Display for SandboxLevel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
