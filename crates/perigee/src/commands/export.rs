use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use client::Client;
use jiff::Zoned;
use protocol::{ChatList, ChatSummary};
use terminal::{StatusLine, bytes, count, print_line};

/// The largest page that the server returns.
const PAGE_SIZE: u32 = 200;
/// The longest title in a file name, in characters.
const MAX_TITLE_CHARS: usize = 60;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee export                        all conversations as perigee-export-DATE.json
  perigee export luna.json              the same, under this name
  perigee export - | jq .               to standard output
  perigee export --format md talks/     one Markdown file for each conversation

`perigee import` reads the JSON file.")]
pub struct ExportCommandOptions {
    /// The file to write (a folder, for Markdown); `-` is standard output.
    target: Option<PathBuf>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One file with everything, for programs and for `import`.
    Json,
    /// One Markdown file per conversation.
    Md,
}

pub async fn run(client: &Client, options: ExportCommandOptions) -> anyhow::Result<ExitCode> {
    let usual = format!("perigee-export-{}", Zoned::now().strftime("%Y-%m-%d"));
    match (options.format, options.target) {
        (Format::Json, Some(target)) if target == Path::new("-") => to_stdout(client).await,
        (Format::Json, Some(target)) if target.is_dir() => {
            to_file(client, &target.join(format!("{usual}.json"))).await
        }
        (Format::Json, Some(target)) => to_file(client, &target).await,
        (Format::Json, None) => to_file(client, Path::new(&format!("{usual}.json"))).await,
        (Format::Md, Some(target)) if target == Path::new("-") => {
            anyhow::bail!("Markdown needs one file per conversation: name a folder")
        }
        (Format::Md, target) => to_folder(client, &target.unwrap_or_else(|| usual.into())).await,
    }
}

async fn to_stdout(client: &Client) -> anyhow::Result<ExitCode> {
    let mut response = client.download("/api/export").await?;
    while let Some(chunk) = response.chunk().await.context("the export was cut off")? {
        // The server's JSON is printed unescaped, even to a terminal.
        terminal::print_bytes(&chunk);
    }
    Ok(ExitCode::SUCCESS)
}

async fn to_file(client: &Client, path: &Path) -> anyhow::Result<ExitCode> {
    let mut status = StatusLine::on_stderr();
    let show = |written: u64| status.show(&format!("{} …", bytes(written)));
    let length = client.download_to("/api/export", path, show).await?;
    status.clear();
    print_line!(
        "All conversations are in {}, {}. Import them elsewhere with: perigee import",
        path.display(),
        bytes(length)
    );
    Ok(ExitCode::SUCCESS)
}

async fn to_folder(client: &Client, folder: &Path) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(!folder.is_file(), "{} is a file: name a folder", folder.display());
    if !folder.exists() {
        host::private_dir(folder)?;
    }
    let chats = all_chats(client).await?;
    let mut status = StatusLine::on_stderr();
    for (index, chat) in chats.iter().enumerate() {
        status.show(&format!("{} of {} …", index + 1, chats.len()));
        let response = client.download(&format!("/api/chats/{}/export?format=md", chat.id)).await?;
        let text = response.bytes().await.context("the export was cut off")?;
        host::atomic_write_private(folder.join(file_name(chat)), &text)?;
    }
    status.clear();
    print_line!("{} in {}.", count(chats.len(), "conversation"), folder.display());
    Ok(ExitCode::SUCCESS)
}

async fn all_chats(client: &Client) -> anyhow::Result<Vec<ChatSummary>> {
    let mut chats = Vec::new();
    let mut page: ChatList = client.get(&format!("/api/chats?limit={PAGE_SIZE}")).await?;
    loop {
        chats.append(&mut page.chats);
        let Some(next) = page.next else { return Ok(chats) };
        page = client.get(&format!("/api/chats?limit={PAGE_SIZE}&cursor={next}")).await?;
    }
}

/// Returns a file name: the title, reduced to safe characters, and the id, which makes it unique.
fn file_name(chat: &ChatSummary) -> String {
    let safe = |character: char| if character.is_alphanumeric() { character } else { '-' };
    let words: String = chat.title.chars().map(safe).take(MAX_TITLE_CHARS).collect();
    let words = words.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    let title = if words.is_empty() { "conversation".to_owned() } else { words };
    format!("{title}-{}.md", chat.id)
}

#[cfg(test)]
mod tests {
    use protocol::ConversationId;

    use super::*;

    #[test]
    fn titles_become_names_that_every_disk_takes() {
        for (title, expected) in [
            ("The Moon", "The-Moon-0000000000007.md"),
            ("../../etc/passwd", "etc-passwd-0000000000007.md"),
            ("a\u{1b}[2J\nb/c", "a-2J-b-c-0000000000007.md"),
            ("月が綺麗", "月が綺麗-0000000000007.md"),
            ("", "conversation-0000000000007.md"),
        ] {
            let chat = ChatSummary {
                id: ConversationId::new(7),
                title: title.into(),
                created_at: String::new(),
                updated_at: String::new(),
                pinned: false,
                folder: None,
                tags: Vec::new(),
                message_count: 0,
                preview: String::new(),
                incognito: false,
            };
            assert_eq!(file_name(&chat), expected);
        }
    }
}
