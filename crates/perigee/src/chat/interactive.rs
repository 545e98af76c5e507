use std::process::ExitCode;

use config::Folders;
use protocol::{ChatList, ChatView, ConversationId, LoadChatRequest, MessageId, ModelState};
use tokio::signal::unix::{SignalKind, signal};

use crate::chat::editor::{Editor, Input};
use crate::chat::session::{Place, Session, Then};
use crate::chat::show;
use crate::chat::slash::{ENTRIES, Slash, Spoken, read};
use crate::client::Client;
use crate::commands::{TERMINATED, models};
use crate::terminal::{Colour, Screen, Style, clean_line, say, sentence, tell};

/// The conversation that a session starts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beginning {
    /// The conversation that was open last.
    Current,
    Fresh,
    At(ConversationId),
}

/// Runs a conversation at the terminal until the user ends it.
pub async fn run(client: &Client, folders: &Folders, beginning: Beginning) -> anyhow::Result<ExitCode> {
    let screen = Screen::stdout();
    let editor = Editor::start(&folders.home, screen.paint, ENTRIES)?;
    let (place, title) = place(client, beginning).await?;
    let mut session = Session::new(client, folders, place)?;
    greet(&session, title.as_deref(), screen).await?;
    let mut prefilled: Option<(String, MessageId)> = None;
    loop {
        let (initial, edit_of) =
            prefilled.take().map_or((String::new(), None), |(text, id)| (text, Some(id)));
        let line = match editor.read(&initial).await {
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
            Spoken::Message(message) => session.say(message, edit_of).await.map(|()| Then::GoOn),
            Spoken::Command(slash) => act(&mut session, slash).await,
            Spoken::Unclear(why) => {
                tell(Style::PLAIN, &why);
                continue;
            }
        };
        match done {
            Ok(Then::GoOn) => {}
            Ok(Then::End) => return Ok(ExitCode::SUCCESS),
            Ok(Then::Edit { text, message }) => prefilled = Some((text, message)),
            Err(error) => tell(Style::coloured(Colour::Red), &sentence(&format!("{error:#}"))),
        }
    }
}

/// Runs a command. Ctrl-C interrupts it, unless it handles Ctrl-C itself.
async fn act(session: &mut Session<'_>, slash: Slash) -> anyhow::Result<Then> {
    if matches!(slash, Slash::Regenerate | Slash::Edit { .. } | Slash::Pull { .. }) {
        return session.act(slash).await;
    }
    let mut interrupts = signal(SignalKind::interrupt())?;
    tokio::select! {
        done = session.act(slash) => done,
        _ = interrupts.recv() => anyhow::bail!("interrupted"),
    }
}

async fn place(client: &Client, beginning: Beginning) -> anyhow::Result<(Place, Option<String>)> {
    let id = match beginning {
        Beginning::Fresh => return Ok((Place::Fresh { title: None }, None)),
        Beginning::At(id) => id,
        Beginning::Current => {
            let list: ChatList = client.get("/api/chats?limit=1").await?;
            let Some(id) = list.current else { return Ok((Place::Fresh { title: None }, None)) };
            id
        }
    };
    let view: ChatView = client.post("/api/chats/load", &LoadChatRequest { id }).await?;
    Ok((Place::At(id), Some(view.chat.title)))
}

async fn greet(session: &Session<'_>, title: Option<&str>, screen: Screen) -> anyhow::Result<()> {
    let name = session.her_name().await?;
    let report = models::report(session.client).await?;
    let better = models::better(&report);
    let (model, trouble) = match report.current {
        ModelState::Ready { name, .. } | ModelState::Loading { name } => (name, None),
        ModelState::Failed { name, message } => (name, Some(sentence(&message))),
        ModelState::None { hint } => {
            (String::new(), Some(format!("No model is chosen yet. {}", sentence(&hint))))
        }
    };
    say!("{} {}", screen.paint.bold(&name), screen.paint.dim(&clean_line(&model)));
    if let Some(trouble) = trouble {
        tell(Style::PLAIN, &trouble);
    }
    if let Some(better) = better {
        tell(Style::PLAIN, &better);
    }
    if let Some(title) = title {
        tell(Style::DIM, &format!("Going on with “{}”. /new begins afresh.", show::titled(title)));
    }
    tell(Style::DIM, "/help shows what you can do, Ctrl-D ends.");
    say!("");
    Ok(())
}
