//! `cargo xtask test`: all tests, in tiers from cheap to expensive, with the duration of each at the end.

mod report;
mod runners;
mod summary;
mod tier;

use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use crate::args::{AfterFailure, Selection};
use crate::failure::{Failure, TaskResult};
use crate::process;
use crate::repo::Repo;
use crate::setup::{self, Requirements, starter::ModelDownload};
use crate::terminal::{Terminal, in_ci};
use report::{StepState, TestReport};
pub use summary::TestCounts;
use tier::Tier;

pub fn test(selection: &Selection, repo: &Repo, terminal: &Terminal) -> TaskResult<ExitCode> {
    let tiers = chosen(&selection.tiers)?;
    let wanted = Requirements {
        browser: tiers.contains(&Tier::Browser),
        model: tiers.iter().copied().any(Tier::needs_model),
        checker: tiers.contains(&Tier::Program),
    };
    setup::system_packages(wanted, repo, terminal)?;
    let report = thread::scope(|scope| {
        let download = wanted.model.then(|| ModelDownload::start(scope, repo, terminal));
        let mut session = Session { selection, repo, terminal, download, report: TestReport::default() };
        session.run(&tiers);
        session.conclude()
    });
    terminal.conclude(&report.table());
    Ok(report.sum().exit_code())
}

/// One run of the tiers.
struct Session<'a, 'scope> {
    selection: &'a Selection,
    repo: &'a Repo,
    terminal: &'a Terminal,
    download: Option<ModelDownload<'scope>>,
    report: TestReport,
}

impl Session<'_, '_> {
    fn run(&mut self, tiers: &[Tier]) {
        self.step("set-up", |session| {
            setup::web_app(session.repo, session.terminal).map(|()| StepState::Done)
        });
        let mut programs_are_built = false;
        for tier in tiers.iter().copied() {
            let missing = tier.missing_places(self.repo);
            if !missing.is_empty() {
                self.step(tier.name(), |session| session.missing(tier, &missing));
                continue;
            }
            if tier.needs_programs() && !programs_are_built {
                self.step("build", |session| session.build().map(|()| StepState::Done));
                programs_are_built = true;
            }
            if tier == Tier::Program && !setup::schemathesis::is_here(self.repo) {
                self.step("checker", |session| {
                    setup::schemathesis::install(session.repo, session.terminal).map(|()| StepState::Done)
                });
            }
            self.step(tier.name(), |session| session.tier(tier));
        }
    }

    /// Fails if the filter matches no test, which is probably a mistake.
    fn conclude(mut self) -> TestReport {
        if let Some(filter) = self.selection.filter.as_deref().filter(|_| self.report.sum().ran() == 0) {
            self.step("filter", |_| Err(Failure::new(format!("no test's name contains `{filter}`"))));
        }
        self.report
    }

    /// Runs and times one step and records its result. After a failure, the remaining steps are only recorded as not
    /// run, unless requested otherwise.
    fn step(&mut self, name: &'static str, work: impl FnOnce(&mut Self) -> TaskResult<StepState>) {
        if !self.report.succeeded() && self.selection.after_failure == AfterFailure::Stop {
            return self.report.add(name, StepState::NotRun, None);
        }
        let started = Instant::now();
        let state = work(self).unwrap_or_else(|failure| {
            self.terminal.say(format!("{name}: {failure}"));
            StepState::Ran(TestCounts::ONE_FAILED)
        });
        self.report.add(name, state, Some(started.elapsed()));
    }

    /// Compiles everything first, so the durations of the tiers do not include it.
    fn build(&self) -> TaskResult {
        let mut tests = process::cargo(&self.repo.root);
        setup::watched(tests.args(["test", "--no-run", setup::WHOLE_WORKSPACE]), self.repo, self.terminal)?;
        setup::tested_programs(self.repo, self.terminal)
    }

    /// Reports missing tests: as a failure in continuous integration, otherwise as a note.
    fn missing(&self, tier: Tier, places: &[&str]) -> TaskResult<StepState> {
        let told = format!("there are no tests at {}", places.join(", "));
        if in_ci() {
            return Err(Failure::new(told));
        }
        self.terminal.say(format!("{}: {told}", tier.name()));
        Ok(StepState::Missing)
    }

    fn tier(&mut self, tier: Tier) -> TaskResult<StepState> {
        if tier.needs_model() {
            self.download.as_mut().map_or(Ok(()), ModelDownload::wait)?;
        }
        let filter = self.selection.filter.as_deref();
        let results = runners::run(tier, filter, self.repo, self.terminal)?;
        if results.tally.ran() == 0 && filter.is_none() {
            return Err(Failure::new("no test ran"));
        }
        if let Some(slowest) = results.describe_slowest() {
            self.terminal.say(format!("{}: slowest {slowest}", tier.name()));
        }
        if results.tally.failed > 0 {
            self.report.add_failures(tier.name(), &results.failed);
        }
        Ok(StepState::Ran(results.tally))
    }
}

fn chosen(names: &[String]) -> TaskResult<Vec<Tier>> {
    let is_known = |name: &String| Tier::ALL.iter().any(|tier| tier.name() == name);
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        let all = Tier::ALL.map(Tier::name).join(", ");
        return Err(Failure::new(format!("there is no tier `{unknown}`: the tiers are {all}")));
    }
    let is_chosen = |tier: &Tier| names.is_empty() || names.iter().any(|name| name == tier.name());
    Ok(Tier::ALL.into_iter().filter(is_chosen).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_run_in_their_own_order_whatever_the_order_asked_for() {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(chosen(&[]).unwrap(), Tier::ALL);
        assert_eq!(chosen(&names(&["web", "pure"])).unwrap(), [Tier::Pure, Tier::Web]);
        let error = chosen(&names(&["unit"])).unwrap_err().to_string();
        assert_eq!(
            error,
            "there is no tier `unit`: the tiers are pure, program, real, interop, web, browser"
        );
    }
}
