//! Parses the output of rustc, cargo and the Rust test harness.

use super::location;
use super::output_lines::{OutputLines, ParseContext, Parsed};
use crate::diagnostic::{Diagnostic, Severity, Significance, SourceLocation};
use crate::plan::Toolchain;

/// Messages of cargo that follow from another failure.
const CONSEQUENCES: [&str; 7] = [
    "could not compile",
    "aborting due to",
    "test failed, to rerun",
    "doctest failed, to rerun",
    "failed to run custom build command",
    "build failed",
    "process didn't exit successfully",
];

pub fn parse(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    if let Some(name) = section(line) {
        return Some(failed_test(output, at, name, context));
    }
    let inner = line.trim_start();
    if inner.starts_with("thread '") {
        return panicked(output, at, context)
            .map(|panic| panic.into_parsed(output, at))
            .or_else(|| overflowed(inner, at));
    }
    diagnostic(output, at, context)
}

/// Parses `---- tests::adds stdout ----`.
fn section(line: &str) -> Option<&str> {
    let name = line.strip_prefix("---- ")?.strip_suffix(" ----")?;
    name.strip_suffix(" stdout").or_else(|| name.strip_suffix(" stderr"))
}

fn is_failures(line: &str) -> bool {
    section(line).is_some() || line == "failures:"
}

fn failed_test(output: &OutputLines<'_>, at: usize, name: &str, context: &ParseContext) -> Parsed {
    let end = output.section_end(at + 1, is_failures);
    let body = at + 1..end;
    let note = |words: &str| body.clone().find(|at| output.line(*at).starts_with(words));
    // Another thread may have panicked on purpose before the test itself did.
    let panics = || body.clone().filter_map(|at| panicked(output, at, context));
    let panic = panics().find(|panic| panic.test.as_deref() == Some(name)).or_else(|| panics().next());
    // The diagnostic of a doc test that does not compile is parsed by itself.
    if panic.is_none() && body.clone().any(|at| arrow(output.line(at)).is_some()) {
        return Parsed::nothing(at + 1);
    }
    let said = body.clone().find(|at| !output.line(*at).trim().is_empty());
    let (mut message, mut location, from, to) = if let Some(panic) = panic {
        (panic.message, panic.location, panic.from, panic.to)
    } else {
        let error = body.clone().find(|at| output.line(*at).starts_with("Error: ")).or(said);
        (error.map_or("it failed", |at| output.line(at)).to_owned(), None, error.unwrap_or(at), end)
    };
    if let Some(note) = note("note: panic did not contain expected string") {
        let note: Vec<&str> = (note..end.min(note + 3)).map(|at| output.line(at).trim()).collect();
        message = format!("{message}\n{}", note.join("\n"));
    }
    if let Some(note) = note("note: test did not panic as expected at ") {
        location = location::of_frame(output.line(note)).and_then(|place| output.locate(&place, context));
    }
    // `src/lib.rs - add (line 3)`: a doc test runs from a generated copy, so its name gives the place.
    if location.is_none()
        && let Some((file, rest)) = name.split_once(" - ")
    {
        let line = rest.rsplit_once("(line ").and_then(|(_, line)| location::number(line));
        let file = output.paths.resolve(file, context.folder());
        location = line.zip(file).map(|((line, _), file)| SourceLocation { file, line, column: None });
    }
    let problem = Diagnostic::error(message).at(location).test(Some(name.to_owned()));
    Parsed::diagnostic(Diagnostic { lines: output.excerpt(from, to), ..problem }, end)
}

struct Panic {
    message: String,
    location: Option<SourceLocation>,
    test: Option<String>,
    from: usize,
    to: usize,
}

impl Panic {
    fn into_parsed(self, output: &OutputLines<'_>, at: usize) -> Parsed {
        let significance = ParseContext::trace(self.test.as_ref());
        let problem =
            Diagnostic::error(self.message).at(self.location).test(self.test).significance(significance);
        Parsed::diagnostic(
            Diagnostic { lines: output.excerpt(self.from, self.to), ..problem },
            self.to.max(at + 1),
        )
    }
}

