//! The lines of an output as the parsers see them, the context that earlier lines provide, and the result of a parser.

use super::location::PrintedLocation;
use crate::diagnostic::{Diagnostic, Significance, SourceLocation};
use crate::path_resolver::PathResolver;
use crate::plan::Toolchain;
use crate::terminal_lines::cut;

/// The number of lines that a parser looks ahead.
const AHEAD: usize = 200;
/// The maximum number of lines of a section with a heading, so no line is read twice.
pub const LONGEST_SECTION: usize = 4_000;
/// The maximum number of lines of an excerpt, and the maximum length of each in bytes.
pub const EXCERPT_LINES: usize = 15;
const EXCERPT_WIDTH: usize = 240;

/// The result of a parser: a diagnostic, or nothing worth reporting, and the line to continue with.
pub struct Parsed {
    pub diagnostic: Option<Diagnostic>,
    pub next: usize,
}

impl Parsed {
    pub fn diagnostic(diagnostic: Diagnostic, next: usize) -> Self {
        Self { diagnostic: Some(diagnostic), next }
    }

    pub fn nothing(next: usize) -> Self {
        Self { diagnostic: None, next }
    }
}

/// The context that earlier lines provide.
pub struct ParseContext {
    pub toolchain: Toolchain,
    /// The folders that make has entered.
    pub folders: Vec<String>,
    /// The test that the output belongs to.
    pub test: Option<String>,
    /// The file that the following lines refer to.
    pub file: Option<String>,
    /// The place in the project that instantiated a template or included a header.
    pub used_at: Option<SourceLocation>,
    /// True if a failed test was reported, so a summary adds nothing new.
    pub is_reported: bool,
}

impl Default for ParseContext {
    fn default() -> Self {
        Self {
            toolchain: Toolchain::Other,
            folders: Vec::new(),
            test: None,
            file: None,
            used_at: None,
            is_reported: false,
        }
    }
}

impl ParseContext {
    pub fn folder(&self) -> Option<&str> {
        self.folders.last().map(String::as_str)
    }

    /// Returns the significance of a stack trace: a cause if it belongs to a test.
    pub fn trace(test: Option<&String>) -> Significance {
        if test.is_some() { Significance::Cause } else { Significance::Trace }
    }
}

/// The lines of an output, with the folders for resolving the paths in them.
pub struct OutputLines<'a> {
    pub lines: &'a [String],
    pub paths: &'a PathResolver<'a>,
}

impl OutputLines<'_> {
    /// Returns a line, or an empty string after the end.
    pub fn line(&self, at: usize) -> &str {
        self.lines.get(at).map_or("", String::as_str)
    }

    /// Returns the first line within the look-ahead that satisfies the condition.
    pub fn find(&self, from: usize, holds: impl Fn(&str) -> bool) -> Option<usize> {
        (from..self.lines.len().min(from + AHEAD)).find(|at| holds(self.line(*at)))
    }

    /// Returns the end of a block: the first line that satisfies the condition, or the end of the look-ahead.
    pub fn end(&self, from: usize, holds: impl Fn(&str) -> bool) -> usize {
        self.find(from, holds).unwrap_or_else(|| self.lines.len().min(from + AHEAD))
    }

    /// Returns the end of a section, which may be longer than the look-ahead.
    pub fn section_end(&self, from: usize, holds: impl Fn(&str) -> bool) -> usize {
        let last = self.lines.len().min(from + LONGEST_SECTION);
        (from..last).find(|at| holds(self.line(*at))).unwrap_or(last)
    }

    pub fn excerpt(&self, from: usize, to: usize) -> Vec<String> {
        let to = to.min(self.lines.len());
        let lines = self.lines.get(from.min(to)..to).unwrap_or_default();
        let last = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
        let shown = lines[..last].iter().filter(|line| !is_others_frame(line)).take(EXCERPT_LINES);
        shown.map(|line| cut(self.paths.shorten(line).trim_end(), EXCERPT_WIDTH)).collect()
    }

    pub fn locate(&self, place: &PrintedLocation<'_>, context: &ParseContext) -> Option<SourceLocation> {
        let file = self.paths.resolve(place.file, context.folder())?;
        Some(SourceLocation { file, line: place.line, column: place.column })
    }

    /// Returns the first place in the project that the frame parser finds in these lines.
    pub fn first_location<'t>(
        &'t self,
        range: std::ops::Range<usize>,
        context: &ParseContext,
        frame: impl Fn(&'t str) -> Option<PrintedLocation<'t>>,
    ) -> Option<SourceLocation> {
        range.filter_map(|at| frame(self.line(at))).find_map(|place| self.locate(&place, context))
    }
}

/// Returns true for a frame of third-party code, which cannot be changed here.
fn is_others_frame(line: &str) -> bool {
    let Some(frame) = line.trim_start().strip_prefix("at ") else { return false };
    let starts = ["java.base/", "jdk.", "app//org.junit", "org.junit", "app//org.gradle", "org.apache.maven"];
    let parts = ["node:", "node_modules/", "(<anonymous>)", "/rustc/", "at new Promise"];
    starts.iter().any(|start| frame.starts_with(start)) || parts.iter().any(|part| frame.contains(part))
}
