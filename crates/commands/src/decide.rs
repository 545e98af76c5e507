//! Decides whether a command line is allowed, asked about or denied.

use crate::found_commands::FoundCommands;
use crate::plain::plain;
use crate::programs::{Objection, objection};
use crate::rule::{RuleVerdict, ShellRule};
use crate::rules::ShellRules;

/// The verdict of the rules on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandDecision {
    pub verdict: RuleVerdict,
    /// The id of the rule that decided.
    pub rule: Option<String>,
    /// The reason, as a sentence for the user.
    pub why: String,
}

impl CommandDecision {
    fn ask(rule: Option<&ShellRule>, why: String) -> Self {
        Self { verdict: RuleVerdict::Ask, rule: rule.map(|rule| rule.id.clone()), why }
    }
}

/// Decides on a line. Deny takes precedence over ask, and ask over allow; a line that no rule matches is asked about.
/// `tainted` means that untrusted content may have caused the line.
pub fn decide(rules: &ShellRules, line: &str, root: &str, tainted: bool) -> CommandDecision {
    let found = FoundCommands::in_line(line);
    for verdict in [RuleVerdict::Deny, RuleVerdict::Ask] {
        let caught = rules.with_verdict(verdict, root).find_map(|rule| Some((rule, rule.catches(&found)?)));
        if let Some((rule, command)) = caught {
            let (shown, pattern) = (command.shown(), &rule.pattern);
            let effect = if verdict == RuleVerdict::Deny { "forbids that" } else { "wants you to be asked" };
            let why = format!("It would run `{shown}`, and your rule `{pattern}` {effect}.");
            return CommandDecision { verdict, rule: Some(rule.id.clone()), why };
        }
    }
    if !found.complete {
        return CommandDecision::ask(
            None,
            "It is too long or too deeply nested to check, so no rule can allow it.".to_owned(),
        );
    }
    let arguments = match plain(line) {
        Ok(arguments) => arguments,
        Err(not_plain) => {
            return CommandDecision::ask(None, format!("{not_plain}, so no rule can allow it."));
        }
    };
    let mut rejected = None;
    for rule in rules.with_verdict(RuleVerdict::Allow, root) {
        match rule.allows(&arguments) {
            Ok(true) => return allowed(rules, rule, tainted),
            Ok(false) => {}
            Err(objection) => rejected = rejected.or(Some((rule, objection))),
        }
    }
    if let Some((rule, objection)) = rejected {
        return CommandDecision::ask(
            None,
            format!("Your rule `{}` does not go so far: {objection}.", rule.pattern),
        );
    }
    match objection(&arguments, &vec![false; arguments.len()]) {
        Some(objection @ Objection::NotExact(_)) => CommandDecision::ask(None, format!("{objection}.")),
        Some(objection) => CommandDecision::ask(None, format!("{objection}, so no rule can allow it.")),
        None => CommandDecision::ask(None, "No rule says anything about it.".to_owned()),
    }
}

/// Returns the decision for a line that an allow rule matches. It is still asked about if a restricting rule was
/// refused or the conversation is tainted.
fn allowed(rules: &ShellRules, rule: &ShellRule, tainted: bool) -> CommandDecision {
    let pattern = &rule.pattern;
    if let Some(refused) = rules.refused().iter().find(|refused| refused.restricts) {
        return CommandDecision::ask(
            Some(rule),
            format!(
                "Your rule `{pattern}` would allow it, but the rule \"{}\" cannot be used and may say no: {}.",
                refused.id, refused.why
            ),
        );
    }
    if tainted {
        return CommandDecision::ask(
            Some(rule),
            format!(
                "Your rule `{pattern}` would allow it, but the conversation holds outside text that may have \
                 asked for it."
            ),
        );
    }
    let why = format!("Your rule `{pattern}` allows it.");
    CommandDecision { verdict: RuleVerdict::Allow, rule: Some(rule.id.clone()), why }
}

#[cfg(test)]
#[path = "decide_tests.rs"]
mod tests;
