//! Parses the output of Go: its compiler, tests and panics.

use super::location::{self, PrintedLocation};
use super::output_lines::{LONGEST_SECTION, OutputLines, ParseContext, Parsed};
use crate::diagnostic::{Diagnostic, SourceLocation};
use crate::paths::join;

pub fn parse(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    if let Some(name) = failed(line) {
        return Some(test(output, at, name, context));
    }
    for start in ["panic: ", "fatal error: "] {
        if let Some(message) = line.strip_prefix(start) {
            return panicked(output, at, start, message, context);
        }
    }
    compiled(output, at, context)
}

fn is_go(path: &str) -> bool {
    location::ends_with(path, &["go"])
}

/// Parses `./main.go:5:2: "os" imported and not used`.
fn compiled(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    let (place, message) = location::leading(line.strip_prefix("vet: ").unwrap_or(line))?;
    if line.starts_with([' ', '\t']) || !is_go(place.file) || message.trim().is_empty() {
        return None;
    }
    let end = output.end(at + 1, |line| !line.starts_with('\t'));
    let problem = Diagnostic::error(message).at(output.locate(&place, context));
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, end), ..problem }, end))
}

fn failed(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("--- FAIL: ").map(|name| name.split(" (").next().unwrap_or(name))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Parses the output of a failed test up to the next one. A test with only failed subtests has no output of its own.
fn test(output: &OutputLines<'_>, at: usize, name: &str, context: &mut ParseContext) -> Parsed {
    let depth = indent(output.line(at));
    let is_over = |line: &str| {
        !line.trim().is_empty()
            && (indent(line) <= depth || line.trim_start().starts_with("--- ") || line.starts_with("FAIL"))
    };
    let end = output.section_end(at + 1, is_over);
    context.test = Some(name.to_owned());
    let log = |at: usize| {
        let (place, said) = location::leading(output.line(at).trim_start())?;
        is_go(place.file).then_some((at, place, said))
    };
    let Some((first, place, said)) = (at + 1..end).find_map(log) else { return Parsed::nothing(at + 1) };
    let mut message = said.trim().to_owned();
    if message.is_empty() {
        message = explained(output, first + 1, end);
    }
    let problem = Diagnostic::error(message)
        .at(location_of_test(output, at, &place, context))
        .test(Some(name.to_owned()));
    Parsed::diagnostic(Diagnostic { lines: output.excerpt(first, end), ..problem }, end)
}

/// Parses `Error: Not equal: ` with the values in the next lines.
fn explained(output: &OutputLines<'_>, from: usize, end: usize) -> String {
    let lines = || (from..end).map(|at| output.line(at).trim());
    let error = lines().position(|line| line.starts_with("Error:"));
    let said = lines().skip(error.unwrap_or(0)).filter(|line| !line.is_empty()).take(if error.is_some() {
        3
    } else {
        1
    });
    let said: Vec<String> = said.map(|line| line.trim_start_matches("Error:").trim().to_owned()).collect();
    said.join("\n")
}

/// Finds the file of a test. Go prints its name without the folder, and the package only after all of its tests.
fn location_of_test(
    output: &OutputLines<'_>,
    at: usize,
    place: &PrintedLocation<'_>,
    context: &ParseContext,
) -> Option<SourceLocation> {
    if place.file.contains('/') {
        return output.locate(place, context);
    }
    let ahead = at + 1..output.lines.len().min(at + LONGEST_SECTION);
    let package = ahead.map(|at| output.line(at)).find_map(|line| line.strip_prefix("FAIL\t"));
    let package = package.and_then(|rest| rest.split(['\t', ' ']).next()).unwrap_or_default();
    let manifest = output.paths.text("go.mod").unwrap_or_default();
    let module = manifest.lines().find_map(|line| line.strip_prefix("module ")).map(str::trim);
    let folder = match module.and_then(|module| package.strip_prefix(module)) {
        Some(rest) => rest.trim_start_matches('/').to_owned(),
        // Without the module name, the longest suffix of the package name that is a folder here.
        None => package
            .match_indices('/')
            .map(|(slash, _)| &package[slash + 1..])
            .find(|end| {
                let path = output.paths.resolve(&join(end, place.file), None);
                path.is_some_and(|path| output.paths.has(&path) == Some(true))
            })
            .unwrap_or_default()
            .to_owned(),
    };
    output.locate(&PrintedLocation { file: &join(&folder, place.file), ..*place }, context)
}

fn panicked(
    output: &OutputLines<'_>,
    at: usize,
    start: &str,
    message: &str,
    context: &mut ParseContext,
) -> Option<Parsed> {
    output.find(at + 1, |line| line.starts_with("goroutine "))?;
    let end = output.section_end(at + 1, |line| line.starts_with("FAIL") || line.starts_with("exit status "));
    // `	/project/main.go:5 +0x28`
    let frame = |line| {
        let (place, _) = location::leading(str::trim(str::strip_prefix(line, '\t')?))?;
        is_go(place.file).then_some(place)
    };
    let location = output.first_location(at + 1..end, context, frame);
    let test = context.test.take();
    let significance = ParseContext::trace(test.as_ref());
    let message = message.split(" [recovered").next().unwrap_or(message);
    let problem =
        Diagnostic::error(format!("{start}{message}")).at(location).test(test).significance(significance);
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, end), ..problem }, end))
}
