//! Parses the output of make and cmake: their folders and their own errors.

use super::{Context, Page, Place, Read, Standing, place};
use crate::verify::problem::Problem;

/// The maximum nesting depth of folders.
const DEEPEST: usize = 64;

pub fn read(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    let line = page.line(at);
    if let Some(folder) = quoted(line, ": Entering directory ") {
        if context.folders.len() < DEEPEST {
            context.folders.push(folder.to_owned());
        }
        return Some(Read::nothing(at + 1));
    }
    if quoted(line, ": Leaving directory ").is_some() {
        context.folders.pop();
        return Some(Read::nothing(at + 1));
    }
    stopped(page, at, context).or_else(|| cmake(page, at, context)).or_else(|| ctest(page, at, context))
}

fn quoted<'a>(line: &'a str, words: &str) -> Option<&'a str> {
    let (program, folder) = line.split_once(words)?;
    let is_make =
        program.trim_end_matches(|c: char| c.is_ascii_digit() || "[]".contains(c)).ends_with("make");
    is_make.then(|| folder.trim_matches(['\'', '`', '"']))
}

/// Parses `make: *** [Makefile:2: all] Error 1` and `Makefile:2: *** missing separator.  Stop.`.
fn stopped(page: &Page<'_>, at: usize, context: &Context) -> Option<Read> {
    let (before, message) = page.line(at).split_once(" *** ")?;
    let before = before.strip_suffix(':')?;
    let message = message.trim().trim_end_matches("Stop.").trim_end();
    let lines = page.excerpt(at, at + 1);
    if let Some((place, rest)) = place::leading(before).filter(|(_, rest)| rest.is_empty()) {
        let problem = Problem::error(message).at(page.spot(&place, context));
        return Some(Read::problem(Problem { lines, ..problem }, at + 1)).filter(|_| rest.is_empty());
    }
    let program = before.trim_end_matches(|c: char| c.is_ascii_digit() || "[]".contains(c));
    if !program.ends_with("make") {
        return None;
    }
    // A missing rule is a cause; a failed command is a consequence.
    let Some(inner) = message.strip_prefix('[') else {
        return Some(Read::problem(Problem { lines, ..Problem::error(message) }, at + 1));
    };
    let (target, rest) = inner.split_once(']').unwrap_or((inner, ""));
    let named = place::leading(target);
    let spot = named.and_then(|(place, _)| page.spot(&place, context));
    let target = named.map_or(target, |(_, target)| target).trim();
    let message = format!("make could not make {target}:{rest}");
    let problem = Problem::error(message).at(spot).standing(Standing::Consequence);
    // The failed command is in the lines just before.
    Some(Read::problem(Problem { lines: page.excerpt(at.saturating_sub(3), at + 1), ..problem }, at + 1))
}

/// Parses `CMake Error at CMakeLists.txt:6 (find_package):` with the indented reason.
fn cmake(page: &Page<'_>, at: usize, context: &Context) -> Option<Read> {
    let line = page.line(at);
    let rest = line.strip_prefix("CMake Error")?;
    let end = page.end(at + 1, |line| !line.starts_with("  ") && !line.is_empty());
    let lines = page.excerpt(at, end);
    if let Some(message) = rest.strip_prefix(": ") {
        return Some(Read::problem(Problem { lines, ..Problem::error(message) }, end));
    }
    let named = rest.split_once(" at ").and_then(|(_, named)| place::leading(named));
    let spot = named.and_then(|(place, _)| page.spot(&Place { column: None, ..place }, context));
    let said = (at + 1..end).map(|at| page.line(at).trim()).skip_while(|line| line.is_empty());
    let said: Vec<&str> = said.take_while(|line| !line.is_empty()).collect();
    Some(Read::problem(Problem { lines, ..Problem::error(said.join(" ")).at(spot) }, end))
}

/// Parses `1 - sums_are_right (Failed)` in the list at the end.
fn ctest(page: &Page<'_>, at: usize, _: &Context) -> Option<Read> {
    if page.line(at) != "The following tests FAILED:" {
        return None;
    }
    let (_, named) = page.line(at + 1).split_once(" - ")?;
    let (name, why) = named.rsplit_once(" (")?;
    let why = why.split(')').next().unwrap_or(why);
    let end = page.end(at + 1, |line| !line.starts_with('\t'));
    let problem = Problem::error(why).test(Some(name.trim().to_owned())).standing(Standing::Consequence);
    Some(Read::problem(Problem { lines: page.excerpt(at, end), ..problem }, end))
}
