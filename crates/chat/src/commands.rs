use crate::command_help::{CommandHelp, help};
use crate::program::ProgramCommand;

/// A command of a chat session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChatCommand {
    Help,
    Exit,
    New {
        title: Option<String>,
    },
    Chats,
    Search {
        words: String,
    },
    /// Loads a conversation by its number in the last list, or by its id.
    Load {
        which: String,
    },
    History,
    Rename {
        title: String,
    },
    Pin,
    Unpin,
    /// Without a name, removes the conversation from its folder.
    Folder {
        name: Option<String>,
    },
    Tags {
        tags: Vec<String>,
    },
    Delete,
    Restore,
    Regenerate,
    /// Without a text, opens the last message for editing.
    Edit {
        text: Option<String>,
    },
    /// Switches to another branch at the last fork: previous, next, or by number.
    Branch {
        step: BranchStep,
    },
    Stop,
    Attach {
        file: String,
    },
    Detach,
    Export {
        file: String,
    },
    Why,
    Thoughts,
    /// Shows the current model.
    Model,
    Program(ProgramCommand),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BranchStep {
    Previous,
    Next,
    /// A branch number, counted from one.
    Number(usize),
}

pub const COMMANDS: &[CommandHelp] = &[
    help(&["help", "?"], "", "show this list"),
    help(&["new", "clear"], "[TITLE]", "start another conversation"),
    help(&["chats"], "", "list the conversations, newest first"),
    help(&["search"], "WORDS", "find messages in all conversations"),
    help(&["load"], "N|ID", "open a conversation of the list"),
    help(&["history"], "", "show this conversation again"),
    help(&["rename"], "TITLE", "rename this conversation"),
    help(&["pin"], "", "keep this conversation at the top of the list"),
    help(&["unpin"], "", "stop keeping it there"),
    help(&["folder"], "[NAME]", "move this conversation into a folder, or out of it"),
    help(&["tags"], "[A, B]", "tag this conversation"),
    help(&["delete"], "", "delete this conversation; you can restore it for 30 days"),
    help(&["restore"], "", "restore the conversation that you just deleted"),
    help(&["regenerate", "retry"], "", "get another answer beside the last one"),
    help(&["edit"], "[TEXT]", "reword your last message"),
    help(&["branch"], "back|on|N", "switch between answers to the same message"),
    help(&["stop"], "", "stop an answer that another window started"),
    help(&["attach"], "FILE", "send a text file or a picture with the next message"),
    help(&["detach"], "", "send no file with it after all"),
    help(&["export"], "FILE", "write this conversation to a file (.md or .json)"),
    help(&["why"], "", "show what the last answer was based on, and its cost"),
    help(&["thoughts"], "", "show what the model thought before the last answer"),
    help(&["model"], "[NAME]", "show which model answers, or choose another"),
    help(&["models"], "", "list the models that are here, and those you can download"),
    help(&["pull"], "NAME", "download a model"),
    help(&["processes"], "", "list the background work"),
    help(&["config"], "[KEY [VALUE]]", "show or change settings"),
    help(&["doctor"], "", "check everything"),
    help(&["open"], "", "continue in the browser"),
    help(&["exit", "quit"], "", "leave (or Ctrl-D)"),
];

/// The text below the list of `/help`.
pub const HELP_FOOTER: &str = "Anything else is a message. A line that ends with \\ continues on the next one; pasted \
                               text may have many lines. Ctrl-C stops an answer.";

/// The meaning of a line: a message or a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChatInput {
    Empty,
    Message(String),
    Command(ChatCommand),
    /// An unknown or incomplete command, with an explanation for the user.
    Invalid(String),
}

