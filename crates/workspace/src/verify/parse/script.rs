//! Parses the output of JavaScript and TypeScript: tsc, eslint, bundlers and thrown errors.

use super::{Context, Page, Place, Read, Standing, place};
use crate::verify::problem::{Problem, Severity, Spot};

const ENDINGS: [&str; 10] = ["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"];

pub fn is_source(path: &str) -> bool {
    place::ends_with(path, &ENDINGS)
}

pub fn read(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    tsc(page, at, context)
        .or_else(|| eslint(page, at, context))
        .or_else(|| bundler(page, at, context))
        .or_else(|| crash(page, at, context))
        .or_else(|| traced(page, at, context))
}

/// Parses `a.ts(3,4): error TS2322: why`, and tsc's pretty format: `a.ts:3:4 - error TS2322: why`.
fn tsc(page: &Page<'_>, at: usize, context: &Context) -> Option<Read> {
    let (place, rest) = plain_place(page.line(at)).or_else(|| {
        let (place, rest) = place::leading(page.line(at))?;
        Some((place, rest.strip_prefix(" - ")?))
    })?;
    let (severity, rest) = severity(rest)?;
    let (code, message) = rest.trim_start().split_once(": ").filter(|(code, _)| code.starts_with("TS"))?;
    // The explanation is indented, and the source excerpt follows after a blank line.
    let mut end = page.end(at + 1, |line| !line.starts_with("  "));
    if page.line(end).is_empty() && page.line(end + 1).starts_with(|c: char| c.is_ascii_digit()) {
        end = page.end(end + 1, |line| line.trim().is_empty());
    }
    let problem = Problem::error(message).at(page.spot(&place, context));
    let problem = Problem { severity, code: Some(code.to_owned()), lines: page.excerpt(at, end), ..problem };
    Some(Read::problem(problem, end))
}

fn plain_place(line: &str) -> Option<(Place<'_>, &str)> {
    let (before, rest) = line.split_once("): ")?;
    let (file, numbers) = before.rsplit_once('(')?;
    let (line, column) = place::number(numbers)?;
    let (column, _) = place::number(column.strip_prefix(',')?)?;
    Some((Place { file, line, column: Some(column) }, rest))
}

fn severity(text: &str) -> Option<(Severity, &str)> {
    let error = text.strip_prefix("error").map(|rest| (Severity::Error, rest));
    error.or_else(|| text.strip_prefix("warning").map(|rest| (Severity::Warning, rest)))
}

/// Parses `  2:9  error  'unused' is never used  no-unused-vars` below the name of the file.
fn eslint(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    let line = page.line(at);
    if is_source(line) && !line.starts_with(' ') && finding(page.line(at + 1)).is_some() {
        context.file = Some(line.to_owned());
        return Some(Read::nothing(at + 1));
    }
    let (line, column, severity, said) = finding(line)?;
    let file = context.file.clone()?;
    // The rule comes last, after at least two spaces.
    let (message, code) =
        said.rsplit_once("  ").map_or((said, None), |(message, code)| (message.trim(), Some(code)));
    let spot = page.spot(&Place { file: &file, line, column: Some(column) }, context);
    let shown = page.ground.shorten(&file);
    let lines = vec![shown, page.line(at).to_owned()];
    let problem =
        Problem { severity, code: code.map(str::to_owned), lines, ..Problem::error(message).at(spot) };
    Some(Read::problem(problem, at + 1))
}

fn finding(line: &str) -> Option<(u32, u32, Severity, &str)> {
    let inner = line.strip_prefix("  ")?.trim_start();
    let (number, rest) = place::number(inner)?;
    let (column, rest) = place::number(rest.strip_prefix(':')?)?;
    let (severity, said) = severity(rest.trim_start())?;
    Some((number, column, severity, said.strip_prefix("  ")?.trim()))
}

