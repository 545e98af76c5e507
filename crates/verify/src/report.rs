//! Reports the one problem to fix first.

use crate::diagnostic::{Diagnostic, Severity, Significance};
use crate::terminal_lines::{self, cut};
use crate::{fingerprint, hint};

/// The maximum number of lines of an excerpt.
pub const EXCERPT_LINES: usize = 15;
const EXCERPT_WIDTH: usize = 240;
const HEADLINE: usize = 240;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureReport {
    /// The place and the message in one line.
    pub headline: String,
    /// The relevant output, at most fifteen lines.
    pub excerpt: String,
    pub problem: Option<Diagnostic>,
    /// A fingerprint that ignores line numbers, addresses, temporary paths, times and hashes.
    pub fingerprint: u64,
    /// A hint for the user if the cause is outside of the files.
    pub hint: Option<String>,
}

/// Returns the problem that made a command fail: the first cause, or else the most likely one.
pub fn find_cause(diagnostics: &[Diagnostic], output: &str) -> FailureReport {
    let lines = terminal_lines::lines(output);
    let hint = hint::find(&lines);
    let error = |most: Significance| {
        let errors = diagnostics.iter().filter(|problem| problem.severity == Severity::Error);
        errors.filter(|problem| problem.significance <= most).min_by_key(|problem| problem.significance)
    };
    let mut report = if let Some(cause) = error(Significance::Trace) {
        of_problem(cause, &lines)
    } else if let Some(at) = lines.iter().position(|line| sounds_bad(line)) {
        of_lines(&lines, at)
    } else if let Some(problem) = error(Significance::Consequence).or(diagnostics.first()) {
        of_problem(problem, &lines)
    } else {
        let last = lines.iter().rposition(|line| !line.trim().is_empty());
        last.map_or_else(nothing_said, |last| of_lines(&lines, last))
    };
    report.hint = hint;
    report
}

fn of_problem(problem: &Diagnostic, lines: &[String]) -> FailureReport {
    let shown = if problem.lines.is_empty() { lines.get(..1).unwrap_or_default() } else { &problem.lines };
    let parts = [problem.code.as_deref(), problem.file.as_deref(), problem.test.as_deref()];
    let parts = parts.map(Option::unwrap_or_default).into_iter().chain([problem.message.as_str()]);
    FailureReport {
        headline: headline(problem),
        excerpt: excerpt(shown),
        fingerprint: fingerprint::of(parts),
        problem: Some(problem.clone()),
        hint: None,
    }
}

/// Formats `tests::adds failed at src/lib.rs:15: …` or `src/lib.rs:8:5: E0308: …`.
fn headline(problem: &Diagnostic) -> String {
    let message = problem.message.lines().map(str::trim).filter(|line| !line.is_empty());
    let message = message.collect::<Vec<_>>().join("; ");
    let place = problem.file.as_ref().map(|file| match (problem.line, problem.column) {
        (Some(line), Some(column)) => format!("{file}:{line}:{column}"),
        (Some(line), None) => format!("{file}:{line}"),
        _ => file.clone(),
    });
    let before = match (&problem.test, place) {
        (Some(test), Some(place)) => format!("{test} failed at {place}: "),
        (Some(test), None) => format!("{test} failed: "),
        (None, Some(place)) => format!("{place}: "),
        (None, None) => String::new(),
    };
    let code = problem.code.as_ref().map(|code| format!("{code}: ")).unwrap_or_default();
    cut(&format!("{before}{code}{message}"), HEADLINE)
}

/// Reports a line that no parser recognized, with the lines around it.
fn of_lines(lines: &[String], at: usize) -> FailureReport {
    let from = at.saturating_sub(EXCERPT_LINES - 5);
    let from = if at + 5 >= lines.len() { from } else { at.saturating_sub(3) };
    let shown = &lines[from..lines.len().min(from + EXCERPT_LINES)];
    let headline = cut(lines[at].trim(), HEADLINE);
    let fingerprint = fingerprint::of([headline.as_str()]);
    FailureReport { headline, excerpt: excerpt(shown), problem: None, fingerprint, hint: None }
}

fn nothing_said() -> FailureReport {
    let headline = "it failed and printed nothing".to_owned();
    let fingerprint = fingerprint::of([headline.as_str()]);
    FailureReport { headline, excerpt: String::new(), problem: None, fingerprint, hint: None }
}

fn excerpt(lines: &[String]) -> String {
    let cut_lines = lines.iter().take(EXCERPT_LINES).map(|line| cut(line.trim_end(), EXCERPT_WIDTH));
    cut_lines.collect::<Vec<_>>().join("\n")
}

/// Returns true if a line reports an error, but not if it only counts errors.
fn sounds_bad(line: &str) -> bool {
    let line = line.trim();
    let lower = line.to_ascii_lowercase();
    let starts = [
        "error:",
        "error ",
        "fatal:",
        "fatal error",
        "panic:",
        "uncaught ",
        "exception:",
        "abort",
        "critical:",
    ];
    let holds = [
        ": error:",
        ": fatal:",
        "error during ",
        "segmentation fault",
        "core dumped",
        "cannot ",
        "could not ",
    ];
    let is_count = lower.starts_with("error 0") || lower.contains("0 errors");
    !is_count
        && (starts.iter().any(|start| lower.starts_with(start))
            || holds.iter().any(|part| lower.contains(part)))
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
