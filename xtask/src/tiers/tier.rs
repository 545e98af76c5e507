//! The tiers, from cheap to expensive.

use crate::repo::Repo;

/// A group of tests with the same requirements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// Unit and integration tests that need neither a model nor a built program.
    Pure,
    /// The real program, driven through its interfaces with the scripted model.
    Program,
    /// The real model, alone and one test at a time, because it is extremely slow under other load.
    Real,
    /// The real program with programs of others: editors, the public servers and test suites of its protocols.
    Interop,
    /// The components of the web app, in a simulated browser.
    Web,
    /// The whole product in a real browser.
    Browser,
}

impl Tier {
    pub const ALL: [Self; 6] =
        [Self::Pure, Self::Program, Self::Real, Self::Interop, Self::Web, Self::Browser];

    pub fn name(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::Program => "program",
            Self::Real => "real",
            Self::Interop => "interop",
            Self::Web => "web",
            Self::Browser => "browser",
        }
    }

    /// Returns the places where its tests must exist; a test target may be a file or a folder.
    fn places(self) -> &'static [&'static str] {
        match self {
            Self::Pure => &[],
            Self::Program => &["crates/perigee/tests/program"],
            Self::Real => &["crates/engine/tests/real", "crates/perigee/tests/real"],
            Self::Interop => &["web/interop"],
            Self::Web => &["web/src"],
            Self::Browser => &["web/e2e"],
        }
    }

    pub fn missing_places(self, repo: &Repo) -> Vec<&'static str> {
        let exists =
            |place: &str| repo.root.join(place).exists() || repo.root.join(format!("{place}.rs")).exists();
        self.places().iter().copied().filter(|place| !exists(place)).collect()
    }

    pub fn needs_model(self) -> bool {
        matches!(self, Self::Real | Self::Browser)
    }

    pub fn needs_programs(self) -> bool {
        !matches!(self, Self::Web)
    }
}
