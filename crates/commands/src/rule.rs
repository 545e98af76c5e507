//! A rule of the user, with examples that define its meaning.

use serde::{Deserialize, Serialize};

use crate::found_commands::{FoundCommand, FoundCommands};
use crate::not_plain::NotPlain;
use crate::pattern::{CommandPattern, PatternError};
use crate::plain::plain;
use crate::programs::barred::barred;
use crate::programs::{ArgumentShape, Objection, objection, properties};

/// The treatment of a line that a rule matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleVerdict {
    Allow,
    Ask,
    Deny,
}

/// A decision of the user about some commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShellRule {
    pub id: String,
    pub verdict: RuleVerdict,
    pub pattern: CommandPattern,
    /// The folder that the rule applies to, or everywhere if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// Lines that the rule must match. At least one is required.
    pub matches: Vec<String>,
    /// Lines that the rule must not match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub misses: Vec<String>,
    /// A note shown to the user.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// The reason a rule is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    #[error("it has no id")]
    NoId,
    #[error("there is another rule with the same id")]
    SameId,
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    #[error(transparent)]
    Pattern(#[from] PatternError),
    #[error("it has no example: add a line to `matches` that it is about")]
    NoExample,
    #[error("a rule that allows has to begin with the name of a program")]
    AnyProgram,
    #[error("{0}, so no rule can allow it")]
    Never(Objection),
    #[error("its example `{example}` should match, but does not: {why}")]
    ShouldMatch { example: String, why: String },
    #[error("its example `{example}` should not match, but does")]
    ShouldMiss { example: String },
}

/// The reason a rule does not match a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Miss {
    #[error("{0}")]
    NotPlain(#[from] NotPlain),
    #[error("its words differ")]
    Differs,
    #[error("{0}")]
    Objection(#[from] Objection),
}

impl ShellRule {
    /// Checks that the rule may be used: its examples match as stated, and it does not allow anything that no rule can
    /// allow.
    pub fn check(&self) -> Result<(), RuleError> {
        if self.id.trim().is_empty() {
            return Err(RuleError::NoId);
        }
        // A pattern built from parts may differ from its text.
        CommandPattern::new(self.pattern.parts())?;
        if self.matches.is_empty() {
            return Err(RuleError::NoExample);
        }
        if self.verdict == RuleVerdict::Allow {
            self.check_programs()?;
        }
        for example in &self.matches {
            if let Err(miss) = self.is_about(example) {
                return Err(RuleError::ShouldMatch { example: example.clone(), why: miss.to_string() });
            }
        }
        match self.misses.iter().find(|example| self.is_about(example).is_ok()) {
            Some(example) => Err(RuleError::ShouldMiss { example: example.clone() }),
            None => Ok(()),
        }
    }

    fn check_programs(&self) -> Result<(), RuleError> {
        let pattern = &self.pattern;
        if pattern.programs().is_empty() {
            return Err(RuleError::AnyProgram);
        }
        let seconds = pattern.words_at(1).iter().map(|word| Some(word.as_str()));
        let seconds: Vec<Option<&str>> =
            if pattern.words_at(1).is_empty() { vec![None] } else { seconds.collect() };
        for name in pattern.programs() {
            if let Some(barred) = barred(name) {
                return Err(RuleError::Never(Objection::Barred(name.clone(), barred)));
            }
            for second in &seconds {
                let program = properties(name, *second).map_err(|name| {
                    let second = second.map_or_else(|| "anything".to_owned(), str::to_owned);
                    RuleError::Never(Objection::Subcommand(name, second))
                })?;
                if matches!(program.shape, ArgumentShape::Exact | ArgumentShape::Archive)
                    && !pattern.is_exact()
                {
                    return Err(RuleError::Never(Objection::NotExact(name.clone())));
                }
                let spelled_out = (1..pattern.parts().len()).flat_map(|position| {
                    pattern.words_at(position).iter().map(move |word| (position - 1, word))
                });
                for (position, word) in spelled_out {
                    if let Some(objection) = program.objects(name, position, word, false) {
                        return Err(RuleError::Never(objection));
                    }
                }
            }
        }
        Ok(())
    }

    fn is_about(&self, line: &str) -> Result<(), Miss> {
        if self.verdict == RuleVerdict::Allow {
            return if self.allows(&plain(line)?)? { Ok(()) } else { Err(Miss::Differs) };
        }
        self.catches(&FoundCommands::in_line(line)).map(|_| ()).ok_or(Miss::Differs)
    }

    /// Returns true if an allow rule covers these arguments. Returns the objection if only the pattern matches.
    pub fn allows(&self, arguments: &[String]) -> Result<bool, Objection> {
        let Some(by_wildcard) = self.pattern.fit(arguments) else { return Ok(false) };
        objection(arguments, &by_wildcard).map_or(Ok(true), Err)
    }

    /// Returns the first command that an ask or deny rule matches.
    pub fn catches<'a>(&self, found: &'a FoundCommands) -> Option<&'a FoundCommand> {
        found.commands.iter().find(|command| self.pattern.may_fit(command))
    }

    /// Returns true if the program normally runs code of the project, which the note of the rule should say.
    pub fn runs_project_code(&self) -> bool {
        let second = self.pattern.words_at(1).first().map(String::as_str);
        self.pattern
            .programs()
            .iter()
            .any(|name| properties(name, second).is_ok_and(|program| program.project))
    }

    /// Returns true if the rule applies to this folder.
    pub fn applies_in(&self, root: &str) -> bool {
        let bare = |path: &str| path.trim_end_matches('/').to_owned();
        self.root.as_deref().is_none_or(|own| bare(own) == bare(root))
    }
}

#[cfg(test)]
#[path = "rule_tests.rs"]
mod tests;
