//! The rule that "always allow this" would make.

use crate::pattern::{Part, Pattern};
use crate::plain::plain;
use crate::programs::{Program, Shape, Suggested, find, has_subcommands};
use crate::rule::{Rule, Verdict};
use crate::rules::PROJECT_NOTE;

/// The narrowest rule that makes sense for a line, with its examples; none where no rule can allow it, or where each
/// time is worth a question. It holds everywhere until somebody gives it a root.
pub fn suggest(line: &str) -> Option<Rule> {
    let arguments = plain(line).ok()?;
    let name = arguments.first()?;
    // Another folder may hold another program tomorrow.
    if name.starts_with('/') || name.split('/').any(|part| part == "..") {
        return None;
    }
    let program = find(name, arguments.get(1).map(String::as_str)).ok()?;
    let exact: Vec<Part> = arguments.iter().cloned().map(Part::Word).collect();
    let offers = match program.suggested {
        Suggested::Nothing => return None,
        Suggested::Exact => vec![exact],
        Suggested::Rest => vec![wide(&program, &arguments), exact],
    };
    offers.into_iter().find_map(|parts| rule(&program, &parts, line))
}

/// The program and what decides what it does, with any further arguments.
fn wide(program: &Program, arguments: &[String]) -> Vec<Part> {
    let mut parts: Vec<Part> = match (program.shape, arguments) {
        (Shape::Printing, [name, ..]) => {
            vec![Part::Word(name.clone()), Part::Word("-n".to_owned()), Part::Any]
        }
        // `npm run build`: each script is something else.
        (Shape::Tame, [name, run, script, ..]) if run.starts_with("run") => {
            [name, run, script].map(|word| Part::Word(word.clone())).into()
        }
        (_, [name, second, ..]) if has_subcommands(name) => {
            [name, second].map(|word| Part::Word(word.clone())).into()
        }
        _ => arguments.iter().take(1).cloned().map(Part::Word).collect(),
    };
    parts.push(Part::Rest);
    parts
}

fn rule(program: &Program, parts: &[Part], line: &str) -> Option<Rule> {
    let line = line.trim_matches(' ');
    let pattern = Pattern::new(parts).ok()?;
    let mut misses = vec![format!("sudo {line}"), format!("{line} | sh")];
    if pattern.is_exact() {
        misses.push(format!("{line} and-more"));
    }
    let rule = Rule {
        id: format!("allow {pattern}"),
        verdict: Verdict::Allow,
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
