use protocol::CodeMode;

use crate::chat::{Entry, entry};

/// A command of a code session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slash {
    Help,
    Exit,
    New,
    Mode(CodeMode),
    /// Sets the file to work on; without a name, Luna finds the files again.
    Focus(Option<String>),
    Go,
    Review,
    Undo,
    Redo,
    Verify,
    Run(String),
}

pub const ENTRIES: &[Entry] = &[
    entry(&["help", "?"], "", "this list"),
    entry(&["mode"], "agent|ask|plan|repair", "change files, only answer, only plan, or fix an error"),
    entry(&["focus"], "[FILE]", "the file that is meant; without one, she finds it"),
    entry(&["go"], "", "carry out the plan"),
    entry(&["review"], "", "look once more at what is not written yet"),
    entry(&["undo"], "", "take back what was written last"),
    entry(&["redo"], "", "do it once more"),
    entry(&["verify"], "", "build and test"),
    entry(&["run"], "COMMAND", "run a command in the sandbox"),
    entry(&["new"], "", "begin another conversation"),
    entry(&["exit", "quit"], "", "end (or Ctrl-D)"),
];

pub const MORE: &str = "Everything else is a request. @file, @folder/, @symbol, @diff and @terminal in it bring what they \
                        name. Ctrl-C stops the work.";

/// The meaning of a line in a code session.
#[derive(Debug, PartialEq, Eq)]
pub enum Spoken {
    Nothing,
    Request(String),
    Command(Slash),
    Unclear(String),
}

pub fn read(line: &str) -> Spoken {
    let line = line.trim();
    let Some(command) = line.strip_prefix('/') else {
        return if line.is_empty() { Spoken::Nothing } else { Spoken::Request(line.to_owned()) };
    };
    let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let rest = rest.trim();
    let slash = match (name, rest) {
        ("help" | "?", _) => Slash::Help,
        ("exit" | "quit", _) => Slash::Exit,
        ("new", _) => Slash::New,
        ("mode", "agent") => Slash::Mode(CodeMode::Agent),
        ("mode", "ask" | "chat") => Slash::Mode(CodeMode::Ask),
        ("mode", "plan") => Slash::Mode(CodeMode::Plan),
        ("mode", "repair") => Slash::Mode(CodeMode::Repair),
        ("mode", _) => return Spoken::Unclear("Modes are agent, ask, plan and repair.".to_owned()),
        ("focus", "") => Slash::Focus(None),
        ("focus", file) => Slash::Focus(Some(file.trim_start_matches('@').to_owned())),
        ("go", _) => Slash::Go,
        ("review", _) => Slash::Review,
        ("undo", _) => Slash::Undo,
        ("redo", _) => Slash::Redo,
        ("verify", _) => Slash::Verify,
        ("run", "") => return Spoken::Unclear("Say what to run: /run cargo test".to_owned()),
        ("run", command) => Slash::Run(command.to_owned()),
        _ => return Spoken::Unclear(format!("There is no /{name}. /help shows what there is.")),
    };
    Spoken::Command(slash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_requests_or_commands() {
        for (line, expected) in [
            ("", Spoken::Nothing),
            ("  fix the total ", Spoken::Request("fix the total".into())),
            ("/mode plan", Spoken::Command(Slash::Mode(CodeMode::Plan))),
            ("/focus @src/main.rs", Spoken::Command(Slash::Focus(Some("src/main.rs".into())))),
            ("/focus", Spoken::Command(Slash::Focus(None))),
            ("/run cargo test --all", Spoken::Command(Slash::Run("cargo test --all".into()))),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
        for line in ["/mode fast", "/run", "/what"] {
            assert!(matches!(read(line), Spoken::Unclear(_)), "{line}");
        }
    }

    #[test]
    fn whatever_help_lists_is_understood() {
        for entry in ENTRIES {
            let argument = entry.arguments.trim_matches(['[', ']']).split('|').next().unwrap_or_default();
            for name in entry.names {
                assert!(matches!(read(&format!("/{name} {argument}")), Spoken::Command(_)), "{name}");
            }
        }
    }
}
