//! Parses the output of Java and Kotlin: exceptions and the reports of Maven and Gradle. The output of javac has the
//! format of gcc.

use super::location::{self, PrintedLocation};
use super::output_lines::{OutputLines, ParseContext, Parsed};
use crate::diagnostic::{Diagnostic, Severity, Significance, SourceLocation};
use crate::paths::join;
use crate::plan::Toolchain;

pub fn parse(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    if let Some(read) = kotlin(output, at, context) {
        return Some(read);
    }
    // `AppTest > adds() FAILED`
    if let Some(name) =
        line.strip_suffix(" FAILED").filter(|name| name.contains(" > ") && !name.starts_with(' '))
    {
        context.test = Some(name.replace("()", ""));
        return Some(Parsed::nothing(at + 1));
    }
    if let Some(said) = line.strip_prefix("[ERROR] ").or_else(|| line.strip_prefix("[ERROR]")) {
        return maven(output, at, said.trim_end(), context);
    }
    if line == "* What went wrong:" {
        return Some(gradle(output, at));
    }
    thrown(output, at, context)
}

/// Parses `e: file:///project/App.kt:3:5 why`, and the format of older versions: `e: /project/App.kt: (3, 5): why`.
fn kotlin(output: &OutputLines<'_>, at: usize, context: &ParseContext) -> Option<Parsed> {
    let line = output.line(at);
    let (severity, rest) = match line.strip_prefix("e: ") {
        Some(rest) => (Severity::Error, rest),
        None => (Severity::Warning, line.strip_prefix("w: ")?),
    };
    let (place, message) = match rest.split_once(": (") {
        Some((file, rest)) => {
            let (line, rest) = location::number(rest)?;
            let (column, rest) = location::number(rest.strip_prefix(", ")?)?;
            (PrintedLocation { file, line, column: Some(column) }, rest.strip_prefix("): ")?)
        }
        None => location::leading(rest.strip_prefix("file://").unwrap_or(rest))?,
    };
    let problem = Diagnostic::error(message).at(output.locate(&place, context));
    Some(Parsed::diagnostic(Diagnostic { severity, lines: output.excerpt(at, at + 1), ..problem }, at + 1))
}

/// Parses Gradle's report at the end, in which each line is the reason for the one before. A failed compilation or test
/// was already reported above it.
fn gradle(output: &OutputLines<'_>, at: usize) -> Parsed {
    let end = output.end(at + 1, |line| line.trim().is_empty());
    let said = (at + 1..end).map(|at| output.line(at).trim());
    let is_told = said.clone().any(|line| line.contains("ompilation ") || line.contains("failing tests"));
    let significance = if is_told { Significance::Consequence } else { Significance::Cause };
    let reason = said.clone().rfind(|line| line.starts_with('>'));
    let reason = reason.or(said.clone().next()).unwrap_or_default().trim_start_matches("> ");
    let problem = Diagnostic::error(reason).significance(significance);
    Parsed::diagnostic(Diagnostic { lines: output.excerpt(at + 1, end), ..problem }, end)
}

fn maven(output: &OutputLines<'_>, at: usize, said: &str, context: &mut ParseContext) -> Option<Parsed> {
    // `/project/App.java:[7,19] why`
    if let Some((file, rest)) = said.split_once(":[") {
        let (line, rest) = location::number(rest)?;
        let (column, rest) = location::number(rest.strip_prefix(',')?)?;
        let message = rest.strip_prefix("] ")?.trim_start_matches("error: ");
        let location = output.locate(&PrintedLocation { file, line, column: Some(column) }, context);
        let end =
            output.end(at + 1, |line| !line.starts_with("[ERROR]   ") && !line.starts_with("  ")).min(at + 4);
        let problem = Diagnostic::error(message).at(location);
        return Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, end), ..problem }, end));
    }
    // `shop.PricesTest.adds -- Time elapsed: 0.01 s <<< FAILURE!`
    if let Some(name) = said.strip_suffix("<<< FAILURE!").or_else(|| said.strip_suffix("<<< ERROR!")) {
        let name = name.split([' ', '(']).next().unwrap_or_default();
        context.test = Some(name.to_owned()).filter(|name| name != "Tests");
        return Some(Parsed::nothing(at + 1));
    }
    if context.toolchain != Toolchain::Maven || said.is_empty() {
        return None;
    }
    let is_closing = [
        "Failed to execute goal",
        "To see the full",
        "Re-run Maven",
        "For more information",
        "[Help",
        "->",
        "After correcting",
        "COMPILATION ERROR",
        "Tests run:",
        "Failures:",
        "Errors:",
        "Please refer",
        "There are test",
    ]
    .iter()
    .any(|start| said.starts_with(start));
    // The summary repeats each failed test, indented.
    let is_summary = said.starts_with(' ');
    let significance = if is_closing || is_summary { Significance::Consequence } else { Significance::Trace };
    let problem = Diagnostic::error(said.trim().trim_end_matches(" -> [Help 1]")).significance(significance);
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, at + 1), ..problem }, at + 1))
}

