//! Parses the output of rustc, cargo and the Rust test harness.

use super::{Context, Page, Read, Standing, place};
use crate::verify::plan::Toolchain;
use crate::verify::problem::{Problem, Severity, Spot};

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

pub fn read(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    let line = page.line(at);
    if let Some(name) = section(line) {
        return Some(failed_test(page, at, name, context));
    }
    let inner = line.trim_start();
    if inner.starts_with("thread '") {
        return panicked(page, at, context)
            .map(|panic| panic.read(page, at))
            .or_else(|| overflowed(inner, at));
    }
    diagnostic(page, at, context)
}

/// Parses `---- tests::adds stdout ----`.
fn section(line: &str) -> Option<&str> {
    let name = line.strip_prefix("---- ")?.strip_suffix(" ----")?;
    name.strip_suffix(" stdout").or_else(|| name.strip_suffix(" stderr"))
}

fn is_failures(line: &str) -> bool {
    section(line).is_some() || line == "failures:"
}

fn failed_test(page: &Page<'_>, at: usize, name: &str, context: &Context) -> Read {
    let end = page.part_end(at + 1, is_failures);
    let body = at + 1..end;
    let note = |words: &str| body.clone().find(|at| page.line(*at).starts_with(words));
    // Another thread may have panicked on purpose before the test itself did.
    let panics = || body.clone().filter_map(|at| panicked(page, at, context));
    let panic = panics().find(|panic| panic.test.as_deref() == Some(name)).or_else(|| panics().next());
    // The diagnostic of a doc test that does not compile is parsed by itself.
    if panic.is_none() && body.clone().any(|at| arrow(page.line(at)).is_some()) {
        return Read::nothing(at + 1);
    }
    let said = body.clone().find(|at| !page.line(*at).trim().is_empty());
    let (mut message, mut spot, from, to) = if let Some(panic) = panic {
        (panic.message, panic.spot, panic.from, panic.to)
    } else {
        let error = body.clone().find(|at| page.line(*at).starts_with("Error: ")).or(said);
        (error.map_or("it failed", |at| page.line(at)).to_owned(), None, error.unwrap_or(at), end)
    };
    if let Some(note) = note("note: panic did not contain expected string") {
        let note: Vec<&str> = (note..end.min(note + 3)).map(|at| page.line(at).trim()).collect();
        message = format!("{message}\n{}", note.join("\n"));
    }
    if let Some(note) = note("note: test did not panic as expected at ") {
        spot = place::of_frame(page.line(note)).and_then(|place| page.spot(&place, context));
    }
    // `src/lib.rs - add (line 3)`: a doc test runs from a generated copy, so its name gives the place.
    if spot.is_none()
        && let Some((file, rest)) = name.split_once(" - ")
    {
        let line = rest.rsplit_once("(line ").and_then(|(_, line)| place::number(line));
        let file = page.ground.resolve(file, context.folder());
        spot = line.zip(file).map(|((line, _), file)| Spot { file, line, column: None });
    }
    let problem = Problem::error(message).at(spot).test(Some(name.to_owned()));
    Read::problem(Problem { lines: page.excerpt(from, to), ..problem }, end)
}

struct Panic {
    message: String,
    spot: Option<Spot>,
    test: Option<String>,
    from: usize,
    to: usize,
}

impl Panic {
    fn read(self, page: &Page<'_>, at: usize) -> Read {
        let standing = Context::trace(self.test.as_ref());
        let problem = Problem::error(self.message).at(self.spot).test(self.test).standing(standing);
        Read::problem(Problem { lines: page.excerpt(self.from, self.to), ..problem }, self.to.max(at + 1))
    }
}

