//! Parses the summaries of test runners. Pure.

use std::cmp::Reverse;
use std::fmt;
use std::ops::{Add, AddAssign};
use std::process::ExitCode;
use std::time::Duration;

/// The numbers of tests that ran.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct TestCounts {
    pub passed: usize,
    pub failed: usize,
}

impl TestCounts {
    pub const ONE_PASSED: Self = Self { passed: 1, failed: 0 };
    pub const ONE_FAILED: Self = Self { passed: 0, failed: 1 };

    pub fn ran(self) -> usize {
        self.passed + self.failed
    }

    pub fn exit_code(self) -> ExitCode {
        if self.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

impl fmt::Display for TestCounts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)
    }
}

impl Add for TestCounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }
}

impl AddAssign for TestCounts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::iter::Sum for TestCounts {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), Add::add)
    }
}

/// The result of a tier.
#[derive(Debug, Default)]
pub struct Results {
    pub tally: TestCounts,
    /// The distinct names of the failed tests, as far as the runner printed them.
    pub failed: Vec<String>,
    /// The slowest tests, the slowest first.
    slowest: Vec<(Duration, String)>,
}

/// The number of slow tests that are named.
const NAMED_SLOWEST: usize = 5;
/// The shortest duration that is worth naming.
const SLOW: Duration = Duration::from_secs(1);

impl Results {
    /// Adds the name of a failed test without counting it. Some runners print it twice.
    pub fn name_failure(&mut self, test: String) {
        if !self.failed.contains(&test) {
            self.failed.push(test);
        }
    }

    pub fn add_time(&mut self, test: String, time: Duration) {
        if time >= SLOW {
            self.slowest.push((time, test));
            self.slowest.sort_by_key(|(time, _)| Reverse(*time));
            self.slowest.truncate(NAMED_SLOWEST);
        }
    }

