use std::io::{IsTerminal as _, Read as _};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use config::Folders;
use protocol::{ChatRequest, ChatSummary, ConversationId, NewChatRequest};

use crate::chat::{self, Answering, Beginning, Manner, Turn};
use crate::client::Client;
use crate::terminal;

/// The input limit in bytes: one more than the server accepts.
const LONGEST: u64 = companion::LONGEST_MESSAGE as u64 + 1;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee chat                              talk; /help shows the commands there
  perigee chat \"What is a perigee?\"         one question, one answer
  git diff | perigee chat -                 the message from standard input
  perigee chat --yes \"Open example.org\"     whatever she asks for is allowed
  perigee chat --new --json \"Hello\"         one event on each line, for programs

Without --new or --conversation, the conversation that was open last goes on.
Exit code: 0 when she answered, 1 when not, 130 after Ctrl-C.")]
pub struct Options {
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

pub async fn run(folders: &Folders, options: Options) -> anyhow::Result<ExitCode> {
    let Some(message) = message(&options)? else {
        anyhow::ensure!(!options.json, "--json needs a message");
        let beginning = match (options.new, options.conversation) {
            (_, Some(id)) => Beginning::At(id),
            (true, None) => Beginning::Fresh,
            (false, None) => Beginning::Current,
        };
        return Client::with(folders, async |client| chat::talk(client, folders, beginning).await).await;
    };
    let manner = Manner::of(options.json);
    Client::with(folders, async |client| {
        let conversation_id = if options.new { Some(begin(client).await?) } else { options.conversation };
        let mut request = ChatRequest { message, conversation_id, ..ChatRequest::default() };
        let answering = Answering::of(options.yes, options.no);
        Ok(chat::follow(client, Turn::say(client, &mut request), manner, answering).await.code)
    })
    .await
}

async fn begin(client: &Client) -> anyhow::Result<ConversationId> {
    let chat: ChatSummary = client.post("/api/chats/new", &NewChatRequest::default()).await?;
    Ok(chat.id)
}

/// Returns the message, or `None` if the user will type it.
fn message(options: &Options) -> anyhow::Result<Option<String>> {
    let from_input = matches!(options.message.as_slice(), [only] if only == "-");
    if !from_input && !options.message.is_empty() {
        return Ok(Some(options.message.join(" ")));
    }
    if !from_input && terminal::is_interactive() {
        return Ok(None);
    }
    let stdin = std::io::stdin();
    anyhow::ensure!(from_input || !stdin.is_terminal(), "say something: perigee chat MESSAGE");
    let mut bytes = Vec::new();
    stdin.lock().take(LONGEST).read_to_end(&mut bytes).context("the message could not be read")?;
    let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
    anyhow::ensure!(!text.is_empty(), "the message is empty: write something");
    Ok(Some(text))
}
