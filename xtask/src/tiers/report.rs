//! The table at the end: the steps, their durations, and the sum.

use std::time::Duration;

use crate::tiers::summary::TestCounts;

/// The result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepState {
    /// A step that is not a test.
    Done,
    Ran(TestCounts),
    /// There is nothing to run.
    Missing,
    /// An earlier step has failed.
    NotRun,
}

impl StepState {
    fn tally(self) -> TestCounts {
        match self {
            Self::Ran(tally) => tally,
            Self::Done | Self::Missing | Self::NotRun => TestCounts::default(),
        }
    }
}

/// The maximum number of listed commands; the rest is only counted.
const LISTED_COMMANDS: usize = 20;

/// The results of all steps.
#[derive(Default)]
pub struct TestReport {
    rows: Vec<(&'static str, StepState, Option<Duration>)>,
    commands: Vec<String>,
}

impl TestReport {
    pub fn add(&mut self, name: &'static str, state: StepState, time: Option<Duration>) {
        self.rows.push((name, state, time));
    }

    pub fn succeeded(&self) -> bool {
        self.sum().failed == 0
    }

    pub fn sum(&self) -> TestCounts {
        self.rows.iter().map(|(_, state, _)| state.tally()).sum()
    }

    /// Adds the commands that run the failed tests again, or the whole tier if no test is known.
    pub fn add_failures(&mut self, tier: &str, tests: &[String]) {
        let whole = format!("cargo xtask test --tier {tier}");
        if tests.is_empty() {
            self.commands.push(whole);
        } else {
            self.commands.extend(tests.iter().map(|test| format!("{whole} --filter {}", quoted(test))));
        }
    }

    /// Returns the table, which ends with a line `N passed, N failed`.
    pub fn table(&self) -> String {
        let mut lines = self.commands_again();
        lines.extend([String::new(), line("tier", "time", "passed", "failed")]);
        for (name, state, time) in &self.rows {
            let time = time.map(minutes).unwrap_or_default();
            lines.push(match state {
                StepState::Done => line(name, &time, "", ""),
                StepState::Ran(tally) => {
                    line(name, &time, &tally.passed.to_string(), &tally.failed.to_string())
                }
                StepState::Missing => line(name, &time, "missing", ""),
                StepState::NotRun => line(name, &time, "not run", ""),
            });
        }
        let total = self.rows.iter().filter_map(|(.., time)| *time).sum();
        let sum = self.sum();
        lines.push(line("all", &minutes(total), &sum.passed.to_string(), &sum.failed.to_string()));
        lines.push(format!("\n{sum}"));
        lines.join("\n")
    }

    fn commands_again(&self) -> Vec<String> {
        if self.commands.is_empty() {
            return Vec::new();
        }
        let mut lines = vec![String::new(), "To run the failed tests again:".to_owned()];
        lines.extend(self.commands.iter().take(LISTED_COMMANDS).map(|command| format!("  {command}")));
        let rest = self.commands.len().saturating_sub(LISTED_COMMANDS);
        if rest > 0 {
            lines.push(format!("  and {rest} more"));
        }
        lines
    }
}

/// Quotes a word for the shell if needed.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-:./".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn line(name: &str, time: &str, passed: &str, failed: &str) -> String {
    format!("{name:<8} {time:>8} {passed:>8} {failed:>8}").trim_end().to_owned()
}

/// Formats a duration as in `7:05.2`.
fn minutes(time: Duration) -> String {
    format!("{}:{:02}.{}", time.as_secs() / 60, time.as_secs() % 60, time.subsec_millis() / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(passed: usize, failed: usize) -> StepState {
        StepState::Ran(TestCounts { passed, failed })
    }

    #[test]
    fn the_table_shows_cost_and_sum() {
        let mut report = TestReport::default();
        report.add("set-up", StepState::Done, Some(Duration::from_millis(1_250)));
        report.add("tidy", ran(9, 0), Some(Duration::from_secs(65)));
        report.add("pure", ran(210, 0), Some(Duration::from_millis(12_345)));
        assert!(report.succeeded());
        report.add("program", ran(3, 2), Some(Duration::from_mins(10)));
        report.add("web", StepState::Missing, None);
        report.add("real", StepState::NotRun, None);
        assert!(!report.succeeded());
        let expected = "
tier         time   passed   failed
set-up     0:01.2
tidy       1:05.0        9        0
pure       0:12.3      210        0
program   10:00.0        3        2
web                missing
real               not run
all       11:18.5      222        2

222 passed, 2 failed";
        assert_eq!(report.table(), expected);
    }

    #[test]
    fn what_failed_can_be_run_again_by_one_command() {
        let mut report = TestReport::default();
        report.add("program", ran(3, 1), None);
        report.add_failures("program", &["chat::it_streams".to_owned()]);
        report.add_failures("browser", &["Luna's page (small)".to_owned()]);
        report.add_failures("build", &[]);
        let table = report.table();
        let expected = "
To run the failed tests again:
  cargo xtask test --tier program --filter chat::it_streams
  cargo xtask test --tier browser --filter 'Luna'\\''s page (small)'
  cargo xtask test --tier build

tier";
        assert!(table.starts_with(expected), "{table}");

        report.add_failures("pure", &vec!["one".to_owned(); 30]);
        let table = report.table();
        assert_eq!(table.matches("cargo xtask").count(), LISTED_COMMANDS, "{table}");
        assert!(table.contains("\n  and 13 more\n"), "{table}");
    }
}
