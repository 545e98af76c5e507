//! Parses the output of JavaScript and TypeScript: tsc, eslint, bundlers and thrown errors.

use super::location::{self, PrintedLocation};
use super::output_lines::{OutputLines, ParseContext, Parsed};
use crate::diagnostic::{Diagnostic, Severity, Significance, SourceLocation};

const ENDINGS: [&str; 10] = ["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"];

pub fn is_source(path: &str) -> bool {
    location::ends_with(path, &ENDINGS)
}

pub fn parse(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    tsc(output, at, context)
        .or_else(|| eslint(output, at, context))
        .or_else(|| bundler(output, at, context))
        .or_else(|| crash(output, at, context))
        .or_else(|| traced(output, at, context))
}

/// Parses `a.ts(3,4): error TS2322: why`, and tsc's pretty format: `a.ts:3:4 - error TS2322: why`.
fn tsc(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let (place, rest) = plain_place(output.line(at)).or_else(|| {
        let (place, rest) = location::leading(output.line(at))?;
        Some((place, rest.strip_prefix(" - ")?))
    })?;
    let (severity, rest) = severity(rest)?;
    let (code, message) = rest.trim_start().split_once(": ").filter(|(code, _)| code.starts_with("TS"))?;
    // The explanation is indented, and the source excerpt follows after a blank line.
    let mut end = output.end(at + 1, |line| !line.starts_with("  "));
    if output.line(end).is_empty() && output.line(end + 1).starts_with(|c: char| c.is_ascii_digit()) {
        end = output.end(end + 1, |line| line.trim().is_empty());
    }
    let problem = Diagnostic::error(message).at(output.locate(&place, context));
    let problem =
        Diagnostic { severity, code: Some(code.to_owned()), lines: output.excerpt(at, end), ..problem };
    Some(Parsed::diagnostic(problem, end))
}

fn plain_place(line: &str) -> Option<(PrintedLocation<'_>, &str)> {
    let (before, rest) = line.split_once("): ")?;
    let (file, numbers) = before.rsplit_once('(')?;
    let (line, column) = location::number(numbers)?;
    let (column, _) = location::number(column.strip_prefix(',')?)?;
    Some((PrintedLocation { file, line, column: Some(column) }, rest))
}

fn severity(text: &str) -> Option<(Severity, &str)> {
    let error = text.strip_prefix("error").map(|rest| (Severity::Error, rest));
    error.or_else(|| text.strip_prefix("warning").map(|rest| (Severity::Warning, rest)))
}

/// Parses `  2:9  error  'unused' is never used  no-unused-vars` below the name of the file.
fn eslint(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    if is_source(line) && !line.starts_with(' ') && finding(output.line(at + 1)).is_some() {
        context.file = Some(line.to_owned());
        return Some(Parsed::nothing(at + 1));
    }
    let (line, column, severity, said) = finding(line)?;
    let file = context.file.clone()?;
    // The rule comes last, after at least two spaces.
    let (message, code) =
        said.rsplit_once("  ").map_or((said, None), |(message, code)| (message.trim(), Some(code)));
    let location = output.locate(&PrintedLocation { file: &file, line, column: Some(column) }, context);
    let shown = output.paths.shorten(&file);
    let lines = vec![shown, output.line(at).to_owned()];
    let problem = Diagnostic {
        severity,
        code: code.map(str::to_owned),
        lines,
        ..Diagnostic::error(message).at(location)
    };
    Some(Parsed::diagnostic(problem, at + 1))
}

fn finding(line: &str) -> Option<(u32, u32, Severity, &str)> {
    let inner = line.strip_prefix("  ")?.trim_start();
    let (number, rest) = location::number(inner)?;
    let (column, rest) = location::number(rest.strip_prefix(':')?)?;
    let (severity, said) = severity(rest.trim_start())?;
    Some((number, column, severity, said.strip_prefix("  ")?.trim()))
}

