//! Parses the output of pytest: a section for each failed test, in any of its styles.

use super::{Context, Page, Place, Read, place};
use crate::verify::problem::{Problem, Spot};

pub fn read(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    let line = page.line(at);
    if let Some(name) = header(line) {
        return Some(part(page, at, Some(name), context));
    }
    if line.starts_with("ImportError while loading conftest ") {
        return Some(part(page, at, None, context));
    }
    if is_ruler(line) {
        context.test = None;
    }
    one_line(page, at, context).or_else(|| summary(page, at, context))
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
fn summary(page: &Page<'_>, at: usize, context: &Context) -> Option<Read> {
    let line = page.line(at);
    let rest = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "))?;
    let (name, message) = rest.split_once(" - ").unwrap_or((rest, "it failed"));
    let (file, name) = name.split_once("::")?;
    let file = page.ground.resolve(file, context.folder()).filter(|_| !context.is_told)?;
    let problem = Problem { file: Some(file), lines: page.excerpt(at, at + 1), ..Problem::error(message) };
    Some(Read::problem(problem.test(Some(name.to_owned())), at + 1))
}

fn part(page: &Page<'_>, at: usize, name: Option<&str>, context: &mut Context) -> Read {
    let end = page.part_end(at + 1, |line| header(line).is_some() || is_ruler(line) || is_captured(line));
    // A collection error does not belong to a single test.
    let test = name.filter(|name| !name.starts_with("ERROR collecting ")).map(str::to_owned);
    let Some(first) = (at + 1..end).find(|at| verdict(page.line(*at)).is_some()) else {
        // In Python's own style, the following trace belongs to this test.
        context.test = test;
        return Read::nothing(at + 1);
    };
    context.is_told = true;
    let said: Vec<&str> = (first..end).map_while(|at| verdict(page.line(at))).map(str::trim).collect();
    // A syntax error has its place before its name.
    let named = said.iter().position(|line| line.split(':').next().is_some_and(place::is_error_name));
    let named =
        if said.first().is_some_and(|line| line.starts_with("File \"")) { named.unwrap_or(0) } else { 0 };
    let message: Vec<&str> = said[named..].iter().copied().filter(|line| !line.is_empty()).take(4).collect();
    let spot = spots(page, at + 1..end, context).last();
    // The failed statement precedes the error.
    let from = (at + 1..first)
        .rev()
        .take(8)
        .find(|at| page.line(*at).starts_with('>') || frame(page.line(*at)).is_some())
        .unwrap_or(first);
    let problem = Problem::error(message.join("\n")).at(spot).test(test);
    Read::problem(Problem { lines: page.excerpt(from, end), ..problem }, end)
}

/// Returns the frames in the project, the innermost last.
fn spots<'t>(
    page: &'t Page<'_>,
    range: std::ops::Range<usize>,
    context: &'t Context,
) -> impl Iterator<Item = Spot> + 't {
    range.filter_map(|at| {
        let line = page.line(at);
        let place = frame(line).or_else(|| super::traceback::frame(verdict(line).unwrap_or(line)))?;
        page.spot(&place, context)
    })
}

/// Parses `tests/test_a.py:7: AssertionError`, `shop/prices.py:2: in total` and `tests/test_a.py:11: `.
fn frame(line: &str) -> Option<Place<'_>> {
    let (place, rest) = place::leading(line)?;
    let rest = rest.trim();
    let is_frame = rest.is_empty() || rest.starts_with("in ") || place::is_error_name(rest);
    (is_frame && place.column.is_none() && place::ends_with(place.file, &["py", "pyx"])).then_some(place)
}

/// Parses `/project/tests/test_a.py:7: AssertionError: two and three`, the one-line style.
fn one_line(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    let (place, rest) = place::leading(page.line(at))?;
    let rest = rest.trim();
    let is_error = rest.split_once(": ").map_or(rest, |(name, _)| name);
    if !place::is_error_name(is_error)
        || !place::ends_with(place.file, &["py"])
        || is_error.ends_with("Warning")
    {
        return None;
    }
    let spot = page.spot(&place, context)?;
    context.is_told = true;
    let problem = Problem::error(rest).at(Some(spot));
    Some(Read::problem(Problem { lines: page.excerpt(at, at + 1), ..problem }, at + 1))
}