/// Parses `thread 'name' (4295) panicked at src/lib.rs:6:18:`, and the format of older versions: `… panicked at 'why',
/// src/lib.rs:6:18`.
fn panicked(page: &Page<'_>, at: usize, context: &Context) -> Option<Panic> {
    let line = page.line(at).trim_start();
    let (thread, rest) = line.strip_prefix("thread '")?.split_once(" panicked at ")?;
    let name = thread.split('\'').next().unwrap_or_default();
    let is_over = |line: &str| {
        let line = line.trim();
        line.is_empty() || line == "stack backtrace:" || line.starts_with("note: ")
    };
    let to = page.end(at + 1, is_over).min(at + 14);
    let (said, place) = match rest.rsplit_once("', ") {
        Some((said, place)) if rest.starts_with('\'') => (said.trim_start_matches('\'').to_owned(), place),
        _ => {
            let said: Vec<&str> = (at + 1..to).map(|at| page.line(at).trim_end()).collect();
            (said.join("\n"), rest)
        }
    };
    let (place, _) = place::leading(place)?;
    let spot = page.spot(&place, context).or_else(|| {
        // Other code panicked, so the innermost frame in the project is used.
        let end = page.end(to, |line| line.trim().is_empty());
        let frame = |line: &str| line.trim_start().strip_prefix("at ").is_some();
        page.first_spot(to..end, context, |line| if frame(line) { place::of_frame(line) } else { None })
    });
    let test = (!matches!(name, "main" | "<unnamed>")).then(|| name.to_owned());
    Some(Panic { message: said, spot, test, from: at, to })
}

fn overflowed(line: &str, at: usize) -> Option<Read> {
    let name = line.strip_prefix("thread '")?.split('\'').next()?;
    let message = line.ends_with("has overflowed its stack").then_some("the stack overflowed")?;
    let test = (name != "main").then(|| name.to_owned());
    Some(Read::problem(
        Problem { lines: vec![line.to_owned()], ..Problem::error(message).test(test) },
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

fn diagnostic(page: &Page<'_>, at: usize, context: &Context) -> Option<Read> {
    let (severity, code, message) = header(page.line(at))?;
    let mut end = page.end(at + 1, |line| line.trim().is_empty() || header(line).is_some());
    if page.line(end).trim().is_empty() && page.line(end + 1).trim() == "Caused by:" {
        end = page.end(end + 2, |line| line.trim().is_empty() || header(line).is_some());
    }
    if severity == Severity::Warning && (message.contains(") generated ") || message.contains("build failed"))
    {
        return Some(Read::nothing(at + 1));
    }
    let is_consequence =
        CONSEQUENCES.iter().any(|start| message.starts_with(start)) || message.ends_with(" failed:");
    let mut message = message.to_owned();
    let causes = (at + 1..end).map(|at| page.line(at).trim());
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
        page.find(at + 1, |line| line.trim() == "Caused by:").filter(|cause| *cause < end)
    {
        let last = (cause + 1..end).rev().map(|at| page.line(at).trim()).find(|line| !line.is_empty());
        message = format!("{message}\n{}", last.unwrap_or_default());
    }
    let place = |line| arrow(line).and_then(place::leading).map(|(place, _)| place);
    let beside = |line: &'_ str| line.trim_start().strip_prefix("::: ").is_some();
    let spot = page.first_spot(at + 1..end, context, place);
    let has_arrow = (at + 1..end).any(|at| arrow(page.line(at)).is_some());
    let standing = match (is_consequence, has_arrow || context.toolchain == Toolchain::Cargo) {
        (true, _) => Standing::Consequence,
        (false, true) => Standing::Cause,
        (false, false) => Standing::Hunch,
    };
    let spot = spot.or_else(|| {
        page.first_spot(at + 1..end, context, |line| {
            let line = if beside(line) { line.trim_start().strip_prefix("::: ")? } else { return None };
            place::leading(line).map(|(place, _)| place)
        })
    });
    let problem = Problem::error(message).at(spot).standing(standing);
    let lines = page.excerpt(at, end);
    let problem = Problem { severity, code: code.map(str::to_owned), lines, ..problem };
    Some(Read::problem(problem, if is_consequence { at + 1 } else { end }))
}