/// Parses `thread 'name' (4295) panicked at src/lib.rs:6:18:`, and the format of older versions: `… panicked at 'why',
/// src/lib.rs:6:18`.
fn panicked(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Panic> {
    let line = output.line(at).trim_start();
    let (thread, rest) = line.strip_prefix("thread '")?.split_once(" panicked at ")?;
    let name = thread.split('\'').next().unwrap_or_default();
    let is_over = |line: &str| {
        let line = line.trim();
        line.is_empty() || line == "stack backtrace:" || line.starts_with("note: ")
    };
    let to = output.end(at + 1, is_over).min(at + 14);
    let (said, place) = match rest.rsplit_once("', ") {
        Some((said, place)) if rest.starts_with('\'') => (said.trim_start_matches('\'').to_owned(), place),
        _ => {
            let said: Vec<&str> = (at + 1..to).map(|at| output.line(at).trim_end()).collect();
            (said.join("\n"), rest)
        }
    };
    let (place, _) = location::leading(place)?;
    let location = output.locate(&place, context).or_else(|| {
        // Other code panicked, so the innermost frame in the project is used.
        let end = output.end(to, |line| line.trim().is_empty());
        let frame = |line: &str| line.trim_start().strip_prefix("at ").is_some();
        output.first_location(
            to..end,
            context,
            |line| if frame(line) { location::of_frame(line) } else { None },
        )
    });
    let test = (!matches!(name, "main" | "<unnamed>")).then(|| name.to_owned());
    Some(Panic { message: said, location, test, from: at, to })
}

fn overflowed(line: &str, at: usize) -> Option<Parsed> {
    let name = line.strip_prefix("thread '")?.split('\'').next()?;
    let message = line.ends_with("has overflowed its stack").then_some("the stack overflowed")?;
    let test = (name != "main").then(|| name.to_owned());
    Some(Parsed::diagnostic(
        Diagnostic { lines: vec![line.to_owned()], ..Diagnostic::error(message).test(test) },
        at + 1,
    ))
}

/// Parses `error[E0308]: mismatched types`.
fn header(line: &str) -> Option<(Severity, Option<&str>, &str)> {
    let (severity, rest) = match line.strip_prefix("error") {
        Some(rest) => (Severity::Error, rest),
        None => (Severity::Warning, line.strip_prefix("warning")?),
    };
    if let Some(message) = rest.strip_prefix(": ") {
        return Some((severity, None, message));
    }
    let (code, message) = rest.strip_prefix('[')?.split_once("]: ")?;
    (code.len() < 80).then_some((severity, Some(code), message))
}

fn arrow(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("--> ")
}

fn diagnostic(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let (severity, code, message) = header(output.line(at))?;
    let mut end = output.end(at + 1, |line| line.trim().is_empty() || header(line).is_some());
    if output.line(end).trim().is_empty() && output.line(end + 1).trim() == "Caused by:" {
        end = output.end(end + 2, |line| line.trim().is_empty() || header(line).is_some());
    }
    if severity == Severity::Warning && (message.contains(") generated ") || message.contains("build failed"))
    {
        return Some(Parsed::nothing(at + 1));
    }
    let is_consequence =
        CONSEQUENCES.iter().any(|start| message.starts_with(start)) || message.ends_with(" failed:");
    let mut message = message.to_owned();
    let causes = (at + 1..end).map(|at| output.line(at).trim());
    if is_consequence {
        // The signal that killed the test process is the actual reason.
        if let Some(signal) = causes.clone().find(|line| line.contains("(signal: ")) {
            message = format!("{message}\n{signal}");
        }
    } else if message.starts_with("linking with ") {
        let is_reason = |line: &&str| {
            ["undefined symbol", "undefined reference", "cannot find "].iter().any(|part| line.contains(part))
        };
        if let Some(reason) = causes.clone().find(is_reason) {
            message = format!("{message}\n{}", reason.trim_start_matches("= note: "));
        }
    } else if let Some(cause) =
        output.find(at + 1, |line| line.trim() == "Caused by:").filter(|cause| *cause < end)
    {
        let last = (cause + 1..end).rev().map(|at| output.line(at).trim()).find(|line| !line.is_empty());
        message = format!("{message}\n{}", last.unwrap_or_default());
    }
    let place = |line| arrow(line).and_then(location::leading).map(|(place, _)| place);
    let beside = |line: &'_ str| line.trim_start().strip_prefix("::: ").is_some();
    let location = output.first_location(at + 1..end, context, place);
    let has_arrow = (at + 1..end).any(|at| arrow(output.line(at)).is_some());
    let significance = match (is_consequence, has_arrow || context.toolchain == Toolchain::Cargo) {
        (true, _) => Significance::Consequence,
        (false, true) => Significance::Cause,
        (false, false) => Significance::Guess,
    };
    let location = location.or_else(|| {
        output.first_location(at + 1..end, context, |line| {
            let line = if beside(line) { line.trim_start().strip_prefix("::: ")? } else { return None };
            location::leading(line).map(|(place, _)| place)
        })
    });
    let problem = Diagnostic::error(message).at(location).significance(significance);
    let lines = output.excerpt(at, end);
    let problem = Diagnostic { severity, code: code.map(str::to_owned), lines, ..problem };
    Some(Parsed::diagnostic(problem, if is_consequence { at + 1 } else { end }))
}
