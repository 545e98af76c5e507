use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use protocol::MemoryImportReply;

use super::with_query;
use crate::client::Client;
use crate::commands::part_file::PartFile;
use crate::commands::print_json;
use crate::terminal::{self, StatusLine, bytes, clean_line, count, say};

/// Writes the memory to a file or to standard output.
pub async fn export(client: &Client, target: &Path, markdown: bool) -> anyhow::Result<ExitCode> {
    let is_note = target.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
    let format = if markdown || is_note { "markdown" } else { "json" };
    let mut response = client.download(&format!("/api/memory/export?format={format}")).await?;
    let mut file = if target == Path::new("-") { None } else { Some(PartFile::create(target)?) };
    while let Some(piece) = response.chunk().await.context("the export broke off")? {
        match &mut file {
            Some(file) => file.write(&piece)?,
            None => terminal::print_bytes(&piece),
        }
    }
    if let Some(file) = file {
        let length = file.length();
        file.keep()?;
        say!("{} holds what she remembers, {}.", target.display(), bytes(length));
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn import(client: &Client, path: &PathBuf, json: bool) -> anyhow::Result<ExitCode> {
    let file = std::fs::File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut status = StatusLine::new();
    status.show("Reading …");
    let door = with_query("/api/memory/import", &[("name", &name)])?;
    let reply: MemoryImportReply = client.upload(&door, file).await.context("nothing was imported")?;
    status.clear();
    if json {
        return print_json(&reply);
    }
    let number = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let came: Vec<String> = [
        (reply.facts, "fact"),
        (reply.conversations, "conversation"),
        (reply.messages, "message"),
        (reply.entries, "saved text"),
        (reply.files, "file"),
    ]
    .into_iter()
    .filter(|(came, _)| *came > 0)
    .map(|(came, what)| count(number(came), what))
    .collect();
    let came = if came.is_empty() { "Nothing new".to_owned() } else { came.join(", ") };
    say!(
        "{came} came in. {} here already.",
        if reply.known == 0 { "Nothing was".to_owned() } else { format!("{} were", reply.known) }
    );
    for problem in &reply.problems {
        say!("  {}", clean_line(problem));
    }
    if reply.conversations > 0 {
        say!("She reads the conversations now; what she learns shows in: perigee memory list");
    }
    Ok(ExitCode::SUCCESS)
}