/// Parses `╭─[ main.js:1:19 ]` below the message, and `✘ [ERROR] why` above the place.
fn bundler(page: &Page<'_>, at: usize, context: &Context) -> Option<Read> {
    let line = page.line(at);
    if line.starts_with('[') && page.line(at + 1).trim_start().starts_with("╭─[") {
        let inner =
            page.line(at + 1).trim_start().trim_start_matches("╭─[").trim().trim_end_matches(']').trim();
        let (code, message) = line[1..].split_once("] ")?;
        let spot = place::leading(inner).and_then(|(place, _)| page.spot(&place, context));
        let end = page.end(at + 2, |line| line.trim().is_empty());
        let lines = page.excerpt(at, end);
        let problem = Problem { code: Some(code.to_owned()), lines, ..Problem::error(message).at(spot) };
        return Some(Read::problem(problem, end));
    }
    let message = line.strip_prefix("✘ [ERROR] ")?;
    let end = page.end(at + 2, |line| line.trim().is_empty());
    let spot =
        page.first_spot(at + 1..end, context, |line| place::leading(line.trim()).map(|(place, _)| place));
    Some(Read::problem(Problem { lines: page.excerpt(at, end), ..Problem::error(message).at(spot) }, end))
}

/// Parses `TypeError: why`, `AssertionError [ERR_ASSERTION]: why` and `Uncaught Error: why`.
pub fn thrown(line: &str) -> Option<&str> {
    let line = line.trim();
    let name = line.strip_prefix("Uncaught ").unwrap_or(line).split(": ").next()?.trim_end_matches(':');
    let plain = name.split(" [").next().unwrap_or(name);
    let is_error = ["Error", "Exception"].iter().any(|end| plain.ends_with(end));
    (is_error && place::is_error_name(name) && line.len() > name.len()).then_some(line)
}

fn frame(line: &str) -> Option<Place<'_>> {
    line.trim_start().strip_prefix("at ").and_then(place::of_frame).filter(|place| is_source(place.file))
}

/// Parses `/project/a.js:2`, the source line, a caret, a blank line and the thrown error. A syntax error has no other
/// place.
fn crash(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    let (place, rest) = place::leading(page.line(at))?;
    if !rest.is_empty() || place.column.is_some() || !is_source(place.file) {
        return None;
    }
    let error = (at + 2..at + 7).find(|at| thrown(page.line(*at)).is_some())?;
    let spot = page.spot(&place, context);
    let read = traced(page, error, context)?;
    let next = read.next;
    let mut problem = read.problem?;
    problem.lines = page.excerpt(at, next);
    // The trace has the column as well, so its place is preferred.
    let problem = if problem.file.is_some() { problem } else { problem.at(spot) };
    Some(Read::problem(problem, next))
}

fn traced(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    let line = thrown(page.line(at))?;
    let is_frame = |line: &str| line.trim_start().starts_with("at ");
    let first =
        (at + 1..at + 30).take_while(|at| *at < page.lines.len()).find(|at| is_frame(page.line(*at)))?;
    let end = page.end(first, |line| !is_frame(line));
    let spot: Option<Spot> = page.first_spot(first..end, context, frame);
    // A Java trace also has frames, but with other file types and no columns.
    let is_script = (first..end).any(|at| {
        frame(page.line(at)).is_some()
            || page.line(at).contains("node:")
            || page.line(at).contains("<anonymous>")
    });
    is_script.then_some(())?;
    let said: Vec<&str> =
        (at + 1..first).map(|at| page.line(at).trim()).filter(|line| !line.is_empty()).take(4).collect();
    let message = if said.is_empty() { line.to_owned() } else { format!("{line}\n{}", said.join("\n")) };
    let test = context.test.take();
    let standing = if test.is_some() { Standing::Cause } else { Standing::Trace };
    let problem = Problem::error(message).at(spot).test(test).standing(standing);
    Some(Read::problem(Problem { lines: page.excerpt(at, end), ..problem }, end))
}
