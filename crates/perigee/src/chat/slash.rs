/// A command of a chat session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slash {
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
        step: Step,
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
    Model {
        name: Option<String>,
    },
    Models,
    Pull {
        name: String,
    },
    Processes,
    Config {
        key: Option<String>,
        value: Option<String>,
    },
    Doctor,
    Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Back,
    On,
    /// A branch number, counted from one.
    To(usize),
}

/// One line of `/help`.
pub struct Entry {
    /// The names without the slash; the first is the one displayed.
    pub names: &'static [&'static str],
    pub arguments: &'static str,
    pub about: &'static str,
}

/// Creates an entry of `/help`.
pub const fn entry(names: &'static [&'static str], arguments: &'static str, about: &'static str) -> Entry {
    Entry { names, arguments, about }
}

pub const ENTRIES: &[Entry] = &[
    entry(&["help", "?"], "", "this list"),
    entry(&["new", "clear"], "[TITLE]", "begin another conversation"),
    entry(&["chats"], "", "the conversations, newest first"),
    entry(&["search"], "WORDS", "find messages in all conversations"),
    entry(&["load"], "N|ID", "go on with a conversation of the list"),
    entry(&["history"], "", "show this conversation again"),
    entry(&["rename"], "TITLE", "give this conversation another title"),
    entry(&["pin"], "", "keep this conversation at the top of the list"),
    entry(&["unpin"], "", "let it go down again"),
    entry(&["folder"], "[NAME]", "put this conversation into a folder, or out of it"),
    entry(&["tags"], "[A, B]", "tag this conversation"),
    entry(&["delete"], "", "delete this conversation; it can be brought back for 30 days"),
    entry(&["restore"], "", "bring back the one that was just deleted"),
    entry(&["regenerate", "retry"], "", "another answer beside the last one"),
    entry(&["edit"], "[TEXT]", "say your last message in other words"),
    entry(&["branch"], "back|on|N", "walk between answers that stand beside each other"),
    entry(&["stop"], "", "stop an answer that another window began"),
    entry(&["attach"], "FILE", "send a text file or a picture with the next message"),
    entry(&["detach"], "", "send nothing with it after all"),
    entry(&["export"], "FILE", "write this conversation to a file (.md or .json)"),
    entry(&["why"], "", "what she saw when she answered, and what it cost"),
    entry(&["thoughts"], "", "what the model thought before the last answer"),
    entry(&["model"], "[NAME]", "which model answers, or choose another"),
    entry(&["models"], "", "the models that are here, and those that can be had"),
    entry(&["pull"], "NAME", "download a model"),
    entry(&["processes"], "", "the background work"),
    entry(&["config"], "[KEY [VALUE]]", "show or change settings"),
    entry(&["doctor"], "", "check everything"),
    entry(&["open"], "", "go on in the browser"),
    entry(&["exit", "quit"], "", "end (or Ctrl-D)"),
];

/// The text below the list of `/help`.
pub const MORE: &str = "Everything else is said to her. A line that ends with \\ goes on in the next; what is pasted \
                        may have many lines. Ctrl-C stops an answer.";

/// The meaning of a line: a message or a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spoken {
    Nothing,
    Message(String),
    Command(Slash),
    /// An unknown or incomplete command, with an explanation for the user.
    Unclear(String),
}

/// Parses a line. A command begins with a slash; a line that begins with two slashes is a message with one.
pub fn read(line: &str) -> Spoken {
    let text = line.trim();
    if text.is_empty() {
        return Spoken::Nothing;
    }
    if let Some(message) = text.strip_prefix("//") {
        return Spoken::Message(format!("/{message}"));
    }
    let Some(command) = text.strip_prefix('/') else { return Spoken::Message(text.to_owned()) };
    let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    // A path is part of a message.
    if name.contains('/') || name.contains('.') {
        return Spoken::Message(text.to_owned());
    }
    let name = name.to_lowercase();
    let Some(entry) = ENTRIES.iter().find(|entry| entry.names.contains(&name.as_str())) else {
        let meant = meant(&name).map(|meant| format!(" Did you mean /{meant}?")).unwrap_or_default();
        return Spoken::Unclear(format!(
            "There is no /{name}.{meant} /help shows what there is; // says it as a message."
        ));
    };
    command_of(entry, rest.trim()).map_or_else(
        || Spoken::Unclear(format!("It goes like this: /{} {}", entry.names[0], entry.arguments)),
        Spoken::Command,
    )
}

