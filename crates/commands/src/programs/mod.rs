//! Properties of programs: those that run any command they are given, the options with which others do, and those that
//! run code of the project.

pub mod barred;
mod known;
mod objection;
mod option;
mod program;
mod subcommands;

use crate::found_commands::{FoundCommand, FoundCommands};

pub use objection::Objection;
pub use program::{ArgumentShape, ProgramProperties, SuggestedScope};
use subcommands::Lookup;
pub use subcommands::has_subcommands;

/// Looks up a program by its name and the argument after it. Returns the name of the program as an error if it has
/// subcommands and this one cannot be allowed.
pub fn properties(name: &str, second: Option<&str>) -> Result<ProgramProperties, String> {
    let base = name.rsplit('/').next().unwrap_or(name);
    match subcommands::find(base, second) {
        Lookup::Listed(program) => Ok(program),
        Lookup::Unlisted => Err(base.to_owned()),
        Lookup::Single => Ok(known::properties(name)),
    }
}

/// Returns the reason no rule may allow these arguments, if there is one. `by_wildcard` is true for each argument that
/// a wildcard (`*` or `...`) matched, and false for those that the rule spells out.
pub fn objection(arguments: &[String], by_wildcard: &[bool]) -> Option<Objection> {
    let name = arguments.first()?;
    if let Some(barred) = barred::barred(name) {
        return Some(Objection::Barred(name.clone(), barred));
    }
    let second = arguments.get(1).map(String::as_str);
    let program = match properties(name, second) {
        Ok(program) => program,
        Err(named) => return Some(Objection::Subcommand(named, second.unwrap_or("nothing").to_owned())),
    };
    let rest = arguments.iter().zip(by_wildcard.iter().copied().chain(std::iter::repeat(true))).skip(1);
    for (position, (argument, by_wildcard)) in rest.enumerate() {
        if let Some(objection) = program.objects(name, position, argument, by_wildcard) {
            return Some(objection);
        }
    }
    program.shape.objects(name, arguments).or_else(|| runs_another(arguments))
}

/// Objects to arguments that contain further commands: deny rules check those, but allow rules do not cover them.
fn runs_another(arguments: &[String]) -> Option<Objection> {
    let found = FoundCommands::in_arguments(arguments);
    let other = found.commands.get(1).map(FoundCommand::shown);
    other.or_else(|| (!found.complete).then(|| "something".to_owned())).map(Objection::RunsAnother)
}
