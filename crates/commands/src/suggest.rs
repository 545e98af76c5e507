//! Creates the rule for "always allow this".

use crate::pattern::{Part, Pattern};
use crate::plain::plain;
use crate::programs::{Program, Shape, Suggested, find, has_subcommands};
use crate::rule::{Rule, Verdict};
use crate::rules::PROJECT_NOTE;

/// Returns the narrowest sensible rule for a line, with its examples, or `None` if no rule can allow the line or each
/// run should be confirmed. The rule applies everywhere until it is given a root.
pub fn suggest(line: &str) -> Option<Rule> {
    let arguments = plain(line).ok()?;
    let name = arguments.first()?;
    // A path outside the current folder may refer to another program later.
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

/// Returns the program and the arguments that select its action, followed by any arguments.
fn wide(program: &Program, arguments: &[String]) -> Vec<Part> {
    let mut parts: Vec<Part> = match (program.shape, arguments) {
        (Shape::Printing, [name, ..]) => {
            vec![Part::Word(name.clone()), Part::Word("-n".to_owned()), Part::Any]
        }
        // `npm run build`: each script does something different.
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