/// Parses `╭─[ main.js:1:19 ]` below the message, and `✘ [ERROR] why` above the place.
fn bundler(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    if line.starts_with('[') && output.line(at + 1).trim_start().starts_with("╭─[") {
        let inner =
            output.line(at + 1).trim_start().trim_start_matches("╭─[").trim().trim_end_matches(']').trim();
        let (code, message) = line[1..].split_once("] ")?;
        let location = location::leading(inner).and_then(|(place, _)| output.locate(&place, context));
        let end = output.end(at + 2, |line| line.trim().is_empty());
        let lines = output.excerpt(at, end);
        let problem =
            Diagnostic { code: Some(code.to_owned()), lines, ..Diagnostic::error(message).at(location) };
        return Some(Parsed::diagnostic(problem, end));
    }
    let message = line.strip_prefix("✘ [ERROR] ")?;
    let end = output.end(at + 2, |line| line.trim().is_empty());
    let location = output
        .first_location(at + 1..end, context, |line| location::leading(line.trim()).map(|(place, _)| place));
    Some(Parsed::diagnostic(
        Diagnostic { lines: output.excerpt(at, end), ..Diagnostic::error(message).at(location) },
        end,
    ))
}

/// Parses `TypeError: why`, `AssertionError [ERR_ASSERTION]: why` and `Uncaught Error: why`.
pub fn thrown(line: &str) -> Option<&str> {
    let line = line.trim();
    let name = line.strip_prefix("Uncaught ").unwrap_or(line).split(": ").next()?.trim_end_matches(':');
    let plain = name.split(" [").next().unwrap_or(name);
    let is_error = ["Error", "Exception"].iter().any(|end| plain.ends_with(end));
    (is_error && location::is_error_name(name) && line.len() > name.len()).then_some(line)
}

fn frame(line: &str) -> Option<PrintedLocation<'_>> {
    line.trim_start().strip_prefix("at ").and_then(location::of_frame).filter(|place| is_source(place.file))
}

/// Parses `/project/a.js:2`, the source line, a caret, a blank line and the thrown error. A syntax error has no other
/// place.
fn crash(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let (place, rest) = location::leading(output.line(at))?;
    if !rest.is_empty() || place.column.is_some() || !is_source(place.file) {
        return None;
    }
    let error = (at + 2..at + 7).find(|at| thrown(output.line(*at)).is_some())?;
    let location = output.locate(&place, context);
    let parsed = traced(output, error, context)?;
    let next = parsed.next;
    let mut problem = parsed.diagnostic?;
    problem.lines = output.excerpt(at, next);
    // The trace has the column as well, so its place is preferred.
    let problem = if problem.file.is_some() { problem } else { problem.at(location) };
    Some(Parsed::diagnostic(problem, next))
}

fn traced(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let line = thrown(output.line(at))?;
    let is_frame = |line: &str| line.trim_start().starts_with("at ");
    let first =
        (at + 1..at + 30).take_while(|at| *at < output.lines.len()).find(|at| is_frame(output.line(*at)))?;
    let end = output.end(first, |line| !is_frame(line));
    let location: Option<SourceLocation> = output.first_location(first..end, context, frame);
    // A Java trace also has frames, but with other file types and no columns.
    let is_script = (first..end).any(|at| {
        frame(output.line(at)).is_some()
            || output.line(at).contains("node:")
            || output.line(at).contains("<anonymous>")
    });
    is_script.then_some(())?;
    let said: Vec<&str> =
        (at + 1..first).map(|at| output.line(at).trim()).filter(|line| !line.is_empty()).take(4).collect();
    let message = if said.is_empty() { line.to_owned() } else { format!("{line}\n{}", said.join("\n")) };
    let test = context.test.take();
    let significance = if test.is_some() { Significance::Cause } else { Significance::Trace };
    let problem = Diagnostic::error(message).at(location).test(test).significance(significance);
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, end), ..problem }, end))
}