/// Parses a line. A command begins with a slash; a line that begins with two slashes is a message with one.
pub fn parse(line: &str) -> ChatInput {
    let text = line.trim();
    if text.is_empty() {
        return ChatInput::Empty;
    }
    if let Some(message) = text.strip_prefix("//") {
        return ChatInput::Message(format!("/{message}"));
    }
    let Some(command) = text.strip_prefix('/') else { return ChatInput::Message(text.to_owned()) };
    let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    // A path is part of a message.
    if name.contains('/') || name.contains('.') {
        return ChatInput::Message(text.to_owned());
    }
    let name = name.to_lowercase();
    let Some(entry) = COMMANDS.iter().find(|entry| entry.names.contains(&name.as_str())) else {
        let hint = similar_command(&name).map(|name| format!(" Did you mean /{name}?")).unwrap_or_default();
        return ChatInput::Invalid(format!(
            "There is no /{name}.{hint} /help lists the commands; // sends it as a message."
        ));
    };
    command_with_arguments(entry, rest.trim()).map_or_else(
        || ChatInput::Invalid(format!("Use it like this: /{} {}", entry.names[0], entry.arguments)),
        ChatInput::Command,
    )
}

/// Parses the arguments; `None` if they do not fit.
fn command_with_arguments(entry: &CommandHelp, rest: &str) -> Option<ChatCommand> {
    let whole = || Some(rest.to_owned()).filter(|text| !text.is_empty());
    let command = match entry.names[0] {
        "new" => ChatCommand::New { title: whole() },
        "search" => ChatCommand::Search { words: whole()? },
        "load" => ChatCommand::Load { which: whole()? },
        "rename" => ChatCommand::Rename { title: whole()? },
        "folder" => ChatCommand::Folder { name: whole() },
        "tags" => {
            let tags = rest.split([',', ' ']).map(|tag| tag.trim().trim_start_matches('#'));
            ChatCommand::Tags { tags: tags.filter(|tag| !tag.is_empty()).map(str::to_owned).collect() }
        }
        "edit" => ChatCommand::Edit { text: whole() },
        "branch" => ChatCommand::Branch {
            step: match rest {
                "back" | "prev" | "previous" | "<" => BranchStep::Previous,
                "on" | "next" | ">" | "" => BranchStep::Next,
                number => BranchStep::Number(number.parse().ok().filter(|number| *number > 0)?),
            },
        },
        "attach" => ChatCommand::Attach { file: unquoted(rest).filter(|file| !file.is_empty())? },
        "export" => ChatCommand::Export { file: unquoted(rest).filter(|file| !file.is_empty())? },
        "model" => {
            whole().map_or(ChatCommand::Model, |name| ChatCommand::Program(ProgramCommand::UseModel { name }))
        }
        "pull" => ChatCommand::Program(ProgramCommand::PullModel { name: whole()? }),
        "config" => {
            let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let some = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
            ChatCommand::Program(ProgramCommand::Config { key: some(key), value: some(value) })
        }
        name => command_without_arguments(name).filter(|_| rest.is_empty())?,
    };
    Some(command)
}

fn command_without_arguments(name: &str) -> Option<ChatCommand> {
    Some(match name {
        "help" => ChatCommand::Help,
        "exit" => ChatCommand::Exit,
        "chats" => ChatCommand::Chats,
        "history" => ChatCommand::History,
        "pin" => ChatCommand::Pin,
        "unpin" => ChatCommand::Unpin,
        "delete" => ChatCommand::Delete,
        "restore" => ChatCommand::Restore,
        "regenerate" => ChatCommand::Regenerate,
        "stop" => ChatCommand::Stop,
        "detach" => ChatCommand::Detach,
        "why" => ChatCommand::Why,
        "thoughts" => ChatCommand::Thoughts,
        "models" => ChatCommand::Program(ProgramCommand::Models),
        "processes" => ChatCommand::Program(ProgramCommand::Processes),
        "doctor" => ChatCommand::Program(ProgramCommand::Doctor),
        "open" => ChatCommand::Program(ProgramCommand::Open),
        _ => return None,
    })
}

