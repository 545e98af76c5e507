//! Parses uncaught Python exceptions and the output of unittest.

use super::{Context, Page, Place, Read, place};
use crate::verify::problem::{Problem, Spot};

const BEGINNING: &str = "Traceback (most recent call last):";

pub fn read(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    let line = page.line(at);
    if line.trim() == BEGINNING {
        return traced(page, at, context);
    }
    if let Some(name) = ["ERROR: ", "FAIL: "].iter().find_map(|start| line.strip_prefix(start)) {
        // Only a heading is followed by a ruler.
        if page.line(at + 1).starts_with("-----") {
            let name = name.split(" (").next().unwrap_or(name);
            context.test = Some(name.to_owned());
            return Some(Read::nothing(at + 2));
        }
    }
    if let Some(path) = line.strip_prefix("*** Error compiling '") {
        context.file = path.rsplit_once('\'').map(|(path, _)| path.to_owned());
        return Some(Read::nothing(at + 1));
    }
    if let Some(sorry) = line.strip_prefix("Sorry: ") {
        return sorry_for(page, at, sorry, context);
    }
    unreadable(page, at, context)
}

/// Parses `File "a.py", line 3, in total`.
pub fn frame(line: &str) -> Option<Place<'_>> {
    let (file, rest) = line.trim_start().strip_prefix("File \"")?.split_once("\", line ")?;
    let (line, _) = place::number(rest)?;
    Some(Place { file, line, column: None })
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn traced(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    let depth = indent(page.line(at));
    // Frames are indented; the error has the indentation of the trace's first line.
    let error = page.find(at + 1, |line| !line.trim().is_empty() && indent(line) <= depth)?;
    let said = page.line(error).trim();
    if !place::is_error_name(said.split(':').next()?) {
        return None;
    }
    let ends = |line: &str| {
        line.trim().is_empty()
            || line.starts_with("---")
            || line.starts_with("===")
            || line.starts_with("___")
    };
    let mut end = page.end(error + 1, ends).min(error + 8);
    if end == error + 1 && page.line(end).trim().is_empty() && said.contains("differ") {
        // unittest prints the difference after a blank line.
        end = page.end(end, |line| line.starts_with("---") || line.starts_with("===")).min(error + 12);
    }
    let frames = (at + 1..error).filter(|at| frame(page.line(*at)).is_some());
    let mut ours = frames.filter_map(|at| page.spot(&frame(page.line(at))?, context).map(|spot| (at, spot)));
    let last: Option<(usize, Spot)> = ours.next_back();
    let from = last.as_ref().map_or(error, |(at, _)| *at);
    let test = context.test.take();
    context.is_told |= test.is_some();
    let standing = Context::trace(test.as_ref());
    let message: Vec<&str> =
        (error..end).map(|at| page.line(at).trim_end()).filter(|line| !line.is_empty()).take(3).collect();
    let mut lines = page.excerpt(from, error.min(from + 4));
    lines.extend(page.excerpt(error, end));
    lines.truncate(super::EXCERPT_LINES);
    let problem =
        Problem::error(message.join("\n")).at(last.map(|(_, spot)| spot)).test(test).standing(standing);
    Some(Read::problem(Problem { lines, ..problem }, end))
}

/// Parses `  File "a.py", line 1`, the source line, a caret and `SyntaxError: …`, without a preceding trace.
fn unreadable(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    let place = frame(page.line(at))?;
    let is_error = |line: &str| {
        let name = line.split(':').next().unwrap_or_default();
        matches!(name, "SyntaxError" | "IndentationError" | "TabError")
    };
    let error = (at + 1..at + 6).find(|at| is_error(page.line(*at).trim()))?;
    let spot = page.spot(&place, context);
    let problem = Problem::error(page.line(error).trim()).at(spot).test(context.test.take());
    Some(Read::problem(Problem { lines: page.excerpt(at, error + 1), ..problem }, error + 1))
}

/// Parses `Sorry: IndentationError: unexpected indent (worse.py, line 1)`, which follows a line with the full path.
fn sorry_for(page: &Page<'_>, at: usize, sorry: &str, context: &mut Context) -> Option<Read> {
    let (_, line) = sorry.rsplit_once(", line ")?;
    let (line, _) = place::number(line)?;
    let file = context.file.take()?;
    let spot = page.spot(&Place { file: &file, line, column: None }, context);
    let problem = Problem::error(sorry).at(spot);
    Some(Read::problem(Problem { lines: page.excerpt(at.saturating_sub(1), at + 1), ..problem }, at + 1))
}
