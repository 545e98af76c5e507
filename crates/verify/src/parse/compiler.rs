//! Parses `file:line:column: error: why`, the format of gcc, clang, javac, mypy and many others, and the errors of
//! linkers.

use super::location;
use super::output_lines::{OutputLines, ParseContext, Parsed};
use crate::diagnostic::{Diagnostic, Severity, Significance};

pub fn parse(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    // An error in a third-party header is attributed to the project file that uses it.
    if line.contains(":   required from") || line.starts_with("In file included from ") {
        let named = line.strip_prefix("In file included from ").unwrap_or(line);
        let location = location::leading(named).and_then(|(place, _)| output.locate(&place, context));
        context.used_at = location.or(context.used_at.take());
        return Some(Parsed::nothing(at + 1));
    }
    if line.contains(": In instantiation of ") {
        context.used_at = None;
        return Some(Parsed::nothing(at + 1));
    }
    diagnostic(output, at, context)
        .or_else(|| ruff(output, at, context))
        .or_else(|| linker(output, at, context))
        .or_else(|| assertion(output, at, context))
        .or_else(|| sanitizer(output, at, context))
}

const KINDS: [(&str, Severity); 5] = [
    ("fatal error: ", Severity::Error),
    ("error: ", Severity::Error),
    ("runtime error: ", Severity::Error),
    ("warning: ", Severity::Warning),
    ("Error: ", Severity::Error),
];

fn diagnostic(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    if line.starts_with([' ', '\t']) {
        return None;
    }
    let (place, rest) = location::leading(line)?;
    let rest = rest.trim_start();
    let (severity, said) =
        match KINDS.iter().find_map(|(start, severity)| Some((*severity, rest.strip_prefix(start)?))) {
            Some(found) => found,
            // flake8 and ruff: `a.py:1:1: F401 why`
            None if place.column.is_some() && lint_code(rest).is_some() => (Severity::Error, rest),
            None => return None,
        };
    let (message, code) = match lint_code(said) {
        Some((code, message)) if severity == Severity::Error && said == rest => (message, Some(code)),
        _ => option(said),
    };
    let location = output.locate(&place, context).or_else(|| context.used_at.take());
    let end = output.end(at + 1, |line| !line.starts_with([' ', '\t'])).min(at + 12);
    let problem = Diagnostic::error(message).at(location);
    let problem =
        Diagnostic { severity, code: code.map(str::to_owned), lines: output.excerpt(at, end), ..problem };
    Some(Parsed::diagnostic(problem, end))
}

/// Splits `F401 why` into code and message.
fn lint_code(text: &str) -> Option<(&str, &str)> {
    let (code, rest) = text.split_once(' ')?;
    let digits = code.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = code.len() - digits.len();
    let fits = (1..=4).contains(&letters) && (2..=5).contains(&digits.len());
    (fits && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some((code, rest))
}

/// Parses `F821 why` with the place after an arrow in the next line.
fn ruff(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let (place, _) = location::leading(output.line(at + 1).trim_start().strip_prefix("--> ")?)?;
    let (code, message) = lint_code(output.line(at))?;
    let end = output.end(at + 1, |line| line.trim().is_empty());
    let problem = Diagnostic::error(message.trim_start_matches("[*] ")).at(output.locate(&place, context));
    let problem = Diagnostic { code: Some(code.to_owned()), lines: output.excerpt(at, end), ..problem };
    Some(Parsed::diagnostic(problem, end))
}

/// Splits off the error code in brackets at the end of a message.
fn option(message: &str) -> (&str, Option<&str>) {
    let Some((before, code)) = message.trim_end().strip_suffix(']').and_then(|text| text.rsplit_once(" ["))
    else {
        return (message, None);
    };
    let is_code = !code.is_empty() && code.chars().all(|c| c.is_alphanumeric() || "-_=+,".contains(c));
    if is_code { (before.trim_end(), Some(code)) } else { (message, None) }
}

fn linker(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    if let Some(rest) = line.strip_prefix("collect2: error: ") {
        let problem = Diagnostic::error(rest).significance(Significance::Consequence);
        return Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, at + 1), ..problem }, at + 1));
    }
    let part = ["undefined reference to ", "undefined symbol: ", "multiple definition of ", "cannot find -l"];
    let found = part.iter().filter_map(|part| line.find(part)).min()?;
    let (before, message) = line.split_at(found);
    let before = before.split("ld: ").last().unwrap_or(before).trim();
    let named = location::leading(before).and_then(|(place, _)| output.locate(&place, context));
    let from =
        if output.line(at.saturating_sub(1)).contains("in function `") { at.saturating_sub(1) } else { at };
    let problem = Diagnostic::error(message.split(';').next().unwrap_or(message)).at(named);
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(from, at + 1), ..problem }, at + 1))
}

/// Parses ``sums: src/main.c:2: main: Assertion `1 + 1 == 3' failed.``.
fn assertion(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    let at_words = line.find(": Assertion `").filter(|_| line.ends_with("failed."))?;
    let (before, message) = line.split_at(at_words);
    let (_, named) = before.split_once(": ")?;
    let location = location::leading(named).and_then(|(place, _)| output.locate(&place, context));
    let problem = Diagnostic::error(message.trim_start_matches(": ")).at(location);
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, at + 1), ..problem }, at + 1))
}

/// Parses `==12==ERROR: AddressSanitizer: heap-buffer-overflow …` with the frames after it.
fn sanitizer(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let (_, message) = output.line(at).strip_prefix("==")?.split_once("==ERROR: ")?;
    let end = output.end(at + 1, |line| line.starts_with("SUMMARY: "));
    let frame = |line| if str::trim_start(line).starts_with('#') { location::of_frame(line) } else { None };
    let location = output.first_location(at + 1..end, context, frame);
    let message = message.split(" on address ").next().unwrap_or(message);
    Some(Parsed::diagnostic(
        Diagnostic { lines: output.excerpt(at, end), ..Diagnostic::error(message).at(location) },
        end,
    ))
}
