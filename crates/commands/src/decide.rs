//! Decides whether a command line is allowed, asked about or denied.

use crate::outline::Outline;
use crate::plain::plain;
use crate::programs::{Objection, objection};
use crate::rule::{Rule, Verdict};
use crate::rules::Rules;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub verdict: Verdict,
    /// The id of the rule that decided.
    pub rule: Option<String>,
    /// The reason, as a sentence for the user.
    pub why: String,
}

impl Decision {
    fn ask(rule: Option<&Rule>, why: String) -> Self {
        Self { verdict: Verdict::Ask, rule: rule.map(|rule| rule.id.clone()), why }
    }
}

/// Decides on a line. Deny takes precedence over ask, and ask over allow; a line that no rule matches is asked about.
/// `tainted` means that untrusted content may have caused the line.
pub fn decide(rules: &Rules, line: &str, root: &str, tainted: bool) -> Decision {
    let outline = Outline::of(line);
    for verdict in [Verdict::Deny, Verdict::Ask] {
        let caught = rules.holding(verdict, root).find_map(|rule| Some((rule, rule.catches(&outline)?)));
        if let Some((rule, command)) = caught {
            let (shown, pattern) = (command.shown(), &rule.pattern);
            let says = if verdict == Verdict::Deny { "forbids that" } else { "wants you to be asked" };
            let why = format!("It would run `{shown}`, and your rule `{pattern}` {says}.");
            return Decision { verdict, rule: Some(rule.id.clone()), why };
        }
    }
    if !outline.whole {
        return Decision::ask(
            None,
            "It is too long or too nested to look through, so no rule can allow it.".to_owned(),
        );
    }
    let arguments = match plain(line) {
        Ok(arguments) => arguments,
        Err(not_plain) => return Decision::ask(None, format!("{not_plain}, so no rule can allow it.")),
    };
    let mut against = None;
    for rule in rules.holding(Verdict::Allow, root) {
        match rule.allows(&arguments) {
            Ok(true) => return allowed(rules, rule, tainted),
            Ok(false) => {}
            Err(objection) => against = against.or(Some((rule, objection))),
        }
    }
    if let Some((rule, objection)) = against {
        return Decision::ask(None, format!("Your rule `{}` does not go so far: {objection}.", rule.pattern));
    }
    match objection(&arguments, &vec![false; arguments.len()]) {
        Some(objection @ Objection::NotExact(_)) => Decision::ask(None, format!("{objection}.")),
        Some(objection) => Decision::ask(None, format!("{objection}, so no rule can allow it.")),
        None => Decision::ask(None, "No rule says anything about it.".to_owned()),
    }
}

/// Returns the decision for a line that an allow rule matches. It is still asked about if a restricting rule was
/// refused or the conversation is tainted.
fn allowed(rules: &Rules, rule: &Rule, tainted: bool) -> Decision {
    let pattern = &rule.pattern;
    if let Some(refused) = rules.refused().iter().find(|refused| refused.restrains) {
        return Decision::ask(
            Some(rule),
            format!(
                "Your rule `{pattern}` would allow it, but the rule \"{}\" cannot be used and may say no: {}.",
                refused.id, refused.why
            ),
        );
    }
    if tainted {
        return Decision::ask(
            Some(rule),
            format!(
                "Your rule `{pattern}` would allow it, but the conversation holds outside text that may have \
                 asked for it."
            ),
        );
    }
    let why = format!("Your rule `{pattern}` allows it.");
    Decision { verdict: Verdict::Allow, rule: Some(rule.id.clone()), why }
}

#[cfg(test)]
#[path = "decide_tests.rs"]
mod tests;
