//! Parses the output of shells and of programs that report missing files or commands.

use super::location::{self, PrintedLocation};
use super::output_lines::{OutputLines, ParseContext, Parsed};
use crate::diagnostic::{Diagnostic, Significance};

pub fn parse(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    if line.starts_with([' ', '\t']) {
        return None;
    }
    script(output, at, context).or_else(|| complaint(output, at))
}

/// Parses `run.sh: line 4: why` of bash and `run.sh: 4: why` of other shells.
fn script(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let (file, rest) = output.line(at).split_once(": ")?;
    let (number, said) = location::number(rest.strip_prefix("line ").unwrap_or(rest))?;
    let said = said.strip_prefix(": ")?;
    let is_known = [
        "not found",
        "unbound variable",
        "syntax error",
        "No such file",
        "Permission denied",
        "parameter not set",
    ];
    if file.contains(' ') || !is_known.iter().any(|part| said.contains(part)) {
        return None;
    }
    let is_shell = matches!(file.rsplit('/').next(), Some("sh" | "bash" | "dash" | "zsh" | "-c"));
    let place = PrintedLocation { file, line: number, column: None };
    let location = if is_shell { None } else { output.locate(&place, context) };
    // The next line quotes the source line.
    let end =
        if output.line(at + 1).starts_with(&format!("{file}: line {number}: `")) { at + 2 } else { at + 1 };
    let problem = Diagnostic::error(said).at(location);
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, end), ..problem }, end))
}

/// Parses `cat: nowhere.txt: No such file or directory`. Programs also print this about optional files.
fn complaint(output: &OutputLines<'_>, at: usize) -> Option<Parsed> {
    let line = output.line(at);
    let (program, said) = line.split_once(": ")?;
    let is_known = [
        "No such file or directory",
        "Permission denied",
        "command not found",
        "cannot open",
        "Segmentation fault",
    ];
    let fits =
        is_known.iter().any(|part| said.contains(part)) && !program.contains(' ') && program.len() < 60;
    let problem = Diagnostic::error(line).significance(Significance::Guess);
    fits.then(|| Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, at + 1), ..problem }, at + 1))
}

/// Returns the program that a shell did not find: `sh: 1: tsc: not found`, `bash: line 1: tsc: command not found`.
pub fn missing(line: &str) -> Option<&str> {
    let before = line.trim_end().strip_suffix("not found")?.trim_end();
    let before = before.strip_suffix("command").unwrap_or(before).trim_end().strip_suffix(':')?;
    let name = before.rsplit(": ").next()?.trim();
    (!name.is_empty() && !name.contains(' ')).then_some(name)
}

/// Returns the missing module of a call such as `python3 -m pytest`: `/usr/bin/python3: No module named pytest`.
pub fn missing_module(line: &str) -> Option<&str> {
    let (program, name) = line.split_once(": No module named ")?;
    let is_python = program.rsplit('/').next().is_some_and(|name| name.starts_with("python"));
    is_python.then(|| name.trim().trim_matches('\'').split('.').next().unwrap_or_default())
}
