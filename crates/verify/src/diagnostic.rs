//! A problem that a program reports: an error or a warning of a compiler, or a failed test.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Error,
    Warning,
}

/// The significance of a problem for the failure of a command, the highest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Significance {
    /// An error that has to be fixed.
    Cause,
    /// A thrown exception that may have been caught: programs also print those that they recovered from.
    Trace,
    /// A line that sounds like an error.
    Guess,
    /// A message that something failed, without the reason.
    Consequence,
}

/// A problem and where it was reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The path relative to the root, or `None` if it is unknown or outside of the project.
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub severity: Severity,
    /// The code of the program: `E0308`, `TS2322`, `-Wunused`.
    pub code: Option<String>,
    /// The test that failed.
    pub test: Option<String>,
    pub message: String,
    /// The relevant lines of the output.
    pub lines: Vec<String>,
    pub significance: Significance,
}

impl Diagnostic {
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            file: None,
            line: None,
            column: None,
            severity: Severity::Error,
            code: None,
            test: None,
            message: message.into(),
            lines: Vec::new(),
            significance: Significance::Cause,
        }
    }

    #[must_use]
    pub fn at(self, location: Option<SourceLocation>) -> Self {
        let Some(location) = location else { return self };
        Self { file: Some(location.file), line: Some(location.line), column: location.column, ..self }
    }

    #[must_use]
    pub fn significance(self, significance: Significance) -> Self {
        Self { significance, ..self }
    }

    #[must_use]
    pub fn test(self, test: Option<String>) -> Self {
        Self { test, ..self }
    }
}

/// A location in the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLocation {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
}
