//! Parses the output of pytest: a section for each failed test, in any of its styles.

use super::location::{self, PrintedLocation};
use super::output_lines::{OutputLines, ParseContext, Parsed};
use crate::diagnostic::{Diagnostic, SourceLocation};

pub fn parse(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    if let Some(name) = header(line) {
        return Some(part(output, at, Some(name), context));
    }
    if line.starts_with("ImportError while loading conftest ") {
        return Some(part(output, at, None, context));
    }
    if is_ruler(line) {
        context.test = None;
    }
    one_line(output, at, context).or_else(|| summary(output, at, context))
}

/// Parses `_____ test_adds _____`, with an optional prefix for errors in setup and teardown.
fn header(line: &str) -> Option<&str> {
    let name = line.strip_prefix('_')?.strip_suffix('_')?.trim_matches('_');
    let name = name.strip_prefix(' ')?.strip_suffix(' ')?;
    // The separator between two frames consists of underscores and spaces.
    let is_name = name.chars().any(|c| c != '_' && c != ' ') && line.len() > 20;
    let prefixes = ["ERROR at setup of ", "ERROR at teardown of "];
    is_name.then(|| prefixes.iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name))
}

/// Returns true for a ruler such as `=== FAILURES ===`.
fn is_ruler(line: &str) -> bool {
    line.len() > 20 && line.starts_with("===") && line.ends_with('=')
}

fn is_captured(line: &str) -> bool {
    line.starts_with("-----") && line.contains(" Captured ")
}

/// Parses `E   AssertionError: two and three`.
fn verdict(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('E')?;
    (rest.is_empty() || rest.starts_with("   ")).then_some(rest)
}

/// Parses `FAILED tests/test_a.py::test_adds - AssertionError: two and three`, which is the only output in short
/// styles.
fn summary(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    let rest = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "))?;
    let (name, message) = rest.split_once(" - ").unwrap_or((rest, "it failed"));
    let (file, name) = name.split_once("::")?;
    let file = output.paths.resolve(file, context.folder()).filter(|_| !context.is_reported)?;
    let problem =
        Diagnostic { file: Some(file), lines: output.excerpt(at, at + 1), ..Diagnostic::error(message) };
    Some(Parsed::diagnostic(problem.test(Some(name.to_owned())), at + 1))
}

fn part(output: &OutputLines<'_>, at: usize, name: Option<&str>, context: &mut ParseContext) -> Parsed {
    let end =
        output.section_end(at + 1, |line| header(line).is_some() || is_ruler(line) || is_captured(line));
    // A collection error does not belong to a single test.
    let test = name.filter(|name| !name.starts_with("ERROR collecting ")).map(str::to_owned);
    let Some(first) = (at + 1..end).find(|at| verdict(output.line(*at)).is_some()) else {
        // In Python's own style, the following trace belongs to this test.
        context.test = test;
        return Parsed::nothing(at + 1);
    };
    context.is_reported = true;
    let said: Vec<&str> = (first..end).map_while(|at| verdict(output.line(at))).map(str::trim).collect();
    // A syntax error has its place before its name.
    let named = said.iter().position(|line| line.split(':').next().is_some_and(location::is_error_name));
    let named =
        if said.first().is_some_and(|line| line.starts_with("File \"")) { named.unwrap_or(0) } else { 0 };
    let message: Vec<&str> = said[named..].iter().copied().filter(|line| !line.is_empty()).take(4).collect();
    let location = locations(output, at + 1..end, context).last();
    // The failed statement precedes the error.
    let from = (at + 1..first)
        .rev()
        .take(8)
        .find(|at| output.line(*at).starts_with('>') || frame(output.line(*at)).is_some())
        .unwrap_or(first);
    let problem = Diagnostic::error(message.join("\n")).at(location).test(test);
    Parsed::diagnostic(Diagnostic { lines: output.excerpt(from, end), ..problem }, end)
}

/// Returns the frames in the project, the innermost last.
fn locations<'t>(
    output: &'t OutputLines<'_>,
    range: std::ops::Range<usize>,
    context: &'t ParseContext,
) -> impl Iterator<Item = SourceLocation> + 't {
    range.filter_map(|at| {
        let line = output.line(at);
        let place = frame(line).or_else(|| super::traceback::frame(verdict(line).unwrap_or(line)))?;
        output.locate(&place, context)
    })
}

/// Parses `tests/test_a.py:7: AssertionError`, `shop/prices.py:2: in total` and `tests/test_a.py:11: `.
fn frame(line: &str) -> Option<PrintedLocation<'_>> {
    let (place, rest) = location::leading(line)?;
    let rest = rest.trim();
    let is_frame = rest.is_empty() || rest.starts_with("in ") || location::is_error_name(rest);
    (is_frame && place.column.is_none() && location::ends_with(place.file, &["py", "pyx"])).then_some(place)
}

/// Parses `/project/tests/test_a.py:7: AssertionError: two and three`, the one-line style.
fn one_line(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let (place, rest) = location::leading(output.line(at))?;
    let rest = rest.trim();
    let is_error = rest.split_once(": ").map_or(rest, |(name, _)| name);
    if !location::is_error_name(is_error)
        || !location::ends_with(place.file, &["py"])
        || is_error.ends_with("Warning")
    {
        return None;
    }
    let location = output.locate(&place, context)?;
    context.is_reported = true;
    let problem = Diagnostic::error(rest).at(Some(location));
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, at + 1), ..problem }, at + 1))
}
