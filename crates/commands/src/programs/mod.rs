//! Properties of programs: those that run any command they are given, the options with which others do, and those that
//! run code of the project.

pub mod barred;
mod known;
mod option;
mod subcommands;

use crate::outline::{Command, Outline};

pub use known::{Program, Shape, Suggested, find};
pub use subcommands::has_subcommands;

/// The reason a matching allow rule does not cover these arguments.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Objection {
    #[error("`{0}` {reason}", reason = .1.reason())]
    Barred(String, barred::Barred),
    #[error("`{0}` needs a subcommand right after its name that is known to be harmless, and `{1}` is none")]
    Subcommand(String, String),
    #[error("`{0}` can make `{1}` run another program")]
    Runs(String, String),
    #[error("`{0}` can make `{1}` write somewhere else, or do more than its name says")]
    Unspelled(String, String),
    #[error(
        "`{0}` does more with some arguments than with others, so its rules have to spell out all of them"
    )]
    NotExact(String),
    #[error("`{0}` leads out of the project")]
    Outside(String),
    #[error("`{0}` would run as well")]
    Carries(String),
    #[error("`{0}` could be read as a script or a setting by what `{1}` runs")]
    Untame(String, String),
}

/// Returns the reason no rule may allow these arguments, if there is one. `loose` is true for each argument that a
/// wildcard (`*` or `...`) matched, and false for those that the rule spells out.
pub fn objection(arguments: &[String], loose: &[bool]) -> Option<Objection> {
    let name = arguments.first()?;
    if let Some(barred) = barred::barred(name) {
        return Some(Objection::Barred(name.clone(), barred));
    }
    let second = arguments.get(1).map(String::as_str);
    let program = match find(name, second) {
        Ok(program) => program,
        Err(named) => return Some(Objection::Subcommand(named, second.unwrap_or("nothing").to_owned())),
    };
    let rest = arguments.iter().zip(loose.iter().copied().chain(std::iter::repeat(true))).skip(1);
    for (place, (argument, is_loose)) in rest.enumerate() {
        if let Some(objection) = program.objects(name, place, argument, is_loose) {
            return Some(objection);
        }
    }
    program.shape.objects(name, arguments).or_else(|| carries(arguments))
}

/// Objects to arguments that carry further commands: deny rules check those, but allow rules do not cover them.
fn carries(arguments: &[String]) -> Option<Objection> {
    let outline = Outline::of_arguments(arguments);
    let carried = outline.commands.get(1).map(Command::shown);
    carried.or_else(|| (!outline.whole).then(|| "something".to_owned())).map(Objection::Carries)
}
