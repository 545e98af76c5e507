//! Parses the summaries of test runners. Pure.

use std::fmt;
use std::ops::{Add, AddAssign};
use std::process::ExitCode;

/// The numbers of tests that ran.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
}

impl Tally {
    pub const ONE_PASSED: Self = Self { passed: 1, failed: 0 };
    pub const ONE_FAILED: Self = Self { passed: 0, failed: 1 };

    pub fn ran(self) -> usize {
        self.passed + self.failed
    }

    pub fn exit_code(self) -> ExitCode {
        if self.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), Add::add)
    }
}

/// The result of a tier.
#[derive(Debug, Default)]
pub struct Results {
    pub tally: Tally,
    /// The distinct names of the failed tests, as far as the runner printed them.
    pub failed: Vec<String>,
}

impl Results {
    /// Adds the name of a failed test without counting it. Some runners print it twice.
    pub fn name_failure(&mut self, test: String) {
        if !self.failed.contains(&test) {
            self.failed.push(test);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runner {
    Nextest,
    CargoTest,
    Vitest,
    Node,
}

impl Runner {
    /// Returns the name of the failed test in a line, in the form that the runner's filter accepts.
    pub fn failed_test(self, line: &str) -> Option<String> {
        match self {
            Self::Nextest => nextest_failure(line.trim()),
            Self::CargoTest => line.strip_prefix("---- ")?.strip_suffix(" stdout ----").map(str::to_owned),
            Self::Vitest => vitest_failure(line.trim()),
            Self::Node => node_failure(line),
        }
    }

    /// Returns the counts in a line, if there are any.
    pub fn read(self, line: &str) -> Option<Tally> {
        let line = line.trim();
        match self {
            Self::Nextest => nextest(line),
            Self::CargoTest => cargo_test(line),
            Self::Vitest => vitest(line),
            Self::Node => node(line),
        }
    }
}

/// Parses `Summary [   0.010s] 3 tests run: 1 passed (1 slow), 1 failed, 1 timed out, 0 skipped`.
fn nextest(line: &str) -> Option<Tally> {
    let counts = line.strip_prefix("Summary [")?.split_once(" run: ")?.1;
    let failed = ["failed", "exec failed", "timed out"].map(|word| count_before(counts, word)).iter().sum();
    Some(Tally { passed: count_before(counts, "passed"), failed })
}

/// Parses `test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s`.
fn cargo_test(line: &str) -> Option<Tally> {
    let counts = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    Some(Tally { passed: count_before(counts, "passed"), failed: count_before(counts, "failed") })
}

/// Parses `Tests  2 failed | 31 passed | 1 skipped (34)`.
fn vitest(line: &str) -> Option<Tally> {
    let counts = line.strip_prefix("Tests ")?;
    let tally = Tally { passed: count_before(counts, "passed"), failed: count_before(counts, "failed") };
    (tally.ran() > 0).then_some(tally)
}

/// Parses `ℹ pass 3` or `# fail 1`, each on its own line; cancelled tests count as failed.
fn node(line: &str) -> Option<Tally> {
    let (word, count) = line.strip_prefix(['ℹ', '#'])?.trim_start().split_once(' ')?;
    let count = count.parse().ok()?;
    match word {
        "pass" => Some(Tally { passed: count, failed: 0 }),
        "fail" | "cancelled" => Some(Tally { passed: 0, failed: count }),
        _ => None,
    }
}

/// Parses `FAIL [   0.005s] (3/9) perigee::doors chat::a_test`, which may also begin with `TIMEOUT` or the name of a
/// signal.
fn nextest_failure(line: &str) -> Option<String> {
    let (status, rest) = line.split_once(" [")?;
    let failed =
        matches!(status, "FAIL" | "TIMEOUT" | "ABORT" | "TRY" | "FLAKY-FL") || status.starts_with("SIG");
    let name = rest.split_once(']')?.1.split_whitespace().next_back()?;
    failed.then(|| name.to_owned())
}

/// Parses `FAIL  src/chat/composer.test.ts > composer > sends on Enter`; the runner's filter expects the names
/// separated by spaces.
fn vitest_failure(line: &str) -> Option<String> {
    let (_, names) = line.strip_prefix("FAIL ")?.trim_start().split_once(" > ")?;
    Some(names.replace(" > ", " "))
}

/// Parses `✖ the page opens (12.3ms)`; subtests are indented and cannot be run alone.
fn node_failure(line: &str) -> Option<String> {
    let (name, time) = line.strip_prefix("✖ ")?.rsplit_once(" (")?;
    time.ends_with("ms)").then(|| name.to_owned())
}

/// Returns the number directly before `word` in a list separated by commas, semicolons or bars, or 0 if there is none.
fn count_before(counts: &str, word: &str) -> usize {
    counts
        .split([',', ';', '|'])
        .filter_map(|part| part.trim().split_once(' '))
        .find(|(_, label)| label.split(" (").next() == Some(word))
        .and_then(|(count, _)| count.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_runner_s_failures_are_named() {
        for (runner, line, expected) in [
            (
                Runner::Nextest,
                "        FAIL [   0.005s] (  3/926) perigee::doors chat::it_streams",
                Some("chat::it_streams"),
            ),
            (Runner::Nextest, "     TIMEOUT [ 300.0s] (4/9) engine real::it_ends", Some("real::it_ends")),
            (Runner::Nextest, "     SIGSEGV [   0.1s] (5/9) engine it_loads", Some("it_loads")),
            (Runner::Nextest, "        SLOW [> 60.000s] (5/9) engine it_loads", None),
            (Runner::Nextest, "     Summary [   0.2s] 2 tests run: 1 passed, 1 failed, 0 skipped", None),
            (Runner::CargoTest, "---- tidy::words::a_rule stdout ----", Some("tidy::words::a_rule")),
            (Runner::CargoTest, "test tidy::words::a_rule ... FAILED", None),
            (
                Runner::Vitest,
                " FAIL  src/chat/a.test.tsx > composer (small) > sends on Enter",
                Some("composer (small) sends on Enter"),
            ),
            (Runner::Vitest, " FAIL  src/chat/a.test.tsx [ src/chat/a.test.tsx ]", None),
            (Runner::Node, "✖ the page opens (twice) (12.346ms)", Some("the page opens (twice)")),
            (Runner::Node, "  ✖ a part of it (1.2ms)", None),
            (Runner::Node, "✖ failing tests:", None),
        ] {
            assert_eq!(runner.failed_test(line).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn every_runner_s_summary_is_read() {
        for (runner, line, expected) in [
            (Runner::Nextest, "     Summary [   0.010s] 3 tests run: 3 passed, 0 skipped", Some((3, 0))),
            (Runner::Nextest, "Summary [   1.2s] 1 test run: 1 passed (1 slow), 4 skipped", Some((1, 0))),
            (
                Runner::Nextest,
                "Summary [ 60.0s] 9 tests run: 5 passed (2 slow, 1 leaky), 2 failed, 1 exec failed, 1 timed out, 0 skipped",
                Some((5, 4)),
            ),
            (Runner::Nextest, "Summary [   0.2s] 2/9 tests run: 1 passed, 1 failed, 0 skipped", Some((1, 1))),
            (Runner::Nextest, "        PASS [   0.005s] xtask summary::tests::run: 3 passed", None),
            (
                Runner::CargoTest,
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
                Some((12, 0)),
            ),
            (
                Runner::CargoTest,
                "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured",
                Some((1, 2)),
            ),
            (Runner::CargoTest, "test summary::tests::reads ... ok", None),
            (Runner::Vitest, "      Tests  2 failed | 31 passed | 1 skipped (34)", Some((31, 2))),
            (Runner::Vitest, "      Tests  31 passed (31)", Some((31, 0))),
            (Runner::Vitest, " Test Files  3 passed (3)", None),
            (Runner::Vitest, "      Tests  no tests", None),
            (Runner::Node, "ℹ pass 7", Some((7, 0))),
            (Runner::Node, "# fail 1", Some((0, 1))),
            (Runner::Node, "# cancelled 1", Some((0, 1))),
            (Runner::Node, "# duration_ms 12.3", None),
            (Runner::Node, "# pass along", None),
        ] {
            let expected = expected.map(|(passed, failed)| Tally { passed, failed });
            assert_eq!(runner.read(line), expected, "{line}");
        }
    }
}
