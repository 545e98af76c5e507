use std::borrow::Cow;
use std::path::Path;
use std::sync::mpsc;

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Context, Helper};
use terminal::{AnsiColour, Painter, TerminalMode, TextStyle, terminated};
use tokio::sync::oneshot;

use crate::command_help::CommandHelp;
use crate::input_history::{InputHistory, should_keep};

/// The input of the user.
#[derive(Debug, PartialEq, Eq)]
pub enum EditorInput {
    Line(String),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D, or the terminal is gone.
    Ended,
    /// The process was asked to terminate.
    Terminated,
}

/// The line editor. It runs on its own thread, since it blocks on key input.
pub struct LineEditor {
    requests: mpsc::Sender<Request>,
}

struct Request {
    initial: String,
    answer: oneshot::Sender<EditorInput>,
}

const PROMPT: &str = "› ";

impl LineEditor {
    /// Starts the editor; `commands` are offered for completion.
    pub fn start(home: &Path, painter: Painter, commands: &'static [CommandHelp]) -> anyhow::Result<Self> {
        let history = InputHistory::new(home);
        let (requests, asked) = mpsc::channel::<Request>();
        std::thread::Builder::new().name("line editor".into()).spawn(move || {
            let Ok(mut editor) = rustyline_editor(painter, commands) else { return };
            for line in history.load() {
                editor.add_history_entry(line).ok();
            }
            for Request { initial, answer } in asked {
                let input = match editor.readline_with_initial(PROMPT, (&initial, "")) {
                    Ok(line) => {
                        if should_keep(&line) {
                            editor.add_history_entry(&line).ok();
                            history.add(&line);
                        }
                        EditorInput::Line(join_lines(&line))
                    }
                    Err(ReadlineError::Interrupted) => EditorInput::Interrupted,
                    Err(_) => EditorInput::Ended,
                };
                if answer.send(input).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { requests })
    }

    /// Reads a line that is prefilled with `initial`.
    pub async fn read(&self, initial: &str) -> EditorInput {
        // The editor's thread stays in its read and would leave the terminal in its own mode.
        let terminal = TerminalMode::now();
        let (answer, answered) = oneshot::channel();
        if self.requests.send(Request { initial: initial.to_owned(), answer }).is_err() {
            return EditorInput::Ended;
        }
        tokio::select! {
            input = answered => input.unwrap_or(EditorInput::Ended),
            () = terminated() => {
                terminal.restore();
                EditorInput::Terminated
            }
        }
    }
}

fn rustyline_editor(
    painter: Painter,
    commands: &'static [CommandHelp],
) -> rustyline::Result<rustyline::Editor<InputHelper, MemHistory>> {
    let config =
        rustyline::Config::builder().completion_type(CompletionType::List).auto_add_history(false).build();
    let mut editor = rustyline::Editor::with_history(config.clone(), MemHistory::with_config(&config))?;
    editor.set_helper(Some(InputHelper { painter, commands, files: FilenameCompleter::new() }));
    Ok(editor)
}

/// Joins lines that were continued with a backslash.
fn join_lines(line: &str) -> String {
    line.replace("\\\n", "\n")
}

/// Returns true if more lines follow: after a backslash, or inside a code block.
fn is_incomplete(text: &str) -> bool {
    let backslashes = text.len() - text.trim_end_matches('\\').len();
    let fences = text.lines().filter(|line| line.trim_start().starts_with("```")).count();
    backslashes % 2 == 1 || fences % 2 == 1
}

/// Completes commands and file names, and detects unfinished messages.
struct InputHelper {
    painter: Painter,
    commands: &'static [CommandHelp],
    files: FilenameCompleter,
}

impl Helper for InputHelper {}

impl Hinter for InputHelper {
    type Hint = String;
}

impl Highlighter for InputHelper {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _default: bool) -> Cow<'b, str> {
        Cow::Owned(
            self.painter.apply(TextStyle { bold: true, ..TextStyle::coloured(AnsiColour::Cyan) }, prompt),
        )
    }
}

impl Validator for InputHelper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if is_incomplete(context.input()) {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

impl Completer for InputHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = &line[..pos];
        if ["/attach ", "/export "].iter().any(|command| typed.starts_with(command)) {
            return self.files.complete_path(line, pos);
        }
        Ok((0, completions(self.commands, typed)))
    }
}

fn completions(commands: &[CommandHelp], typed: &str) -> Vec<Pair> {
    let Some(beginning) = typed.strip_prefix('/') else { return Vec::new() };
    let names = commands.iter().map(|entry| (entry.names[0], entry.arguments));
    let fitting = names.filter(|(name, _)| name.starts_with(beginning));
    fitting
        .map(|(name, arguments)| {
            let space = if arguments.is_empty() { "" } else { " " };
            Pair { display: format!("/{name}"), replacement: format!("/{name}{space}") }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::COMMANDS;

    #[test]
    fn a_message_goes_on_after_a_backslash_and_within_code() {
        for (text, expected) in [
            ("one line", false),
            ("goes on \\", true),
            ("goes on \\\nand ends", false),
            ("a backslash \\\\", false),
            ("```rust\nfn main() {}", true),
            ("```rust\nfn main() {}\n```", false),
        ] {
            assert_eq!(is_incomplete(text), expected, "{text}");
        }
        assert_eq!(join_lines("one \\\ntwo"), "one \ntwo");
    }

    #[test]
    fn commands_are_completed() {
        let complete = |typed: &str| {
            completions(COMMANDS, typed).into_iter().map(|pair| pair.replacement).collect::<Vec<_>>()
        };
        assert_eq!(complete("/reg"), ["/regenerate"]);
        assert_eq!(complete("/mod"), ["/model ", "/models"]);
        assert!(complete("hello").is_empty());
        assert_eq!(complete("/").len(), COMMANDS.len());
    }
}
