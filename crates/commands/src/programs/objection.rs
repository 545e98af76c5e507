//! Reasons why no allow rule covers a command.

use super::barred::Barred;

/// The reason a matching allow rule does not cover these arguments.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Objection {
    #[error("`{0}` {reason}", reason = .1.reason())]
    Barred(String, Barred),
    #[error(
        "`{0}` needs a subcommand right after its name that is known to be harmless, and `{1}` is not one"
    )]
    Subcommand(String, String),
    #[error("`{0}` can make `{1}` run another program")]
    RunsProgram(String, String),
    #[error("`{0}` can make `{1}` write somewhere else, or do more than its name says")]
    NotSpelledOut(String, String),
    #[error(
        "`{0}` does more with some arguments than with others, so its rules have to spell out all of them"
    )]
    NotExact(String),
    #[error("`{0}` points outside the project")]
    OutsideProject(String),
    #[error("`{0}` would run as well")]
    RunsAnother(String),
    #[error("`{0}` could be read as a script or a setting by what `{1}` runs")]
    NotPlainName(String, String),
}