/// Removes shell quoting from a file name: surrounding quotes, or backslashes before spaces.
fn unquoted(text: &str) -> Option<String> {
    for quote in ['"', '\''] {
        if let Some(inside) = text.strip_prefix(quote) {
            return inside.strip_suffix(quote).map(str::to_owned);
        }
    }
    Some(text.replace("\\ ", " "))
}

/// Returns a command that begins the same way.
fn similar_command(name: &str) -> Option<&'static str> {
    let names = COMMANDS.iter().flat_map(|entry| entry.names.iter().copied());
    let shared = |other: &str| name.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    names.filter(|other| shared(other) >= 2).max_by_key(|other| shared(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> ChatCommand {
        match parse(line) {
            ChatInput::Command(command) => command,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_line_is_a_message_or_a_command() {
        let message = |text: &str| ChatInput::Message(text.into());
        for (line, expected) in [
            ("  Hello, Luna ", message("Hello, Luna")),
            ("two\nlines", message("two\nlines")),
            ("//help is a word", message("/help is a word")),
            ("/etc/hosts is a file", message("/etc/hosts is a file")),
            ("/notes.txt", message("/notes.txt")),
            ("   ", ChatInput::Empty),
            ("/help", ChatInput::Command(ChatCommand::Help)),
            ("/QUIT", ChatInput::Command(ChatCommand::Exit)),
        ] {
            assert_eq!(parse(line), expected, "{line}");
        }
    }

    #[test]
    fn arguments_are_read() {
        let some = |text: &str| Some(text.to_owned());
        for (line, expected) in [
            ("/new", ChatCommand::New { title: None }),
            ("/new A title", ChatCommand::New { title: some("A title") }),
            ("/load 3", ChatCommand::Load { which: "3".into() }),
            (
                "/tags moon, #sun  sea",
                ChatCommand::Tags { tags: vec!["moon".into(), "sun".into(), "sea".into()] },
            ),
            ("/branch back", ChatCommand::Branch { step: BranchStep::Previous }),
            ("/branch 2", ChatCommand::Branch { step: BranchStep::Number(2) }),
            ("/attach \"my file.txt\"", ChatCommand::Attach { file: "my file.txt".into() }),
            ("/attach my\\ file.txt", ChatCommand::Attach { file: "my file.txt".into() }),
            ("/config", ChatCommand::Program(ProgramCommand::Config { key: None, value: None })),
            (
                "/config llm.top_k 20",
                ChatCommand::Program(ProgramCommand::Config { key: some("llm.top_k"), value: some("20") }),
            ),
            ("/model", ChatCommand::Model),
            ("/model  qwen3-4b ", ChatCommand::Program(ProgramCommand::UseModel { name: "qwen3-4b".into() })),
            ("/edit what I meant", ChatCommand::Edit { text: some("what I meant") }),
        ] {
            assert_eq!(command(line), expected, "{line}");
        }
    }

    #[test]
    fn what_does_not_fit_is_explained() {
        for (line, word) in [
            ("/rename", "/rename TITLE"),
            ("/load", "/load N|ID"),
            ("/branch zero", "/branch back|on|N"),
            ("/branch 0", "/branch"),
            ("/help me", "/help"),
            ("/regen", "/regenerate"),
            ("/xyzzy", "/help"),
            ("/attach \"open", "/attach FILE"),
        ] {
            match parse(line) {
                ChatInput::Invalid(why) => assert!(why.contains(word), "{line}: {why}"),
                other => panic!("{line}: {other:?}"),
            }
        }
    }

    #[test]
    fn every_command_of_the_list_is_understood() {
        for entry in COMMANDS {
            let argument =
                if entry.arguments.starts_with('[') || entry.arguments.is_empty() { "" } else { "1" };
            for name in entry.names {
                assert!(matches!(parse(&format!("/{name} {argument}")), ChatInput::Command(_)), "/{name}");
            }
        }
    }
}
