use std::process::ExitCode;

use config::Folders;
use protocol::CodeMode;

use super::slash::{ENTRIES, MORE, Slash, Spoken, read};
use super::work::Work;
use crate::chat::{Editor, Input, help};
use crate::commands::TERMINATED;
use crate::terminal::{self, Colour, Screen, Style, clean_line, say, sentence, tell};

/// Runs code requests at the terminal until the user ends the session.
pub async fn run(mut work: Work<'_>, folders: &Folders) -> anyhow::Result<ExitCode> {
    work.at_prompt = true;
    let screen = Screen::stdout();
    let editor = Editor::start(&folders.home, screen.paint, ENTRIES)?;
    say!("{}", screen.paint.bold(&clean_line(work.root())));
    tell(
        Style::DIM,
        "Say what you want. Nothing is written before you approve it. /help shows the rest, Ctrl-D ends.",
    );
    say!("");
    loop {
        let line = match editor.read("").await {
            Input::Line(line) => line,
            Input::Interrupted => {
                tell(Style::DIM, "/exit or Ctrl-D ends.");
                continue;
            }
            Input::Ended => return Ok(ExitCode::SUCCESS),
            Input::Terminated => return Ok(ExitCode::from(TERMINATED)),
        };
        let done = match read(&line) {
            Spoken::Nothing => continue,
            Spoken::Command(Slash::Exit) => return Ok(ExitCode::SUCCESS),
            Spoken::Request(text) => work.ask(text).await,
            Spoken::Command(slash) => act(&mut work, slash, screen).await,
            Spoken::Unclear(why) => {
                tell(Style::PLAIN, &why);
                continue;
            }
        };
        match done {
            // A termination signal ends the session, not only the running request.
            Ok(code) if code == ExitCode::from(TERMINATED) => return Ok(code),
            Ok(_) => {}
            Err(error) => tell(Style::coloured(Colour::Red), &sentence(&format!("{error:#}"))),
        }
        say!("");
    }
}

async fn act(work: &mut Work<'_>, slash: Slash, screen: Screen) -> anyhow::Result<ExitCode> {
    match slash {
        Slash::Help => terminal::print(&help(screen, ENTRIES, MORE)),
        Slash::Exit => {}
        Slash::New => {
            work.asking.conversation = None;
            tell(Style::DIM, "The next request begins another conversation.");
        }
        Slash::Mode(mode) => {
            work.asking.mode = mode;
            tell(Style::DIM, about(mode));
        }
        Slash::Focus(file) => {
            let said = match &file {
                Some(file) => format!("The next requests are about {}.", clean_line(file)),
                None => "She finds the files herself.".to_owned(),
            };
            work.asking.focus = file;
            tell(Style::DIM, &said);
        }
        Slash::Go => return work.carry_out().await,
        Slash::Review => return work.review().await,
        Slash::Undo => work.undo().await?,
        Slash::Redo => work.redo().await?,
        Slash::Verify => return work.verify().await,
        Slash::Run(command) => return work.run(command).await,
    }
    Ok(ExitCode::SUCCESS)
}

fn about(mode: CodeMode) -> &'static str {
    match mode {
        CodeMode::Agent => "She changes files, and shows you each change first.",
        CodeMode::Ask => "She answers, and changes nothing.",
        CodeMode::Plan => "She writes down the steps, and changes nothing. /go carries them out.",
        CodeMode::Repair => "She fixes what an error is about.",
    }
}
