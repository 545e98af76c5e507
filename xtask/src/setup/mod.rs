//! From a fresh clone to something that can start: system packages, web app, model, programs. Each is made once.

mod build;
mod estimate;
pub mod schemathesis;
pub mod starter;
pub mod system;
pub mod web;

pub use build::{WHOLE_WORKSPACE, programs, watched};

use std::thread;

use crate::failure::Outcome;
use crate::repo::Repo;
use crate::terminal::Terminal;
use system::Need;

/// What is needed beyond what every build needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    pub browser: bool,
    pub model: bool,
    /// What holds the interface against its description.
    pub checker: bool,
}

/// System packages. They come first and alone, since they may ask a question.
pub fn system_packages(wanted: Wanted, repo: &Repo, terminal: &Terminal) -> Outcome {
    let mut needs = Need::BUILD.to_vec();
    if wanted.browser {
        needs.push(Need::Browser);
    }
    if wanted.model && !starter::are_here(repo) || wanted.checker && !schemathesis::is_here(repo) {
        needs.push(Need::Pip);
    }
    system::provide(&needs, terminal)?;
    // Without it Perigee works, and does not run what nobody vouches for.
    if let Err(failure) = system::provide(&[Need::Bubblewrap], terminal) {
        terminal.say(failure.to_string());
    }
    Ok(())
}

/// The web app, which must be there before the program that serves it is compiled.
pub fn web_app(repo: &Repo, terminal: &Terminal) -> Outcome {
    web::install(repo, terminal)?;
    web::build(repo, terminal)
}

/// Does the work while the starter model downloads beside it; gives what became of the download.
///
/// A failed download is the caller's to judge: without a model Perigee still starts.
pub fn beside_download(repo: &Repo, terminal: &Terminal, work: impl FnOnce() -> Outcome) -> Outcome<Outcome> {
    thread::scope(|scope| {
        let mut download = starter::Download::start(scope, repo, terminal);
        let worked = work();
        let fetched = download.wait();
        worked.map(|()| fetched)
    })
}
