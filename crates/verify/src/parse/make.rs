//! Parses the output of make and cmake: their folders and their own errors.

use super::location::{self, PrintedLocation};
use super::output_lines::{OutputLines, ParseContext, Parsed};
use crate::diagnostic::{Diagnostic, Significance};

/// The maximum nesting depth of folders.
const DEEPEST: usize = 64;

pub fn parse(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    if let Some(folder) = quoted(line, ": Entering directory ") {
        if context.folders.len() < DEEPEST {
            context.folders.push(folder.to_owned());
        }
        return Some(Parsed::nothing(at + 1));
    }
    if quoted(line, ": Leaving directory ").is_some() {
        context.folders.pop();
        return Some(Parsed::nothing(at + 1));
    }
    stopped(output, at, context).or_else(|| cmake(output, at, context)).or_else(|| ctest(output, at, context))
}

fn quoted<'a>(line: &'a str, words: &str) -> Option<&'a str> {
    let (program, folder) = line.split_once(words)?;
    let is_make =
        program.trim_end_matches(|c: char| c.is_ascii_digit() || "[]".contains(c)).ends_with("make");
    is_make.then(|| folder.trim_matches(['\'', '`', '"']))
}

/// Parses `make: *** [Makefile:2: all] Error 1` and `Makefile:2: *** missing separator.  Stop.`.
fn stopped(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let (before, message) = output.line(at).split_once(" *** ")?;
    let before = before.strip_suffix(':')?;
    let message = message.trim().trim_end_matches("Stop.").trim_end();
    let lines = output.excerpt(at, at + 1);
    if let Some((place, rest)) = location::leading(before).filter(|(_, rest)| rest.is_empty()) {
        let problem = Diagnostic::error(message).at(output.locate(&place, context));
        return Some(Parsed::diagnostic(Diagnostic { lines, ..problem }, at + 1)).filter(|_| rest.is_empty());
    }
    let program = before.trim_end_matches(|c: char| c.is_ascii_digit() || "[]".contains(c));
    if !program.ends_with("make") {
        return None;
    }
    // A missing rule is a cause; a failed command is a consequence.
    let Some(inner) = message.strip_prefix('[') else {
        return Some(Parsed::diagnostic(Diagnostic { lines, ..Diagnostic::error(message) }, at + 1));
    };
    let (target, rest) = inner.split_once(']').unwrap_or((inner, ""));
    let named = location::leading(target);
    let location = named.and_then(|(place, _)| output.locate(&place, context));
    let target = named.map_or(target, |(_, target)| target).trim();
    let message = format!("make could not make {target}:{rest}");
    let problem = Diagnostic::error(message).at(location).significance(Significance::Consequence);
    // The failed command is in the lines just before.
    Some(Parsed::diagnostic(
        Diagnostic { lines: output.excerpt(at.saturating_sub(3), at + 1), ..problem },
        at + 1,
    ))
}

/// Parses `CMake Error at CMakeLists.txt:6 (find_package):` with the indented reason.
fn cmake(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    let rest = line.strip_prefix("CMake Error")?;
    let end = output.end(at + 1, |line| !line.starts_with("  ") && !line.is_empty());
    let lines = output.excerpt(at, end);
    if let Some(message) = rest.strip_prefix(": ") {
        return Some(Parsed::diagnostic(Diagnostic { lines, ..Diagnostic::error(message) }, end));
    }
    let named = rest.split_once(" at ").and_then(|(_, named)| location::leading(named));
    let location =
        named.and_then(|(place, _)| output.locate(&PrintedLocation { column: None, ..place }, context));
    let said = (at + 1..end).map(|at| output.line(at).trim()).skip_while(|line| line.is_empty());
    let said: Vec<&str> = said.take_while(|line| !line.is_empty()).collect();
    Some(Parsed::diagnostic(Diagnostic { lines, ..Diagnostic::error(said.join(" ")).at(location) }, end))
}

/// Parses `1 - sums_are_right (Failed)` in the list at the end.
fn ctest(output: &OutputLines<'_>, at: usize, _: &ParseContext) -> Option<Parsed> {
    if output.line(at) != "The following tests FAILED:" {
        return None;
    }
    let (_, named) = output.line(at + 1).split_once(" - ")?;
    let (name, why) = named.rsplit_once(" (")?;
    let why = why.split(')').next().unwrap_or(why);
    let end = output.end(at + 1, |line| !line.starts_with('\t'));
    let problem =
        Diagnostic::error(why).test(Some(name.trim().to_owned())).significance(Significance::Consequence);
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, end), ..problem }, end))
}
