//! All rules of a user: those that were loaded and those that were refused.

use serde_json::Value;

use crate::rule::{RuleError, RuleVerdict, ShellRule};

/// The note of an allow rule for a program that runs code of the project.
pub const PROJECT_NOTE: &str = "It runs code of the project.";

/// Rules that passed their own examples, in the order in which they were given.
#[derive(Debug, Clone, Default)]
pub struct ShellRules {
    rules: Vec<ShellRule>,
    refused: Vec<UnusableRule>,
}

/// A rule that cannot be used, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusableRule {
    pub id: String,
    pub why: RuleError,
    /// True if it may be an ask or deny rule. While such a rule is refused, nothing is allowed.
    pub restricts: bool,
}

impl ShellRules {
    pub fn load(rules: impl IntoIterator<Item = ShellRule>) -> Self {
        let mut loaded = Self::default();
        for rule in rules {
            let restricts = rule.verdict != RuleVerdict::Allow;
            let id = rule.id.clone();
            if let Err(why) = loaded.add(rule) {
                loaded.refused.push(UnusableRule { id, why, restricts });
            }
        }
        loaded
    }

    /// Parses each rule separately, so that an invalid one does not affect the others.
    pub fn read(values: &[Value]) -> Self {
        let mut loaded = Self::default();
        for value in values {
            let id = value["id"].as_str().unwrap_or_default().to_owned();
            let restricts = value["verdict"] != "allow";
            let rule = serde_json::from_value(value.clone());
            let added = rule
                .map_err(|error| RuleError::Unreadable(error.to_string()))
                .and_then(|rule| loaded.add(rule));
            if let Err(why) = added {
                loaded.refused.push(UnusableRule { id, why, restricts });
            }
        }
        loaded
    }

    pub fn add(&mut self, mut rule: ShellRule) -> Result<(), RuleError> {
        rule.check()?;
        if self.rules.iter().any(|other| other.id == rule.id) {
            return Err(RuleError::SameId);
        }
        if rule.verdict == RuleVerdict::Allow && rule.note.is_empty() && rule.runs_project_code() {
            PROJECT_NOTE.clone_into(&mut rule.note);
        }
        self.rules.push(rule);
        Ok(())
    }

    /// Removes a rule. Returns true if it existed.
    pub fn revoke(&mut self, id: &str) -> bool {
        let before = self.rules.len() + self.refused.len();
        self.rules.retain(|rule| rule.id != id);
        self.refused.retain(|refused| refused.id != id);
        before > self.rules.len() + self.refused.len()
    }

    pub fn all(&self) -> &[ShellRule] {
        &self.rules
    }

    pub fn refused(&self) -> &[UnusableRule] {
        &self.refused
    }

    /// Returns the rules with this verdict that apply to a folder.
    pub fn with_verdict(&self, verdict: RuleVerdict, root: &str) -> impl Iterator<Item = &ShellRule> {
        self.rules.iter().filter(move |rule| rule.verdict == verdict && rule.applies_in(root))
    }
}
