//! The properties of a program that decide which of its arguments a rule may allow.

use super::objection::Objection;
use super::option::{OptionStyle, is_among, is_suspicious};

/// The properties of a program or of one of its subcommands.
#[derive(Debug, Clone, Copy)]
pub struct ProgramProperties {
    /// Options that run another program and are never allowed. The second list is for the subcommand.
    pub forbidden: [&'static str; 2],
    /// Options that write somewhere or change the effect of the program. A rule must spell them out.
    pub explicit_only: [&'static str; 2],
    pub style: OptionStyle,
    pub shape: ArgumentShape,
    /// True if the program normally runs code of the project. The sandbox confines that.
    pub project: bool,
    pub suggested: SuggestedScope,
}

/// The constraints on arguments that are not options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentShape {
    Free,
    /// An unknown program: options that look dangerous must be spelled out.
    Unknown,
    /// All arguments must be spelled out.
    Exact,
    /// An argument that matches a wildcard must be a plain name, since it ends up in a script or sets what is run.
    PlainNames,
    /// Addresses with `::` name a program that is run for the transport.
    Transport,
    /// Letters without a dash are also options, and a colon in a name means another machine.
    Archive,
    /// Only `sed -n 1,20p FILE` is accepted: other scripts can write files and run commands.
    SedPrint,
}

/// The scope of the rule that is suggested for a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuggestedScope {
    /// With any further arguments.
    Rest,
    /// With exactly these arguments.
    Exact,
    /// No rule: the effect cannot be undone or leaves the machine.
    Nothing,
}

/// A program whose options are all harmless.
pub const PLAIN: ProgramProperties = ProgramProperties {
    forbidden: [""; 2],
    explicit_only: [""; 2],
    style: OptionStyle::Gnu,
    shape: ArgumentShape::Free,
    project: false,
    suggested: SuggestedScope::Exact,
};

impl ProgramProperties {
    /// Creates the entry of a subcommand that has only these options to check.
    pub(super) const fn subcommand(
        forbidden: [&'static str; 2],
        explicit_only: [&'static str; 2],
        style: OptionStyle,
    ) -> Self {
        Self { forbidden, explicit_only, style, ..PLAIN }
    }

    /// Returns the objection to one argument. `position` counts from 0 after the program name, and `by_wildcard` is
    /// true if a wildcard matched the argument.
    pub fn objects(
        &self,
        name: &str,
        position: usize,
        argument: &str,
        by_wildcard: bool,
    ) -> Option<Objection> {
        let (said, owner) = (argument.to_owned(), name.to_owned());
        let among = |lists: [&str; 2]| lists.iter().any(|listed| is_among(listed, argument, self.style));
        if among(self.forbidden) || self.shape.runs(position, argument, self.forbidden[0]) {
            return Some(Objection::RunsProgram(said, owner));
        }
        if !by_wildcard {
            return None;
        }
        match self.shape {
            ArgumentShape::Exact | ArgumentShape::Archive => return Some(Objection::NotExact(owner)),
            ArgumentShape::PlainNames if !is_plain_name(argument) => {
                return Some(Objection::NotPlainName(said, owner));
            }
            ArgumentShape::Unknown if is_suspicious(argument) => {
                return Some(Objection::NotSpelledOut(said, owner));
            }
            _ if among(self.explicit_only) => return Some(Objection::NotSpelledOut(said, owner)),
            _ => {}
        }
        (self.project && points_outside(argument)).then_some(Objection::OutsideProject(said))
    }
}

impl ArgumentShape {
    fn runs(self, position: usize, argument: &str, forbidden: &str) -> bool {
        match self {
            Self::Transport => argument.contains("::"),
            Self::Archive => {
                argument.contains(':')
                    || (position == 0 && is_among(forbidden, &format!("-{argument}"), OptionStyle::Gnu))
            }
            _ => false,
        }
    }

    /// Returns the objection to the arguments as a whole.
    pub fn objects(self, name: &str, arguments: &[String]) -> Option<Objection> {
        let prints = match arguments {
            [_, quiet, script, files @ ..] => {
                quiet == "-n" && is_print(script) && !files.iter().any(|file| file.starts_with('-'))
            }
            _ => false,
        };
        (self == Self::SedPrint && !prints)
            .then(|| Objection::RunsProgram(arguments.get(1).cloned().unwrap_or_default(), name.to_owned()))
    }
}

/// Returns true for a printing script of `sed`: `12p`, `1,20p` or `5,$p`.
fn is_print(script: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(lines) = script.strip_suffix('p') else { return false };
    let (from, to) = lines.split_once(',').unwrap_or((lines, lines));
    is_number(from) && (is_number(to) || (to == "$" && lines.contains(',')))
}

fn is_plain_name(argument: &str) -> bool {
    argument.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./,:@+".contains(&byte))
}

/// Returns true if the argument points outside the project, so that other code would run. `@file` stands for a file
/// with further arguments.
fn points_outside(argument: &str) -> bool {
    let value = argument.split_once('=').map_or(argument, |(_, value)| value);
    [argument, value]
        .iter()
        .any(|path| path.starts_with(['/', '~', '@']) || path.split('/').any(|part| part == ".."))
}
