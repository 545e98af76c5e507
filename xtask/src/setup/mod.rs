//! Sets up everything needed to start from a fresh clone: system packages, web app, model and programs. Each is set up
//! once.

mod build;
mod estimate;
pub mod schemathesis;
pub mod starter;
pub mod system;
pub mod web;

pub use build::{WHOLE_WORKSPACE, program, tested_programs, watched};

use std::thread;

use crate::failure::TaskResult;
use crate::repo::Repo;
use crate::terminal::Terminal;
use system::Need;

/// The requirements beyond those of every build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requirements {
    pub browser: bool,
    pub model: bool,
    /// True for the tool that tests the API against its description.
    pub checker: bool,
}

impl Requirements {
    /// The requirements of a build.
    pub const BUILD: Self = Self { browser: false, model: false, checker: false };
}

/// Installs the system packages. They come first and alone, because the package manager may ask a question.
pub fn system_packages(wanted: Requirements, repo: &Repo, terminal: &Terminal) -> TaskResult {
    let mut needs = Need::BUILD.to_vec();
    if wanted.browser {
        needs.push(Need::Browser);
    }
    if wanted.model && !starter::are_here(repo) || wanted.checker && !schemathesis::is_here(repo) {
        needs.push(Need::Pip);
    }
    system::provide(&needs, terminal)?;
    // Perigee works without it, but then refuses to run untrusted programs.
    if let Err(failure) = system::provide(&[Need::Bubblewrap], terminal) {
        terminal.say(failure.to_string());
    }
    Ok(())
}

/// Builds the web app, which must exist before the program that serves it is compiled.
pub fn web_app(repo: &Repo, terminal: &Terminal) -> TaskResult {
    web::install(repo, terminal)?;
    web::build(repo, terminal)
}

/// Runs the work while the starter models are downloaded, and returns the result of the download.
///
/// The caller decides about a failed download: without a model Perigee still starts.
pub fn beside_download(
    repo: &Repo,
    terminal: &Terminal,
    work: impl FnOnce() -> TaskResult,
) -> TaskResult<TaskResult> {
    thread::scope(|scope| {
        let mut download = starter::ModelDownload::start(scope, repo, terminal);
        let worked = work();
        let fetched = download.wait();
        worked.map(|()| fetched)
    })
}