/// Parses the arguments; `None` if they do not fit.
fn command_of(entry: &Entry, rest: &str) -> Option<Slash> {
    let whole = || Some(rest.to_owned()).filter(|text| !text.is_empty());
    let slash = match entry.names[0] {
        "new" => Slash::New { title: whole() },
        "search" => Slash::Search { words: whole()? },
        "load" => Slash::Load { which: whole()? },
        "rename" => Slash::Rename { title: whole()? },
        "folder" => Slash::Folder { name: whole() },
        "tags" => {
            let tags = rest.split([',', ' ']).map(|tag| tag.trim().trim_start_matches('#'));
            Slash::Tags { tags: tags.filter(|tag| !tag.is_empty()).map(str::to_owned).collect() }
        }
        "edit" => Slash::Edit { text: whole() },
        "branch" => Slash::Branch {
            step: match rest {
                "back" | "prev" | "previous" | "<" => Step::Back,
                "on" | "next" | ">" | "" => Step::On,
                number => Step::To(number.parse().ok().filter(|number| *number > 0)?),
            },
        },
        "attach" => Slash::Attach { file: unquoted(rest).filter(|file| !file.is_empty())? },
        "export" => Slash::Export { file: unquoted(rest).filter(|file| !file.is_empty())? },
        "model" => Slash::Model { name: whole() },
        "pull" => Slash::Pull { name: whole()? },
        "config" => {
            let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let some = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
            Slash::Config { key: some(key), value: some(value) }
        }
        name => without_arguments(name).filter(|_| rest.is_empty())?,
    };
    Some(slash)
}

fn without_arguments(name: &str) -> Option<Slash> {
    Some(match name {
        "help" => Slash::Help,
        "exit" => Slash::Exit,
        "chats" => Slash::Chats,
        "history" => Slash::History,
        "pin" => Slash::Pin,
        "unpin" => Slash::Unpin,
        "delete" => Slash::Delete,
        "restore" => Slash::Restore,
        "regenerate" => Slash::Regenerate,
        "stop" => Slash::Stop,
        "detach" => Slash::Detach,
        "why" => Slash::Why,
        "thoughts" => Slash::Thoughts,
        "models" => Slash::Models,
        "processes" => Slash::Processes,
        "doctor" => Slash::Doctor,
        "open" => Slash::Open,
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
fn meant(name: &str) -> Option<&'static str> {
    let names = ENTRIES.iter().flat_map(|entry| entry.names.iter().copied());
    let shared = |other: &str| name.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    names.filter(|other| shared(other) >= 2).max_by_key(|other| shared(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Slash {
        match read(line) {
            Spoken::Command(slash) => slash,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_line_is_a_message_or_a_command() {
        let message = |text: &str| Spoken::Message(text.into());
        for (line, expected) in [
            ("  Hello, Luna ", message("Hello, Luna")),
            ("two\nlines", message("two\nlines")),
            ("//help is a word", message("/help is a word")),
            ("/etc/hosts is a file", message("/etc/hosts is a file")),
            ("/notes.txt", message("/notes.txt")),
            ("   ", Spoken::Nothing),
            ("/help", Spoken::Command(Slash::Help)),
            ("/QUIT", Spoken::Command(Slash::Exit)),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }

    #[test]
    fn arguments_are_read() {
        let some = |text: &str| Some(text.to_owned());
        for (line, expected) in [
            ("/new", Slash::New { title: None }),
            ("/new A title", Slash::New { title: some("A title") }),
            ("/load 3", Slash::Load { which: "3".into() }),
            ("/tags moon, #sun  sea", Slash::Tags { tags: vec!["moon".into(), "sun".into(), "sea".into()] }),
            ("/branch back", Slash::Branch { step: Step::Back }),
            ("/branch 2", Slash::Branch { step: Step::To(2) }),
            ("/attach \"my file.txt\"", Slash::Attach { file: "my file.txt".into() }),
            ("/attach my\\ file.txt", Slash::Attach { file: "my file.txt".into() }),
            ("/config", Slash::Config { key: None, value: None }),
            ("/config llm.top_k 20", Slash::Config { key: some("llm.top_k"), value: some("20") }),
            ("/model  qwen3-4b ", Slash::Model { name: some("qwen3-4b") }),
            ("/edit what I meant", Slash::Edit { text: some("what I meant") }),
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
            match read(line) {
                Spoken::Unclear(why) => assert!(why.contains(word), "{line}: {why}"),
                other => panic!("{line}: {other:?}"),
            }
        }
    }

    #[test]
    fn every_command_of_the_list_is_understood() {
        for entry in ENTRIES {
            let argument =
                if entry.arguments.starts_with('[') || entry.arguments.is_empty() { "" } else { "1" };
            for name in entry.names {
                assert!(matches!(read(&format!("/{name} {argument}")), Spoken::Command(_)), "/{name}");
            }
        }
    }
}
