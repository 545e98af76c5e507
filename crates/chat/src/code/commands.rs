use protocol::CodeMode;

use crate::command_help::{CommandHelp, help};

/// A command of a code session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodeCommand {
    Help,
    Exit,
    New,
    Mode(CodeMode),
    /// Sets the file to work on; without a name, the companion finds the files again.
    Focus(Option<String>),
    CarryOut,
    Review,
    Undo,
    Redo,
    Verify,
    Run(String),
}

pub const COMMANDS: &[CommandHelp] = &[
    help(&["help", "?"], "", "show this list"),
    help(&["mode"], "agent|ask|plan|repair", "change files, only answer, only plan, or fix an error"),
    help(&["focus"], "[FILE]", "work on this file; without one, Luna finds the files"),
    help(&["go"], "", "carry out the plan"),
    help(&["review"], "", "review the changes that are not written yet"),
    help(&["undo"], "", "undo the last change"),
    help(&["redo"], "", "redo the change that you undid last"),
    help(&["verify"], "", "build and test"),
    help(&["run"], "COMMAND", "run a command in the sandbox"),
    help(&["new"], "", "start another conversation"),
    help(&["exit", "quit"], "", "leave (or Ctrl-D)"),
];

pub const HELP_FOOTER: &str = "Anything else is a request. @file, @folder/, @symbol, @diff and @terminal in it add what they \
                               name. Ctrl-C stops the work.";

/// The meaning of a line in a code session.
#[derive(Debug, PartialEq, Eq)]
pub enum CodeInput {
    Empty,
    Request(String),
    Command(CodeCommand),
    Invalid(String),
}

pub fn parse(line: &str) -> CodeInput {
    let line = line.trim();
    let Some(command) = line.strip_prefix('/') else {
        return if line.is_empty() { CodeInput::Empty } else { CodeInput::Request(line.to_owned()) };
    };
    let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let rest = rest.trim();
    let command = match (name, rest) {
        ("help" | "?", _) => CodeCommand::Help,
        ("exit" | "quit", _) => CodeCommand::Exit,
        ("new", _) => CodeCommand::New,
        ("mode", "agent") => CodeCommand::Mode(CodeMode::Agent),
        ("mode", "ask" | "chat") => CodeCommand::Mode(CodeMode::Ask),
        ("mode", "plan") => CodeCommand::Mode(CodeMode::Plan),
        ("mode", "repair") => CodeCommand::Mode(CodeMode::Repair),
        ("mode", _) => return CodeInput::Invalid("Modes are agent, ask, plan and repair.".to_owned()),
        ("focus", "") => CodeCommand::Focus(None),
        ("focus", file) => CodeCommand::Focus(Some(file.trim_start_matches('@').to_owned())),
        ("go", _) => CodeCommand::CarryOut,
        ("review", _) => CodeCommand::Review,
        ("undo", _) => CodeCommand::Undo,
        ("redo", _) => CodeCommand::Redo,
        ("verify", _) => CodeCommand::Verify,
        ("run", "") => return CodeInput::Invalid("Say what to run: /run cargo test".to_owned()),
        ("run", command) => CodeCommand::Run(command.to_owned()),
        _ => return CodeInput::Invalid(format!("There is no /{name}. /help lists the commands.")),
    };
    CodeInput::Command(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_requests_or_commands() {
        for (line, expected) in [
            ("", CodeInput::Empty),
            ("  fix the total ", CodeInput::Request("fix the total".into())),
            ("/mode plan", CodeInput::Command(CodeCommand::Mode(CodeMode::Plan))),
            ("/focus @src/main.rs", CodeInput::Command(CodeCommand::Focus(Some("src/main.rs".into())))),
            ("/focus", CodeInput::Command(CodeCommand::Focus(None))),
            ("/run cargo test --all", CodeInput::Command(CodeCommand::Run("cargo test --all".into()))),
        ] {
            assert_eq!(parse(line), expected, "{line}");
        }
        for line in ["/mode fast", "/run", "/what"] {
            assert!(matches!(parse(line), CodeInput::Invalid(_)), "{line}");
        }
    }

    #[test]
    fn whatever_help_lists_is_understood() {
        for command in COMMANDS {
            let argument = command.arguments.trim_matches(['[', ']']).split('|').next().unwrap_or_default();
            for name in command.names {
                assert!(matches!(parse(&format!("/{name} {argument}")), CodeInput::Command(_)), "{name}");
            }
        }
    }
}
