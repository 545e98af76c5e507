//! Parses the output of programs into problems.
//!
//! Every parser is offered every line, since a script may run any program; the parsers of the project's own toolchain
//! come first. A parser consumes a line with those that belong to it, or rejects it. Each looks ahead a bounded number
//! of lines, so parsing takes linear time.

mod compiler;
mod go;
mod jvm;
mod make;
mod place;
mod pytest;
mod runners;
mod rust;
mod script;
mod shell;
mod traceback;

use super::clean::{self, cut};
use super::plan::Toolchain;
use super::problem::{Ground, Problem, Severity, Spot, Standing};
use place::Place;
pub use shell::{missing, missing_module};

/// The maximum number of errors; more are not useful.
const MOST_ERRORS: usize = 100;
const MOST_WARNINGS: usize = 50;
/// The number of lines that a parser looks ahead.
const AHEAD: usize = 200;
/// The maximum number of lines of a section with a heading, so no line is read twice.
const PART: usize = 4_000;
const EXCERPT_LINES: usize = 15;
const EXCERPT_WIDTH: usize = 240;
const MESSAGE: usize = 600;

/// Returns all problems in a command's output, in order and without duplicates.
pub fn problems(toolchain: Toolchain, output: &str, ground: &Ground<'_>) -> Vec<Problem> {
    let lines = clean::lines(output);
    let page = Page { lines: &lines, ground };
    let mut context = Context { toolchain, ..Context::default() };
    let readers = readers(toolchain);
    let mut found: Vec<Problem> = Vec::new();
    let (mut errors, mut warnings, mut at) = (0, 0, 0);
    while at < lines.len() && errors < MOST_ERRORS {
        let Some(read) = readers.iter().find_map(|reader| reader(&page, at, &mut context)) else {
            at += 1;
            continue;
        };
        at = read.next.max(at + 1);
        let Some(problem) = read.problem.map(|problem| tidy(problem, ground)) else { continue };
        if found.iter().any(|known| is_same(known, &problem)) {
            continue;
        }
        match problem.severity {
            Severity::Error => errors += 1,
            Severity::Warning if warnings == MOST_WARNINGS => continue,
            Severity::Warning => warnings += 1,
        }
        found.push(problem);
    }
    found
}

/// Returns true for the same problem. Some programs report everything twice, the second time with less about the test.
fn is_same(known: &Problem, other: &Problem) -> bool {
    known.file == other.file
        && known.line == other.line
        && known.severity == other.severity
        && known.message == other.message
        && (known.test == other.test || known.file.is_some())
}

fn tidy(problem: Problem, ground: &Ground<'_>) -> Problem {
    let message = ground.shorten(problem.message.trim());
    Problem { message: cut(&message, MESSAGE), ..problem }
}

type Reader = fn(&Page<'_>, usize, &mut Context) -> Option<Read>;

/// The result of a parser: a problem, or nothing worth reporting, and the line to continue with.
struct Read {
    problem: Option<Problem>,
    next: usize,
}

impl Read {
    fn problem(problem: Problem, next: usize) -> Self {
        Self { problem: Some(problem), next }
    }

    fn nothing(next: usize) -> Self {
        Self { problem: None, next }
    }
}

fn readers(toolchain: Toolchain) -> Vec<Reader> {
    let mut readers: Vec<Reader> = vec![
        make::read,
        rust::read,
        pytest::read,
        traceback::read,
        runners::read,
        script::read,
        go::read,
        jvm::read,
        compiler::read,
        shell::read,
    ];
    let first: &[Reader] = match toolchain {
        Toolchain::Python => &[pytest::read, traceback::read],
        Toolchain::Node => &[runners::read, script::read],
        Toolchain::Go => &[go::read],
        Toolchain::Gradle | Toolchain::Maven => &[jvm::read],
        _ => &[],
    };
    let is_first = |reader: &Reader| first.iter().any(|one| std::ptr::fn_addr_eq(*one, *reader));
    readers.sort_by_key(|reader| !is_first(reader));
    readers
}

/// The context that earlier lines provide.
struct Context {
    toolchain: Toolchain,
    /// The folders that make has entered.
    folders: Vec<String>,
    /// The test that the output belongs to.
    test: Option<String>,
    /// The file that the following lines refer to.
    file: Option<String>,
    /// The place in the project that instantiated a template or included a header.
    asked_from: Option<Spot>,
    /// True if a failed test was reported, so a summary adds nothing new.
    is_told: bool,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            toolchain: Toolchain::Other,
            folders: Vec::new(),
            test: None,
            file: None,
            asked_from: None,
            is_told: false,
        }
    }
}

impl Context {
    fn folder(&self) -> Option<&str> {
        self.folders.last().map(String::as_str)
    }

    /// Returns the standing of a stack trace: a cause if it belongs to a test.
    fn trace(test: Option<&String>) -> Standing {
        if test.is_some() { Standing::Cause } else { Standing::Trace }
    }
}

struct Page<'a> {
    lines: &'a [String],
    ground: &'a Ground<'a>,
}

impl Page<'_> {
    /// Returns a line, or an empty string after the end.
    fn line(&self, at: usize) -> &str {
        self.lines.get(at).map_or("", String::as_str)
    }

    /// Returns the first line within the look-ahead that satisfies the condition.
    fn find(&self, from: usize, holds: impl Fn(&str) -> bool) -> Option<usize> {
        (from..self.lines.len().min(from + AHEAD)).find(|at| holds(self.line(*at)))
    }

    /// Returns the end of a block: the first line that satisfies the condition, or the end of the look-ahead.
    fn end(&self, from: usize, holds: impl Fn(&str) -> bool) -> usize {
        self.find(from, holds).unwrap_or_else(|| self.lines.len().min(from + AHEAD))
    }

    /// Returns the end of a section, which may be longer than the look-ahead.
    fn part_end(&self, from: usize, holds: impl Fn(&str) -> bool) -> usize {
        let last = self.lines.len().min(from + PART);
        (from..last).find(|at| holds(self.line(*at))).unwrap_or(last)
    }

    fn excerpt(&self, from: usize, to: usize) -> Vec<String> {
        let to = to.min(self.lines.len());
        let lines = self.lines.get(from.min(to)..to).unwrap_or_default();
        let last = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
        let shown = lines[..last].iter().filter(|line| !is_others_frame(line)).take(EXCERPT_LINES);
        shown.map(|line| cut(self.ground.shorten(line).trim_end(), EXCERPT_WIDTH)).collect()
    }

    fn spot(&self, place: &Place<'_>, context: &Context) -> Option<Spot> {
        let file = self.ground.resolve(place.file, context.folder())?;
        Some(Spot { file, line: place.line, column: place.column })
    }

    /// Returns the first place in the project that the frame parser finds in these lines.
    fn first_spot<'t>(
        &'t self,
        range: std::ops::Range<usize>,
        context: &Context,
        frame: impl Fn(&'t str) -> Option<Place<'t>>,
    ) -> Option<Spot> {
        range.filter_map(|at| frame(self.line(at))).find_map(|place| self.spot(&place, context))
    }
}

/// Returns true for a frame of third-party code, which cannot be changed here.
fn is_others_frame(line: &str) -> bool {
    let Some(frame) = line.trim_start().strip_prefix("at ") else { return false };
    let starts = ["java.base/", "jdk.", "app//org.junit", "org.junit", "app//org.gradle", "org.apache.maven"];
    let parts = ["node:", "node_modules/", "(<anonymous>)", "/rustc/", "at new Promise"];
    starts.iter().any(|start| frame.starts_with(start)) || parts.iter().any(|part| frame.contains(part))
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
