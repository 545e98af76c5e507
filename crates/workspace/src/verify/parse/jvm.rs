//! Parses the output of Java and Kotlin: exceptions and the reports of Maven and Gradle. The output of javac has the
//! format of gcc.

use super::{Context, Page, Place, Read, Standing, place};
use crate::verify::look::join;
use crate::verify::plan::Toolchain;
use crate::verify::problem::{Problem, Severity, Spot};

pub fn read(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    let line = page.line(at);
    if let Some(read) = kotlin(page, at, context) {
        return Some(read);
    }
    // `AppTest > adds() FAILED`
    if let Some(name) =
        line.strip_suffix(" FAILED").filter(|name| name.contains(" > ") && !name.starts_with(' '))
    {
        context.test = Some(name.replace("()", ""));
        return Some(Read::nothing(at + 1));
    }
    if let Some(said) = line.strip_prefix("[ERROR] ").or_else(|| line.strip_prefix("[ERROR]")) {
        return maven(page, at, said.trim_end(), context);
    }
    if line == "* What went wrong:" {
        return Some(gradle(page, at));
    }
    thrown(page, at, context)
}

/// Parses `e: file:///project/App.kt:3:5 why`, and the format of older versions: `e: /project/App.kt: (3, 5): why`.
fn kotlin(page: &Page<'_>, at: usize, context: &Context) -> Option<Read> {
    let line = page.line(at);
    let (severity, rest) = match line.strip_prefix("e: ") {
        Some(rest) => (Severity::Error, rest),
        None => (Severity::Warning, line.strip_prefix("w: ")?),
    };
    let (place, message) = match rest.split_once(": (") {
        Some((file, rest)) => {
            let (line, rest) = place::number(rest)?;
            let (column, rest) = place::number(rest.strip_prefix(", ")?)?;
            (Place { file, line, column: Some(column) }, rest.strip_prefix("): ")?)
        }
        None => place::leading(rest.strip_prefix("file://").unwrap_or(rest))?,
    };
    let problem = Problem::error(message).at(page.spot(&place, context));
    Some(Read::problem(Problem { severity, lines: page.excerpt(at, at + 1), ..problem }, at + 1))
}

/// Parses Gradle's report at the end, in which each line is the reason for the one before. A failed compilation or test
/// was already reported above it.
fn gradle(page: &Page<'_>, at: usize) -> Read {
    let end = page.end(at + 1, |line| line.trim().is_empty());
    let said = (at + 1..end).map(|at| page.line(at).trim());
    let is_told = said.clone().any(|line| line.contains("ompilation ") || line.contains("failing tests"));
    let standing = if is_told { Standing::Consequence } else { Standing::Cause };
    let reason = said.clone().rfind(|line| line.starts_with('>'));
    let reason = reason.or(said.clone().next()).unwrap_or_default().trim_start_matches("> ");
    let problem = Problem::error(reason).standing(standing);
    Read::problem(Problem { lines: page.excerpt(at + 1, end), ..problem }, end)
}

fn maven(page: &Page<'_>, at: usize, said: &str, context: &mut Context) -> Option<Read> {
    // `/project/App.java:[7,19] why`
    if let Some((file, rest)) = said.split_once(":[") {
        let (line, rest) = place::number(rest)?;
        let (column, rest) = place::number(rest.strip_prefix(',')?)?;
        let message = rest.strip_prefix("] ")?.trim_start_matches("error: ");
        let spot = page.spot(&Place { file, line, column: Some(column) }, context);
        let end =
            page.end(at + 1, |line| !line.starts_with("[ERROR]   ") && !line.starts_with("  ")).min(at + 4);
        let problem = Problem::error(message).at(spot);
        return Some(Read::problem(Problem { lines: page.excerpt(at, end), ..problem }, end));
    }
    // `shop.PricesTest.adds -- Time elapsed: 0.01 s <<< FAILURE!`
    if let Some(name) = said.strip_suffix("<<< FAILURE!").or_else(|| said.strip_suffix("<<< ERROR!")) {
        let name = name.split([' ', '(']).next().unwrap_or_default();
        context.test = Some(name.to_owned()).filter(|name| name != "Tests");
        return Some(Read::nothing(at + 1));
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
    let standing = if is_closing || is_summary { Standing::Consequence } else { Standing::Trace };
    let problem = Problem::error(said.trim().trim_end_matches(" -> [Help 1]")).standing(standing);
    Some(Read::problem(Problem { lines: page.excerpt(at, at + 1), ..problem }, at + 1))
}

/// Parses `java.lang.IllegalStateException: why` with its frames and any number of `Caused by: …`. The last one is the
/// cause.
fn thrown(page: &Page<'_>, at: usize, context: &mut Context) -> Option<Read> {
    let line = page.line(at).trim_start();
    let line = match line.strip_prefix("Exception in thread \"") {
        Some(rest) => rest.split_once("\" ")?.1,
        None => line,
    };
    let name = line.split(": ").next()?;
    if !name.contains('.') || !place::is_error_name(name) {
        return None;
    }
    let is_frame = |line: &str| {
        let line = line.trim_start();
        line.starts_with("at ") || line.starts_with("... ") || line.starts_with("Caused by: ")
    };
    let first =
        (at + 1..at + 20).take_while(|at| *at < page.lines.len()).find(|at| is_frame(page.line(*at)))?;
    let end = page.end(first, |line| !is_frame(line));
    let cause = (first..end).rev().find(|at| page.line(*at).trim_start().starts_with("Caused by: "));
    let message = cause.map_or(line, |cause| page.line(cause).trim_start().trim_start_matches("Caused by: "));
    let ours = |at: usize| frame(page.line(at)).and_then(|frame| frame.spot(page));
    let spot = (cause.unwrap_or(first)..end).find_map(ours).or_else(|| (first..end).find_map(ours));
    let test = context.test.take();
    let standing = Context::trace(test.as_ref());
    let problem = Problem::error(message).at(spot).test(test).standing(standing);
    Some(Read::problem(Problem { lines: page.excerpt(at, end), ..problem }, end))
}

struct Frame<'a> {
    class: &'a str,
    file: &'a str,
    line: u32,
}

/// Parses `at shop.PricesTest.adds(PricesTest.java:12)`.
fn frame(line: &str) -> Option<Frame<'_>> {
    let rest = line.trim_start().strip_prefix("at ")?;
    let (method, _) = rest.split_once('(')?;
    let place = place::of_frame(rest)?;
    let method = method.rsplit('/').next()?;
    let (class, _) = method.rsplit_once('.')?;
    place::ends_with(place.file, &["java", "kt", "groovy", "scala"]).then_some(Frame {
        class,
        file: place.file,
        line: place.line,
    })
}

/// The packages of the standard library and of test frameworks.
const OF_OTHERS: [&str; 12] = [
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

impl Frame<'_> {
    /// Finds the file of a frame; the package of its class gives the folder.
    fn spot(&self, page: &Page<'_>) -> Option<Spot> {
        if OF_OTHERS.iter().any(|start| self.class.starts_with(start)) {
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
        let resolved = candidates.iter().filter_map(|path| page.ground.resolve(path, None));
        let mut known = resolved.clone().filter(|path| page.ground.has(path) == Some(true));
        // If the files can be checked and none exists, the class is from a library.
        let guess = || resolved.clone().find(|path| page.ground.has(path).is_none());
        let file = known.next().or_else(guess)?;
        Some(Spot { file, line: self.line, column: None })
    }
}
