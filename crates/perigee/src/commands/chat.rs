use std::io::{IsTerminal as _, Read as _};
use std::process::ExitCode;

use anyhow::Context as _;
use chat::{ConfirmationPolicy, OutputFormat, StartingChat, show_turn};
use clap::Args;
use client::{Client, TurnStream};
use config::Folders;
use protocol::{ChatRequest, ChatSummary, ConversationId, MAX_MESSAGE_BYTES, NewChatRequest};

use crate::connect::with_client;
use crate::lazy_model::ModelLoading;
use crate::program_commands::CommandsInChat;

/// The input limit in bytes: one more than the server accepts.
const INPUT_LIMIT: u64 = MAX_MESSAGE_BYTES as u64 + 1;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee chat                              talk; /help shows the commands there
  perigee chat \"What is a perigee?\"         one question, one answer
  git diff | perigee chat -                 the message from standard input
  perigee chat --yes \"Open example.org\"     allow everything that needs permission
  perigee chat --new --json \"Hello\"         one event per line, for programs

Without --new or --conversation, the latest conversation continues.
Exit code: 0 after an answer, 1 without one, 130 after Ctrl-C.")]
pub struct ChatCommandOptions {
    /// The message; `-` reads it from standard input.
    message: Vec<String>,
    /// Answer yes to every confirmation request.
    #[arg(long, conflicts_with = "no")]
    yes: bool,
    /// Answer no to every confirmation request.
    #[arg(long)]
    no: bool,
    /// Print each event as JSON, one per line.
    #[arg(long)]
    json: bool,
    /// Start a new conversation.
    #[arg(long, conflicts_with = "conversation")]
    new: bool,
    /// Continue this conversation.
    #[arg(long, value_name = "ID")]
    conversation: Option<ConversationId>,
}

pub async fn run(folders: &Folders, options: ChatCommandOptions) -> anyhow::Result<ExitCode> {
    let Some(message) = message(&options)? else {
        anyhow::ensure!(!options.json, "--json needs a message");
        let start = match (options.new, options.conversation) {
            (_, Some(id)) => StartingChat::Existing(id),
            (true, None) => StartingChat::New,
            (false, None) => StartingChat::Latest,
        };
        let talk = async |client: &Client| {
            chat::talk(client, &folders.home, &CommandsInChat { folders }, start).await
        };
        return with_client(folders, ModelLoading::AtOnce, talk).await;
    };
    let format = OutputFormat::of(options.json);
    with_client(folders, ModelLoading::AtOnce, async |client| {
        let conversation_id =
            if options.new { Some(new_conversation(client).await?) } else { options.conversation };
        let mut request = ChatRequest { message, conversation_id, ..ChatRequest::default() };
        let policy = ConfirmationPolicy::of(options.yes, options.no);
        Ok(show_turn(client, TurnStream::send_message(client, &mut request), format, policy).await.code)
    })
    .await
}

async fn new_conversation(client: &Client) -> anyhow::Result<ConversationId> {
    let chat: ChatSummary = client.post("/api/chats/new", &NewChatRequest::default()).await?;
    Ok(chat.id)
}

/// Returns the message, or `None` if the user will type it.
fn message(options: &ChatCommandOptions) -> anyhow::Result<Option<String>> {
    let from_input = matches!(options.message.as_slice(), [only] if only == "-");
    if !from_input && !options.message.is_empty() {
        return Ok(Some(options.message.join(" ")));
    }
    if !from_input && terminal::is_interactive() {
        return Ok(None);
    }
    let stdin = std::io::stdin();
    anyhow::ensure!(from_input || !stdin.is_terminal(), "there is no message: perigee chat MESSAGE");
    let mut bytes = Vec::new();
    stdin.lock().take(INPUT_LIMIT).read_to_end(&mut bytes).context("the message could not be read")?;
    let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
    anyhow::ensure!(!text.is_empty(), "the message is empty");
    Ok(Some(text))
}