/// Parses `java.lang.IllegalStateException: why` with its frames and any number of `Caused by: …`. The last one is the
/// cause.
fn thrown(output: &OutputLines<'_>, at: usize, context: &mut ParseContext) -> Option<Parsed> {
    let line = output.line(at).trim_start();
    let line = match line.strip_prefix("Exception in thread \"") {
        Some(rest) => rest.split_once("\" ")?.1,
        None => line,
    };
    let name = line.split(": ").next()?;
    if !name.contains('.') || !location::is_error_name(name) {
        return None;
    }
    let is_frame = |line: &str| {
        let line = line.trim_start();
        line.starts_with("at ") || line.starts_with("... ") || line.starts_with("Caused by: ")
    };
    let first =
        (at + 1..at + 20).take_while(|at| *at < output.lines.len()).find(|at| is_frame(output.line(*at)))?;
    let end = output.end(first, |line| !is_frame(line));
    let cause = (first..end).rev().find(|at| output.line(*at).trim_start().starts_with("Caused by: "));
    let message =
        cause.map_or(line, |cause| output.line(cause).trim_start().trim_start_matches("Caused by: "));
    let ours = |at: usize| frame(output.line(at)).and_then(|frame| frame.locate(output));
    let location = (cause.unwrap_or(first)..end).find_map(ours).or_else(|| (first..end).find_map(ours));
    let test = context.test.take();
    let significance = ParseContext::trace(test.as_ref());
    let problem = Diagnostic::error(message).at(location).test(test).significance(significance);
    Some(Parsed::diagnostic(Diagnostic { lines: output.excerpt(at, end), ..problem }, end))
}

struct StackFrame<'a> {
    class: &'a str,
    file: &'a str,
    line: u32,
}

/// Parses `at shop.PricesTest.adds(PricesTest.java:12)`.
fn frame(line: &str) -> Option<StackFrame<'_>> {
    let rest = line.trim_start().strip_prefix("at ")?;
    let (method, _) = rest.split_once('(')?;
    let place = location::of_frame(rest)?;
    let method = method.rsplit('/').next()?;
    let (class, _) = method.rsplit_once('.')?;
    location::ends_with(place.file, &["java", "kt", "groovy", "scala"]).then_some(StackFrame {
        class,
        file: place.file,
        line: place.line,
    })
}

/// The packages of the standard library and of test frameworks.
const THIRD_PARTY: [&str; 12] = [
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "kotlin.",
    "kotlinx.",
    "org.junit.",
    "org.opentest4j.",
    "org.gradle.",
    "org.apache.maven.",
    "org.assertj.",
];

impl StackFrame<'_> {
    /// Finds the file of a frame; the package of its class gives the folder.
    fn locate(&self, output: &OutputLines<'_>) -> Option<SourceLocation> {
        if THIRD_PARTY.iter().any(|start| self.class.starts_with(start)) {
            return None;
        }
        let package = self.class.rsplit_once('.').map_or("", |(package, _)| package).replace('.', "/");
        let language = match self.file.rsplit('.').next() {
            Some("kt") => "kotlin",
            Some("groovy") => "groovy",
            Some("scala") => "scala",
            _ => "java",
        };
        let inner = join(&package, self.file);
        let stem = self.file.split('.').next().unwrap_or_default();
        let is_test = stem.ends_with("Test") || stem.ends_with("Tests") || stem.starts_with("Test");
        let sides = if is_test { ["test", "main"] } else { ["main", "test"] };
        let mut candidates: Vec<String> =
            sides.iter().map(|side| format!("src/{side}/{language}/{inner}")).collect();
        candidates.extend(["src", ""].map(|start| join(start, &inner)));
        let resolved = candidates.iter().filter_map(|path| output.paths.resolve(path, None));
        let mut known = resolved.clone().filter(|path| output.paths.has(path) == Some(true));
        // If the files can be checked and none exists, the class is from a library.
        let guess = || resolved.clone().find(|path| output.paths.has(path).is_none());
        let file = known.next().or_else(guess)?;
        Some(SourceLocation { file, line: self.line, column: None })
    }
}
