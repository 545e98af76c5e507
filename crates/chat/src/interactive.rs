use std::path::Path;
use std::process::ExitCode;

use client::Client;
use protocol::{ChatList, ChatView, ConversationId, LoadChatRequest, MessageId, ModelState, ModelsReport};
use terminal::{AnsiColour, Screen, TERMINATED, TextStyle, clean_line, print_line, print_paragraph};
use tokio::signal::unix::{SignalKind, signal};
use tools::sentence;

use crate::commands::{COMMANDS, ChatCommand, ChatInput, parse};
use crate::formatting::title_or_default;
use crate::line_editor::{EditorInput, LineEditor};
use crate::program::{ProgramCommand, ProgramCommands};
use crate::session::{ChatSession, CurrentChat, NextStep};

/// The conversation that a session starts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartingChat {
    /// The conversation that was open last.
    Latest,
    New,
    Existing(ConversationId),
}

/// Runs a conversation at the terminal until the user ends it. `home` is the folder of the input history.
pub async fn talk(
    client: &Client,
    home: &Path,
    program: &dyn ProgramCommands,
    start: StartingChat,
) -> anyhow::Result<ExitCode> {
    let screen = Screen::stdout();
    let editor = LineEditor::start(home, screen.painter, COMMANDS)?;
    let (current, title) = open(client, start).await?;
    let mut session = ChatSession::new(client, program, current)?;
    greet(&session, title.as_deref(), screen).await?;
    let mut prefilled: Option<(String, MessageId)> = None;
    loop {
        let (initial, edit_of) =
            prefilled.take().map_or((String::new(), None), |(text, id)| (text, Some(id)));
        let line = match editor.read(&initial).await {
            EditorInput::Line(line) => line,
            EditorInput::Interrupted => {
                print_paragraph(TextStyle::DIM, "Leave with /exit or Ctrl-D.");
                continue;
            }
            EditorInput::Ended => return Ok(ExitCode::SUCCESS),
            EditorInput::Terminated => return Ok(ExitCode::from(TERMINATED)),
        };
        let done = match parse(&line) {
            ChatInput::Empty => continue,
            ChatInput::Message(message) => session.send(message, edit_of).await.map(|()| NextStep::Continue),
            ChatInput::Command(command) => run(&mut session, command).await,
            ChatInput::Invalid(why) => {
                print_paragraph(TextStyle::PLAIN, &why);
                continue;
            }
        };
        match done {
            Ok(NextStep::Continue) => {}
            Ok(NextStep::Exit) => return Ok(ExitCode::SUCCESS),
            Ok(NextStep::Edit { text, message }) => prefilled = Some((text, message)),
            Err(error) => {
                print_paragraph(TextStyle::coloured(AnsiColour::Red), &sentence(&format!("{error:#}")));
            }
        }
    }
}

/// Runs a command. Ctrl-C interrupts it, unless it handles Ctrl-C itself.
async fn run(session: &mut ChatSession<'_>, command: ChatCommand) -> anyhow::Result<NextStep> {
    if matches!(
        command,
        ChatCommand::Regenerate
            | ChatCommand::Edit { .. }
            | ChatCommand::Program(ProgramCommand::PullModel { .. })
    ) {
        return session.run(command).await;
    }
    let mut interrupts = signal(SignalKind::interrupt())?;
    tokio::select! {
        done = session.run(command) => done,
        _ = interrupts.recv() => anyhow::bail!("interrupted"),
    }
}

async fn open(client: &Client, start: StartingChat) -> anyhow::Result<(CurrentChat, Option<String>)> {
    let id = match start {
        StartingChat::New => return Ok((CurrentChat::New { title: None }, None)),
        StartingChat::Existing(id) => id,
        StartingChat::Latest => {
            let list: ChatList = client.get("/api/chats?limit=1").await?;
            let Some(id) = list.current else { return Ok((CurrentChat::New { title: None }, None)) };
            id
        }
    };
    let view: ChatView = client.post("/api/chats/load", &LoadChatRequest { id }).await?;
    Ok((CurrentChat::Existing(id), Some(view.chat.title)))
}

async fn greet(session: &ChatSession<'_>, title: Option<&str>, screen: Screen) -> anyhow::Result<()> {
    let name = session.companion_name().await?;
    let report: ModelsReport = session.client.get("/api/models").await?;
    let better = session.program.better_model(&report);
    let (model, trouble) = match report.current {
        ModelState::Ready { name, .. } | ModelState::Loading { name } => (name, None),
        ModelState::Failed { name, message } => (name, Some(sentence(&message))),
        ModelState::None { hint } => {
            (String::new(), Some(format!("No model is chosen yet. {}", sentence(&hint))))
        }
    };
    print_line!("{} {}", screen.painter.bold(&name), screen.painter.dim(&clean_line(&model)));
    if let Some(trouble) = trouble {
        print_paragraph(TextStyle::PLAIN, &trouble);
    }
    if let Some(better) = better {
        print_paragraph(TextStyle::PLAIN, &better);
    }
    if let Some(title) = title {
        print_paragraph(
            TextStyle::DIM,
            &format!("Continuing “{}”. /new starts another conversation.", title_or_default(title)),
        );
    }
    print_paragraph(TextStyle::DIM, "/help lists the commands, Ctrl-D leaves.");
    print_line!("");
    Ok(())
}
