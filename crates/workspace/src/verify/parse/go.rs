//! Parses the output of Go: its compiler, tests and panics.

use super::{Context, PART, Page, Place, Read, place};
use crate::verify::look::join;
use crate::verify::problem::{Problem, Spot};

pub fn read(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    let line = page.line(at);
    if let Some(name) = failed(line) {
        return Some(test(page, at, name, context));
    }
    for start in ["panic: ", "fatal error: "] {
        if let Some(message) = line.strip_prefix(start) {
            return panicked(page, at, start, message, context);
        }
    }
    compiled(page, at, context)
}

fn is_go(path: &str) -> bool {
    place::ends_with(path, &["go"])
}

/// Parses `./main.go:5:2: "os" imported and not used`.
fn compiled(page: &Page<'_>, at: usize, context: &Context) -> Option<Read> {
    let line = page.line(at);
    let (place, message) = place::leading(line.strip_prefix("vet: ").unwrap_or(line))?;
    if line.starts_with([' ', '\t']) || !is_go(place.file) || message.trim().is_empty() {
        return None;
    }
    let end = page.end(at + 1, |line| !line.starts_with('\t'));
    let problem = Problem::error(message).at(page.spot(&place, context));
    Some(Read::problem(Problem { lines: page.excerpt(at, end), ..problem }, end))
}

fn failed(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("--- FAIL: ").map(|name| name.split(" (").next().unwrap_or(name))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Parses the output of a failed test up to the next one. A test with only failed subtests has no output of its own.
fn test(page: &Page<'_>, at: usize, name: &str, context: &mut Context) -> Read {
    let depth = indent(page.line(at));
    let is_over = |line: &str| {
        !line.trim().is_empty()
            && (indent(line) <= depth || line.trim_start().starts_with("--- ") || line.starts_with("FAIL"))
    };
    let end = page.part_end(at + 1, is_over);
    context.test = Some(name.to_owned());
    let log = |at: usize| {
        let (place, said) = place::leading(page.line(at).trim_start())?;
        is_go(place.file).then_some((at, place, said))
    };
    let Some((first, place, said)) = (at + 1..end).find_map(log) else { return Read::nothing(at + 1) };
    let mut message = said.trim().to_owned();
    if message.is_empty() {
        message = explained(page, first + 1, end);
    }
    let problem =
        Problem::error(message).at(spot_of_test(page, at, &place, context)).test(Some(name.to_owned()));
    Read::problem(Problem { lines: page.excerpt(first, end), ..problem }, end)
}

/// Parses `Error: Not equal: ` with the values in the next lines.
fn explained(page: &Page<'_>, from: usize, end: usize) -> String {
    let lines = || (from..end).map(|at| page.line(at).trim());
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
fn spot_of_test(page: &Page<'_>, at: usize, place: &Place<'_>, context: &Context) -> Option<Spot> {
    if place.file.contains('/') {
        return page.spot(place, context);
    }
    let ahead = at + 1..page.lines.len().min(at + PART);
    let package = ahead.map(|at| page.line(at)).find_map(|line| line.strip_prefix("FAIL\t"));
    let package = package.and_then(|rest| rest.split(['\t', ' ']).next()).unwrap_or_default();
    let manifest = page.ground.text("go.mod").unwrap_or_default();
    let module = manifest.lines().find_map(|line| line.strip_prefix("module ")).map(str::trim);
    let folder = match module.and_then(|module| package.strip_prefix(module)) {
        Some(rest) => rest.trim_start_matches('/').to_owned(),
        // Without the module name, the longest suffix of the package name that is a folder here.
        None => package
            .match_indices('/')
            .map(|(slash, _)| &package[slash + 1..])
            .find(|end| {
                let path = page.ground.resolve(&join(end, place.file), None);
                path.is_some_and(|path| page.ground.has(&path) == Some(true))
            })
            .unwrap_or_default()
            .to_owned(),
    };
    page.spot(&Place { file: &join(&folder, place.file), ..*place }, context)
}

fn panicked(page: &Page<'_>, at: usize, start: &str, message: &str, context: &mut Context) -> Option<Read> {
    page.find(at + 1, |line| line.starts_with("goroutine "))?;
    let end = page.part_end(at + 1, |line| line.starts_with("FAIL") || line.starts_with("exit status "));
    // `	/project/main.go:5 +0x28`
    let frame = |line| {
        let (place, _) = place::leading(str::trim(str::strip_prefix(line, '\t')?))?;
        is_go(place.file).then_some(place)
    };
    let spot = page.first_spot(at + 1..end, context, frame);
    let test = context.test.take();
    let standing = Context::trace(test.as_ref());
    let message = message.split(" [recovered").next().unwrap_or(message);
    let problem = Problem::error(format!("{start}{message}")).at(spot).test(test).standing(standing);
    Some(Read::problem(Problem { lines: page.excerpt(at, end), ..problem }, end))
}
