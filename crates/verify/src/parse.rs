//! Parses the output of programs into diagnostics.
//!
//! Every parser is offered every line, since a script may run any program; the parsers of the project's own toolchain
//! come first. A parser consumes a line with those that belong to it, or rejects it. Each looks ahead a bounded number
//! of lines, so parsing takes linear time.

mod compiler;
mod go;
mod jvm;
mod location;
mod make;
mod output_lines;
mod pytest;
mod runners;
mod rust;
mod script;
mod shell;
mod traceback;

use crate::diagnostic::{Diagnostic, Severity};
use crate::path_resolver::PathResolver;
use crate::plan::Toolchain;
use crate::terminal_lines::{self, cut};
use output_lines::{OutputLines, ParseContext, Parsed};
pub use shell::{missing, missing_module};

/// The maximum number of errors; more are not useful.
const MOST_ERRORS: usize = 100;
const MOST_WARNINGS: usize = 50;
/// The maximum length of a message in bytes.
const LONGEST_MESSAGE: usize = 600;

/// Returns all diagnostics in a command's output, in order and without duplicates.
pub fn diagnostics(toolchain: Toolchain, output: &str, paths: &PathResolver<'_>) -> Vec<Diagnostic> {
    let lines = terminal_lines::lines(output);
    let output_lines = OutputLines { lines: &lines, paths };
    let mut context = ParseContext { toolchain, ..ParseContext::default() };
    let parsers = parsers(toolchain);
    let mut found: Vec<Diagnostic> = Vec::new();
    let (mut errors, mut warnings, mut at) = (0, 0, 0);
    while at < lines.len() && errors < MOST_ERRORS {
        let Some(parsed) = parsers.iter().find_map(|parser| parser(&output_lines, at, &mut context)) else {
            at += 1;
            continue;
        };
        at = parsed.next.max(at + 1);
        let Some(problem) = parsed.diagnostic.map(|found| tidy(found, paths)) else { continue };
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
fn is_same(known: &Diagnostic, other: &Diagnostic) -> bool {
    known.file == other.file
        && known.line == other.line
        && known.severity == other.severity
        && known.message == other.message
        && (known.test == other.test || known.file.is_some())
}

fn tidy(problem: Diagnostic, paths: &PathResolver<'_>) -> Diagnostic {
    let message = paths.shorten(problem.message.trim());
    Diagnostic { message: cut(&message, LONGEST_MESSAGE), ..problem }
}

type Parser = fn(&OutputLines<'_>, usize, &mut ParseContext) -> Option<Parsed>;

fn parsers(toolchain: Toolchain) -> Vec<Parser> {
    let mut parsers: Vec<Parser> = vec![
        make::parse,
        rust::parse,
        pytest::parse,
        traceback::parse,
        runners::parse,
        script::parse,
        go::parse,
        jvm::parse,
        compiler::parse,
        shell::parse,
    ];
    let first: &[Parser] = match toolchain {
        Toolchain::Python => &[pytest::parse, traceback::parse],
        Toolchain::Node => &[runners::parse, script::parse],
        Toolchain::Go => &[go::parse],
        Toolchain::Gradle | Toolchain::Maven => &[jvm::parse],
        _ => &[],
    };
    let is_first = |parser: &Parser| first.iter().any(|one| std::ptr::fn_addr_eq(*one, *parser));
    parsers.sort_by_key(|parser| !is_first(parser));
    parsers
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
