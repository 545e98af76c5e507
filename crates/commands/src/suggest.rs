//! Creates the rule for "always allow this".

use crate::pattern::{CommandPattern, PatternPart};
use crate::plain::plain;
use crate::programs::{ArgumentShape, ProgramProperties, SuggestedScope, has_subcommands, properties};
use crate::rule::{RuleVerdict, ShellRule};
use crate::rules::PROJECT_NOTE;

/// Returns the narrowest sensible rule for a line, with its examples, or `None` if no rule can allow the line or each
/// run should be confirmed. The rule applies everywhere until it is given a root.
pub fn suggest(line: &str) -> Option<ShellRule> {
    let arguments = plain(line).ok()?;
    let name = arguments.first()?;
    // A path outside the current folder may refer to another program later.
    if name.starts_with('/') || name.split('/').any(|part| part == "..") {
        return None;
    }
    let program = properties(name, arguments.get(1).map(String::as_str)).ok()?;
    let exact: Vec<PatternPart> = arguments.iter().cloned().map(PatternPart::Word).collect();
    let offers = match program.suggested {
        SuggestedScope::Nothing => return None,
        SuggestedScope::Exact => vec![exact],
        SuggestedScope::Rest => vec![wide(&program, &arguments), exact],
    };
    offers.into_iter().find_map(|parts| rule(&program, &parts, line))
}

/// Returns the program and the arguments that select its action, followed by any arguments.
fn wide(program: &ProgramProperties, arguments: &[String]) -> Vec<PatternPart> {
    let mut parts: Vec<PatternPart> = match (program.shape, arguments) {
        (ArgumentShape::SedPrint, [name, ..]) => {
            vec![PatternPart::Word(name.clone()), PatternPart::Word("-n".to_owned()), PatternPart::Any]
        }
        // `npm run build`: each script does something different.
        (ArgumentShape::PlainNames, [name, run, script, ..]) if run.starts_with("run") => {
            [name, run, script].map(|word| PatternPart::Word(word.clone())).into()
        }
        (_, [name, second, ..]) if has_subcommands(name) => {
            [name, second].map(|word| PatternPart::Word(word.clone())).into()
        }
        _ => arguments.iter().take(1).cloned().map(PatternPart::Word).collect(),
    };
    parts.push(PatternPart::Rest);
    parts
}

fn rule(program: &ProgramProperties, parts: &[PatternPart], line: &str) -> Option<ShellRule> {
    let line = line.trim_matches(' ');
    let pattern = CommandPattern::new(parts).ok()?;
    let mut misses = vec![format!("sudo {line}"), format!("{line} | sh")];
    if pattern.is_exact() {
        misses.push(format!("{line} and-more"));
    }
    let rule = ShellRule {
        id: format!("allow {pattern}"),
        verdict: RuleVerdict::Allow,
        pattern,
        root: None,
        matches: vec![line.to_owned()],
        misses,
        note: if program.project { PROJECT_NOTE.to_owned() } else { String::new() },
    };
    rule.check().is_ok().then_some(rule)
}

#[cfg(test)]
#[path = "suggest_tests.rs"]
mod tests;
