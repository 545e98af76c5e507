//! The result of a rule.

/// A list of violations: `path:line: what`.
pub type Findings = Vec<String>;