    /// Names the slowest tests with their durations, if any of them is slow.
    pub fn describe_slowest(&self) -> Option<String> {
        let named = self.slowest.iter().map(|(time, test)| format!("{:.1} s {test}", time.as_secs_f32()));
        let named: Vec<String> = named.collect();
        (!named.is_empty()).then(|| named.join(" · "))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestRunner {
    Nextest,
    CargoTest,
    Vitest,
    Node,
}

impl TestRunner {
    /// Returns the name of the failed test in a line, in the form that the runner's filter accepts.
    pub fn failed_test(self, line: &str) -> Option<String> {
        match self {
            Self::Nextest => nextest_failure(line.trim()),
            Self::CargoTest => line.strip_prefix("---- ")?.strip_suffix(" stdout ----").map(str::to_owned),
            Self::Vitest => vitest_failure(line.trim()),
            Self::Node => node_failure(line),
        }
    }

    /// Returns the name and the duration of the passed test in a line, if the runner prints one for each.
    pub fn passed_test(self, line: &str) -> Option<(String, Duration)> {
        match self {
            Self::Nextest => nextest_success(line.trim()),
            Self::Node => node_success(line),
            Self::CargoTest | Self::Vitest => None,
        }
    }

    /// Returns the counts in a line, if there are any.
    pub fn read(self, line: &str) -> Option<TestCounts> {
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
fn nextest(line: &str) -> Option<TestCounts> {
    let counts = line.strip_prefix("Summary [")?.split_once(" run: ")?.1;
    let failed = ["failed", "exec failed", "timed out"].map(|word| count_before(counts, word)).iter().sum();
    Some(TestCounts { passed: count_before(counts, "passed"), failed })
}

/// Parses `test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s`.
fn cargo_test(line: &str) -> Option<TestCounts> {
    let counts = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    Some(TestCounts { passed: count_before(counts, "passed"), failed: count_before(counts, "failed") })
}

/// Parses `Tests  2 failed | 31 passed | 1 skipped (34)`.
fn vitest(line: &str) -> Option<TestCounts> {
    let counts = line.strip_prefix("Tests ")?;
    let tally = TestCounts { passed: count_before(counts, "passed"), failed: count_before(counts, "failed") };
    (tally.ran() > 0).then_some(tally)
}

/// Parses `ℹ pass 3` or `# fail 1`, each on its own line; cancelled tests count as failed.
fn node(line: &str) -> Option<TestCounts> {
    let (word, count) = line.strip_prefix(['ℹ', '#'])?.trim_start().split_once(' ')?;
    let count = count.parse().ok()?;
    match word {
        "pass" => Some(TestCounts { passed: count, failed: 0 }),
        "fail" | "cancelled" => Some(TestCounts { passed: 0, failed: count }),
        _ => None,
    }
}

/// Parses `FAIL [   0.005s] (3/9) perigee::program chat::a_test`, which may also begin with `TIMEOUT` or the name of a
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

/// Parses `PASS [   0.005s] (3/9) perigee::program chat::a_test`.
fn nextest_success(line: &str) -> Option<(String, Duration)> {
    let (time, rest) = line.strip_prefix("PASS [")?.split_once(']')?;
    let seconds: f64 = time.trim().strip_suffix('s')?.parse().ok()?;
    Some((rest.split_whitespace().next_back()?.to_owned(), Duration::try_from_secs_f64(seconds).ok()?))
}

/// Parses `✔ the page opens (12.3ms)`.
fn node_success(line: &str) -> Option<(String, Duration)> {
    let (name, time) = line.strip_prefix("✔ ")?.rsplit_once(" (")?;
    let milliseconds: f64 = time.strip_suffix("ms)")?.parse().ok()?;
    Some((name.to_owned(), Duration::try_from_secs_f64(milliseconds / 1000.0).ok()?))
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
                TestRunner::Nextest,
                "        FAIL [   0.005s] (  3/926) perigee::program chat::it_streams",
                Some("chat::it_streams"),
            ),
            (TestRunner::Nextest, "     TIMEOUT [ 300.0s] (4/9) engine real::it_ends", Some("real::it_ends")),
            (TestRunner::Nextest, "     SIGSEGV [   0.1s] (5/9) engine it_loads", Some("it_loads")),
            (TestRunner::Nextest, "        SLOW [> 60.000s] (5/9) engine it_loads", None),
            (TestRunner::Nextest, "     Summary [   0.2s] 2 tests run: 1 passed, 1 failed, 0 skipped", None),
            (TestRunner::CargoTest, "---- tidy::words::a_rule stdout ----", Some("tidy::words::a_rule")),
            (TestRunner::CargoTest, "test tidy::words::a_rule ... FAILED", None),
            (
                TestRunner::Vitest,
                " FAIL  src/chat/a.test.tsx > composer (small) > sends on Enter",
                Some("composer (small) sends on Enter"),
            ),
            (TestRunner::Vitest, " FAIL  src/chat/a.test.tsx [ src/chat/a.test.tsx ]", None),
            (TestRunner::Node, "✖ the page opens (twice) (12.346ms)", Some("the page opens (twice)")),
            (TestRunner::Node, "  ✖ a part of it (1.2ms)", None),
            (TestRunner::Node, "✖ failing tests:", None),
        ] {
            assert_eq!(runner.failed_test(line).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn slow_tests_are_named_the_slowest_first() {
        let mut results = Results::default();
        assert_eq!(results.describe_slowest(), None);
        for (runner, line) in [
            (TestRunner::Nextest, "        PASS [   0.005s] (  3/926) perigee::program chat::it_streams"),
            (TestRunner::Nextest, "        PASS [  12.345s] (  4/926) perigee::program crash::it_is_kept"),
            (TestRunner::Nextest, "        FAIL [  99.000s] (  5/926) perigee::program chat::it_ends"),
            (TestRunner::Node, "✔ the page opens (twice) (1500.25ms)"),
            (TestRunner::Node, "  ✔ a part of it (9000ms)"),
            (TestRunner::Vitest, " ✓ src/chat/a.test.ts (3 tests) 1200ms"),
        ] {
            if let Some((test, time)) = runner.passed_test(line) {
                results.add_time(test, time);
            }
        }
        assert_eq!(
            results.describe_slowest().as_deref(),
            Some("12.3 s crash::it_is_kept · 1.5 s the page opens (twice)")
        );
    }

    #[test]
    fn every_runner_s_summary_is_read() {
        for (runner, line, expected) in [
            (TestRunner::Nextest, "     Summary [   0.010s] 3 tests run: 3 passed, 0 skipped", Some((3, 0))),
            (TestRunner::Nextest, "Summary [   1.2s] 1 test run: 1 passed (1 slow), 4 skipped", Some((1, 0))),
            (
                TestRunner::Nextest,
                "Summary [ 60.0s] 9 tests run: 5 passed (2 slow, 1 leaky), 2 failed, 1 exec failed, 1 timed out, 0 skipped",
                Some((5, 4)),
            ),
            (
                TestRunner::Nextest,
                "Summary [   0.2s] 2/9 tests run: 1 passed, 1 failed, 0 skipped",
                Some((1, 1)),
            ),
            (TestRunner::Nextest, "        PASS [   0.005s] xtask summary::tests::run: 3 passed", None),
            (
                TestRunner::CargoTest,
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
                Some((12, 0)),
            ),
            (
                TestRunner::CargoTest,
                "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured",
                Some((1, 2)),
            ),
            (TestRunner::CargoTest, "test summary::tests::reads ... ok", None),
            (TestRunner::Vitest, "      Tests  2 failed | 31 passed | 1 skipped (34)", Some((31, 2))),
            (TestRunner::Vitest, "      Tests  31 passed (31)", Some((31, 0))),
            (TestRunner::Vitest, " Test Files  3 passed (3)", None),
            (TestRunner::Vitest, "      Tests  no tests", None),
            (TestRunner::Node, "ℹ pass 7", Some((7, 0))),
            (TestRunner::Node, "# fail 1", Some((0, 1))),
            (TestRunner::Node, "# cancelled 1", Some((0, 1))),
            (TestRunner::Node, "# duration_ms 12.3", None),
            (TestRunner::Node, "# pass along", None),
        ] {
            let expected = expected.map(|(passed, failed)| TestCounts { passed, failed });
            assert_eq!(runner.read(line), expected, "{line}");
        }
    }
}
