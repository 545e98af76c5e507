//! Parses the output of JavaScript test runners: vitest, jest, mocha and node.

use super::location::{self, PrintedLocation};
use super::output_lines::{OutputLines, ParseContext, Parsed};
use super::script::{is_source, thrown};
use crate::diagnostic::{Diagnostic, SourceLocation};

pub fn parse(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    if let Some(name) = vitest_header(line) {
        return Some(vitest(output, at, name, context));
    }
    // Console output of tests and warnings about the settings have the same mark.
    let is_failure = |name: &&str| *name != "Console" && !name.ends_with("Warning:");
    if let Some(name) = line.strip_prefix("  ● ").filter(is_failure) {
        return jest(output, at, name, context);
    }
    let inner = line.trim_start();
    if let Some(rest) = inner.strip_prefix("not ok ") {
        return tap(output, at, rest, context);
    }
    // `✖ adds (1.9ms)`, and `1) adds`
    if let Some(name) = inner.strip_prefix("✖ ") {
        let name = name.rsplit_once(" (").map_or(name, |(name, _)| name);
        context.test = (!name.ends_with(':')).then(|| name.to_owned());
        return Some(Parsed::nothing(at + 1));
    }
    mocha(output, at, context)
}

/// Parses ` FAIL  test/sum.test.js > sums > adds`.
fn vitest_header(line: &str) -> Option<&str> {
    let name = line.trim_start().strip_prefix("FAIL ")?.trim();
    (name.contains(" > ") || name.contains(" [ ")).then_some(name)
}

fn vitest(output: &OutputLines<'_>, at: usize, name: &str, context: &ParseContext) -> Parsed {
    let first = output.end(at + 1, |line| !line.trim().is_empty() && vitest_header(line).is_none());
    let end = output
        .section_end(first, |line| line.trim_start().starts_with("⎯⎯⎯") || vitest_header(line).is_some());
    // ` ❯ deep src/sum.js:5:22`
    let frame = |line| str::trim_start(line).strip_prefix("❯ ").and_then(location::of_frame);
    let location = output.first_location(first..end, context, frame);
    let problem = Diagnostic::error(output.line(first)).at(location).test(short_name(name));
    Parsed::diagnostic(Diagnostic { lines: output.excerpt(first, end), ..problem }, end)
}

/// Returns the name of a test without its file, or `None` if the whole file failed.
fn short_name(name: &str) -> Option<String> {
    name.split_once(" > ").map(|(_, test)| test.to_owned())
}

fn jest(output: &OutputLines<'_>, at: usize, name: &str, context: &ParseContext) -> Option<Parsed> {
    let is_next = |line: &str| {
        ["  ● ", "FAIL ", "PASS ", "Test Suites:", "Summary of all failing tests"]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let end = output.section_end(at + 1, is_next);
    let said = |at: &usize| !output.line(*at).trim().is_empty();
    let first = (at + 1..end).find(said)?;
    // Jest prints general advice before the actual error.
    let details = (first..end).find(|at| output.line(*at).trim() == "Details:");
    let first = details.and_then(|details| (details + 1..end).find(said)).unwrap_or(first);
    let values = (first + 1..end).map(|at| output.line(at).trim());
    let values = values.filter(|line| line.starts_with("Expected") || line.starts_with("Received")).take(2);
    let mut message = output.line(first).trim().to_owned();
    for value in values {
        message = format!("{message}\n{value}");
    }
    let frame = |line| str::trim_start(line).strip_prefix("at ").and_then(location::of_frame);
    let location =
        in_message(output, &message, context).or_else(|| output.first_location(first..end, context, frame));
    let test = (name != "Test suite failed to run").then(|| name.replace(" › ", " > "));
    let problem = Diagnostic::error(message).at(location).test(test);
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(first, end), ..problem }, end))
}

