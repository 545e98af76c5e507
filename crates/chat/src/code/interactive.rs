use std::path::Path;
use std::process::ExitCode;

use protocol::CodeMode;
use terminal::{AnsiColour, Screen, TERMINATED, TextStyle, clean_line, print, print_line, print_paragraph};
use tools::sentence;

use super::commands::{COMMANDS, CodeCommand, CodeInput, HELP_FOOTER, parse};
use super::session::CodeSession;
use crate::command_help::format_help;
use crate::line_editor::{EditorInput, LineEditor};

/// Runs code requests at the terminal until the user ends the session. `home` is the folder of the input history.
pub async fn talk(mut session: CodeSession<'_>, home: &Path) -> anyhow::Result<ExitCode> {
    session.at_prompt = true;
    let screen = Screen::stdout();
    let editor = LineEditor::start(home, screen.painter, COMMANDS)?;
    print_line!("{}", screen.painter.bold(&clean_line(session.root())));
    print_paragraph(
        TextStyle::DIM,
        "Say what you want. Nothing is written before you approve it. /help lists the commands, Ctrl-D leaves.",
    );
    print_line!("");
    loop {
        let line = match editor.read("").await {
            EditorInput::Line(line) => line,
            EditorInput::Interrupted => {
                print_paragraph(TextStyle::DIM, "Leave with /exit or Ctrl-D.");
                continue;
            }
            EditorInput::Ended => return Ok(ExitCode::SUCCESS),
            EditorInput::Terminated => return Ok(ExitCode::from(TERMINATED)),
        };
        let done = match parse(&line) {
            CodeInput::Empty => continue,
            CodeInput::Command(CodeCommand::Exit) => return Ok(ExitCode::SUCCESS),
            CodeInput::Request(text) => session.ask(text).await,
            CodeInput::Command(command) => run(&mut session, command, screen).await,
            CodeInput::Invalid(why) => {
                print_paragraph(TextStyle::PLAIN, &why);
                continue;
            }
        };
        match done {
            // A termination signal ends the session, not only the running request.
            Ok(code) if code == ExitCode::from(TERMINATED) => return Ok(code),
            Ok(_) => {}
            Err(error) => {
                print_paragraph(TextStyle::coloured(AnsiColour::Red), &sentence(&format!("{error:#}")));
            }
        }
        print_line!("");
    }
}

async fn run(
    session: &mut CodeSession<'_>,
    command: CodeCommand,
    screen: Screen,
) -> anyhow::Result<ExitCode> {
    match command {
        CodeCommand::Help => print(&format_help(screen, COMMANDS, HELP_FOOTER)),
        CodeCommand::Exit => {}
        CodeCommand::New => {
            session.options.conversation = None;
            print_paragraph(TextStyle::DIM, "The next request starts another conversation.");
        }
        CodeCommand::Mode(mode) => {
            session.options.mode = mode;
            print_paragraph(TextStyle::DIM, about(mode));
        }
        CodeCommand::Focus(file) => {
            let message = match &file {
                Some(file) => format!("The next requests are about {}.", clean_line(file)),
                None => "Luna will find the files.".to_owned(),
            };
            session.options.focus = file;
            print_paragraph(TextStyle::DIM, &message);
        }
        CodeCommand::CarryOut => return session.carry_out().await,
        CodeCommand::Review => return session.review().await,
        CodeCommand::Undo => session.undo().await?,
        CodeCommand::Redo => session.redo().await?,
        CodeCommand::Verify => return session.verify().await,
        CodeCommand::Run(command) => return session.run(command).await,
    }
    Ok(ExitCode::SUCCESS)
}

fn about(mode: CodeMode) -> &'static str {
    match mode {
        CodeMode::Agent => "Files are changed, and you see each change first.",
        CodeMode::Ask => "Questions are answered, and nothing is changed.",
        CodeMode::Plan => "The steps are written down, and nothing is changed. /go carries them out.",
        CodeMode::Repair => "The cause of an error is fixed.",
    }
}
