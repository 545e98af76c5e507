//! Parses uncaught Python exceptions and the output of unittest.

use super::location::{self, PrintedLocation};
use super::output_lines::{EXCERPT_LINES, OutputLines, ParseContext, Parsed};
use crate::diagnostic::{Diagnostic, SourceLocation};

const BEGINNING: &str = "Traceback (most recent call last):";

pub fn parse(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    if line.trim() == BEGINNING {
        return traced(output, at, context);
    }
    if let Some(name) = ["ERROR: ", "FAIL: "].iter().find_map(|start| line.strip_prefix(start)) {
        // Only a heading is followed by a ruler.
        if output.line(at + 1).starts_with("-----") {
            let name = name.split(" (").next().unwrap_or(name);
            context.test = Some(name.to_owned());
            return Some(Parsed::nothing(at + 2));
        }
    }
    if let Some(path) = line.strip_prefix("*** Error compiling '") {
        context.file = path.rsplit_once('\'').map(|(path, _)| path.to_owned());
        return Some(Parsed::nothing(at + 1));
    }
    if let Some(sorry) = line.strip_prefix("Sorry: ") {
        return sorry_for(output, at, sorry, context);
    }
    unreadable(output, at, context)
}

/// Parses `File "a.py", line 3, in total`.
pub fn frame(line: &str) -> Option<PrintedLocation<'_>> {
    let (file, rest) = line.trim_start().strip_prefix("File \"")?.split_once("\", line ")?;
    let (line, _) = location::number(rest)?;
    Some(PrintedLocation { file, line, column: None })
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn traced(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let depth = indent(output.line(at));
    // Frames are indented; the error has the indentation of the trace's first line.
    let error = output.find(at + 1, |line| !line.trim().is_empty() && indent(line) <= depth)?;
    let said = output.line(error).trim();
    if !location::is_error_name(said.split(':').next()?) {
        return None;
    }
    let ends = |line: &str| {
        line.trim().is_empty()
            || line.starts_with("---")
            || line.starts_with("===")
            || line.starts_with("___")
    };
    let mut end = output.end(error + 1, ends).min(error + 8);
    if end == error + 1 && output.line(end).trim().is_empty() && said.contains("differ") {
        // unittest prints the difference after a blank line.
        end = output.end(end, |line| line.starts_with("---") || line.starts_with("===")).min(error + 12);
    }
    let frames = (at + 1..error).filter(|at| frame(output.line(*at)).is_some());
    let mut ours = frames
        .filter_map(|at| output.locate(&frame(output.line(at))?, context).map(|location| (at, location)));
    let last: Option<(usize, SourceLocation)> = ours.next_back();
    let from = last.as_ref().map_or(error, |(at, _)| *at);
    let test = context.test.take();
    context.is_reported |= test.is_some();
    let significance = ParseContext::trace(test.as_ref());
    let message: Vec<&str> =
        (error..end).map(|at| output.line(at).trim_end()).filter(|line| !line.is_empty()).take(3).collect();
    let mut lines = output.excerpt(from, error.min(from + 4));
    lines.extend(output.excerpt(error, end));
    lines.truncate(EXCERPT_LINES);
    let problem = Diagnostic::error(message.join("\n"))
        .at(last.map(|(_, location)| location))
        .test(test)
        .significance(significance);
    Some(Parsed::diagnostic(Diagnostic { lines, ..problem }, end))
}

/// Parses `  File "a.py", line 1`, the source line, a caret and `SyntaxError: …`, without a preceding trace.
fn unreadable(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let place = frame(output.line(at))?;
    let is_error = |line: &str| {
        let name = line.split(':').next().unwrap_or_default();
        matches!(name, "SyntaxError" | "IndentationError" | "TabError")
    };
    let error = (at + 1..at + 6).find(|at| is_error(output.line(*at).trim()))?;
    let location = output.locate(&place, context);
    let problem = Diagnostic::error(output.line(error).trim()).at(location).test(context.test.take());
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, error + 1), ..problem }, error + 1))
}

/// Parses `Sorry: IndentationError: unexpected indent (worse.py, line 1)`, which follows a line with the full path.
fn sorry_for(output: &OutputLines<'_>, at: usize, sorry: &str, context: &mut ParseContext) -> Option<Parsed> {
    let (_, line) = sorry.rsplit_once(", line ")?;
    let (line, _) = location::number(line)?;
    let file = context.file.take()?;
    let location = output.locate(&PrintedLocation { file: &file, line, column: None }, context);
    let problem = Diagnostic::error(sorry).at(location);
    Some(Parsed::diagnostic(
        Diagnostic { lines: output.excerpt(at.saturating_sub(1), at + 1), ..problem },
        at + 1,
    ))
}