/// Parses the place in `SyntaxError: /project/a.js: Unexpected token (1:10)`.
fn in_message(output: &OutputLines<'_>, message: &str, context: &ParseContext) -> Option<SourceLocation> {
    let (_, rest) = message.lines().next()?.split_once("Error: ")?;
    let (file, rest) = rest.split_once(": ")?;
    let (line, rest) = location::number(rest.rsplit_once(" (")?.1)?;
    let (column, _) = location::number(rest.strip_prefix(':')?)?;
    output.locate(&PrintedLocation { file, line, column: Some(column) }, context)
}

/// Parses `not ok 1 - adds` with the details between `---` and `...`.
fn tap(output: &OutputLines<'_>, at: usize, rest: &str, context: &ParseContext) -> Option<Parsed> {
    let name = rest.split_once(" - ").map_or(rest, |(_, name)| name);
    if output.line(at + 1).trim() != "---" {
        return None;
    }
    let end = output.section_end(at + 2, |line| line.trim() == "...");
    let value = |key: &str| {
        let found =
            (at + 2..end).find_map(|at| Some((at, output.line(at).trim_start().strip_prefix(key)?.trim())));
        found.map(|(at, value)| match value {
            // The text follows in the next lines.
            "|-" | "|" => {
                let depth = output.line(at).len() - output.line(at).trim_start().len();
                let inner =
                    |line: &&str| line.trim().is_empty() || line.len() - line.trim_start().len() > depth;
                let lines = (at + 1..end).map(|at| output.line(at)).take_while(inner).map(str::trim);
                lines.filter(|line| !line.is_empty()).take(4).collect::<Vec<_>>().join("\n")
            }
            value => value.trim_matches(['\'', '"']).to_owned(),
        })
    };
    if value("failureType:").as_deref() == Some("subtestsFailed") {
        return Some(Parsed::nothing(end + 1));
    }
    let stack = (at + 2..end).find(|at| output.line(*at).trim_start().starts_with("stack:"));
    let in_stack = stack.and_then(|stack| output.first_location(stack + 1..end, context, location::of_frame));
    let location = in_stack.or_else(|| {
        let location = value("location:")?;
        let (place, _) = location::leading(&location)?;
        output.locate(&place, context)
    });
    let message = value("error:").unwrap_or_else(|| "it failed".to_owned());
    let problem = Diagnostic::error(message).at(location).test(Some(name.to_owned()));
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, end), ..problem }, end + 1))
}

/// Parses `  1) sums`, `       adds:` and the thrown error after them.
fn mocha(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let (_, rest) = output.line(at).strip_prefix("  ")?.split_once(") ").filter(|(number, _)| {
        !number.is_empty() && number.len() < 6 && number.bytes().all(|byte| byte.is_ascii_digit())
    })?;
    let titles_end =
        output.end(at + 1, |line| line.trim().is_empty() || line.trim_end().ends_with(':')).min(at + 8);
    let last = output.line(titles_end).trim();
    let mut titles: Vec<&str> = vec![rest.trim_end_matches(':')];
    titles.extend(
        (at + 1..=titles_end)
            .map(|at| output.line(at).trim().trim_end_matches(':'))
            .filter(|line| !line.is_empty()),
    );
    let error = (titles_end..titles_end + 4).find(|at| thrown(output.line(*at)).is_some())?;
    last.ends_with(':').then_some(())?;
    let end = output.section_end(error + 1, |line| {
        let inner = line.trim_start();
        inner
            .split_once(") ")
            .is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
    });
    let frame = |line| {
        str::trim_start(line)
            .strip_prefix("at ")
            .and_then(location::of_frame)
            .filter(|place| is_source(place.file))
    };
    let location = output.first_location(error..end, context, frame);
    let more = (error + 1..end).map(|at| output.line(at).trim()).filter(|line| !line.is_empty());
    let more = more.take_while(|line| !line.starts_with("at ") && !line.starts_with("+ expected")).take(3);
    let mut message = output.line(error).trim().to_owned();
    for line in more {
        message = format!("{message}\n{line}");
    }
    let problem = Diagnostic::error(message).at(location).test(Some(titles.join(" > ")));
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(error, end), ..problem }, end))
}
